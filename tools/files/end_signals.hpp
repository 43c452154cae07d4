// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_FILES_END_SIGNALS_HPP
#define PPROFDELTA_TOOLS_FILES_END_SIGNALS_HPP

namespace pprofdelta::tool {

/// Has `handler` called by each signal that asks the program to end. One that the parent ignores,
/// as nohup(1) does, stays ignored.
void catch_end_signals(void (*handler)(int));

/// Ends the process by a signal whose default is to do so, as if nobody had caught it. In the first
/// process of a container, which its own signals do not end, the status is 128 and the signal's
/// number, as a shell has it. Safe in a signal handler.
[[noreturn]] void end_by_signal(int number) noexcept;

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_FILES_END_SIGNALS_HPP
