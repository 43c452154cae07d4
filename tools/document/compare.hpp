// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_DOCUMENT_COMPARE_HPP
#define PPROFDELTA_TOOLS_DOCUMENT_COMPARE_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/compare.hpp>
#include <pprofdelta/flame_graph.hpp>
#include <pprofdelta/value_type.hpp>

#include "base/json.hpp"
#include "document/document.hpp"
#include "document/page.hpp"

namespace pprofdelta::tool {

/// The rows of one sample type.
struct compared_type {
    std::size_t type = 0; ///< Its place.
    std::string why{};    ///< They are shown, such as "grew"; empty if they were asked for.
    compared_rows rows{};
    std::size_t least_samples = 0; ///< That a capture has.
    std::size_t most_samples = 0;
    std::optional<compared_calls> callers{}; ///< Shown in place of the rows, as the next.
    std::optional<compared_calls> callees{};
    std::optional<compared_tree> tree{};
    std::optional<compared_paths> paths{};
    compared_causes causes{}; ///< Of the total's change.

    [[nodiscard]] bool has_calls() const noexcept { return callers || callees || tree || paths; }
};

/// For each table of a type, whether there were too few captures to test its rows.
[[nodiscard]] std::vector<std::optional<too_few_captures>> too_few_of(const compared_type& shown);

/// What a comparison of captures shows.
struct compare_view {
    std::vector<value_type> types;
    compared_family totals;
    std::vector<compared_type> shown{}; ///< At least one. The first is that of pictures.
    std::vector<compared_limit> limits{};
    std::vector<std::string> base{}; ///< Names of the files.
    std::vector<std::string> head{};
    compare_options options{};
    std::string least_size_text{};      ///< Of a row, such as "1%" of the total.
    command_list next{};                ///< What JSON has to go on with.
    std::optional<row_budget> budget{}; ///< If there is one.
    std::size_t top = 20;               ///< At most so many rows in each table.
    bool has_all = false;               ///< Tables for people have what did not change as well.
    std::size_t width = 0;              ///< Of a line of text, in columns.
    bool has_colors = false;
};

/// Says which types the rows are of and why, if that was not asked for: "rows: alloc_space/bytes
/// (grew);
/// --sample-type has others". Empty if there is but one type.
[[nodiscard]] std::string shown_text(const compare_view& view);

/// What changed, and where that comes from.
[[nodiscard]] document findings_of(const compare_view& view);

/// What stands below the tables: how they were made, and what they lack.
[[nodiscard]] std::vector<document::note> notes_below(const compare_view& view);

/// Tables for people.
[[nodiscard]] std::string compare_as_text(const compare_view& view);

/// Tables in GitHub's Markdown, of less than 64 KiB; the last line counts what is left out.
[[nodiscard]] std::string compare_as_markdown(const compare_view& view);

/// The schema is described in pprofdelta-compare(1).
[[nodiscard]] std::string compare_as_json(const compare_view& view);

/// An object of JSON on one line, as the comparison has it for each limit.
[[nodiscard]] std::string limit_as_json(const compared_limit& limit,
                                        const compare_options& options);

/// How the figures of the rows called `name` came about, for people: all captures with their ranks,
/// and the steps of the test. "total" is the total of the type. Empty if there is no such row.
[[nodiscard]] std::string explain(const compare_view& view, const std::string& name);

/// The names of all rows with `part` in them, each once; only `part` itself if it is a name.
[[nodiscard]] std::vector<std::string> find_names(const compare_view& view,
                                                  const std::string& part);

/// What the difference of a row is called: "shift", as u_test::estimate() has it, which is not that
/// of the medians beside it; without a test, where it is that, "change".
[[nodiscard]] const char* difference_name(const compare_options& options);

/// How totals, and what limits judge, are corrected if rows are by this: "wy" instead of "bh", for
/// Westfall and Young.
[[nodiscard]] const char* strict_name(const compare_options& options);

/// The median and how far its interval goes: "1.50MiB ±2%"; "±∞" for want of captures. Of a median
/// of 0 as a value, "0 ±1MiB". Of a single capture its value alone.
[[nodiscard]] std::string median_text(const compared_values& side, const std::string& unit);

/// The change as a part of the base's median: "+12.50%"; "new" if that is zero and the head's is
/// not.
[[nodiscard]] std::string percent_text(const compared_row& row);

/// "8+8".
[[nodiscard]] std::string count_text(const compared_row& row);

/// The columns of all tables of a comparison.
[[nodiscard]] std::vector<table::column> compare_columns(const compare_options& options);

/// A row of these.
[[nodiscard]] table::row compare_row(const compared_row& row, const value_type& type,
                                     const compare_options& options, const std::string& name);

/// A limit and what was found: "LIMIT: TYPE/UNIT: base 1MiB ±2%, head 2MiB ±1%, shift +1MiB
/// (+100.00%), p 0.0012 (8+8)"; of a limit on each function the worst of those that cross it.
[[nodiscard]] std::string describe(const compared_limit& found, const compare_options& options);

/// "6 base and 6 head captures are too few: …", and how many would do.
[[nodiscard]] std::string describe(const too_few_captures& found, const compare_options& options);

/// A page that shows a comparison: totals, rows with all captures, and stacks of all sample types.
/// @param given  the options that matter to it.
[[nodiscard]] std::string compare_as_page(const compare_view& view, profile_comparison& captures,
                                          const std::vector<page_input>& inputs,
                                          const std::vector<std::string>& given,
                                          const std::vector<std::string>& warnings);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_DOCUMENT_COMPARE_HPP
