// SPDX-License-Identifier: Apache-2.0
//
// This kind is for 64-bit ARM, all of which has NEON.
#include "wire/packed_kinds.hpp"

#include <algorithm>

#include "wire/packed_numbers.hpp"

#if defined(__aarch64__) && defined(__ARM_NEON) && defined(__GNUC__) && !defined(__AARCH64EB__)
#define PPROFDELTA_AARCH64
#include <arm_neon.h>
#endif

namespace pprofdelta {

#ifdef PPROFDELTA_AARCH64

namespace {

// A shuffle for each set of places among eight, which puts the lanes of 16 bits there together, and
// how many they are.
struct lane_shuffle {
    std::array<std::uint8_t, 16> bytes;
};

constexpr std::array<lane_shuffle, 256> make_lane_shuffles() {
    std::array<lane_shuffle, 256> all{};
    for (unsigned places = 0; places < all.size(); ++places) {
        all[places].bytes.fill(no_byte);
        std::size_t byte = 0;
        for (unsigned place = 0; place < 8; ++place) {
            if ((places >> place & 1U) != 0) {
                all[places].bytes[byte++] = static_cast<std::uint8_t>(2 * place);
                all[places].bytes[byte++] = static_cast<std::uint8_t>(2 * place + 1);
            }
        }
    }
    return all;
}

constexpr std::array<std::uint8_t, 256> make_counts() {
    std::array<std::uint8_t, 256> all{};
    for (unsigned places = 1; places < all.size(); ++places) {
        all[places] = static_cast<std::uint8_t>(all[places / 2] + places % 2);
    }
    return all;
}

alignas(16) constexpr std::array<lane_shuffle, 256> lane_shuffles = make_lane_shuffles();
constexpr std::array<std::uint8_t, 256> counts = make_counts(); // of places

uint8x16_t load(const char* p) { return vld1q_u8(reinterpret_cast<const std::uint8_t*>(p)); }

// All bits of each byte whose eighth bit is set.
uint8x16_t is_continued(uint8x16_t bytes) { return vcltzq_s8(vreinterpretq_s8_u8(bytes)); }

// One bit of each byte, all bits of which are the same.
unsigned mask_of(uint8x16_t bytes) {
    constexpr std::uint64_t one_of_each = 0x8040201008040201;
    const uint8x16_t bits = vandq_u8(bytes, vreinterpretq_u8_u64(vdupq_n_u64(one_of_each)));
    const uint8x16_t pairs = vpaddq_u8(bits, bits);
    const uint8x16_t fours = vpaddq_u8(pairs, pairs);
    return vgetq_lane_u16(vreinterpretq_u16_u8(vpaddq_u8(fours, fours)), 0);
}

constexpr std::size_t window = 16; // bytes that are decoded at a time

// Numbers that begin in a window. The start of a window does not depend on the content of those
// before, and nothing is looked at before the end, so no step waits for another.
class ordinal_lanes {
public:
    explicit ordinal_lanes(std::uint32_t* out) noexcept : m_out{out} {}

    // The numbers that begin at the places `first` among the sixteen bytes at `p`.
    // @param byte0 these bytes
    void add(const char* p, uint8x16_t byte0, unsigned first) noexcept {
        // Each place has the bytes of a number that begins there: 0 for a byte that it has not.
        const uint8x16_t byte1 = vandq_u8(load(p + 1), is_continued(byte0));
        const uint8x16_t byte2 = vandq_u8(load(p + 2), is_continued(byte1));
        // The shifts to the left and back to the right drop the eighth bit of the first byte.
        const uint8x16_t low = vshlq_n_u8(byte0, 1);
        const uint8x16_t high = vandq_u8(byte1, vdupq_n_u8(0x7f));
        const uint16x8_t a = vshrq_n_u16(vreinterpretq_u16_u8(vzip1q_u8(low, high)), 1);
        const uint16x8_t b = vshrq_n_u16(vreinterpretq_u16_u8(vzip2q_u8(low, high)), 1);
        const unsigned first_a = first & 0xffU;
        const unsigned first_b = first >> 8U;
        if (vmaxvq_u8(byte2) == 0) {
            add_short(a, first_a);
            add_short(b, first_b);
        } else {
            // The eighth bit of the third byte is kept, so that longer numbers are too high.
            add_long(a, vmovl_u8(vget_low_u8(byte2)), first_a);
            add_long(b, vmovl_high_u8(byte2), first_b);
        }
    }

