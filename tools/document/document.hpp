// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/compare.hpp>

#include "base/lists.hpp"

namespace pprofdelta::tool {

/// Rows of cells in columns, each with a name.
struct table {
    enum class kind : std::uint8_t {
        figure,
        verdict, ///< A word that stands out where it is news.
        drawing,
        markdown, ///< A figure, which may have name_in_cell().
    };
    enum class place : std::uint8_t {
        everywhere,
        where_it_fits, ///< Places on the right go first where names would have no room.
        last_that_fit, ///< Those on the left go first, in Markdown all but twelve.
        text,
        markdown,
    };
    struct column {
        std::string head{};
        std::string group{}; ///< A head above several columns; empty for none.
        place shown = place::everywhere;
        kind cells = kind::figure;
    };
    struct row {
        std::string name; ///< A profile's name, unchanged.
        std::vector<std::string> cells;
        bool is_news = true;    ///< False for what may be noise.
        std::size_t indent = 0; ///< The name is indented by the number of its parents above.
    };

    std::string of; ///< The head of the names, such as "function".
    std::vector<column> columns{};
    std::vector<row> rows{};
};

/// Takes the columns away of which `is_left_out` is true, by their place.
void erase_columns(table& target, const std::function<bool(std::size_t)>& is_left_out);

/// The output of a command, for people. Nothing but names has characters that mean something in
/// Markdown.
struct document {
    struct note {
        std::string text; ///< A line, or several if it has no names.
        bool has_names = false;
    };
    struct rows_of_type {
        std::string filter{};  ///< The filter that leaves some of the samples only; empty for none.
        std::string type{};    ///< Empty where there is but one.
        std::string heading{}; ///< Continues the type, such as ", flat".
        /// Text of the user that continues `heading`, such as a regular expression.
        std::string heading_text{};
        /// Follows the number of all rows, such as " that changed"; in text.
        std::string count_note{};
        table rows;          ///< The first ones.
        std::size_t all = 0; ///< The number of all rows.
        /// The contents of the rows, and what they lack, in place of their number: all rows are
        /// there. Then Markdown has them as text, as no table of it has indented names.
        std::string outline{};
    };
    /// A sentence that comes before all else, and what it comes from.
    struct finding {
        std::string of;                   ///< The name that the sentence begins with.
        std::string what;                 ///< Goes on with this, which is the news.
        std::string how;                  ///< The rest of it.
        table from{};                     ///< Below it; without rows for nothing.
        std::vector<std::string> notes{}; ///< Lines between both: what the value is not.
    };
    enum class judged : std::uint8_t { crossed, unknown, kept };
    struct limit {
        std::string text; ///< The limit and what was found.
        judged as;
        // The rest is for messages and programs.
        std::string limit{};        ///< The limit as it was given.
        std::string json{};         ///< An object.
        bool has_match = true;      ///< Whether a function or label of any profile matches.
        bool is_gone = false;       ///< Whether only one of what it is compared with does.
        bool must_match = false;    ///< If false, a limit without a match fails no run.
        bool must_be_judged = true; ///< If false, an unknown result fails no run.
        std::string in_short{};     ///< The result in a few words, for a summary.
    };

