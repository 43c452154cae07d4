// SPDX-License-Identifier: Apache-2.0
#include "batch/work/stop_signals.hpp"

#include <atomic>

#include "batch/work/child_process.hpp"
#include "files/end_signals.hpp"

namespace pprofdelta::tool {

namespace {

// The signal, or 0. A handler can run in any thread.
std::atomic<int> came = 0;
static_assert(std::atomic<int>::is_always_lock_free); // as a handler must not wait

extern "C" void remember_or_end(int signal_number) {
    if (came.exchange(signal_number) != 0) {
        end_commands();
        end_by_signal(signal_number);
    }
}

} // namespace

stop_signals::stop_signals() {
    came = 0;
    catch_end_signals(remember_or_end);
}

bool stop_signals::is_stopping() noexcept { return came != 0; }

void stop_signals::end_by_signal() noexcept {
    if (came != 0) {
        tool::end_by_signal(came);
    }
}

} // namespace pprofdelta::tool
