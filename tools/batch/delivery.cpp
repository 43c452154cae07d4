// SPDX-License-Identifier: Apache-2.0
#include "batch/delivery.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "base/names.hpp"
#include "base/threads.hpp"
#include "base/value_text.hpp"
#include "batch/run_command.hpp"
#include "batch/stop_signals.hpp"

namespace pprofdelta::tool {

namespace {

using clock = std::chrono::steady_clock;

constexpr std::string_view variable_prefix = "PPROFDELTA_";

std::string whole_seconds(std::int64_t nanos) { return std::to_string(nanos / nanos_per_second); }

placeholder_values values_of(const unsent_note& note, const unsent_delta& delta) {
    return {
        {"file", delta.path},    {"from", whole_seconds(delta.time_nanos - delta.duration_nanos)},
        {"id", delta.id},        {"n", std::to_string(delta.number)},
        {"series", note.series}, {"time", time_in_path(delta.time_nanos)},
        {"type", delta.type},    {"until", whole_seconds(delta.time_nanos)}};
}

std::string upper_case(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return text;
}

// Returns this program's environment with the values, as PPROFDELTA_FILE, PPROFDELTA_LABEL_team.
std::vector<std::string> environment_with(const unsent_note& note,
                                          const placeholder_values& values) {
    std::vector<std::string> variables;
    for (char** each = ::environ; *each != nullptr; ++each) {
        if (!std::string_view{*each}.starts_with(variable_prefix)) {
            variables.emplace_back(*each);
        }
    }
    const auto add = [&variables](std::string_view name, std::string_view value) {
        variables.emplace_back(variable_prefix).append(name).append("=").append(value);
    };
    for (const auto& [name, value] : values) {
        add(upper_case(name), value);
    }
    for (const auto& [name, value] : note.labels) {
        if (std::ranges::all_of(name, is_in_word)) { // a shell can name no other variables
            add("LABEL_" + name, value);
        }
    }
    return variables;
}

// @returns false if the run is to end meanwhile.
bool sleep_for(double seconds) {
    return !poll_until(clock::now() + std::chrono::duration<double>{seconds},
                       std::chrono::milliseconds{20}, stop_signals::is_stopping);
}

} // namespace

delivery deliver(const exec_options& options, const unsent_note& note, const unsent_delta& delta) {
    const auto start = clock::now();
    placeholder_values values = values_of(note, delta);
    const std::vector<std::string> environment = environment_with(note, values);
    values.insert(note.labels.begin(), note.labels.end()); // none takes the place of what is there
    const std::vector<std::string> words = options.command.words(values);
    constexpr double first_pause = 0.5;
    delivery found{.id = delta.id};
    do {
        if (stop_signals::is_stopping()) {
            found.fault = "it was not tried, because the run is ending";
            break;
        }
        command_end end =
            run_command(words, environment, std::chrono::duration<double>{options.timeout_seconds});
        ++found.tries;
        found.status = end.status;
        found.fault = end.fault.empty() ? "" : words.front() + " " + end.fault;
    } while (!found.fault.empty() && found.tries <= options.retries &&
             sleep_for(retry_pause(first_pause, found.tries)));
    found.milliseconds = std::chrono::duration<double, std::milli>(clock::now() - start).count();
    return found;
}

} // namespace pprofdelta::tool
