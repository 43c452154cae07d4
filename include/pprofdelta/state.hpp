// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     delta_computer computer;
//     computer.prime(current);
//     const state_info info = read_state_info(computer.save());
//     std::cout << info.samples << " samples of " << info.types.size() << " types\n";

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/value_type.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// The content of a state, the result of delta_computer::save(), without the samples.
struct state_info {
    std::uint32_t version = 0; ///< The version of the format; see pprofdelta-state(5).
    profile_source source = profile_source::protobuf;
    match_mode match = match_mode::exact;
    std::vector<type_treatment> types;
    /// The type of the period; both strings are empty if there is none.
    value_type period_type;
    std::int64_t time_nanos = 0;       ///< The saved profile's time, in ns since 1970, or 0.
    std::uint64_t process = 0;         ///< The saved profile's process, as in profile_info, or 0.
    std::size_t samples = 0;           ///< The number of distinct samples of the saved profile.
    std::size_t vanished = 0;          ///< The number of samples that only earlier profiles had.
    std::size_t size = 0;              ///< The size in bytes.
    std::size_t uncompressed_size = 0; ///< The size of the state's body, in bytes.
};

/// Returns whether `bytes` start as a state of any version does. O(1)
[[nodiscard]] bool is_state(std::string_view bytes) noexcept;

/// Reads a state. It is checked completely, as by delta_computer::load().
///
/// Cost: time and memory linear in the size of the state.
/// @throws error malformed for damage, or bytes that are not a state; incompatible for a version
///         that this library does not know. About `state`.
[[nodiscard]] state_info read_state_info(std::string_view state);

} // namespace pprofdelta

#pragma GCC visibility pop
