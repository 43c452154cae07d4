// SPDX-License-Identifier: Apache-2.0
#include "batch/stop_signals.hpp"

#include <atomic>
#include <chrono>

#include "batch/run_command.hpp"
#include "files/file.hpp"

namespace pprofdelta::tool {

namespace {

using clock = std::chrono::steady_clock;

// The signal, or 0, and when it came. A handler can run in any thread.
std::atomic<int> came = 0;
std::atomic<clock::rep> came_at = 0;
static_assert(std::atomic<int>::is_always_lock_free &&
              std::atomic<clock::rep>::is_always_lock_free); // as a handler must not wait

extern "C" void remember_or_end(int signal_number) {
    if (came == 0) {
        came_at = clock::now().time_since_epoch().count(); // before what says that it is there
    }
    note_end_signal(signal_number);
    if (came.exchange(signal_number) != 0) {
        end_commands();
        remove_temporary_file();
        end_by_signal(signal_number);
    }
}

} // namespace

void stop_signals::catch_them() {
    came = 0;
    catch_end_signals(remember_or_end);
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
