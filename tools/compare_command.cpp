// SPDX-License-Identifier: Apache-2.0
#include "compare_command.hpp"

#include "file.hpp"

namespace pprofdelta::tool {

void compare_command::add_options(command_options& options) {
    options.add_files(files);
    options.add_heading("What to compare");
    options.add_list("--base", "FILE", base,
                     "Captures of the one version: files, folders, patterns");
    options.add_list("--head", "FILE", head, "Captures of the other version");
    options.add_choice<std::optional<normalization>>(
        "--normalize", "BY", compared.normalized_by,
        {{"total", normalization::total}, {"duration", normalization::duration}},
        "Scale captures to the head's median total or duration");
    add_max_size(options, max_size);
    options.add_heading("What to show");
    form.add_format(options);
    options.add_value(
        "--sample-type", "TYPE", [this](const std::string& type) { sample_type.emplace(type); },
        "The sample type of the rows, or TYPE/UNIT");
    add_grouping(options, compared.by);
    tested.add_rows(options);
    options.add_value("--explain", "NAME", explained,
                      "Show the captures and the steps of the test of one row, or of the total");
    options.add_heading("Test");
    tested.add_test(options);
    options.add_flag("--no-test", is_untested, "Compare medians only, also of single captures");
    for (const char* each : {"--alpha", "--correct", "--min-change"}) {
        options.excludes("--no-test", each);
    }
    options.tell_given(given_options, {"--format"});
    options.add_heading("Output");
    form.add_output(options, "the tables");
    add_page(options, page);
    add_flame_graph(options, flame_graph, flame_graph_width);
    form.add_color(options);
    add_status(options, status);
    add_quiet(options, quiet);
    options.add_help();
    options.add_heading("Limits");
    add_limits(options, limits);
    add_annotations(options, limits);
}

void compare_command::check() {
    if (!files.empty()) {
        wrong_usage(display_name(files.front()) +
                    ": say with --base or --head which side it is of");
    }
    if (base.empty() || head.empty()) {
        wrong_usage("compare needs captures of both sides, --base FILE... and --head FILE...");
    }
    if (form.file == "-") {
        form.file.clear();
    }
    tested.check(compared);
    compared.is_tested = !is_untested;
    if (!explained.empty() && form.format != output_form::form::text) {
        wrong_usage("--explain is text; JSON has the captures of all rows");
    }
    check_flame_graph_width(flame_graph_width);
    check_limits(limits);
    check_status(status, form.file);
    std::vector<std::string> captures = base;
    captures.insert(captures.end(), head.begin(), head.end());
    check_paths(captures);
}

void compare_command::check_paths(const std::vector<std::string>& captures) const {
    run_paths used{{{"-o", form.file, made_kind::document},
                    {"--html", page, made_kind::document},
                    {"--flamegraph", flame_graph, made_kind::document},
                    status_output(status)}};
    used.read(captures);
    used.read(limits.files);
    used.check_kinds();
}

} // namespace pprofdelta::tool
