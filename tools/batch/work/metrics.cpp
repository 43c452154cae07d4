// SPDX-License-Identifier: Apache-2.0
#include "batch/work/metrics.hpp"

#include <pprofdelta/json.hpp>

#include "base/short_names.hpp"
#include "base/value_text.hpp"

namespace pprofdelta::tool {

namespace {

// In quotes. It is UTF-8, and has no end of a line.
std::string label_value(std::string_view text) {
    std::string result = "\"";
    for (const char c : printable(std::string{text})) {
        if (c == '"' || c == '\\') {
            result += '\\';
        }
        result += c;
    }
    return result + "\"";
}

// The metrics of a run, all of which have its labels.
class metrics_text {
public:
    explicit metrics_text(const batch_metrics& metrics)
        : m_labels{"{batch=" + label_value(metrics.batch)} {
        if (const std::string part = to_string(metrics.part); !part.empty()) {
            m_labels += ",shard=" + label_value(part);
        }
    }

    // What is added from here on is of this metric.
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

std::string seconds_text(std::int64_t nanos) {
    constexpr double nanos_of_second = 1e9;
    return fixed_text(static_cast<double>(nanos) / nanos_of_second, 3);
}

void add_jobs(const batch_counts& counts, metrics_text& to) {
    if (!counts.jobs.empty()) {
        to.begin("job_items", "The same of each job.");
    }
    for (const auto& [job, items] : counts.jobs) {
        for (std::size_t i = 0; i < items.size(); ++i) {
            to.add(std::to_string(items[i]), ",job=" + label_value(job) + ",status=\"" +
                                                 to_string(static_cast<item_status>(i)) + "\"");
        }
    }
}

std::string type_labels(const type_rates& rates) {
    return ",type=" + label_value(rates.type.type) + ",unit=" + label_value(rates.type.unit);
}

void add_rates(const std::vector<type_rates>& rates, metrics_text& to) {
    if (rates.empty()) {
        return;
    }
    to.begin("function_rate", "What functions did in each second, those that did most.");
    for (const type_rates& each : rates) {
        for (const auto& [function, rate] : each.functions) {
            to.add(json_number(rate), type_labels(each) + ",function=" + label_value(function));
        }
    }
    to.begin("function_rate_rest", "What all other functions did in each second.");
    for (const type_rates& each : rates) {
        to.add(json_number(each.rest), type_labels(each));
    }
}

} // namespace

std::string to_text(const batch_metrics& metrics) {
    const batch_counts& counts = metrics.counts;
    metrics_text to{metrics};
    to.begin("items", "Profiles of the last run, by what became of them.");
    for (std::size_t i = 0; i < counts.items.size(); ++i) {
        to.add(std::to_string(counts.items[i]),
               std::string{",status=\""} + to_string(static_cast<item_status>(i)) + "\"");
    }
    to.add("resets", "Profiles of the last run whose counters had started over.",
           std::to_string(counts.resets));
    to.add("bytes_in", "Uncompressed bytes of the profiles of the last run.",
           std::to_string(counts.bytes_in));
    to.add("bytes_in_on_disk", "The same as they were read.",
           std::to_string(counts.bytes_in_on_disk));
    to.add("bytes_out_on_disk", "Bytes of the deltas that the last run wrote.",
           std::to_string(counts.bytes_out_on_disk));
    to.add("duration_seconds", "How long the last run took.", fixed_text(metrics.seconds, 3));
    to.add("last_run_timestamp_seconds", "When the last run ended, since 1970.",
           seconds_text(metrics.end_nanos));
    to.add("exit_status", "The exit status of the last run.",
           std::to_string(static_cast<int>(metrics.status)));
    add_jobs(counts, to);
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
