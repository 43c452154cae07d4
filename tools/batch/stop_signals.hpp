// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pprofdelta::tool {

/// Lets a run end what it has begun when a signal asks the program to end. The second signal ends
/// it at once, with the commands that it runs.
namespace stop_signals {

/// Signals are caught from here on.
void catch_them();

[[nodiscard]] bool is_stopping() noexcept;
/// Whether that was so long ago, a second, that nothing is waited for that another run can do
/// again.
[[nodiscard]] bool is_late() noexcept;

/// Ends the process by the signal that came, as if nobody had caught it. Returns if none came.
void end_by_signal() noexcept;

} // namespace stop_signals

} // namespace pprofdelta::tool
