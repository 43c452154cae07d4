// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_DOCUMENT_COMPARE_FORMAT_HPP
#define PPROFDELTA_TOOLS_DOCUMENT_COMPARE_FORMAT_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/compare.hpp>
#include <pprofdelta/value_type.hpp>

#include "base/json.hpp"
#include "document/document.hpp"

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
    std::size_t width = 0;              ///< Of a line of text, in columns.
    bool has_colors = false;
};

/// Says which types the rows are of and why, if that was not asked for: "rows: alloc_space/bytes
/// (grew);
/// --sample-type has others". Empty if there is but one type.
[[nodiscard]] std::string shown_text(const compare_view& view);

/// What stands below the tables: how they were made, and what they lack.
[[nodiscard]] std::vector<document::note> notes_below(const compare_view& view);

/// Tables for people.
[[nodiscard]] std::string compare_as_text(const compare_view& view);

/// Tables in GitHub's Markdown, of less than 64 KiB; the last line counts what is left out.
[[nodiscard]] std::string compare_as_markdown(const compare_view& view);

/// The schema is described in pprofdelta-compare(1).
[[nodiscard]] std::string compare_as_json(const compare_view& view);

/// The members of an object of JSON for a limit, as in the comparison.
[[nodiscard]] std::string limit_members(const compared_limit& limit,
                                        const compare_options& options);

/// How the figures of the rows called `name` came about, for people: all captures with their ranks,
/// and the steps of the test. "total" is the total of the type. Empty if there is no such row.
[[nodiscard]] std::string explain(const compare_view& view, const std::string& name);

/// The names of all rows with `part` in them, each once; only `part` itself if it is a name.
[[nodiscard]] std::vector<std::string> find_names(const compare_view& view,
                                                  const std::string& part);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_DOCUMENT_COMPARE_FORMAT_HPP
