// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_SELECT_LOCATION_ROWS_HPP
#define PPROFDELTA_SRC_SELECT_LOCATION_ROWS_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <pprofdelta/report.hpp>

#include "base/keyed_list.hpp"
#include "profile/index.hpp"
#include "select/profile_stacks.hpp"

namespace pprofdelta {

/// Numbers the names of rows 0, 1, 2 … in the order in which they come, for two profiles to have
/// the same number for the same name.
///
/// A name is known by its hash of 128 bits, as a string is everywhere else. Names cannot be crafted
/// to make this slow: two with the same hash are one row and not a longer search, and which bucket
/// a hash goes to depends on a number drawn at the start of the process.
class row_names {
public:
    std::uint32_t number(std::string name);
    [[nodiscard]] const std::string& name(std::uint32_t number) const { return m_names[number]; }
    [[nodiscard]] std::uint32_t size() const noexcept { return m_names.size(); }
    /// Forgets the names that came after the first `size` ones.
    void truncate(std::uint32_t size) noexcept { m_names.truncate(size); }

private:
    keyed_list<std::string> m_names;
};

/// How many frames of locations with several may be looked at for one profile. Each costs time, and
/// a byte of a stack can stand for a thousand. A real profile has few of them for each of its
/// bytes, whatever is inlined.
class frame_allowance {
public:
    explicit frame_allowance(const profile_index& index)
        : m_left{least + 16 * index.view.bytes().size()} {}

    /// @throws error too_large if there are not as many left.
    void take(std::size_t frames);

private:
    static constexpr std::size_t least = std::size_t{64} << 20U;

    std::size_t m_left;
};

/// The rows that the frames of each place of one profile belong to: of a location, or of a value of
/// a label, which has one.
class location_rows {
public:
    /// @throws error too_large for a location with more than 1000 lines, or names that take far
    ///         more room than the profile.
    location_rows(const profile_stacks& stacks, row_names& names);

    /// Numbers the rows that this profile has 0, 1, 2 … in the order of their names' numbers, as it
    /// may have few of many names.
    /// @param count how many names there are.
    /// @returns the names' numbers, by the new ones.
    std::vector<std::uint32_t> renumber(std::size_t count);

    /// By place; innermost first, and never empty in a stack of a selected_reader.
    [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t place) const {
        const std::uint32_t begin = m_begins[place];
        return {m_rows.data() + begin, m_begins[place + 1] - begin};
    }

    /// How many places there are.
    [[nodiscard]] std::size_t places() const noexcept { return m_only.size(); }

    /// The row of samples without a stack, "(no stack)".
    [[nodiscard]] std::uint32_t of_no_stack() const noexcept { return m_no_stack; }

    static constexpr std::uint32_t several = 0xffffffff;

    /// The row if there is one frame, as most locations have, else `several`. This takes one look.
    [[nodiscard]] std::uint32_t only(std::uint32_t place) const noexcept { return m_only[place]; }

private:
    void add_frames(const profile_stacks& stacks, row_names& names);
    void add_labels(const profile_stacks& stacks, row_names& names);

    std::vector<std::uint32_t> m_begins; // of places, in m_rows
    std::vector<std::uint32_t> m_rows;   // by frame
    std::vector<std::uint32_t> m_only;   // by place
    std::uint32_t m_no_stack;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_SELECT_LOCATION_ROWS_HPP
