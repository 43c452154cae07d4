// SPDX-License-Identifier: Apache-2.0
#include "batch/work/stop_signals.hpp"

#include <atomic>
#include <chrono>
#include <csignal>

#include "files/end_signals.hpp"

namespace pprofdelta::tool {

namespace {

using clock = std::chrono::steady_clock;

// The signal, or 0, and when it came. A handler can run in any thread.
std::atomic<int> came = 0;
std::atomic<clock::rep> came_at = 0;
static_assert(std::atomic<int>::is_always_lock_free &&
              std::atomic<clock::rep>::is_always_lock_free); // as a handler must not wait

// Its default is back by now, which the next one finds.
extern "C" void remember(int signal_number) {
    came_at = clock::now().time_since_epoch().count();
    came = signal_number;
}

} // namespace

stop_signals::stop_signals() {
    came = 0;
    catch_end_signals(remember, SA_RESTART);
}

bool stop_signals::is_stopping() noexcept { return came != 0; }

bool stop_signals::is_late() noexcept {
    return is_stopping() &&
           clock::now().time_since_epoch() - clock::duration{came_at} > std::chrono::seconds{1};
}

void stop_signals::end_by_signal() noexcept {
    if (came != 0) {
        tool::end_by_signal(came);
    }
}

} // namespace pprofdelta::tool
