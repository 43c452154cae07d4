// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_CAPTURES_CAPTURES_HPP
#define PPROFDELTA_SRC_CAPTURES_CAPTURES_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/limits.hpp>
#include <pprofdelta/report.hpp>

#include "base/key_table.hpp"
#include "profile/index.hpp"
#include "select/names.hpp"
#include "select/rows.hpp"
#include "select/stacks.hpp"
#include "views/flame.hpp"
#include "views/limits.hpp"

namespace pprofdelta {

/// Sums of the rows of captures, or of calls between these, which have numbers. Most are zero or
/// small, so they are kept as varints, in a fifth of the memory.
class packed_sums {
public:
    /// Rows in ascending order, and as many sums of each, one row after the other.
    struct rows {
        std::vector<std::uint32_t> numbers{};
        std::vector<std::int64_t> sums{};

        /// A sum of any row, 0 of one that is not there. O(log n)
        [[nodiscard]] std::int64_t of(std::uint32_t row, std::size_t sum) const;
    };

    /// Gets the next capture ready. What was so before, and not kept, is replaced.
    void prepare(const rows& added);
    /// Adds what was prepared.
    void keep(const rows& added) noexcept;

    /// Whether any capture has a row.
    [[nodiscard]] bool has(std::size_t row) const noexcept {
        return row < m_last.size() && m_last[row].capture != nowhere;
    }

    /// A sum of a row in all captures. O(captures)
    [[nodiscard]] std::vector<std::int64_t> column(std::size_t row, std::size_t sum) const;

    /// All rows of a capture.
    [[nodiscard]] rows of(std::size_t capture) const;

private:
    static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

    // Where a row is found.
    struct place {
        std::size_t capture = nowhere;
        std::size_t offset = 0; // in what the capture has
    };

    // The rows of each capture that is kept, and of the next one. A row has how many captures
    // before is one with it, 0 for none; where in that; how much larger its number is than that of
    // the row before it; and its sums, zigzag encoded.
    std::vector<std::string> m_packed;
    std::size_t m_count = 0;
    std::size_t m_sums = 0;             // of each row
    std::vector<std::size_t> m_offsets; // of the rows of the next capture
    std::vector<place> m_last;          // of each row
};

/// Who is asked for of a row.
enum class kin : std::uint8_t { callers, callees };

/// One row that calls another, by the numbers of their names; or all samples with a row of which
/// the callers are asked for, or the callees.
struct row_call {
    static constexpr std::uint32_t none = 0xffffffff;

    std::uint32_t caller = none;
    std::uint32_t callee = none;

    static constexpr row_call with_any(kin asked) noexcept {
        return {none, static_cast<std::uint32_t>(asked)};
    }
    [[nodiscard]] hash128 key() const noexcept {
        return {std::uint64_t{caller} << 32U | callee, 0};
    }
};

/// The rows whose calls are asked for.
class asked_calls {
public:
    asked_calls() = default;
    /// @param callers_of regular expressions; empty for none.
    /// @throws error invalid_argument
    asked_calls(const std::string& callers_of, const std::string& callees_of);

    [[nodiscard]] bool are_none() const noexcept { return !m_patterns[0] && !m_patterns[1]; }
    [[nodiscard]] bool has(kin asked, std::string_view name) const {
        const std::optional<name_pattern>& pattern = m_patterns[static_cast<std::size_t>(asked)];
        return pattern && pattern->is_in(name);
    }

private:
    std::array<std::optional<name_pattern>, 2> m_patterns; // by kin
};

/// What is kept of one profile among many, but for its rows.
struct capture {
    std::vector<std::int64_t> totals{}; ///< Of all sample types.
    std::vector<std::size_t> samples{}; ///< Of rows, that have any of a type.
    measures of_limits{};               ///< Of the limits on some samples.
    std::string program{};              ///< The name of its file, if the profile has it.
    process_sign process{};
    std::int64_t time_nanos = 0;
    std::int64_t duration_nanos = 0;
};

/// Sums of the rows of a capture.
struct capture_rows {
    /// A row has flat by type, and then by how much cum is larger. Where that does not fit it wraps
    /// around.
    packed_sums::rows sums{};
    packed_sums::rows of_calls{};  ///< Of calls between rows that are asked for, all types.
    packed_sums::rows of_stacks{}; ///< All types; none unless stacks are kept.
};

/// Samples of a capture that are added up.
struct sample_group {
    enum class kind : std::uint8_t {
        all,
        limit, ///< Those that a limit on functions by name is about.
        flat,  ///< Those whose innermost frame is in a row.
        cum,   ///< Those with a frame in a row.
        call,  ///< Those in which one row calls another.
        stack, ///< Those with one stack.
    };

