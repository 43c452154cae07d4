// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_FILES_SERIES_RECORD_HPP
#define PPROFDELTA_TOOLS_FILES_SERIES_RECORD_HPP

#include <cstdint>
#include <string>
#include <string_view>

namespace pprofdelta::tool {

/// What is kept of a series from run to run. Its file is described in pprofdelta-batch(1).
struct series_record {
    std::string series{};
    std::uint64_t deltas = 0;     ///< Written since the series began.
    std::int64_t time_nanos = 0;  ///< Of the last profile that was done; 0 if it has none.
    std::string input{};          ///< The last one that was done, as it was given.
    std::uint64_t input_hash = 0; ///< Of its content, as it was read.
    std::string state{};          ///< delta_computer::save()
};

/// The content of the file.
[[nodiscard]] std::string to_bytes(const series_record& record);

/// Whether `bytes` begin as the content of such a file does, in whatever version.
[[nodiscard]] bool is_record(std::string_view bytes) noexcept;

/// @param name of the file, for messages.
/// @throws failure malformed; incompatible for a later version of the file.
[[nodiscard]] series_record parse_record(std::string_view bytes, const std::string& name);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_FILES_SERIES_RECORD_HPP
