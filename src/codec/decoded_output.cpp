// SPDX-License-Identifier: Apache-2.0
#include "codec/decoded_output.hpp"

#include <algorithm>
#include <cstring>

#include "codec/bounded_output.hpp"

namespace pprofdelta {

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20U;

// Profiles shrink to a fifth or so. Who says more than this is asked to show it.
constexpr std::size_t likely_ratio = 64;

} // namespace

// One byte more than there may be is room enough to see that there is too much.

decoded_output::decoded_output(std::string& out, std::size_t archive_size, std::size_t stated,
                               std::size_t max_size)
    : m_out{out}, m_max_size{max_size}, m_most_in_string{std::max(32 * mebibyte, out.capacity())} {
    const std::size_t likely = std::max(mebibyte, archive_size * likely_ratio);
    resize(std::min({stated, likely, max_size}) + 1);
}

std::span<char> decoded_output::room() {
    if (m_used == m_size) {
        grow();
    }
    return std::span{m_pages.size() == 0 ? m_out.data() : m_pages.data(), m_size}.subspan(m_used);
}

void decoded_output::grow() {
    require_within(m_size, m_max_size);
    constexpr std::size_t least = std::size_t{64} << 10U;
    // max_size + 1 would be 0 for the largest number.
    resize(std::min(std::max(m_size * 2, least), m_max_size) + 1);
}

void decoded_output::resize(std::size_t size) {
    if (size <= m_most_in_string) {
        m_out.resize(size);
    } else {
        const bool is_first = m_pages.size() == 0;
        m_pages.grow(size);
        if (is_first) {
            std::memcpy(m_pages.data(), m_out.data(), m_used);
            std::string{}.swap(m_out);
        }
    }
    m_size = size;
}

void decoded_output::finish() {
    require_within(m_used, m_max_size);
    if (m_pages.size() == 0) {
        m_out.resize(m_used);
    } else {
        m_pages.move_to(m_out, m_used);
    }
}

} // namespace pprofdelta
