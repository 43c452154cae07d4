// SPDX-License-Identifier: Apache-2.0
#include "report_command.hpp"

#include <algorithm>
#include <cstdlib>
#include <future>

#include "beside.hpp"
#include "file.hpp"
#include "flame_svg.hpp"
#include "gate.hpp"
#include "profile_file.hpp"
#include "report_format.hpp"
#include "result.hpp"
#include "symbolizer.hpp"

namespace pprofdelta::tool {

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
    options.add_number("--top", "N", top, "How many rows (default: 20)");
    options.add_optional_value(
        "--symbolize", "PATH", [this](const std::string& path) { symbolize.emplace(path); },
        "Name frames by the binaries, looked for in PATH first");
    options.add_heading("What to compare");
    options.add_flag("--diff", diff, "Two captures, such as of two builds: no restart");
    add_normalize(options, normalize);
    add_match(options, match);
    add_max_size(options, max_size);
    options.add_heading("Output");
    options.add_value("-o,--output", "FILE", output, "Write the report to FILE");
    options.add_value("--flamegraph", "FILE", flame_graph,
                      "Draw both profiles as a flame graph, for a browser");
    add_quiet(options, quiet);
    options.add_help();
    options.add_heading("Limits");
    add_limits(options, limits);
}

void report_command::check() {
    check_pair("report", files);
    check_limits(limits);
    if (symbolize && !can_read_binaries()) {
        wrong_usage("--symbolize: this pprofdelta was built without libdw, which reads binaries");
    }
    if (top < 0) {
        wrong_usage("--top is a number of rows, from 0");
    }
    if (output == "-") {
        output.clear();
    }
    if (flame_graph == "-") {
        wrong_usage("--flamegraph needs a file, which standard output is not");
    }
    // A file that both are written to would hold the last one.
    if (!output.empty() && !flame_graph.empty() && is_same_path(output, flame_graph)) {
        wrong_usage("the report and the flame graph cannot go to one file");
    }
}

exit_status report_command::run() const {
    gate kept{limits, normalize};
    std::future<loaded_profile> ahead = load_ahead(files[1], max_size);
    profile_file previous{raw_file{files[0], max_size}, max_size};
    const loaded_profile current = ahead.get();
    name_frames(previous, *current);
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
    return kept.report(limits.annotations, quiet);
}

// Before all else, for limits and pictures to have the names as well.
void report_command::name_frames(profile_file& previous, profile_file& current) const {
    if (!symbolize) {
        return;
    }
    symbolizer binaries{*symbolize};
    for (profile_file* const each : {&previous, &current}) {
        each->replace(about(each->name(), [&] {
            return add_names(each->bytes(),
                             [&](const code_place& place) { return binaries.frames(place); });
        }));
    }
    if (!quiet) {
        binaries.warn();
    }
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
                     .by = reported.by,
                     .top = static_cast<std::size_t>(top)};
    switch (format) {
    case form::json:
        return report_as_json(view);
    case form::markdown:
        return report_as_markdown(view);
    case form::text:
        break;
    }
    if (output.empty()) {
        view.width = standard_output_width();
        const char* const no_color = ::secure_getenv("NO_COLOR");
        view.has_colors = view.width != 0 && (no_color == nullptr || *no_color == '\0');
    }
    return report_as_text(view);
}

std::string report_command::draw(const comparison& profiles) const {
    const pprofdelta::flame_graph content =
        profiles.about_both([&](std::string_view before, std::string_view now) {
            return make_flame_graph(before, now, reported);
        });
    return flame_graph_as_svg({.content = content,
                               .previous = profiles.previous_name(),
                               .current = profiles.current_name(),
                               .normalization_text = profiles.normalization_text()});
}

} // namespace pprofdelta::tool
