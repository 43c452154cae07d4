// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string_view>

#include <pprofdelta/export.hpp>

#include "commands/reading.hpp"
#include "commands/result.hpp"

namespace pprofdelta::tool {

/// `pprofdelta export`: profiles as text for other programs.
struct export_command : reading_command {
    std::string format;                        ///< "folded" or "ndjson".
    report_options exported;                   ///< The options of folded stacks.
    std::vector<std::string> given_for_folded; ///< Options.
    std::string output;                        ///< Empty for standard output.

    void add_options(command_options& options) override {
        options.add_files(files);
        options.add_first_words({"folded", "ndjson"});
        options.add_heading("Of folded stacks");
        add_sample_type(options, exported.sample_type,
                        "Sample type of the numbers, TYPE or TYPE/UNIT");
        add_grouping(options, exported.by, exported.by_label);
        add_selection(options, exported.selection);
        options.collect_given(given_for_folded, {});
        options.add_heading("Input and output");
        add_list(options, list);
        add_reading(options, input);
        add_output(options, output, "Write to FILE");
        add_status(options, status_file);
        add_quiet(options, quiet);
        options.add_help();
        add_urls(options, urls, input);
    }

    void check() override {
        if (files.empty() || (files.front() != "folded" && files.front() != "ndjson")) {
            wrong_usage(files.empty()
                            ? "export needs a format: folded or ndjson"
                            : "export: '" + files.front() + "' is not one of folded|ndjson");
        }
        format = files.front();
        files.erase(files.begin());
        if (files.empty() && list.file.empty()) {
            wrong_usage("export needs a profile");
        }
        if (format == "ndjson" && !given_for_folded.empty()) {
            wrong_usage(given_for_folded.front() + ": this option is for folded stacks");
        }
        check_status(status_file, output);
    }

    [[nodiscard]] exit_status work(run_status& status) const override {
        const bool is_folded = format == "folded";
        series_readers held;
        const std::vector<std::string> found = find_files(files, list, &held);
        if (is_folded && found.size() > 2) {
            wrong_usage("export folded takes one profile, or PREV and CUR");
        }
        // Folded stacks are a profile, too.
        check_paths({{"-o", output, is_folded ? output_kind::profile : output_kind::document},
                     status_output(status_file)},
                    {{list.file}, urls.files(), found});
        status.add("inputs", names_of(found));
        if (output.empty()) {
            write_to([](std::string_view part) { write_standard_output(part); }, found, status);
            held.require_undisturbed();
        } else {
            file_output file{output};
            write_to([&](std::string_view part) { file.write(part); }, found, status);
            held.require_undisturbed();
            file.finish(durability::cached);
        }
        status.warn(input.warnings());
        return exit_status::done;
    }

private:
    void write_to(const text_sink& write, const std::vector<std::string>& found,
                  run_status& status) const {
        if (format == "folded" && found.size() == 2) {
            profile_file first{raw_file{found[0], input}, input};
            read_profile second{
                .file = std::make_unique<profile_file>(raw_file{found[1], input}, input),
                .keyed = {}};
            status.warn(match_types(first, second).value_or(std::vector<std::string>{}));
            with_pair_context(first.name(), second.file->name(), [&] {
                write_folded({first.bytes(), second.file->bytes()}, exported, write);
            });
            return;
        }
        for (const std::string& path : found) {
            const profile_file profile{raw_file{path, input}, input};
            with_file_context(profile, [&] {
                if (format == "folded") {
                    write_folded(profile.bytes(), exported, write);
                } else {
                    write_ndjson(profile.bytes(), profile.name(), write);
                }
            });
        }
    }
};

const command_kind export_kind{"export", "Write folded stacks, or rows for a database",
                               "Usage: pprofdelta export folded [OPTION]... FILE\n"
                               "       pprofdelta export folded [OPTION]... PREV CUR\n"
                               "       pprofdelta export ndjson [OPTION]... FILE...\n",
                               make_command<export_command>};

} // namespace pprofdelta::tool
