// SPDX-License-Identifier: Apache-2.0
#include "batch/results.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/lists.hpp"
#include "base/names.hpp"
#include "base/value_text.hpp"
#include "document/report.hpp"

namespace pprofdelta::tool {

const char* to_string(item_status status) noexcept {
    constexpr std::array<const char*, item_statuses> names{
        "done", "skipped", "limit", "sent", "malformed", "incompatible", "io", "unsent"};
    return names[static_cast<std::size_t>(status)];
}

void item_outcome::fail(exit_status fault, const std::string& why) {
    const bool does_not_fit = fault == exit_status::incompatible ||
                              fault == exit_status::usage; // limits that do not fit the profile
    status = fault == exit_status::malformed ? item_status::malformed
             : does_not_fit                  ? item_status::incompatible
                                             : item_status::io;
    error = why;
    output.clear();
    bytes_out_on_disk = 0;
    crossed.clear();
    totals.clear();
    rates.clear();
}

void item_outcome::skip(const std::string& why) {
    status = item_status::skipped;
    error = why;
}

namespace {

// Counters have a value per second if the duration is known.
ordered_json totals_json(const item_outcome& outcome) {
    const double seconds = seconds_of(outcome.summary.duration_nanos);
    return mapped(outcome.totals, [&](const type_total& each) {
        ordered_json total = type_json(each.type);
        total["cumulative"] = each.is_cumulative;
        total["value"] = each.value;
        total["per_second"] = each.is_cumulative && seconds > 0
                                  ? ordered_json(static_cast<double>(each.value) / seconds)
                                  : nullptr;
        return total;
    });
}

} // namespace

std::string to_json_line(const item_outcome& outcome) {
    const delta_summary& summary = outcome.summary;
    ordered_json line{{"schema", "pprofdelta/result/1"}, {"series", outcome.series}};
    if (outcome.labels.are_known()) {
        ordered_json& labels = line["labels"] = ordered_json::object();
        for (const auto& [name, value] : outcome.labels.shown()) {
            labels[name] = value;
        }
    }
    line["input"] = text_or_null(std::string{outcome.input});
    line["output"] = text_or_null(outcome.output);
    line["status"] = to_string(outcome.status);
    line["time_nanos"] = summary.time_nanos;
    line["duration_nanos"] = summary.duration_nanos;
    line["totals"] = totals_json(outcome);
    line["samples_in"] = summary.samples_in;
    line["samples_out"] = summary.samples_kept;
    line["bytes_in"] = outcome.bytes_in;
    line["bytes_in_on_disk"] = outcome.bytes_in_on_disk;
    line["bytes_out_on_disk"] = outcome.bytes_out_on_disk;
    line["first"] = summary.first;
    line["reset"] = summary.reset;
    line["reset_reason"] = text_or_null(summary.reset ? to_string(summary.reason) : "");
    line["negative_samples"] = summary.negative_samples;
    line["milliseconds"] = written(fixed_text(outcome.milliseconds, 3));
    if (outcome.sent) {
        line["exec"] = {{"id", outcome.sent->id},
                        {"exit_status", outcome.sent->status},
                        {"tries", outcome.sent->tries},
                        {"milliseconds", written(fixed_text(outcome.sent->milliseconds, 3))}};
    }
    if (outcome.limits) {
        line["limits"] = mapped(*outcome.limits, written);
    }
    line["error"] = text_or_null(outcome.error);
    line["next"] =
        outcome.output.empty() ? command_list{} : command_list{report_of_profile(outcome.output)};
    return to_text(line, json_layout::compact) + "\n";
}

namespace {

// Ends a line that a killed run wrote in part, so that the next one is whole.
void end_last_line(int file, const std::string& path) {
    char last = '\n';
    const off_t size = ::lseek(file, 0, SEEK_END);
    if (size > 0 && ::pread(file, &last, 1, size - 1) == 1 && last != '\n') {
        write_all(file, "\n", path);
    }
}

} // namespace

std::size_t batch_counts::failed() const noexcept {
    return of(item_status::malformed) + of(item_status::incompatible) + of(item_status::io) +
           of(item_status::unsent);
}

exit_status batch_counts::status(double allowed) const noexcept {
    constexpr double percent = 100;
    const std::size_t tried = std::accumulate(items.begin(), items.end(), std::size_t{0}) -
                              of(item_status::skipped) - of(item_status::sent);
    if (static_cast<double>(failed()) * percent > allowed * static_cast<double>(tried)) {
        return of(item_status::io) + of(item_status::unsent) != 0 ? exit_status::io
               : of(item_status::malformed) != 0                  ? exit_status::malformed
                                                                  : exit_status::incompatible;
    }
    return of(item_status::limit_crossed) != 0 ? exit_status::limit_crossed : exit_status::done;
}

batch_results::batch_results(std::string path, std::size_t items, bool quiet)
    : m_path{std::move(path)}, m_is_quiet{quiet}, m_progress{items, 0, !quiet} {
    if (m_path.empty()) {
        return;
    }
    if (m_path == "-") {
        m_file = descriptor{STDOUT_FILENO};
        return;
    }
    m_file = descriptor{::open(m_path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)};
    if (m_file.number() < 0) {
        throw io_failure(m_path, "cannot be opened");
    }
    end_last_line(m_file.number(), m_path);
}

void batch_results::count(const item_outcome& outcome) {
    ++m_counts.items[static_cast<std::size_t>(outcome.status)];
    if (outcome.labels.are_known()) {
        const std::string_view job = outcome.labels.value("job");
        ++m_counts.jobs[std::string{job.empty() ? "targets" : job}]
                       [static_cast<std::size_t>(outcome.status)];
    }
    m_counts.rates.add(outcome.rates);
    if (outcome.input.empty()) { // of an earlier run
        m_counts.left_unsent += outcome.is_failure() ? 1 : 0;
        return;
    }
    if (outcome.status != item_status::skipped) {
        m_counts.resets += outcome.summary.reset ? 1 : 0;
        m_counts.bytes_in += outcome.bytes_in;
        m_counts.bytes_in_on_disk += outcome.bytes_in_on_disk;
        m_counts.bytes_out_on_disk += outcome.bytes_out_on_disk;
        if (outcome.summary.negative_samples != 0 && !outcome.summary.reset) {
            m_decreased_series.emplace(outcome.series);
        }
    }
    m_progress.add(outcome.bytes_in_on_disk, outcome.is_failure());
}

// The text replaces the line that shows how far the run is.
void batch_results::print(const std::string& text) {
    m_progress.clear();
    std::fprintf(stderr, "pprofdelta: %s\n", text.c_str());
}

void batch_results::publish(const item_outcome& outcome) {
    const auto series = [&] { return printable(outcome.series); };
    if (outcome.is_failure() && !m_is_quiet) {
        print(series() + ": " + printable(outcome.error));
    }
    if (!m_is_quiet) {
        std::vector<std::string> found = series_findings(outcome.summary);
        if (outcome.summary.previous_has_duration &&
            m_warned_series.emplace(outcome.series).second) {
            found.emplace_back("its profiles have durations, so they may already be deltas");
        }
        for (const std::string& each : found) {
            print(std::string{"warning: "}.append(series()).append(": ").append(each));
        }
    }
    if (!outcome.crossed.empty()) {
        print(series() + ": limit crossed: " + printable(outcome.crossed));
    }
}

void batch_results::warn(const std::string& text) {
    const std::lock_guard lock{m_mutex};
    m_warnings.push_back(text);
    if (!m_is_quiet) {
        print("warning: " + printable(text));
    }
}

std::vector<std::string> batch_results::warnings() {
    const std::lock_guard lock{m_mutex};
    return m_warnings;
}

void batch_results::end() {
    const std::lock_guard lock{m_mutex};
    m_progress.end();
}

void batch_results::add(const std::vector<item_outcome>& outcomes) {
    std::string lines;
    const std::lock_guard lock{m_mutex};
    for (const item_outcome& each : outcomes) {
        count(each);
        if (m_file.number() >= 0) {
            lines += to_json_line(each);
        }
    }
    if (!lines.empty()) {
        try {
            // The lines are written at once, so that those of several runs are not mixed.
            write_all(m_file.number(), lines, m_path == "-" ? "standard output" : m_path);
        } catch (const failure&) {
            m_file = descriptor{-1};
            std::ranges::for_each(outcomes, [this](const auto& each) { publish(each); });
            throw;
        }
    }
    std::ranges::for_each(outcomes, [this](const auto& each) { publish(each); });
}

} // namespace pprofdelta::tool
