// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
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
    std::vector<fleet_row> rows{}; ///< Of those beyond it.
    bool is_judged = true;         ///< Whether anything has data of both times.
    bool has_older_waits = false;  ///< The reason why it is not, if a delta has some.
    bool crossed = false;
};

/// What a fleet shows.
struct top_view {
    fleet_options options{};
    std::string from{};    ///< Where the deltas are from.
    std::string against{}; ///< Where those before are from; empty if from there as well.
    fleet_counts counts{};
    std::size_t services = 0; ///< So many were read.
    std::size_t bad = 0;      ///< Files that could not be read.
    std::vector<fleet_table> tables{};
    std::vector<top_limit> limits{};
    command_list next{};                ///< What JSON has to go on with.
    std::optional<row_budget> budget{}; ///< If there is one.
    std::size_t top = 20;               ///< At most so many rows in each table.
    std::size_t functions = 5;          ///< And so many of a service.
};

/// None for what was not tested, or by too few slots.
[[nodiscard]] std::optional<double> tested_p(const fleet_row& row);

[[nodiscard]] std::vector<document::limit> limits_of(const top_view& view);

/// Tables for people: of the services that changed, or else of the first one, with its functions;
/// or of periods beside each other.
[[nodiscard]] document document_of(const top_view& view);

/// The schema is described in pprofdelta-top(1).
[[nodiscard]] std::string as_json(const top_view& view);

/// All services and their functions as a page. It has all slots of rates of each, and no picture.
/// @param head has options and warnings.
[[nodiscard]] std::string page_of(const top_view& view, page_head head);

} // namespace pprofdelta::tool
