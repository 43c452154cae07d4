// SPDX-License-Identifier: Apache-2.0
#include "delta/state_columns.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace pprofdelta {

namespace {

constexpr std::size_t block_size = 64; // in values
constexpr std::size_t widest = sizeof(std::int64_t);

// Calls `visit(const std::int64_t* values, std::size_t count)` for each block.
template <typename Visit>
void for_each_block(value_column<const std::int64_t> values, const std::vector<entry_range>& order,
                    Visit&& visit) {
    std::array<std::int64_t, block_size> block{};
    std::size_t filled = 0;
    for (const entry_range range : order) {
        for (std::size_t entry = range.begin; entry < range.end;) {
            const std::size_t taken = std::min(block_size - filled, range.end - entry);
            for (std::size_t i = 0; i < taken; ++i) {
                block[filled + i] = values[entry + i];
            }
            filled += taken;
            entry += taken;
            if (filled == block_size) {
                visit(block.data(), filled);
                filled = 0;
            }
        }
    }
    if (filled != 0) {
        visit(block.data(), filled);
    }
}

// How many bytes the values take as numbers with a sign.
std::uint8_t width_of(const std::int64_t* values, std::size_t count) noexcept {
    std::int64_t used = 0; // bits that are not as the sign is
    for (std::size_t i = 0; i < count; ++i) {
        used |= values[i] ^ values[i] >> 63;
    }
    return static_cast<std::uint8_t>(std::bit_width(static_cast<std::uint64_t>(used)) / 8 + 1);
}

// Writes whole words, of which the next one overwrites what is too much.
char* put_values(char* out, const std::int64_t* values, std::size_t count, std::uint8_t width) {
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t word = little_endian(static_cast<std::uint64_t>(values[i]));
        std::memcpy(out, &word, sizeof word);
        out += width;
    }
    return out;
}

std::int64_t with_sign(std::uint64_t word, std::uint8_t width) noexcept {
    const unsigned unused = 64U - 8U * width;
    return static_cast<std::int64_t>(word << unused) >> unused;
}

// Reads whole words, of which the next one has what is too much.
// @param bytes the values, and perhaps more bytes.
// @param start the entry of the first one.
void get_values(std::string_view bytes, std::uint8_t width, value_column<std::int64_t> out,
                std::size_t start, std::size_t count) {
    std::array<char, block_size * widest + widest> padded{};
    const char* position = bytes.data();
    if (bytes.size() < count * width + widest) {
        std::memcpy(padded.data(), position, count * width);
        position = padded.data();
    }
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t word = 0;
        std::memcpy(&word, position, sizeof word);
        out[start + i] = with_sign(little_endian(word), width);
        position += width;
    }
}

} // namespace

column_writer::column_writer(value_column<const std::int64_t> values,
                             const std::vector<entry_range>& order)
    : m_values{values}, m_order{order} {
    std::size_t count = 0;
    for (const entry_range range : order) {
        count += range.end - range.begin;
    }
    m_widths.reserve(count / block_size + 1);
    for_each_block(m_values, m_order, [this](const auto* block, std::size_t taken) {
        const std::uint8_t width = width_of(block, taken);
        m_widths.push_back(width);
        m_size += sizeof width + taken * width;
    });
}

void column_writer::append_to(std::string& out) const {
    const std::size_t start = out.size();
    static_assert(spare_room >= widest); // which is what the last value may overwrite
    out.resize(start + m_size + spare_room);
    char* position = out.data() + start;
    auto width = m_widths.begin();
    for_each_block(m_values, m_order, [&](const auto* block, std::size_t taken) {
        *position = static_cast<char>(*width);
        position = put_values(position + 1, block, taken, *width);
        ++width;
    });
    out.resize(start + m_size);
}

void read_column(state_reader& bytes, value_column<std::int64_t> values, std::uint32_t count) {
    for (std::size_t start = 0; start < count; start += block_size) {
        const std::size_t taken = std::min(block_size, count - start);
        const auto width = bytes.number<std::uint8_t>();
        if (width < 1 || width > widest) {
            fail_state("damaged state: values of an impossible width");
        }
        const std::string_view rest = bytes.rest();
        static_cast<void>(bytes.take(taken * width));
        get_values(rest, width, values, start, taken);
    }
}

} // namespace pprofdelta
