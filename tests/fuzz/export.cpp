// SPDX-License-Identifier: Apache-2.0
// Exports of a profile, whose names are the bytes: folded lines have its sum, and are read again
// with that; rows are JSON, one for each sample, with all of its values and labels.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/export.hpp>
#include <pprofdelta/report.hpp>
#include <pprofdelta/text_profile.hpp>

#include "fuzz.hpp"
#include "json.hpp"
#include "named_profile.hpp"
#include "printed.hpp"
#include "profile_builder.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

void check_folded(const std::string& profile, const report_options& options) {
    report whole;
    std::string text;
    if (!is_accepted([&] {
            whole = make_report(profile, options);
            write_folded(profile, options, [&](std::string_view part) { text += part; });
        })) {
        return;
    }
    std::int64_t sum = 0;
    bool are_exact = true; // blanks before the number are none of the name's
    for (const std::string& line : lines_of(text)) {
        if (line == "# folded stacks, exact") { // the first line where a name needs it
            continue;
        }
        require(is_printable(line) && !is_command(line), "a folded line is printable");
        const std::size_t blank = line.rfind(' ');
        require(blank != std::string::npos && blank != 0, "a line has a stack and a number");
        sum = wrapping_sum(sum, std::stoll(line.substr(blank + 1)));
        are_exact = are_exact && line[blank - 1] != ' ';
    }
    require(sum == whole.shown.current, "folded lines add up to what is shown");
    std::string again;
    if (!is_text_profile(text) || !is_accepted([&] { convert_text_profile(text, again); })) {
        return; // no call tells what it is; or names look like markup, prose, or a second number
    }
    report read;
    if (is_accepted([&] { read = make_report(again, report_options{}); })) {
        require(read.totals.size() == 1 && read.totals[0].value.current == sum,
                "folded lines are read with all of their values");
    }
    std::string folded_again;
    if (!is_accepted([&] {
            write_folded(again, {}, [&](std::string_view part) { folded_again += part; });
        })) {
        return; // lines that have become one have a sum that does not fit
    }
    std::vector<std::string> lines = lines_of(text);
    std::vector<std::string> lines_again = lines_of(folded_again);
    std::sort(lines.begin(), lines.end());
    std::sort(lines_again.begin(), lines_again.end());
    // Two lines become one where names differ in nothing but what a line cannot have.
    require(!are_exact || lines_again.size() < lines.size() || lines_again == lines,
            "folded lines are written as they were read");
}

void require_labels(const json& row, const sample& expected) {
    std::size_t texts = 0;
    std::size_t numbers = 0;
    for (const label& each : expected.labels) {
        texts += each.str.empty() ? 0 : 1;
        numbers += each.str.empty() || each.num != 0 ? 1 : 0;
    }
    for (const auto& [name, count] :
         {std::pair{"labels", texts}, {"num_labels", numbers}, {"num_units", numbers}}) {
        std::size_t found = 0;
        for (const json& values : row.at(name)) {
            found += values.size();
        }
        require(found == count, "all labels are there");
    }
}

void check_rows(const std::string& bytes, const std::optional<profile>& content,
                const std::string& name) {
    std::string text;
    if (!is_accepted(
            [&] { write_ndjson(bytes, name, [&](std::string_view part) { text += part; }); })) {
        return;
    }
    std::vector<std::int64_t> found;
    const std::vector<std::string> lines = lines_of(text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        require(is_printable(lines[i]), "a row is printable");
        const json row = parse_json(lines[i]);
        require(name_of(row.at("profile")) == name, "a row names its profile");
        found.resize(row.at("value").size());
        std::size_t type = 0;
        for (const auto& [_, value] : row.at("value").items()) {
            found[type] = wrapping_sum(found[type], value.get<std::int64_t>());
            ++type;
        }
        if (content) {
            require_labels(row, content->samples[i]);
        }
    }
    if (content) {
        require(lines.size() == content->samples.size(), "a sample is a row");
        require(lines.empty() || found == sums(*content), "rows add up to the profile");
    }
}

} // namespace

FUZZ_TARGET(export, data, size) {
    steering bytes{data, size};
    const unsigned bits = bytes.byte();
    report_options options;
    options.by = static_cast<grouping>(bits / 2 % 4);
    const std::string name{bytes.take(bits / 8 % 8)};
    std::string profile;
    if (bits % 2 == 0) {
        profile = bytes.rest();
    } else {
        const std::vector<std::string> names = choose_names(bytes);
        profile = serialize(invent_labelled(names, bytes));
    }
    check_folded(profile, options);
    check_rows(profile, parse_if_valid(profile), name);
    return 0;
}