    // Whether all numbers had at most three bytes, and were within 1 and `known`.
    [[nodiscard]] bool are_within(std::size_t known) const noexcept {
        constexpr std::size_t three_bytes = 0x1fffff;
        return vmaxvq_u16(m_highest_short) <= known && vminvq_u16(m_lowest_short) >= 1 &&
               vmaxvq_u32(m_highest) <= std::min(known, three_bytes) && vminvq_u32(m_lowest) >= 1;
    }

    // Writes zeros_behind zeros, and returns the end of the numbers.
    std::uint32_t* end() noexcept {
        for (std::size_t i = 0; i < zeros_behind; i += 4) {
            vst1q_u32(m_out + i, vdupq_n_u32(0));
        }
        return m_out;
    }

private:
    // The lanes at the places put together; those behind are 1, which is within any limits.
    static uint16x8_t put_together(uint16x8_t lanes, unsigned places) noexcept {
        return vreinterpretq_u16_u8(vqtbx1q_u8(vreinterpretq_u8_u16(vdupq_n_u16(1)),
                                               vreinterpretq_u8_u16(lanes),
                                               vld1q_u8(lane_shuffles[places].bytes.data())));
    }

    void add_short(uint16x8_t lanes, unsigned places) noexcept {
        const uint16x8_t numbers = put_together(lanes, places);
        m_highest_short = vmaxq_u16(m_highest_short, numbers);
        m_lowest_short = vminq_u16(m_lowest_short, numbers);
        vst1q_u32(m_out, vmovl_u16(vget_low_u16(numbers)));
        vst1q_u32(m_out + 4, vmovl_high_u16(numbers));
        m_out += counts[places];
    }

    void add_long(uint16x8_t lanes, uint16x8_t thirds, unsigned places) noexcept {
        const uint16x8_t low = put_together(lanes, places);
        const uint16x8_t high = vreinterpretq_u16_u8(
            vqtbl1q_u8(vreinterpretq_u8_u16(thirds), vld1q_u8(lane_shuffles[places].bytes.data())));
        const uint32x4_t a =
            vorrq_u32(vmovl_u16(vget_low_u16(low)), vshll_n_u16(vget_low_u16(high), 14));
        const uint32x4_t b = vorrq_u32(vmovl_high_u16(low), vshll_high_n_u16(high, 14));
        m_highest = vmaxq_u32(m_highest, vmaxq_u32(a, b));
        m_lowest = vminq_u32(m_lowest, vminq_u32(a, b));
        vst1q_u32(m_out, a);
        vst1q_u32(m_out + 4, b);
        m_out += counts[places];
    }

