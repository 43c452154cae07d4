// SPDX-License-Identifier: Apache-2.0
#include "batch/work/delivery.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <unistd.h>

#include "batch/fetch/backoff.hpp"
#include "batch/plan/output_template.hpp"
#include "batch/work/child_process.hpp"
#include "batch/work/stop_signals.hpp"

namespace pprofdelta::tool {

namespace {

using clock = std::chrono::steady_clock;

constexpr std::string_view variable_prefix = "PPROFDELTA_";

std::string whole_seconds(std::int64_t nanos) {
    constexpr std::int64_t a_second = 1'000'000'000;
    return std::to_string(nanos / a_second);
}

placeholder_values values_of(const unsent_note& note, const unsent_delta& delta) {
    return {
        {"file", delta.path},    {"from", whole_seconds(delta.time_nanos - delta.duration_nanos)},
        {"id", delta.id},        {"n", std::to_string(delta.number)},
        {"series", note.series}, {"time", time_in_path(delta.time_nanos)},
        {"type", delta.type},    {"until", whole_seconds(delta.time_nanos)}};
}

// A shell can name no other variables.
bool is_variable(std::string_view name) {
    return std::all_of(name.begin(), name.end(), [](char c) {
        return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
               (c >= 'A' && c <= 'Z');
    });
}

std::string upper_case(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return text;
}

// That of this program, with the values: PPROFDELTA_FILE, PPROFDELTA_LABEL_team.
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
        if (is_variable(name)) {
            add("LABEL_" + name, value);
        }
    }
    return variables;
}

// @returns false if the run is to end meanwhile.
bool sleep_for(double seconds) {
    const auto end = clock::now() + std::chrono::duration_cast<clock::duration>(
                                        std::chrono::duration<double>{seconds});
    while (clock::now() < end && !stop_signals::is_stopping()) {
        constexpr std::chrono::milliseconds pause{20};
        std::this_thread::sleep_for(pause);
    }
    return !stop_signals::is_stopping();
}

} // namespace

delivery deliver(const exec_options& how, const unsent_note& of, const unsent_delta& delta) {
    const auto start = clock::now();
    placeholder_values values = values_of(of, delta);
    const std::vector<std::string> environment = environment_with(of, values);
    values.insert(of.labels.begin(), of.labels.end()); // none takes the place of what is there
    const std::vector<std::string> words = how.command.words(values);
    constexpr double first_pause = 0.5;
    backoff pauses{first_pause};
    delivery found{.id = delta.id};
    do {
        if (stop_signals::is_stopping()) {
            found.fault = "it was not tried, as the run is to end";
            break;
        }
        command_end end =
            run_command(words, environment, std::chrono::duration<double>{how.timeout_seconds});
        ++found.tries;
        found.status = end.status;
        found.fault = end.fault.empty() ? "" : words.front() + " " + end.fault;
    } while (!found.fault.empty() && found.tries <= how.retries &&
             sleep_for(pauses.pause(found.tries, 0)));
    found.milliseconds = std::chrono::duration<double, std::milli>(clock::now() - start).count();
    return found;
}

} // namespace pprofdelta::tool