    /// For Markdown: a line for each thing that a reviewer has to know, before all else, and a
    /// table below these.
    std::vector<std::vector<note>> verdicts{};
    table brief{};
    std::string brief_note{}; ///< A line below that table; empty for none.
    std::vector<finding> findings{};
    /// Facts such as what did not change. The parts of a line, of which names are parts of their
    /// own.
    std::vector<std::vector<note>> notes_of_findings{};
    std::vector<note> notes{};
    table totals;
    std::vector<rows_of_type> types{};
    std::vector<note> notes_below{}; ///< Facts such as how the figures were made.
    std::vector<limit> limits{};
};

/// Cells in columns that are as wide as necessary, and then the names.
/// @param width      limits a line, and names are shortened to fit; 0 for no limit.
/// @param has_colors says whether cells with a sign are colored where they are news, as on a
///                   terminal.
[[nodiscard]] std::string as_text(table shown, std::size_t width, bool has_colors);
[[nodiscard]] std::string as_text(const document& content, std::size_t width, bool has_colors);
/// The parts of a note in one line.
[[nodiscard]] std::string line_of(const std::vector<document::note>& parts);
/// The part that comes first in that.
[[nodiscard]] std::string findings_as_text(const document& content, std::size_t width,
                                           bool has_colors);

/// More rows than these have no room in Markdown, and need not be made.
inline constexpr std::size_t most_rows_of_markdown = 2'800;

/// GitHub's Markdown, of less than 64 KiB, which is what comments and summaries take; crossed
/// limits come first, then findings, and after these tables that are to be opened; the last line
/// counts what is left out.
[[nodiscard]] std::string as_markdown(const document& content);

/// A name that a cell of Markdown can hold, whatever characters it has.
[[nodiscard]] std::string name_in_cell(const std::string& name, std::size_t width);

/// What a command shows, with no more rows than Markdown has room for. There is a document_of()
/// each view.
template <typename View>
[[nodiscard]] document markdown_document_of(View view) {
    view.top = std::min(view.top, most_rows_of_markdown);
    return document_of(view);
}

/// "1h" of 3600, "90m" of 5400.
[[nodiscard]] std::string short_text(std::int64_t seconds);

/// "2 of 60 stacks".
[[nodiscard]] std::string counted_text(std::size_t count, std::size_t left_out,
                                       const std::string& what);

/// Adds a note, unless it is empty.
void add_note(std::vector<document::note>& to, const std::string& text, bool has_names);
/// Tells how many functions are folded into their callers; empty for none.
[[nodiscard]] std::string folded_text(std::size_t functions);
/// Adds an item to a note such as "steps: A -1 at 9, B +2 at 10".
/// @param before is the note's title, or what separates items.
void add_named(std::vector<document::note>& to, const char* before, const std::string& name,
               const std::string& after);

/// Tells of outer frames that differ in every run, for the end of a finding.
/// @param pattern has the form that call_causes uses; nothing without such frames.
[[nodiscard]] std::string text_of_roots(const std::optional<std::string>& pattern);

/// The name of a row that is a binary's, for want of a function's.
[[nodiscard]] bool is_of_binary(const std::string& name);

/// Adds that --symbolize finds names, where no innermost frame has one.
/// @param is_innermost says of a row whether it is of such frames.
template <typename Row, typename IsInnermost>
void add_unnamed(std::vector<std::string>& notes, grouping by, const std::vector<Row>& rows,
                 IsInnermost is_innermost) {
    std::size_t binaries = 0;
    for (const Row& row : rows) {
        if (is_innermost(row) && is_of_binary(row.name)) {
            ++binaries;
        } else if (is_innermost(row) && row.name != "<unknown>" && row.name != "(no stack)") {
            return;
        }
    }
    if (binaries != 0 && (by == grouping::function || by == grouping::line)) {
        notes.emplace_back("innermost frames have no names: --symbolize takes them from the "
                           "binaries, --symbolize=PATH from those in PATH");
    }
}

/// Frames that call each other and no others, in one line.
[[nodiscard]] std::string chain_text(const std::vector<std::string>& frames);
/// Does the same, and leaves the middle of a long chain out.
[[nodiscard]] std::string short_chain_text(std::vector<std::string> frames);

/// "grew by 12.50%", of a change and what percent_of() says of it.
[[nodiscard]] std::string growth_text(double change, const std::string& percent);

/// The callers of the functions that match, or what these call.
template <typename Calls>
struct shown_calls {
    std::string edges; ///< "callers" or "callees".
    std::string regex; ///< The expression as it was given.
    Calls found;
};

/// The cells that show a cause's value.
struct cause_cells {
    std::vector<std::string> cells{};
    std::string renamed = ", perhaps renamed: was "; ///< Before the previous name.
};
using shown_cause = change_cause<cause_cells>;

/// A cause with cells in place of its value.
template <typename Value>
[[nodiscard]] shown_cause with_cells(const change_cause<Value>& cause,
                                     std::vector<std::string> cells) {
    return {cause.of, cause.frames, cause.previous_name, cause.depth, {std::move(cells)}};
}

/// A table of causes. Folders of packages are left out of names where these differ without them.
/// @param columns are those of the cells.
/// @param others  further names that theirs are to differ from.
[[nodiscard]] table causes_table(std::vector<table::column> columns,
                                 const std::vector<shown_cause>& causes,
                                 const std::vector<std::string>& others);

/// Adds a row for each frame of a stack, all but the first without figures.
/// @param first    lacks a name so far.
/// @param frames   the outermost first.
/// @param left_out is the number of outer frames that are not among these.
void add_stack(table& to, table::row first, const std::vector<std::string>& frames,
               std::size_t left_out);

/// " in the order of their names" if all lists are in their natural order, else " in the order
/// given".
[[nodiscard]] std::string order_text(std::initializer_list<std::vector<std::string>> lists);

/// The first and the last name, as far as they fit.
[[nodiscard]] std::string ends_text(const std::vector<std::string>& names);

/// A part of 1, with the digits that matter: "12%", "6.8%", ">100%".
[[nodiscard]] std::string part_text(double part);

/// The reach of an interval from a value that is in it: "±2%", "±>100%" if the value may as well be
/// 0, and "±1MiB" if it is 0; "±∞" for want of captures.
/// @param per follows the unit, such as "/s".
[[nodiscard]] std::string reach_text(double value, const std::optional<interval>& within,
                                     const std::string& unit, const std::string& per = {});

/// p with four digits after the point, "<0.0001" if that is not enough.
[[nodiscard]] std::string p_text(double p);

/// Why so few captures cannot find anything: "p cannot be less than 0.1000, but --alpha 0.05 needs
/// 0.0500".
[[nodiscard]] std::string needed_text(const too_few_captures& found, double alpha,
                                      correction correct);

/// A line about rows that are too small, or nothing.
/// @param least_size such as "1%" of the total.
[[nodiscard]] std::string left_out_text(std::size_t count, const std::string& least_size);

/// Workflow commands of GitHub, one a line, the errors first. There are at most 10, since GitHub
/// shows no more; the last one counts the rest.
[[nodiscard]] std::string github_annotations(const std::vector<std::string>& errors,
                                             const std::vector<std::string>& warnings);

} // namespace pprofdelta::tool
