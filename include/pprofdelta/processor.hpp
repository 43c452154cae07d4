// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     for (const std::string_view each : processor_kinds()) {
//         std::cout << each << (each == processor_kind() ? " is used\n" : "\n");
//     }

#include <string_view>
#include <vector>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// Returns the kind of code that decodes and encodes numbers, the bulk of a profile: "portable",
/// "avx2" or "neon". The library chooses the fastest kind that the processor can run, once per
/// process. The environment variable PPROFDELTA_CPU overrides this, for tests and for reports of
/// faults; values outside processor_kinds() are ignored. Results do not depend on the kind.
[[nodiscard]] std::string_view processor_kind();

/// Returns the kinds that this processor can run, the fastest last.
[[nodiscard]] std::vector<std::string_view> processor_kinds();

} // namespace pprofdelta

#pragma GCC visibility pop
