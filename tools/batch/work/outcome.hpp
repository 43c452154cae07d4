// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_WORK_OUTCOME_HPP
#define PPROFDELTA_TOOLS_BATCH_WORK_OUTCOME_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/value_type.hpp>

#include "base/failure.hpp"
#include "batch/plan/target_labels.hpp"
#include "batch/work/delivery.hpp"
#include "batch/work/function_rates.hpp"

namespace pprofdelta::tool {

enum class item_status : std::uint8_t {
    done,
    skipped,       ///< There is nothing to do: it was done before, or a later one was.
    limit_crossed, ///< It is done, and a limit was crossed.
    sent,          ///< No item: a delta of an earlier run was taken by the command.
    malformed,
    incompatible,
    io,
    unsent, ///< It is done, and the command has still to take it.
};

/// How many different ones there are.
inline constexpr std::size_t item_statuses = 8;

/// As results and metrics have it.
[[nodiscard]] const char* to_string(item_status status) noexcept;

/// The status of an item that failed so.
[[nodiscard]] item_status to_item_status(exit_status status) noexcept;

/// What a delta has of one type.
struct type_total {
    value_type type;
    bool is_cumulative;
    std::int64_t value; ///< Over all samples.
};

/// What became of one profile.
struct item_outcome {
    std::string_view series;
    std::string_view input;
    target_labels labels{};
    item_status status = item_status::done;
    std::string output; ///< The delta's path; empty if there is none.
    std::string
        error; ///< For people: why it failed, or was skipped; empty if there is nothing to say.
    delta_summary summary;
    std::size_t bytes_in = 0; ///< Uncompressed.
    std::size_t bytes_in_on_disk = 0;
    std::size_t bytes_out_on_disk = 0;
    double milliseconds = 0;
    std::vector<type_total> totals;    ///< Of the delta, if somebody wants to know.
    std::vector<type_rates> rates;     ///< The same.
    std::optional<std::string> limits; ///< An array of JSON, if there are limits.
    std::optional<delivery> sent;      ///< If it was given to a command.
    std::string crossed;               ///< The limits that were, for people.

    /// Whatever became of its delta, there is none for whoever reads this.
    void fail(item_status how, const std::string& why);
    void skip(const std::string& why);
    [[nodiscard]] bool is_failure() const noexcept { return status >= item_status::malformed; }
};

/// The line for programs, with its end. Its members are described in pprofdelta-batch(1).
[[nodiscard]] std::string to_json_line(const item_outcome& outcome);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_WORK_OUTCOME_HPP
