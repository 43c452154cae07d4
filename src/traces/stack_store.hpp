// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_TRACES_STACK_STORE_HPP
#define PPROFDELTA_SRC_TRACES_STACK_STORE_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/keyed_list.hpp"

namespace pprofdelta {

/// Stacks of addresses as the fields that samples have for them. Each address is a location whose
/// id stays the same from profile to profile, so a stack is encoded once, and which locations a
/// profile needs is known from what was added to and taken from the one before.
class stack_store {
public:
    /// Where a stack lies.
    struct stack {
        std::uint64_t offset;
        std::uint32_t size;
    };

    /// @param addresses leaf first. O(frames)
    stack add(std::span<const std::uint64_t> addresses);

    /// The field `location_id`, empty for a stack without frames. Valid until the next add().
    [[nodiscard]] std::string_view field(const stack& s) const noexcept {
        return std::string_view{m_fields}.substr(s.offset, s.size);
    }

    /// Asks for what field(), use() and drop() will read.
    void prefetch(const stack& s) const noexcept {
        constexpr std::size_t line = 64;
        for (std::size_t i = 0; i < s.size; i += line) {
            __builtin_prefetch(m_fields.data() + s.offset + i);
        }
    }

    /// Counts a use of a stack by the profile, or one less. O(frames), and allocates nothing.
    void use(const stack& s) { count(s, 1); }
    void drop(const stack& s) { count(s, ~std::uint32_t{0}); }

    [[nodiscard]] std::uint32_t location_count() const noexcept { return m_locations.size(); }
    [[nodiscard]] std::uint64_t address(std::uint32_t location) const noexcept {
        return m_locations.key(location).low;
    }
    [[nodiscard]] bool is_used(std::uint32_t location) const noexcept {
        return m_locations[location] != 0;
    }
    [[nodiscard]] static std::uint64_t id(std::uint32_t location) noexcept {
        return location + std::uint64_t{1};
    }

    /// Adds a stack of another store. O(frames)
    stack add_from(stack_store& other, const stack& s);

private:
    // Adds to the uses of each location, modulo 2^32.
    void count(const stack& s, std::uint32_t change);
    template <typename Visit>
    void for_each_location(const stack& s, Visit&& visit);

    keyed_list<std::uint32_t> m_locations; // how often each is used, by addresses
    std::string m_fields;
    std::vector<std::uint64_t> m_ids;     // of the stack at hand
    std::vector<std::uint32_t> m_decoded; // the same; has room for every stack
    std::vector<std::uint64_t> m_copied;  // addresses
    std::string m_packed;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_TRACES_STACK_STORE_HPP
