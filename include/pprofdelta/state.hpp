// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_STATE_HPP
#define PPROFDELTA_STATE_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/value_type.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// What delta_computer::save() wrote, without the samples.
struct state_info {
    std::uint32_t version = 0; ///< Of the format; see pprofdelta-state(5).
    profile_source source = profile_source::protobuf;
    match_mode match = match_mode::exact;
    std::vector<type_treatment> types;
    value_type period_type;            ///< Both strings are empty if there is none.
    std::int64_t time_nanos = 0;       ///< Of the profile saved: nanoseconds since 1970, or 0.
    std::uint64_t process = 0;         ///< Of the profile saved, as in profile_info; or 0.
    std::size_t samples = 0;           ///< Distinct samples of the profile saved.
    std::size_t vanished = 0;          ///< Samples that only profiles before it had.
    std::size_t size = 0;              ///< In bytes.
    std::size_t uncompressed_size = 0; ///< Of its body.
};

/// Whether `bytes` begin as a state does, in whatever version. O(1)
[[nodiscard]] bool is_state(std::string_view bytes) noexcept;

/// Reads what `state` holds. The whole state is checked, as delta_computer::load() would.
///
/// Cost: time and memory linear in the size of the state.
/// @throws error malformed for damage, or bytes that are no state; incompatible for a version that
///         this library does not know. About `state`.
[[nodiscard]] state_info read_state_info(std::string_view state);

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_STATE_HPP
