// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/calls.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/report.hpp>

#include "base/errors.hpp"
#include "base/key_table.hpp"
#include "profile/index.hpp"
#include "select/names.hpp"
#include "select/rows.hpp"
#include "select/stacks.hpp"
#include "select/viewed_profiles.hpp"
#include "views/flame.hpp"
#include "views/lifetimes.hpp"
#include "views/limits.hpp"

namespace pprofdelta {

/// Sums of the rows of captures, or of stacks, which have numbers. Most are zero or small, so they
/// are kept as varints, in a fifth of the memory.
class packed_sums {
public:
    /// Rows of a capture in ascending order, and as many sums of each, one row after the other.
    struct rows {
        std::vector<std::uint32_t> numbers{};
        std::vector<std::int64_t> sums{};
    };

    /// Makes room for the next capture. Anything made ready earlier and not kept is replaced.
    void prepare(const rows& next);
    /// Adds what was prepared.
    void keep(const rows& next) noexcept;

    /// Whether any capture has a row.
    [[nodiscard]] bool has(std::size_t row) const noexcept {
        return row < m_rows.size() && !m_rows[row].packed.empty();
    }

    /// A sum of a row in all captures. O(captures)
    [[nodiscard]] std::vector<std::int64_t> column(std::size_t row, std::size_t sum) const;

private:
    // Each capture that has the row adds the number of captures since the previous one that has it,
    // and the sums, zigzag encoded.
    struct packed_row {
        std::vector<char> packed{};
        std::size_t captures = 0; // up to the last one that has the row
    };

    std::vector<packed_row> m_rows;
    std::size_t m_captures = 0;
    std::size_t m_sums = 0;          // of each row
    std::string m_next;              // what is added to rows
    std::vector<std::size_t> m_ends; // in that, of each row of the next capture
};

/// One profile among many, without its rows.
struct capture {
    std::vector<std::int64_t> totals{}; ///< A total for each sample type.
    std::vector<std::size_t> samples{}; ///< The number of samples with a value of each type.
    measures of_limits{};               ///< The values of the limits on some samples.
    std::string program{};              ///< The name of its file, if the profile has it.
    process_sign process{};
    std::int64_t time_nanos = 0;
    std::int64_t duration_nanos = 0;
    std::int64_t period = 0;
    bool is_empty = false; ///< It has no samples, whatever is selected.
    /// Whether a sample has less than nothing in use, as where in use is what changed.
    bool has_negative_use = false;
};

/// The event counts behind the values of a sample type: a value is no more exact than these.
struct event_source {
    bool are_sampled = false;           ///< Those that were not are not in the values.
    std::optional<std::size_t> count{}; ///< The type that counts them, if any does.
    std::optional<std::size_t> bytes{}; ///< The type of the sizes, by which events were sampled.
    double rate = 1;                    ///< One event is this much of the count or of the bytes.

    /// The number of events.
    /// @param mean_of gives the mean of a type.
    template <typename MeanOf>
    [[nodiscard]] double events(MeanOf&& mean_of) const {
        return !count   ? 0
               : !bytes ? mean_of(*count) / rate
                        : sampled_allocations(mean_of(*count), mean_of(*bytes), rate);
    }
};

/// Follows how producers write types: a heap with objects and bytes, a sampled time, calls of which
/// one in N was taken.
[[nodiscard]] event_source event_source_of(const profile_types& types, std::size_t type,
                                           std::int64_t period);

/// Samples of a capture that are added up.
struct sample_group {
    enum class kind : std::uint8_t {
        all,
        limit, ///< Those that a limit on functions by name is about.
        flat,  ///< Those whose innermost frame is in a row.
        cum,   ///< Those with a frame in a row.
        stack, ///< Those with one stack.
    };

    kind of = kind::all;
    std::size_t number = 0; ///< The number of the limit, the row or the stack.
};

/// Captures in the order in which they were added, and which of them have a row.
class capture_list {
public:
    /// After an exception nothing has changed. O(rows of the capture)
    /// @param rows   each have flat by type, and then how much cum exceeds it. A sum that does not
    ///               fit wraps around.
    /// @param stacks each have all types.
    void add(capture&& added, const packed_sums::rows& rows, const packed_sums::rows& stacks);

    [[nodiscard]] const std::vector<capture>& all() const noexcept { return m_all; }