    std::uint32_t* m_out;
    uint16x8_t m_highest_short = vdupq_n_u16(0);
    uint16x8_t m_lowest_short = vdupq_n_u16(0xffff);
    uint32x4_t m_highest = vdupq_n_u32(0);
    uint32x4_t m_lowest = vdupq_n_u32(0xffffffff);
};

std::size_t decode_ordinals_neon(std::string_view packed, const char* limit, std::size_t known,
                                 std::uint32_t* out) noexcept {
    constexpr std::size_t read_ahead = window + 2; // from the start of a window
    const char* const begin = packed.data();
    if (static_cast<std::size_t>(limit - begin) < packed.size() + read_ahead) {
        return portable_kind.decode_ordinals(packed, limit, known, out);
    }
    if (!packed.empty() && static_cast<unsigned char>(packed.back()) >= 0x80) {
        return not_decoded; // cut short
    }
    ordinal_lanes numbers{out};
    unsigned continued = 0; // 1 if the first byte belongs to the previous number
    for (std::size_t offset = 0; offset < packed.size(); offset += window) {
        const char* const p = begin + offset;
        const uint8x16_t bytes = load(p);
        const unsigned more = mask_of(is_continued(bytes));
        const std::size_t rest = std::min(packed.size() - offset, window);
        const unsigned present = (1U << rest) - 1U;
        numbers.add(p, bytes, ~(more << 1U | continued) & present);
        continued = more >> (window - 1);
    }
    std::uint32_t* const end = numbers.end();
    return numbers.are_within(known) ? static_cast<std::size_t>(end - out) : not_decoded;
}

// Removes the eighth bit of each byte of two numbers, and what follows the byte that ends each:
// first for pairs of bytes, then for pairs of pairs, and so on.
uint64x2_t squeeze_two(uint64x2_t bytes) noexcept {
    // The eighth bits that are not set. The lowest one is that of the byte that ends the number,
    // and all bits up to it are kept.
    const uint64x2_t ends = vbicq_u64(vdupq_n_u64(0x8080808080808080), bytes);
    const uint64x2_t kept = veorq_u64(ends, vsubq_u64(ends, vdupq_n_u64(1)));
    const uint64x2_t sevens = vandq_u64(vandq_u64(bytes, kept), vdupq_n_u64(0x7f7f7f7f7f7f7f7f));
    const uint16x8_t pairs = vreinterpretq_u16_u64(sevens);
    const uint32x4_t fours =
        vreinterpretq_u32_u16(vbslq_u16(vdupq_n_u16(0x7f), pairs, vshrq_n_u16(pairs, 1)));
    const uint64x2_t eights =
        vreinterpretq_u64_u32(vbslq_u32(vdupq_n_u32(0x3fff), fours, vshrq_n_u32(fours, 2)));
    return vbslq_u64(vdupq_n_u64(0x0fffffff), eights, vshrq_n_u64(eights, 4));
}

bool decode_few_neon(std::string_view packed, const char* limit, std::int64_t* out,
                     std::size_t count) noexcept {
    if (!has_room_for_values(packed, limit)) {
        return false;
    }
    const char* const p = packed.data();
    unsigned last = 0;
    if (!find_ends(mask_of(is_continued(load(p))), packed.size(), count, last)) {
        return false;
    }
    const char* next = p;
    const auto take = [&] {
        const std::uint64_t number = load_word(next);
        next = p + std::countr_zero(last) + 1;
        last &= last - 1;
        return vcreate_u64(number);
    };
    std::size_t i = 0;
    for (; i + 2 <= count; i += 2) {
        const uint64x1_t first = take();
        const uint64x1_t second = take();
        vst1q_s64(out + i, vreinterpretq_s64_u64(squeeze_two(vcombine_u64(first, second))));
    }
    if (i < count) {
        const uint64x2_t one = squeeze_two(vcombine_u64(take(), vcreate_u64(0)));
        out[i] = vgetq_lane_s64(vreinterpretq_s64_u64(one), 0);
    }
    return true;
}

char* encode_numbers_neon(char* out, const std::uint32_t* numbers, std::size_t count) noexcept {
    constexpr std::size_t lanes = 4;
    constexpr std::uint32_t three_bytes = 0x1fffff;
    constexpr std::array<std::uint32_t, lanes> second_bits{1, 2, 4, 8};
    constexpr std::array<std::uint32_t, lanes> third_bits{0x10, 0x20, 0x40, 0x80};
    const uint32x4_t second_bit = vld1q_u32(second_bits.data());
    const uint32x4_t third_bit = vld1q_u32(third_bits.data());
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        const uint32x4_t n = vld1q_u32(numbers + i);
        if (vmaxvq_u32(n) > three_bytes) {
            out = portable_kind.encode_numbers(out, numbers + i, lanes);
            continue;
        }
        const uint32x4_t has_second = vcgtq_u32(n, vdupq_n_u32(0x7f));
        const uint32x4_t has_third = vcgtq_u32(n, vdupq_n_u32(0x3fff));
        const uint32x4_t first = vandq_u32(n, vdupq_n_u32(0x7f));
        const uint32x4_t second = vandq_u32(vshlq_n_u32(n, 1), vdupq_n_u32(0x7f00));
        const uint32x4_t third = vandq_u32(vshlq_n_u32(n, 2), vdupq_n_u32(0x7f0000));
        const uint32x4_t more = vorrq_u32(vandq_u32(has_second, vdupq_n_u32(0x80)),
                                          vandq_u32(has_third, vdupq_n_u32(0x8000)));
        const uint32x4_t bytes = vorrq_u32(vorrq_u32(first, second), vorrq_u32(third, more));
        const unsigned lengths = vaddvq_u32(
            vorrq_u32(vandq_u32(has_second, second_bit), vandq_u32(has_third, third_bit)));
        vst1q_u8(reinterpret_cast<std::uint8_t*>(out),
                 vqtbl1q_u8(vreinterpretq_u8_u32(bytes), vld1q_u8(byte_shuffles[lengths].data())));
        out += lanes + counts[lengths];
    }
    return portable_kind.encode_numbers(out, numbers + i, count - i);
}

constexpr packed_kind neon{"neon", decode_ordinals_neon, decode_few_neon, encode_numbers_neon};

} // namespace

const packed_kind* neon_kind() noexcept { return &neon; }

#else

const packed_kind* neon_kind() noexcept { return nullptr; }

#endif

} // namespace pprofdelta
