// SPDX-License-Identifier: Apache-2.0
#include "captures/packed_sums.hpp"

#include <algorithm>
#include <utility>

#include "wire/reader.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

namespace {

std::uint64_t to_zigzag(std::int64_t number) {
    const auto bits = static_cast<std::uint64_t>(number);
    return bits << 1U ^ (0 - (bits >> 63U));
}

// Reads the numbers of a capture, from an offset on.
class packed_reader {
public:
    packed_reader(const std::string& packed, std::size_t offset)
        : m_packed{packed}, m_position{packed.data() + offset} {}

    [[nodiscard]] bool is_end() const { return m_position == m_packed.data() + m_packed.size(); }

    std::uint64_t next() {
        const decoded_varint decoded =
            decode_varint(m_position, m_packed.data() + m_packed.size(), m_packed.data());
        m_position = decoded.end;
        return decoded.number;
    }

    std::int64_t next_sum() {
        const std::uint64_t number = next();
        return static_cast<std::int64_t>(number >> 1U ^ (0 - (number & 1U)));
    }

private:
    const std::string& m_packed;
    const char* m_position;
};

} // namespace

std::int64_t packed_sums::rows::of(std::uint32_t row, std::size_t sum) const {
    const auto found = std::lower_bound(numbers.begin(), numbers.end(), row);
    const auto place = static_cast<std::size_t>(found - numbers.begin());
    return found != numbers.end() && *found == row
               ? sums[place * (sums.size() / numbers.size()) + sum]
               : 0;
}

void packed_sums::prepare(const rows& added) {
    const std::size_t rows_so_far =
        added.numbers.empty() ? 0 : std::size_t{added.numbers.back()} + 1;
    m_last.resize(std::max(m_last.size(), rows_so_far));
    m_sums = added.numbers.empty() ? m_sums : added.sums.size() / added.numbers.size();
    m_offsets.clear();
    std::string packed;
    std::uint32_t before = 0;
    auto sum = added.sums.begin();
    for (const std::uint32_t row : added.numbers) {
        const place& last = m_last[row];
        m_offsets.push_back(packed.size());
        append_varint(packed, last.capture == nowhere ? 0 : m_count - last.capture);
        append_varint(packed, last.offset);
        append_varint(packed, row - std::exchange(before, row));
        for (std::size_t i = 0; i < m_sums; ++i) {
            append_varint(packed, to_zigzag(*sum++));
        }
    }
    packed.shrink_to_fit();
    m_packed.resize(m_count + 1);
    m_packed.back() = std::move(packed);
}

void packed_sums::keep(const rows& added) noexcept {
    for (std::size_t i = 0; i < added.numbers.size(); ++i) {
        m_last[added.numbers[i]] = {m_count, m_offsets[i]};
    }
    ++m_count;
}

std::vector<std::int64_t> packed_sums::column(std::size_t row, std::size_t sum) const {
    std::vector<std::int64_t> result(m_count);
    place at = row < m_last.size() ? m_last[row] : place{};
    while (at.capture != nowhere) {
        packed_reader numbers{m_packed[at.capture], at.offset};
        const std::uint64_t back = numbers.next();
        const std::uint64_t offset = numbers.next();
        numbers.next();
        for (std::size_t i = 0; i < sum; ++i) {
            numbers.next();
        }
        result[at.capture] = numbers.next_sum();
        at = back == 0 ? place{} : place{at.capture - back, offset};
    }
    return result;
}

packed_sums::rows packed_sums::of(std::size_t capture) const {
    rows all;
    std::uint32_t row = 0;
    for (packed_reader numbers{m_packed[capture], 0}; !numbers.is_end();) {
        numbers.next();
        numbers.next();
        row += static_cast<std::uint32_t>(numbers.next());
        all.numbers.push_back(row);
        for (std::size_t i = 0; i < m_sums; ++i) {
            all.sums.push_back(numbers.next_sum());
        }
    }
    return all;
}

} // namespace pprofdelta
