// SPDX-License-Identifier: Apache-2.0
#include "report_command.hpp"

#include "symbolizer.hpp"

namespace pprofdelta::tool {

void report_command::add_options(command_options& options) {
    options.add_files(files);
    options.add_heading("What to show");
    out.add_format(options);
    options.add_value(
        "--sample-type", "TYPE",
        [this](const std::string& type) { reported.sample_type.emplace(type); },
        "The sample type of the rows, or TYPE/UNIT");
    add_grouping(options, reported.by);
    options.add_choice<row_order>("--order", "WHAT", reported.order,
                                  {{"flat", row_order::flat},
                                   {"cum", row_order::cumulative},
                                   {"percent", row_order::percent}},
                                  "Sort rows by change: flat (default), cum or percent");
    options.add_number("--top", "N", top, "How many rows (default: 20)");
    options.add_choice<std::optional<rate_time>>(
        "--per", "UNIT", per, {{"second", rate_time::second}, {"minute", rate_time::minute}},
        "Rows of a delta as rates, for each second or minute");
    options.add_value("--focus", "REGEX", reported.focus, "Only samples with a match in the stack");
    options.add_value("--ignore", "REGEX", reported.ignore,
                      "Only samples without a match in the stack");
    options.add_optional_value(
        "--symbolize", "PATH", [this](const std::string& path) { symbolize.emplace(path); },
        "Name frames by the binaries, looked for in PATH first");
    options.add_value("--trim-path", "PATH", trim_path,
                      "Source files that --symbolize finds do not begin with PATH");
    options.add_heading("What to compare");
    add_types(options, delta);
    add_match(options, delta.match);
    options.add_flag("--diff", diff, "Compare two captures, such as of two builds");
    options.excludes("--diff", "--cumulative");
    options.excludes("--diff", "--gauge");
    options.excludes("--diff", "--per");
    add_normalize(options, normalize);
    add_max_size(options, max_size);
    add_state(options, state, delta.skip_first);
    options.tell_given(given_options, {"--format", "--state"});
    options.add_heading("Output");
    out.add_output(options, "the report");
    add_page(options, page);
    add_flame_graph(options, flame_graph, flame_graph_width);
    out.add_color(options);
    add_status(options, status);
    add_quiet(options, quiet);
    options.add_help();
    options.add_heading("Limits");
    add_limits(options, limits);
    add_annotations(options, limits);
    add_min_amount(options, limits);
}

void report_command::check() {
    if (symbolize && !can_read_binaries()) {
        wrong_usage("--symbolize: this pprofdelta was built without libdw, which reads binaries");
    }
    if (!trim_path.empty() && !symbolize) {
        wrong_usage("--trim-path is for the source files that --symbolize finds");
    }
    if (out.file == "-") {
        out.file.clear();
    }
    if (!state.file.empty()) {
        check_state(state, files);
    } else if (files.size() == 1) {
        check_one();
    } else {
        check_pair("report", files);
    }
    check_limits(limits);
    check_min_amount(limits);
    check_regex("--focus", reported.focus);
    check_regex("--ignore", reported.ignore);
    check_status(status, out.file);
    if (per && out.format == output_form::form::json) {
        wrong_usage("--per is for people; JSON has the duration");
    }
    if (top < 0) {
        wrong_usage("--top is a number of rows, from 0");
    }
    check_flame_graph_width(flame_graph_width);
    check_paths();
}

void report_command::check_paths() const {
    std::vector<output_path> outputs{{"-o", out.file, made_kind::document},
                                     {"--html", page, made_kind::document},
                                     {"--flamegraph", flame_graph, made_kind::document},
                                     status_output(status)};
    add_state_outputs(outputs, state);
    run_paths used{outputs};
    used.read(files);
    used.read(limits.files);
    used.check_kinds();
}

void report_command::check_one() const {
    if (diff) {
        wrong_usage("--diff needs two profiles, PREV and CUR");
    }
    if (limits.are_given()) {
        wrong_usage("limits need two profiles, PREV and CUR, or a state");
    }
}

} // namespace pprofdelta::tool
