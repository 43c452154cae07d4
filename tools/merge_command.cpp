// SPDX-License-Identifier: Apache-2.0
#include "merge_command.hpp"

#include "common_options.hpp"
#include "path_list.hpp"

namespace pprofdelta::tool {

void merge_command::add_options(command_options& options) {
    options.add_files(files);
    options.add_heading("What to add up");
    options.add_value("--files-from", "LIST", list,
                      "Add the files of the lines of LIST; after a TAB a weight may follow");
    options.add_flag("-0,--null", list_has_nul, "Paths in LIST end with NUL, and have no weights");
    options.needs("--null", "--files-from");
    options.add_values(
        "--weight", "W",
        [this](const std::string& given) {
            weights.push_back(parse_weight(given, "--weight " + given));
        },
        "Multiply the values of a FILE by W; given once for each FILE");
    options.add_flag("--mean", mean, "Divide by the number of profiles, or the sum of weights");
    options.add_choice<std::optional<level_policy>>(
        "--levels", "HOW", levels,
        {{"sum", level_policy::sum},
         {"last", level_policy::last},
         {"mean", level_policy::mean},
         {"max", level_policy::max}},
        "Of memory in use and other gauges: their sum (default), last, mean or max");
    options.add_values("--cumulative", "TYPE", merged.cumulative,
                       "This sample type, or TYPE/UNIT, is no gauge; repeatable");
    options.add_values("--gauge", "TYPE", merged.gauge, "This sample type is one; repeatable");
    for (const char* each : {"--cumulative", "--gauge"}) {
        options.needs(each, "--levels");
    }
    add_match(options, merged.match);
    options.add_flag("--skip-bad", skip_bad,
                     "Go on without profiles that are damaged, and end with status 3");
    add_max_size(options, max_size);
    options.add_heading("What to keep");
    trim_options& trim = merged.trim;
    options.add_values("--keep-type", "TYPE", trim.keep_types,
                       "Only this sample type, or TYPE/UNIT; repeatable");
    options.add_values("--drop-label", "KEY", trim.drop_labels,
                       "No labels of this key, or of a key that this matches; repeatable");
    options.add_value("--focus", "REGEX", trim.focus, "Only samples with a frame that matches");
    options.add_value("--ignore", "REGEX", trim.ignore, "No samples with a frame that matches");
    options.add_flag("--drop-lines", trim.drop_lines,
                     "No line numbers, and no addresses of functions");
    options.add_flag("--for-pgo", trim.for_pgo, "Only what Go's compiler reads of a CPU profile");
    for (const char* each : {"--keep-type", "--drop-lines"}) {
        options.excludes("--for-pgo", each);
    }
    options.add_heading("Output");
    output.add_options(options, "sum");
    add_quiet(options, quiet);
    add_status(options, status);
    options.add_flag("-v,--verbose", verbose, "One line of figures on standard error");
    options.add_help();
}

void merge_command::check_trim() const {
    check_regex("--focus", merged.trim.focus);
    check_regex("--ignore", merged.trim.ignore);
    for (const std::string& key : merged.trim.drop_labels) {
        if (key.empty()) {
            wrong_usage("--drop-label needs a key");
        }
        check_regex("--drop-label", key);
    }
}

void merge_command::check() {
    if (files.empty() && list.empty()) {
        wrong_usage("merge needs profiles: FILE..., or --files-from LIST");
    }
    if (!weights.empty() && weights.size() != files.size()) {
        wrong_usage(
            "--weight is given once for each FILE (weights: " + std::to_string(weights.size()) +
            ", files: " + std::to_string(files.size()) + ")");
    }
    merged.levels = levels.value_or(level_policy::sum);
    output.check();
    check_trim();
    check_status(status, output.file);
    check_paths(files);
    if (is_first_of_pattern(output.file, files)) {
        wrong_usage(output.file +
                    ": this may be the first profile of a pattern after -o, whose FILE "
                    "is missing; if it is not, remove it first");
    }
}

void merge_command::check_paths(const std::vector<std::string>& found) const {
    run_paths used{{{"-o", output.file, made_kind::profile}, status_output(status)}};
    used.read(list);
    used.read(found);
    used.check_kinds();
}

} // namespace pprofdelta::tool
