// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_CLI_FILE_KIND_HPP
#define PPROFDELTA_TOOLS_CLI_FILE_KIND_HPP

#include <cstdint>
#include <string>

namespace pprofdelta::tool {

/// What a file holds, as far as its loss would matter.
enum class file_kind : std::uint8_t {
    other,        ///< None of the following, or no regular file that can be read.
    archive,      ///< Compressed, as profiles mostly are.
    profile,      ///< Of this format or an older one.
    state,        ///< Of `--state`.
    series_state, ///< Of a series, in the folder of `--state-dir`.
    limits,       ///< Lines of which each is a limit.
};

/// Looks at the first bytes, and further only for what may be a profile without compression, or
/// limits.
/// @throws failure io
[[nodiscard]] file_kind kind_of_file(const std::string& path);

/// With an article: "a profile".
[[nodiscard]] const char* to_string(file_kind kind) noexcept;

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_CLI_FILE_KIND_HPP
