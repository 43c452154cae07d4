// SPDX-License-Identifier: Apache-2.0
#pragma once

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
#include "files/go_benchmarks.hpp"

namespace pprofdelta::tool {

/// The rows of one sample type.
struct compared_type {
    std::size_t type = 0; ///< Its place.
    std::string why{};    ///< They are shown, such as "grew"; empty if they were asked for.
    compared_rows rows{};
    std::size_t least_samples = 0; ///< The smallest number of samples in a capture.
    std::size_t most_samples = 0;
    std::vector<shown_calls<compared_calls>>
        calls{}; ///< Shown in place of the rows, as are the next two.
    std::optional<compared_tree> tree{};
    std::optional<compared_paths> paths{};
    compared_causes causes{}; ///< The causes of the total's change.

    [[nodiscard]] bool has_calls() const noexcept { return !calls.empty() || tree || paths; }
};

/// Says for each table of a type whether there were too few captures to test its rows.
[[nodiscard]] std::vector<std::optional<too_few_captures>> too_few_of(const compared_type& shown);

/// The one for which more captures are needed.
[[nodiscard]] std::optional<too_few_captures>
needing_more_captures(const std::optional<too_few_captures>& one,
                      const std::optional<too_few_captures>& other);

/// The content of a comparison of captures.
struct compare_view {
    std::vector<value_type> types;
    compared_family totals;
    std::vector<compared_type> shown{}; ///< There is at least one. The first is that of pictures.
    std::vector<compared_limit> limits{};
    std::vector<std::string> base{}; ///< Names of the files.
    std::vector<std::string> head{};
    compare_options options{};
    /// The medians of both sides, if captures are normalized because these differ; otherwise 0.
    value_pair durations{};
    std::string least_size_text{};      ///< The least size of a row, such as "1%" of the total.
    command_list next{};                ///< The commands that JSON proposes next.
    std::optional<row_budget> budget{}; ///< If there is one.
    std::size_t top = 20;               ///< The largest number of rows in each table.
    bool is_strict = false;             ///< Limits that are too noisy fail the run.
    bool has_all = false;               ///< Tables for people have what did not change as well.
    /// The results of benchmarks of Go in the base and the head, if these are known.
    std::vector<go_results> benchmarks{};
};

/// The change as a part of the base's median: "+12.50%"; "new" if that is zero and the head's is
/// not.
[[nodiscard]] std::string percent_of_row(const compared_row& row);

/// "6 base and 6 head captures are too few: …", and how many would do.
[[nodiscard]] std::string describe(const too_few_captures& found, const compare_options& options);

[[nodiscard]] std::vector<document::limit> limits_of(const compare_view& view);

/// The changes and where they come from.
[[nodiscard]] document findings_of(const compare_view& view);

/// Tables for people.
[[nodiscard]] document document_of(const compare_view& view);

/// The schema is described in pprofdelta-compare(1).
[[nodiscard]] std::string as_json(const compare_view& view);

/// A page that shows a comparison: totals, rows with all captures, and stacks of all sample types.
/// @param head supplies inputs, options and warnings.
[[nodiscard]] std::string page_of(const compare_view& view, profile_comparison& captures,
                                  page_head head);

/// The way the figures of the rows called `name` came about, for people: all captures with their
/// ranks, and the steps of the test. "total" is the total of the type. Empty if there is no such
/// row.
/// @param width limits a line, in columns; 0 for no limit.
[[nodiscard]] std::string explain(const compare_view& view, const std::string& name,
                                  std::size_t width);

/// Whether a limit is on this sample type.
[[nodiscard]] bool has_limit(const compare_view& view, std::size_t type);

/// The names of all rows with `part` in them, each once; only `part` itself if it is a name.
[[nodiscard]] std::vector<std::string> find_names(const compare_view& view,
                                                  const std::string& part);

} // namespace pprofdelta::tool