    kind of = kind::all;
    std::size_t number = 0; ///< Of the limit, the row, the call or the stack.
};

/// Captures in the order in which they were added, and which of them have a row.
class capture_list {
public:
    /// After an exception nothing has changed. O(rows of the capture)
    void add(capture&& added, const capture_rows& rows);

    [[nodiscard]] const std::vector<capture>& all() const noexcept { return m_all; }

    /// Those that captures have, each once.
    [[nodiscard]] std::vector<std::string> programs() const;
    [[nodiscard]] bool has(std::uint32_t row) const { return m_rows.has(row); }
    /// Flat of all types of the rows of a capture, and more.
    [[nodiscard]] packed_sums::rows rows(std::size_t of) const { return m_rows.of(of); }

    /// A value of each capture.
    using column = std::vector<double>;

    [[nodiscard]] column values(std::size_t type, const sample_group& samples) const;
    /// Whether a function of any capture matches a limit on functions by name.
    [[nodiscard]] bool has_match(std::size_t limit) const;

private:
    std::vector<capture> m_all;
    packed_sums m_rows;
    packed_sums m_calls;
    packed_sums m_stacks;
};

/// Reads captures of the same sample types, in all of which a row has the same number.
class capture_reader {
public:
    /// @param options of a comparison, or of a trend, with what rows are of.
    /// @param callers_of  rows whose calls are read, as asked_calls has it.
    /// @param keeps_stacks whether stacks are read.
    /// @throws error invalid_argument
    template <typename Options>
    capture_reader(const Options& options, std::vector<limit> limits,
                   const std::string& callers_of = {}, const std::string& callees_of = {},
                   bool keeps_stacks = false)
        : m_selection{options.selection}, m_rules{options}, m_limits{std::move(limits)},
          m_asked{callers_of, callees_of}, m_keeps_stacks{keeps_stacks} {}

    /// @throws error incompatible for sample types other than those of the first capture.
    void require_types_of(const profile_index& index) const;

    /// Reads a profile to the end of a list. After an exception nothing has changed.
    /// @param usual_type the place of the one that is meant if none is named, in the first capture.
    /// @param name       for the message about a copy of this one, such as "capture 3 of the base".
    /// @throws error malformed, too_large; incompatible for a copy of a capture that was read
    ///         before. Two runs differ at least in their times, if they have any.
    void read(const profile_index& index, std::size_t usual_type, std::string name,
              capture_list& to);

    /// Whether nothing was read so far. A capture has a sample type.
    [[nodiscard]] bool is_empty() const noexcept { return types().empty(); }
    [[nodiscard]] const std::vector<value_type>& types() const noexcept {
        return m_types.sample_types;
    }
    [[nodiscard]] std::size_t usual_type() const noexcept { return m_usual_type; }
    [[nodiscard]] const std::vector<limit>& limits() const noexcept { return m_limits; }
    [[nodiscard]] const row_names& names() const noexcept { return m_names; }
    [[nodiscard]] const asked_calls& asked() const noexcept { return m_asked; }
    [[nodiscard]] const keyed_list<row_call>& calls() const noexcept { return m_calls; }
    [[nodiscard]] bool keeps_stacks() const noexcept { return m_keeps_stacks; }
    [[nodiscard]] const stack_set& stacks() const noexcept { return m_stacks; }
    /// The row of samples without a stack, if stacks are read.
    [[nodiscard]] std::uint32_t no_stack() const noexcept { return m_no_stack; }
    [[nodiscard]] stack_frames frames(std::uint32_t stack) const {
        return {m_stacks, m_no_stack, stack};
    }

private:
    [[nodiscard]] capture read(const profile_index& index, capture_rows& of_rows);
    void read_calls(const profile_stacks& stacks, const location_rows& rows, capture_rows& into);
    void refuse_copy(std::string_view profile, std::string name);

    stack_selection m_selection;
    stack_rules m_rules;
    profile_types m_types; // of the first capture
    std::size_t m_usual_type = 0;
    std::vector<limit> m_limits;
    row_names m_names;
    asked_calls m_asked;
    keyed_list<row_call> m_calls;
    bool m_keeps_stacks;
    stack_set m_stacks{std::numeric_limits<std::uint32_t>::max() - 1};
    std::uint32_t m_no_stack = 0;
    keyed_list<std::string> m_captures; // their names, by what they consist of
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CAPTURES_CAPTURES_HPP
