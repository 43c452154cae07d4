// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_WORK_STOP_SIGNALS_HPP
#define PPROFDELTA_TOOLS_BATCH_WORK_STOP_SIGNALS_HPP

namespace pprofdelta::tool {

/// Lets a run end what it has begun when a signal asks the program to end. The second signal ends
/// it at once, with the commands that it runs. There can be one object at a time.
class stop_signals {
public:
    stop_signals();
    stop_signals(const stop_signals&) = delete;
    stop_signals& operator=(const stop_signals&) = delete;

    [[nodiscard]] static bool is_stopping() noexcept;
    /// Whether that was so long ago, a second, that nothing is waited for that another run can do
    /// again.
    [[nodiscard]] static bool is_late() noexcept;

    /// Ends the process by the signal that came, as if nobody had caught it. Returns if none came.
    static void end_by_signal() noexcept;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_WORK_STOP_SIGNALS_HPP
