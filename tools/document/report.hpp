// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/calls.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/lifetimes.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/normalize.hpp>
#include <pprofdelta/overview.hpp>
#include <pprofdelta/report.hpp>

#include "base/json.hpp"
#include "base/value_text.hpp"
#include "document/page.hpp"

namespace pprofdelta::tool {

/// The shown parts of the stacks behind a report.
struct call_views {
    const call_stacks* stacks = nullptr; ///< These hold the names of all that follows.
    call_causes causes{};
    // Shown in place of its rows; JSON has both.
    std::vector<shown_calls<call_list>> lists{};
    std::optional<call_tree> tree{};
    double smallest_of_tree = 0; ///< See call_tree_limits.
    std::optional<call_paths> paths{};

    [[nodiscard]] bool are_shown() const noexcept { return !lists.empty() || tree || paths; }
};

/// The content of a report.
struct report_view {
    const report& content;
    std::vector<judgement> judgements{};
    std::string previous{}; ///< Names of the files; empty for none.
    std::string current{};
    std::optional<normalization> normalized_by{}; ///< Applies to the previous values.
    std::vector<double> factors{};                ///< The same for each sample type.
    std::string normalization_text{};             ///< The same for people.
    std::string filter_text{};                    ///< The filter for people; empty without one.
    report_options reported{};                    ///< How the report was made.
    bool are_builds = false;        ///< Independent profiles, and not two of one process.
    std::optional<rate_time> per{}; ///< The time that rows are rates for, if they are rates.
    std::size_t top = 20;           ///< The largest number of rows in a table.
    call_views calls{};
    const lifetimes* lives = nullptr;   ///< Shown in place of its rows; JSON has both.
    command_list next{};                ///< The commands that JSON proposes next.
    std::optional<row_budget> budget{}; ///< If there is one.
};

/// When what a delta has happened, for people. A single profile only has a duration: its time is
/// the start for one profiler and the end for another.
[[nodiscard]] std::string interval_of(const report& r);

/// The changes of the totals, and where they come from.
/// @param beside_calls whether there are any beside callers and the like, which were asked for
///                     instead.
[[nodiscard]] document findings_of(const report_view& view, bool beside_calls = false);

/// The findings and the tables, for people.
[[nodiscard]] document document_of(const report_view& view);

/// The schema is described in pprofdelta(1).
[[nodiscard]] std::string as_json(const report_view& view);

/// Whether a limit is on a rate that is not known, of what is, or on a growth that is none. A gate
/// that let it pass would keep no limit on a process that restarts each time.
[[nodiscard]] inline bool has_unknown_rate(const judgement& judged) noexcept {
    return (judged.on == limit::bound::rate || judged.is_undecided) && judged.has_change &&
           !judged.unknown.empty();
}

/// The results of limits.
[[nodiscard]] std::vector<document::limit> limits_of(const std::vector<judgement>& judgements,
                                                     std::optional<normalization> normalize);

/// The part of an overview that a page has room for.
[[nodiscard]] inline overview page_overview(const report_options& options,
                                            const viewed_profiles& profiles) {
    return make_overview(profiles, options, page_limits, page_parts_limits);
}

/// The data of a report's page: totals, rows and stacks of all sample types.
/// @param head its type does not matter.
[[nodiscard]] std::string report_page_data(page_head head, const overview& contents);

/// The page.
/// @param text the same report, for browsers without scripts.
[[nodiscard]] std::string report_as_page(const page_head& head, const overview& contents,
                                         const std::string& text);

/// The faults of a whole series, for people, without its name; a delta has it once.
[[nodiscard]] std::vector<std::string> series_findings(const delta_summary& summary);

} // namespace pprofdelta::tool
