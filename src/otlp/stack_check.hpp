// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_OTLP_STACK_CHECK_HPP
#define PPROFDELTA_SRC_OTLP_STACK_CHECK_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace pprofdelta {

/// Whether all of packed numbers are at least 1 and less than `known`, by sixteen bytes at a time
/// and without their values. False also where it cannot tell: for less than sixteen bytes, and for
/// numbers of three and more.
///
/// @param packed the value of a field: the two bytes before it are its tag and its length, or the
///               end of that.
[[nodiscard]] inline bool are_short_ordinals(std::string_view packed, std::size_t known) noexcept {
    // Signed, as processors compare such bytes at once: one below 0 is not the last of its number.
    using block = signed char __attribute__((vector_size(16)));
    constexpr std::size_t size = sizeof(block);
    constexpr std::size_t two_bytes = std::size_t{1} << 14U;
    if (packed.size() < size || known == 0 || (packed.back() & 0x80) != 0) {
        return false;
    }
    const auto load = [&](std::size_t end, std::size_t before) {
        block bytes;
        std::memcpy(&bytes, packed.data() + end - size - before, size);
        return bytes;
    };
    const std::size_t most = std::min(known, two_bytes) - 1;
    const auto most_in_one = static_cast<signed char>(std::min<std::size_t>(most, 0x7f));
    const auto high = static_cast<signed char>(most >> 7U);
    const auto low = static_cast<signed char>(most & 0x7fU);
    for (std::size_t end = size;; end = std::min(end + size, packed.size())) {
        const block byte = load(end, 0);
        const block previous = load(end, 1);
        const block is_later = previous < 0; // −1 for yes
        const block is_bad_second = (byte > high) | ((byte == high) & ((previous & 0x7f) > low));
        const block is_bad = (byte == 0) | (is_later & (load(end, 2) < 0)) |
                             (is_later & is_bad_second) | (~is_later & (byte > most_in_one));
        std::array<std::uint64_t, 2> words; // overwritten, so without a value
        std::memcpy(words.data(), &is_bad, sizeof words);
        if ((words[0] | words[1]) != 0) {
            return false;
        }
        if (end == packed.size()) {
            return true;
        }
    }
}

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_OTLP_STACK_CHECK_HPP
