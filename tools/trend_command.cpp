// SPDX-License-Identifier: Apache-2.0
#include "trend_command.hpp"

#include <charconv>
#include <system_error>

namespace pprofdelta::tool {

namespace {

// "30s", "5m" or "12h", or a number of seconds, in seconds.
double parse_time(const std::string& text) {
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, fault] = std::from_chars(text.data(), end, number);
    const std::string unit{rest, end};
    const double size = unit.empty() || unit == "s" ? 1
                        : unit == "m"               ? 60
                        : unit == "h"               ? 3600
                        : unit == "d"               ? 86400
                                                    : 0;
    if (fault != std::errc{} || !(number * size > 0 && number * size < 1e12)) {
        wrong_usage("--every " + text + ": it is a time, as in 30s, 5m, 12h or 1d");
    }
    return number * size;
}

} // namespace

void trend_command::add_options(command_options& options) {
    options.add_files(captures);
    options.add_heading("What to look at");
    options.add_value(
        "--sample-type", "TYPE", [this](const std::string& type) { sample_type.emplace(type); },
        "The sample type, or TYPE/UNIT (default: inuse_space)");
    options.add_value("--every", "TIME", every,
                      "How far captures are apart, as in 30s or 5m, if they have no times");
    options.add_flag("--independent", followed.are_independent,
                     "Captures of a process each: no restarts, and no rates");
    add_types(options, types);
    add_max_size(options, max_size);
    options.add_heading("What to show");
    form.add_format(options);
    add_grouping(options, followed.by);
    tested.add_rows(options);
    options.add_heading("Test");
    tested.add_test(options);
    options.tell_given(given_options, {"--format"});
    options.add_heading("Output");
    form.add_output(options, "the tables");
    add_page(options, page);
    form.add_color(options);
    add_status(options, status);
    add_quiet(options, quiet);
    options.add_help();
    options.add_heading("Limits");
    add_limits(options, limits);
    add_annotations(options, limits);
}

void trend_command::check() {
    if (captures.empty()) {
        wrong_usage("trend needs captures, FILE...");
    }
    if (form.file == "-") {
        form.file.clear();
    }
    if (!every.empty()) {
        followed.seconds_between = parse_time(every);
    }
    followed.cumulative = types.cumulative;
    followed.gauge = types.gauge;
    tested.check(followed);
    check_limits(limits);
    check_status(status, form.file);
    check_paths(captures);
}

void trend_command::check_paths(const std::vector<std::string>& found) const {
    run_paths used{{{"-o", form.file, made_kind::document},
                    {"--html", page, made_kind::document},
                    status_output(status)}};
    used.read(found);
    used.read(limits.files);
    used.check_kinds();
}

} // namespace pprofdelta::tool
