// SPDX-License-Identifier: Apache-2.0
#include "metrics.hpp"

#include "../figures.hpp"
#include "../short_names.hpp"

namespace pprofdelta::tool {

namespace {

// The two lines before the values of a metric, all of which are of one run.
std::string about_metric(const std::string& name, const std::string& help) {
    return "# HELP pprofdelta_batch_" + name + " " + help + "\n# TYPE pprofdelta_batch_" + name +
           " gauge\n";
}

std::string metric(const std::string& name, const std::string& help, const std::string& value) {
    return about_metric(name, help) + "pprofdelta_batch_" + name + " " + value + "\n";
}

// The value of a label. It is UTF-8, and has no end of a line.
std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : printable(std::string{text})) {
        if (c == '"' || c == '\\') {
            result += '\\';
        }
        result += c;
    }
    return result + "\"";
}

std::string seconds_text(std::int64_t nanos) {
    constexpr double nanos_of_second = 1e9;
    return fixed_text(static_cast<double>(nanos) / nanos_of_second, 3);
}

} // namespace

std::string to_text(const batch_metrics& metrics) {
    const batch_counts& counts = metrics.counts;
    std::string text = about_metric("items", "Profiles of the last run, by what became of them.");
    for (std::size_t i = 0; i < counts.items.size(); ++i) {
        text += std::string{"pprofdelta_batch_items{status=\""} +
                to_string(static_cast<item_status>(i)) + "\"} " + std::to_string(counts.items[i]) +
                "\n";
    }
    text += metric("resets", "Profiles of the last run whose counters had started over.",
                   std::to_string(counts.resets));
    text += metric("bytes_in", "Uncompressed bytes of the profiles of the last run.",
                   std::to_string(counts.bytes_in));
    text += metric("bytes_in_on_disk", "The same as they were read.",
                   std::to_string(counts.bytes_in_on_disk));
    text += metric("bytes_out_on_disk", "Bytes of the deltas that the last run wrote.",
                   std::to_string(counts.bytes_out_on_disk));
    text +=
        metric("duration_seconds", "How long the last run took.", fixed_text(metrics.seconds, 3));
    text += metric("last_run_timestamp_seconds", "When the last run ended, since 1970.",
                   seconds_text(metrics.end_nanos));
    text += metric("exit_status", "The exit status of the last run.",
                   std::to_string(static_cast<int>(counts.status())));
    if (!metrics.oldest.empty()) {
        text += about_metric("series_age_seconds",
                             "Time since the last profile, of the series for which it is longest.");
        for (const auto& [series, time] : metrics.oldest) {
            text += "pprofdelta_batch_series_age_seconds{series=" + quoted(series) + "} " +
                    seconds_text(metrics.end_nanos - time) + "\n";
        }
    }
    return text;
}

} // namespace pprofdelta::tool
