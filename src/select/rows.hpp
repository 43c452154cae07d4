// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/report.hpp>

#include "base/budget.hpp"
#include "base/key_table.hpp"
#include "base/numbers.hpp"
#include "profile/index.hpp"
#include "profile/stacks.hpp"
#include "select/names.hpp"
#include "select/stacks.hpp"

namespace pprofdelta {

/// The row that a frame belongs to, by the rules of its stacks: named as pprof does, "[binary]" or
/// "<unknown>" for want of anything better.
[[nodiscard]] std::string frame_name(const frame_index::frame& frame, const profile_stacks& stacks);

/// The package of Go's `a/b.(*t).f` is `a/b`, that of `void a::b::f<x::y>(z)` and of Rust's
/// `<a::b::T as c>::f` is `a::b`, and that of Java's `a.b.T.f` is `a.b`; else it is the folder of
/// the file. Empty if nothing tells. A class of C++ without template arguments cannot be told from
/// a namespace. O(length)
[[nodiscard]] std::string_view package_name(std::string_view function, std::string_view file);

/// @throws error too_large for a sum that would not fit 64 bits.
inline void add_pair(value_pair& to, const value_pair& value) {
    to.previous = fitting_add(to.previous, value.previous);
    to.current = fitting_add(to.current, value.current);
}

[[nodiscard]] inline bool is_nothing(const value_pair& value) {
    return value.previous == 0 && value.current == 0;
}

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
    /// The names of several rows, in their order.
    [[nodiscard]] std::vector<std::string> names(const std::vector<std::uint32_t>& numbers) const;
    [[nodiscard]] std::uint32_t size() const noexcept { return m_names.size(); }
    /// Forgets the names that came after the first `size` ones.
    void truncate(std::uint32_t size) noexcept { m_names.truncate(size); }

    /// The number of names that folding left out of the stacks of the rows' profiles.
    [[nodiscard]] std::size_t folded() const noexcept { return m_folded.size(); }
    /// Adds those of a profile, after its stacks were read. Rows of labels have none.
    void add_folded(const profile_stacks& stacks);
    void add_folded(const row_names& more);

private:
    keyed_list<std::string> m_names;
    key_table m_folded;
};

/// The number of frames, of locations with several, that may be looked at for profiles of so many
/// bytes. Each costs time, and a byte of a stack can stand for a thousand. A real profile has few
/// of them for each of its bytes, whatever is inlined.
[[nodiscard]] inline budget budget_of_frames(std::size_t bytes) {
    return {bytes, 16, "the stacks have too many inlined frames"};
}

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

    /// The rows at a place; innermost first, and never empty in a stack of a selected_reader.
    [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t place) const {
        const std::uint32_t begin = m_begins[place];
        return {m_rows.data() + begin, m_begins[place + 1] - begin};
    }

    /// The number of places.
    [[nodiscard]] std::size_t places() const noexcept { return m_only.size(); }

    /// The row of samples without a stack, "(no stack)".
    [[nodiscard]] std::uint32_t stackless_row() const noexcept { return m_no_stack; }

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

/// Calls `visit(values, places)` for each sample that rules let through and that is not zero: with
/// its values of some types, and with the places of its stack. Others cost no look at their stacks;
/// most samples of a heap profile have nothing in use.
/// @param types places of the sample types.
/// @returns the totals of these types, of all samples.
/// @throws error malformed, too_large
template <typename Visit>
std::vector<std::int64_t> visit_samples(const profile_stacks& stacks,
                                        std::span<const std::size_t> types, Visit&& visit) {
    std::vector<std::int64_t> totals(types.size());
    std::vector<std::int64_t> values(types.size());
    selected_reader reader{stacks};
    for (std::size_t sample = 0; sample < stacks.index().view.samples.size(); ++sample) {
        reader.read(sample);
        bool is_nothing = true;
        for (std::size_t i = 0; i < types.size(); ++i) {
            values[i] = reader.values()[types[i]];
            totals[i] = fitting_add(totals[i], values[i]);
            is_nothing = is_nothing && values[i] == 0;
        }
        if (!is_nothing && reader.is_selected()) {
            visit(std::as_const(values), reader.stack());
        }
    }
    return totals;
}

/// The sums of the samples of one profile by row, for some sample types.
class row_sums {
public:
    row_sums() = default;
    /// @param count how many names of rows there are.
    /// @param types how many types.
    row_sums(const profile_stacks& stacks, const location_rows& rows, std::size_t count,
             std::size_t types);

    /// Adds a sample, as visit_samples() has it.
    /// @throws error too_large
    void add(const location_rows& rows, std::span<const std::int64_t> values,
             std::span<const std::uint32_t> places);

    /// The sums by the number of the row, which is the same for both: that of type i of row r is at
    /// r * shown.size() + i.
    std::vector<std::int64_t> flat;
    std::vector<std::int64_t> cum;
    std::vector<std::int64_t> shown;  ///< The totals of all rows, by type.
    std::vector<std::size_t> samples; ///< The number of samples with a value of a type.

private:
    // The stack that each counted for last, as a row and a location count once for a stack.
    std::vector<std::uint32_t> m_last_of_row;
    std::vector<std::uint32_t> m_last_of_place;
    std::uint32_t m_stack = 0;
    budget m_budget;
};

/// Adds up samples by rows that it makes of the profile's locations.
/// @param names   gets names that it does not have yet.
/// @param derived makes a further number of the values of each sample, which is added up as if it
///                were that of a last type; nothing for none.
[[nodiscard]] row_sums
sum_rows(const profile_index& index, std::span<const std::size_t> types, const stack_rules& rules,
         row_names& names,
         const std::function<std::int64_t(std::span<const std::int64_t>)>& derived = {});

/// The size of the change, up or down.
[[nodiscard]] std::uint64_t change_size(const value_pair& value) noexcept;

/// Rows that are equal in all figures are in the order of their names. O(n log n)
void sort_rows(std::vector<report::row>& rows, row_order order);

} // namespace pprofdelta
