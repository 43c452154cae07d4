// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_PROCESSOR_HPP
#define PPROFDELTA_PROCESSOR_HPP

#include <string_view>
#include <vector>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// Which code the library uses to decode and encode numbers, the bulk of a profile: "portable",
/// "avx2" or "neon". It chooses the fastest that the processor can run, once in a process. The
/// environment variable PPROFDELTA_CPU can name another one, for tests and for reports of faults; a
/// value that is not in processor_kinds() is ignored. Results do not depend on it.
[[nodiscard]] std::string_view processor_kind();

/// The kinds that this processor can run, the fastest one last.
[[nodiscard]] std::vector<std::string_view> processor_kinds();

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_PROCESSOR_HPP
