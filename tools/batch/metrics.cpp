// SPDX-License-Identifier: Apache-2.0
#include "batch/metrics.hpp"

#include <array>

#include <nlohmann/json.hpp>

#include <pprofdelta/json.hpp>

#include "base/json.hpp"
#include "base/names.hpp"
#include "base/value_text.hpp"

namespace pprofdelta::tool {

namespace {

// The value is in quotes. A printable text has nothing that JSON escapes in another way than
// Prometheus.
std::string label_value(std::string_view text) { return ordered_json(printable(text)).dump(); }

// The metrics of a run, all of which have its labels.
class metrics_text {
public:
    explicit metrics_text(const batch_metrics& metrics)
        : m_labels{"{batch=" + label_value(metrics.batch)} {
        if (const std::string part = to_string(metrics.part); !part.empty()) {
            m_labels += ",shard=" + label_value(part);
        }
    }

    // Begins a metric; later values belong to it.
    void begin(const std::string& name, const std::string& help) {
        m_name = "pprofdelta_batch_" + name;
        m_text += "# HELP " + m_name + " " + help + "\n# TYPE " + m_name + " gauge\n";
    }
    void add(const std::string& value, const std::string& more_labels = "") {
        m_text += m_name + m_labels + more_labels + "} " + value + "\n";
    }
    // A metric that has one value.
    void add(const std::string& name, const std::string& help, const std::string& value) {
        begin(name, help);
        add(value);
    }

    [[nodiscard]] const std::string& text() const noexcept { return m_text; }

private:
    std::string m_labels;
    std::string m_name;
    std::string m_text;
};

std::string seconds_text(std::int64_t nanos) { return fixed_text(seconds_of(nanos), 3); }

void add_items(const std::array<std::size_t, item_statuses>& items, const std::string& labels,
               metrics_text& to) {
    for (std::size_t i = 0; i < items.size(); ++i) {
        to.add(std::to_string(items[i]),
               labels + ",status=\"" + to_string(static_cast<item_status>(i)) + "\"");
    }
}

std::string type_labels(const type_rates& rates) {
    return ",type=" + label_value(rates.type.type) + ",unit=" + label_value(rates.type.unit);
}

void add_rates(const std::vector<type_rates>& rates, metrics_text& to) {
    if (rates.empty()) {
        return;
    }
    to.begin("function_rate", "Rates of the functions with the highest rates.");
    for (const type_rates& each : rates) {
        for (const auto& [function, rate] : each.functions) {
            to.add(json_number(rate), type_labels(each) + ",function=" + label_value(function));
        }
    }
    to.begin("function_rate_rest", "Rate of all other functions together.");
    for (const type_rates& each : rates) {
        to.add(json_number(each.rest), type_labels(each));
    }
}

} // namespace

std::string to_text(const batch_metrics& metrics) {
    const batch_counts& counts = metrics.counts;
    metrics_text to{metrics};
    to.begin("items", "Profiles of the last run by outcome.");
    add_items(counts.items, "", to);
    to.add("resets", "Profiles of the last run after a counter reset.",
           std::to_string(counts.resets));
    to.add("bytes_in", "Uncompressed bytes of the profiles of the last run.",
           std::to_string(counts.bytes_in));
    to.add("bytes_in_on_disk", "Bytes of the profiles of the last run as they were read.",
           std::to_string(counts.bytes_in_on_disk));
    to.add("bytes_out_on_disk", "Bytes of the deltas that the last run wrote.",
           std::to_string(counts.bytes_out_on_disk));
    to.add("duration_seconds", "Duration of the last run.", fixed_text(metrics.seconds, 3));
    to.add("last_run_timestamp_seconds", "Time at which the last run ended, in seconds since 1970.",
           seconds_text(metrics.end_nanos));
    to.add("exit_status", "The exit status of the last run.",
           std::to_string(static_cast<int>(metrics.status)));
    if (!counts.jobs.empty()) {
        to.begin("job_items", "Profiles of the last run by job and outcome.");
    }
    for (const auto& [job, items] : counts.jobs) {
        add_items(items, ",job=" + label_value(job), to);
    }
    if (metrics.top != 0) {
        add_rates(counts.rates.largest(metrics.top), to);
    }
    if (!metrics.oldest.empty()) {
        to.begin("series_age_seconds",
                 "Time since the last profile, of the series for which it is longest.");
        for (const auto& [series, time] : metrics.oldest) {
            to.add(seconds_text(metrics.end_nanos - time), ",series=" + label_value(series));
        }
    }
    return to.text();
}

} // namespace pprofdelta::tool
