// SPDX-License-Identifier: Apache-2.0
#include "report_command.hpp"

#include <algorithm>
#include <cstdlib>
#include <future>
#include <stdexcept>

#include "beside.hpp"
#include "figures.hpp"
#include "file.hpp"
#include "flame_svg.hpp"
#include "gate.hpp"
#include "profile_file.hpp"
#include "report_format.hpp"
#include "result.hpp"

namespace pprofdelta::tool {

namespace {

void check_regex(const std::string& option, const std::string& regex) {
    if (regex.empty()) {
        return;
    }
    try {
        check_pattern(regex);
    } catch (const std::invalid_argument& e) {
        wrong_usage(option + ": " + e.what());
    }
}

} // namespace

void report_command::add_options(command_options& options) {
    options.add_files(files);
    options.add_heading("What to show");
    options.add_choice<form>(
        "--format", "FORM", format,
        {{"text", form::text}, {"markdown", form::markdown}, {"json", form::json}},
        "text (default), markdown or json");
    options.add_value(
        "--sample-type", "TYPE", [this](const std::string& type) { reported.sort.emplace(type); },
        "The sample type of the rows, or TYPE/UNIT");
    options.add_choice<grouping>("--by", "WHAT", reported.by,
                                 {{"function", grouping::function},
                                  {"file", grouping::file},
                                  {"package", grouping::package},
                                  {"line", grouping::line}},
                                 "Rows are: function (default), file, package or line");
    options.add_choice<row_order>("--order", "WHAT", reported.order,
                                  {{"flat", row_order::flat},
                                   {"cum", row_order::cumulative},
                                   {"percent", row_order::percent}},
                                  "Sort rows by change: flat (default), cum or percent");
    options.add_number("--top", "N", top, "How many rows (default: 20)");
    options.add_value("--focus", "REGEX", reported.focus, "Only samples with a match in the stack");
    options.add_value("--ignore", "REGEX", reported.ignore,
                      "Only samples without a match in the stack");
    options.add_heading("What to compare");
    options.add_flag("--diff", diff, "Two captures, such as of two builds: no restart");
    add_normalize(options, normalize);
    add_match(options, match);
    add_max_size(options, max_size);
    options.add_heading("Output");
    options.add_value("-o,--output", "FILE", output, "Write the report to FILE");
    options.add_value("--flamegraph", "FILE", flame_graph,
                      "Draw both profiles as a flame graph, for a browser");
    options.add_choice<color>(
        "--color", "WHEN", colors,
        {{"auto", color::automatic}, {"always", color::always}, {"never", color::never}},
        "Of text: auto (default: on a terminal), always or never");
    add_quiet(options, quiet);
    options.add_help();
    options.add_heading("Limits");
    add_limits(options, limits);
}

void report_command::check() {
    check_pair("report", files);
    check_limits(limits);
    check_regex("--focus", reported.focus);
    check_regex("--ignore", reported.ignore);
    if (top < 0) {
        wrong_usage("--top is a number of rows, from 0");
    }
    if (output == "-") {
        output.clear();
    }
    if (flame_graph == "-") {
        wrong_usage("--flamegraph needs a file, which standard output is not");
    }
    check_output(output, files);
    check_output(flame_graph, files);
    // A file that both are written to would hold the last one.
    if (!output.empty() && !flame_graph.empty() && is_same_path(output, flame_graph)) {
        wrong_usage("the report and the flame graph cannot go to one file");
    }
}

exit_status report_command::run() const {
    gate kept{limits, normalize};
    std::future<loaded_profile> ahead = load_ahead(files[1], max_size);
    const profile_file previous{raw_file{files[0], max_size}, max_size};
    const loaded_profile current = ahead.get();
    const comparison profiles{normalize, previous, *current};
    std::string text;
    std::string picture;
    std::future<void> compared = beside([&] {
        if (kept.is_on()) {
            kept.judge(profiles);
        }
        text = make_text(profiles, kept.judgements());
        if (!flame_graph.empty()) {
            picture = draw(profiles);
        }
    });
    check_profiles(profiles, previous, *current);
    // Before anything is written: what does not fit the profiles is an error.
    compared.get();
    if (!flame_graph.empty()) {
        write_file(flame_graph, picture, durability::cached);
    }
    if (output.empty()) {
        write_standard_output(text);
    } else {
        write_file(output, text, durability::cached);
    }
    // The report has them already, and where both come to one place they would be there twice.
    const bool is_said = output.empty() && standard_outputs_are_one();
    return kept.report(limits.annotations, quiet, is_said);
}

// A report looks only at what it needs. To make the delta as well finds faults anywhere in the
// profiles, and a restart in between.
void report_command::check_profiles(const comparison& profiles, const profile_file& previous,
                                    const profile_file& current) const {
    delta_options options;
    options.match = match;
    const auto types = about(previous.name(), [&] { return list_types(previous.bytes()); });
    const bool has_counters = std::any_of(
        types.begin(), types.end(), [](const auto& treatment) { return treatment.cumulative; });
    result r;
    if (diff || !has_counters) {
        r.diff(profiles, options);
    } else {
        delta_computer computer{options};
        about(previous.name(), [&] { computer.prime(previous.bytes(), previous.source()); });
        r.compute(computer, current, previous.name());
    }
    if (!quiet) {
        r.warn(previous.name(), "the values before are of another run");
    }
}

std::string report_command::make_text(const comparison& profiles,
                                      const std::vector<judgement>& judgements) const {
    const report content = profiles.about_both([&](std::string_view before, std::string_view now) {
        return make_report(before, now, reported);
    });
    report_view view{.content = content,
                     .judgements = judgements,
                     .previous = profiles.previous_name(),
                     .current = profiles.current_name(),
                     .normalized_by = profiles.normalized_by(),
                     .factors = profiles.factors(),
                     .normalization_text = profiles.normalization_text(),
                     .filter_text = filter_text(reported, content.totals[content.type].type.unit,
                                                content.shown, content.totals[content.type].value),
                     .reported = reported,
                     .top = static_cast<std::size_t>(top)};
    switch (format) {
    case form::json:
        return report_as_json(view);
    case form::markdown:
        return report_as_markdown(view);
    case form::text:
        break;
    }
    view.width = output.empty() ? standard_output_width() : 0;
    const char* const no_color = ::secure_getenv("NO_COLOR");
    const bool is_wanted = view.width != 0 && (no_color == nullptr || *no_color == '\0');
    view.has_colors = colors == color::always || (colors == color::automatic && is_wanted);
    return report_as_text(view);
}

std::string report_command::draw(const comparison& profiles) const {
    const pprofdelta::flame_graph content =
        profiles.about_both([&](std::string_view before, std::string_view now) {
            return make_flame_graph(before, now, reported);
        });
    return flame_graph_as_svg(
        {.content = content,
         .previous = profiles.previous_name(),
         .current = profiles.current_name(),
         .normalization_text = profiles.normalization_text(),
         .filter_text =
             filter_text(reported, content.type.unit, content.nodes.front().value, content.total)});
}

} // namespace pprofdelta::tool
