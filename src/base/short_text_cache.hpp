// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace pprofdelta {

/// Caches the values computed from the latest short texts. Samples have few different labels, and
/// many samples share one.
template <typename Value>
class short_text_cache {
public:
    static constexpr std::size_t longest = 16;

    void clear() { m_slots.assign(slot_count, {}); }

    /// The value of `text`, which has at most `longest` bytes: what is kept, or else what
    /// `make(value)` replaces another text's value by. Holds until the next call.
    /// clear() has to come first.
    template <typename Make>
    const Value& find_or_make(std::string_view text, Make&& make) {
        const words w = load(text);
        slot& s = m_slots[(w.first + w.last) * spread >> (64U - slot_bits)];
        if (s.size != text.size() || s.first != w.first || s.last != w.last) {
            s.size = none; // for as long as `make` may throw
            make(s.value);
            s.size = text.size();
            s.first = w.first;
            s.last = w.last;
        }
        return s.value;
    }

private:
    static constexpr unsigned slot_bits = 8;
    static constexpr std::size_t slot_count = std::size_t{1} << slot_bits;
    static constexpr std::uint64_t spread = 0x9e3779b97f4a7c15; // 2^64 over the golden ratio
    static constexpr std::size_t none = longest + 1;

    // All bytes of a text; of two texts of one length they differ if the texts do.
    struct words {
        std::uint64_t first;
        std::uint64_t last;
    };

    struct slot {
        std::uint64_t first = 0;
        std::uint64_t last = 0;
        std::size_t size = none;
        Value value{};
    };

    template <typename Word>
    static std::uint64_t load_word(const char* p) noexcept {
        Word word;
        std::memcpy(&word, p, sizeof word);
        return word;
    }

    static words load(std::string_view text) noexcept {
        const char* const p = text.data();
        const std::size_t size = text.size();
        if (size >= 8) {
            return {load_word<std::uint64_t>(p), load_word<std::uint64_t>(p + size - 8)};
        }
        if (size >= 4) {
            return {load_word<std::uint32_t>(p), load_word<std::uint32_t>(p + size - 4)};
        }
        if (size == 0) {
            return {0, 0};
        }
        return {load_word<std::uint8_t>(p) | load_word<std::uint8_t>(p + size / 2) << 8U,
                load_word<std::uint8_t>(p + size - 1)};
    }

    std::vector<slot> m_slots;
};

} // namespace pprofdelta
