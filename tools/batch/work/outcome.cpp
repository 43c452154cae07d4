// SPDX-License-Identifier: Apache-2.0
#include "batch/work/outcome.hpp"

#include "base/json.hpp"
#include "base/value_text.hpp"
#include "cli/next_commands.hpp"

namespace pprofdelta::tool {

const char* to_string(item_status status) noexcept {
    switch (status) {
    case item_status::done:
        return "done";
    case item_status::skipped:
        return "skipped";
    case item_status::limit_crossed:
        return "limit";
    case item_status::sent:
        return "sent";
    case item_status::malformed:
        return "malformed";
    case item_status::incompatible:
        return "incompatible";
    case item_status::unsent:
        return "unsent";
    case item_status::io:
        break;
    }
    return "io";
}

item_status to_item_status(exit_status status) noexcept {
    switch (status) {
    case exit_status::done:
        return item_status::done;
    case exit_status::limit_crossed:
        return item_status::limit_crossed;
    case exit_status::malformed:
        return item_status::malformed;
    case exit_status::usage: // limits that do not fit the profile
    case exit_status::incompatible:
        return item_status::incompatible;
    case exit_status::io:
        break;
    }
    return item_status::io;
}

void item_outcome::fail(item_status how, const std::string& why) {
    status = how;
    error = why;
    output.clear();
    crossed.clear();
    totals.clear();
    rates.clear();
}

void item_outcome::skip(const std::string& why) {
    status = item_status::skipped;
    error = why;
}

namespace {

std::string json_labels(const target_labels& labels) {
    std::string members;
    for (const auto& [name, value] : labels.shown()) {
        members += (members.empty() ? "" : ",") + json_string(name) + ":" + json_string(value);
    }
    return "{" + members + "}";
}

// What there was in each second is known of counters, if the time is.
std::string json_totals(const item_outcome& outcome) {
    constexpr double a_second = 1e9;
    const double seconds = static_cast<double>(outcome.summary.duration_nanos) / a_second;
    std::string totals;
    for (const type_total& each : outcome.totals) {
        totals += totals.empty() ? "" : ",";
        totals += "{\"type\":" + json_string(each.type.type) +
                  ",\"unit\":" + json_string(each.type.unit) +
                  ",\"cumulative\":" + (each.is_cumulative ? "true" : "false") +
                  ",\"value\":" + std::to_string(each.value) + ",\"per_second\":" +
                  (each.is_cumulative && seconds > 0
                       ? json_number(static_cast<double>(each.value) / seconds)
                       : "null") +
                  "}";
    }
    return "[" + totals + "]";
}

std::string json_delivery(const delivery& made) {
    return "{\"id\":" + json_string(made.id) +
           ",\"exit_status\":" + (made.status ? std::to_string(*made.status) : "null") +
           ",\"tries\":" + std::to_string(made.tries) +
           ",\"milliseconds\":" + fixed_text(made.milliseconds, 3) + "}";
}

} // namespace

std::string to_json_line(const item_outcome& outcome) {
    const auto text = [](const std::string& value) {
        return value.empty() ? "null" : json_string(value);
    };
    const auto flag = [](bool value) { return value ? "true" : "false"; };
    std::string line =
        "{\"schema\":\"pprofdelta/result/1\",\"series\":" + json_string(outcome.series);
    if (outcome.labels.are_known()) {
        line += ",\"labels\":" + json_labels(outcome.labels);
    }
    line += ",\"input\":" + text(std::string{outcome.input});
    line += ",\"output\":" + text(outcome.output);
    line += std::string{",\"status\":\""} + to_string(outcome.status) + "\"";
    line += ",\"time_nanos\":" + std::to_string(outcome.summary.time_nanos);
    line += ",\"duration_nanos\":" + std::to_string(outcome.summary.duration_nanos);
    line += ",\"totals\":" + json_totals(outcome);
    line += ",\"samples_in\":" + std::to_string(outcome.summary.samples_in);
    line += ",\"samples_out\":" + std::to_string(outcome.summary.samples_kept);
    line += ",\"bytes_in\":" + std::to_string(outcome.bytes_in);
    line += ",\"bytes_in_on_disk\":" + std::to_string(outcome.bytes_in_on_disk);
    line += ",\"bytes_out_on_disk\":" + std::to_string(outcome.bytes_out_on_disk);
    line += std::string{",\"first\":"} + flag(outcome.summary.first);
    line += std::string{",\"reset\":"} + flag(outcome.summary.reset);
    line +=
        ",\"reset_reason\":" + text(outcome.summary.reset ? to_string(outcome.summary.reason) : "");
    line += ",\"negative_samples\":" + std::to_string(outcome.summary.negative_samples);
    line += ",\"milliseconds\":" + fixed_text(outcome.milliseconds, 3);
    if (outcome.sent) {
        line += ",\"exec\":" + json_delivery(*outcome.sent);
    }
    if (outcome.limits) {
        line += ",\"limits\":" + *outcome.limits;
    }
    return line +=
           ",\"error\":" + text(outcome.error) + ",\"next\":" +
           json_commands(outcome.output.empty() ? command_list{}
                                                : command_list{report_of_profile(outcome.output)}) +
           "}\n";
}

} // namespace pprofdelta::tool
