// SPDX-License-Identifier: Apache-2.0
#include "batch/work/stop_signals.hpp"

#include <atomic>
#include <csignal>

#include "files/end_signals.hpp"

namespace pprofdelta::tool {

namespace {

// The signal, or 0. A handler can run in any thread.
std::atomic<int> came = 0;
static_assert(std::atomic<int>::is_always_lock_free); // as a handler must not wait

// Its default is back by now, which the next one finds.
extern "C" void remember(int signal_number) { came = signal_number; }

} // namespace

stop_signals::stop_signals() {
    came = 0;
    catch_end_signals(remember, SA_RESTART);
}

bool stop_signals::is_stopping() noexcept { return came != 0; }

void stop_signals::end_by_signal() noexcept {
    if (came != 0) {
        tool::end_by_signal(came);
    }
}

} // namespace pprofdelta::tool