    /// Those that captures have, each once.
    [[nodiscard]] std::vector<std::string> programs() const;
    [[nodiscard]] bool has(std::uint32_t row) const { return m_rows.has(row); }

    /// Flat of a row in each capture.
    [[nodiscard]] std::vector<std::int64_t> flat_sums(std::size_t type, std::uint32_t row) const {
        return m_rows.column(row, type);
    }

    /// A value of each capture.
    [[nodiscard]] std::vector<double> values(std::size_t type, const sample_group& samples) const;
    /// Whether a function of any capture matches a limit on functions by name.
    [[nodiscard]] bool has_match(std::size_t limit) const;

private:
    std::vector<capture> m_all;
    packed_sums m_rows;
    packed_sums m_stacks;
};

/// Reads captures of the same sample types, in all of which a row has the same number.
class capture_reader {
public:
    /// @param options come from a comparison or a trend, and say what the rows are.
    /// @param keeps_stacks whether stacks are read.
    /// @throws error invalid_argument
    template <typename Options>
    capture_reader(const Options& options, std::vector<limit> limits, bool keeps_stacks)
        : m_selection{options.selection}, m_rules{options}, m_limits{std::move(limits)},
          m_keeps_stacks{keeps_stacks} {}

    /// @throws error incompatible for sample types other than those of the first capture.
    void require_types_of(const profile_index& index) const;

    /// Reads a profile to the end of a list. After an exception nothing has changed.
    /// @param usual_type the place of the one that is meant if none is named, in the first capture.
    /// @param name       appears in the message about a copy of this one, such as "capture 3 of the
    ///                   base".
    /// @throws error malformed, too_large; incompatible for a copy of a capture that was read
    ///         before. Two runs differ at least in their times, if they have any.
    void read(const profile_index& index, std::size_t usual_type, std::string name,
              capture_list& to);

    /// Whether nothing was read so far. A capture has a sample type.
    [[nodiscard]] bool is_empty() const noexcept { return types().empty(); }
    [[nodiscard]] const std::vector<value_type>& types() const noexcept {
        return m_types.sample_types;
    }
    /// These include the period's type.
    [[nodiscard]] const profile_types& all_types() const noexcept { return m_types; }
    /// The place of the type that a pattern matches; without one, of the usual type.
    /// @throws error incompatible unless exactly one type matches; invalid_argument before any.
    [[nodiscard]] std::size_t find_type(const std::optional<value_type_pattern>& pattern) const {
        if (is_empty()) {
            refuse("there are no captures, and so no sample types");
        }
        return pattern ? pprofdelta::find_type(*pattern, types()) : m_usual_type;
    }
    /// @throws error invalid_argument for a place that no type has.
    void require_type(std::size_t type) const {
        if (type >= types().size()) {
            refuse("there is no sample type at place " + std::to_string(type) + ", but " +
                   std::to_string(types().size()) + " types");
        }
    }
    [[nodiscard]] const std::vector<limit>& limits() const noexcept { return m_limits; }
    [[nodiscard]] const row_names& names() const noexcept { return m_names; }
    [[nodiscard]] const stack_set& stacks() const noexcept { return m_stacks; }
    /// The row of samples without a stack, if stacks are read.
    [[nodiscard]] std::uint32_t no_stack() const noexcept { return m_no_stack; }
    [[nodiscard]] stack_frames frames(std::uint32_t stack) const {
        return {m_stacks, m_no_stack, stack};
    }

private:
    [[nodiscard]] capture read(const profile_index& index, packed_sums::rows& of_rows,
                               packed_sums::rows& of_stacks);
    void refuse_copy(std::string_view profile, std::string name);

    stack_selection m_selection;
    stack_rules m_rules;
    profile_types m_types; // of the first capture
    std::size_t m_usual_type = 0;
    std::vector<limit> m_limits;
    row_names m_names;
    bool m_keeps_stacks;
    stack_set m_stacks{stack_set::all};
    std::uint32_t m_no_stack = 0;
    keyed_list<std::string> m_captures; // their names, by what they consist of
};

/// @throws error invalid_argument for a chance or a part that is out of range.
template <typename Options>
void check_test(const Options& options) {
    if (!(options.alpha > 0 && options.alpha < 1)) {
        refuse("alpha must be a number between 0 and 1");
    }
    if (!(options.min_change >= 0 && options.min_share >= 0)) {
        refuse("the least change and the least share must be numbers, 0 or more");
    }
}

} // namespace pprofdelta
