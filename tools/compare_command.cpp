// SPDX-License-Identifier: Apache-2.0
#include "compare_command.hpp"

#include <charconv>

#include <pprofdelta/error.hpp>

#include "file.hpp"

namespace pprofdelta::tool {

namespace {

// "2%" as 0.02.
std::optional<double> parse_percent(const std::string& text) {
    if (!text.ends_with('%')) {
        return std::nullopt;
    }
    double percent = 0;
    const char* const end = text.data() + text.size() - 1;
    const auto [rest, fault] = std::from_chars(text.data(), end, percent);
    const bool is_number = fault == std::errc{} && rest == end && percent >= 0 && percent <= 1e6;
    return is_number ? std::optional{percent / 100} : std::nullopt;
}

} // namespace

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
    options.add_value("--func", "REGEX", compared.rows, "Only rows with a match in their name");
    options.add_value("--min-amount", "SIZE", min_amount,
                      "Leave out rows with a smaller mean: 64KiB, or 1% of the total (default)");
    options.add_number("--top", "N", top, "How many rows of each table (default: 20)");
    options.add_value("--explain", "NAME", explained,
                      "Show the captures and the steps of the test of one row, or of the total");
    options.add_heading("Test");
    options.add_number("--alpha", "P", compared.alpha,
                       "The chance to take noise for a change (default: 0.05)");
    options.add_choice<correction>("--correct", "HOW", compared.corrected,
                                   {{"holm", correction::holm},
                                    {"bh", correction::benjamini_hochberg},
                                    {"none", correction::none}},
                                   "For many rows: holm (default), bh or none");
    options.add_value("--min-change", "PERCENT", min_change,
                      "Less is no change, whatever the test says (default: 2%)");
    options.add_flag("--no-test", is_untested, "Compare medians only, also of single captures");
    for (const char* each : {"--alpha", "--correct", "--min-change"}) {
        options.excludes("--no-test", each);
    }
    options.add_heading("Output");
    form.add_output(options, "the tables");
    add_flame_graph(options, flame_graph, flame_graph_width);
    form.add_color(options);
    add_status(options, status);
    add_quiet(options, quiet);
    options.add_help();
    options.add_heading("Limits");
    add_limits(options, limits);
}

void compare_command::check_sizes() {
    const std::optional<double> change = parse_percent(min_change);
    if (!change) {
        wrong_usage("--min-change " + min_change + ": it is a percentage, as in 2%");
    }
    compared.min_change = *change;
    if (const std::optional<double> share = parse_percent(min_amount)) {
        compared.min_share = *share;
        return;
    }
    try {
        compared.min_amount = parse_amount(min_amount);
    } catch (const error& e) {
        wrong_usage(std::string{"--min-amount "} + e.what());
    }
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
    if (!(compared.alpha > 0 && compared.alpha < 1)) {
        wrong_usage("--alpha is a number between 0 and 1");
    }
    check_sizes();
    check_regex("--func", compared.rows);
    compared.is_tested = !is_untested;
    if (top < 0) {
        wrong_usage("--top is a number of rows, from 0");
    }
    if (!explained.empty() && form.format != output_form::form::text) {
        wrong_usage("--explain is text; JSON has the captures of all rows");
    }
    check_flame_graph(flame_graph, flame_graph_width, form.file, "the tables");
    check_limits(limits);
    check_status(status, {form.file, flame_graph});
}

} // namespace pprofdelta::tool
