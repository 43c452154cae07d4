// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/fleet.hpp>

#include "base/json.hpp"
#include "document/document.hpp"
#include "document/page.hpp"

namespace pprofdelta::tool {

/// A limit on the growth of services, or of the total, as it was found for one sample type.
struct top_limit {
    std::string limit; ///< Its text.
    value_type type;
    std::vector<fleet_row> rows{};     ///< The rows of those beyond it.
    bool is_judged = true;             ///< Whether anything has data of both times.
    bool has_older_waits = false;      ///< The reason why it is not, if a delta has some.
    bool has_unknown_services = false; ///< The same if these decide whether it grew.
    bool crossed = false;
};

/// The callers that have most of the change of a service's function.
struct top_chain {
    std::string service;
    std::vector<std::string> frames; ///< The outermost first; the function is the last one.
    double change = 0;               ///< The change through all of them, as in its row.
};

/// The content of a fleet's table.
struct top_view {
    fleet_options options{};
    std::string from{};    ///< The place that the deltas are from.
    std::string against{}; ///< The place of the deltas before; empty if it is the same.
    fleet_counts counts{};
    std::size_t services = 0; ///< The number of services that were read.
    std::size_t bad = 0;      ///< Files that could not be read.
    std::vector<fleet_table> tables{};
    std::vector<top_chain> chains{}; ///< Those of the first table.
    std::vector<top_limit> limits{};
    command_list next{};                ///< The commands that JSON proposes next.
    std::optional<row_budget> budget{}; ///< If there is one.
    std::size_t top = 20;               ///< The largest number of rows in each table.
    std::size_t functions = 5;          ///< The largest number of functions of a service.
    bool has_all = false;               ///< Whether rows without a clear change are shown, too.
};

/// None for what was not tested, or by too few slots.
[[nodiscard]] std::optional<double> tested_p(const fleet_row& row);

[[nodiscard]] std::vector<document::limit> limits_of(const top_view& view);

/// The places of the two periods that differ most of all that follow each other and have data of
/// nearly as many series; of a single one with a value, that and the one before it. To test them
/// tells what the difference is, and whether it is one.
[[nodiscard]] std::pair<std::int64_t, std::int64_t>
largest_step(const std::vector<fleet_row::period>& all);

/// A sentence on each total, and which services and functions make it change.
[[nodiscard]] document findings_of(const top_view& view);

/// The same, and tables for people: of the services that changed, or else of the first one, with
/// its functions; or of periods beside each other.
[[nodiscard]] document document_of(const top_view& view);

/// The schema is described in pprofdelta-top(1).
[[nodiscard]] std::string as_json(const top_view& view);

/// All services and their functions as a page. It has all slots of rates of each, and no picture.
/// @param head supplies options and warnings.
[[nodiscard]] std::string page_of(const top_view& view, page_head head);

} // namespace pprofdelta::tool
