// SPDX-License-Identifier: Apache-2.0
#include "cli/profile_output.hpp"

#include <utility>

#include <pprofdelta/otlp_profile.hpp>

#include "base/failure.hpp"
#include "files/file.hpp"
#include "files/profile_file.hpp"

namespace pprofdelta::tool {

void profile_output::add_options(command_options& options, const std::string& what) {
    options.add_value("-o,--output", "FILE", file, "Write to FILE instead of standard output");
    add_form(options, what);
    options.add_flag("-f,--force", force, "Write a profile even to a terminal");
}

void profile_output::add_form(command_options& options, const std::string& what) {
    options.add_choice<codec>("--compress", "CODEC", compress,
                              {{"gzip", codec::gzip}, {"zstd", codec::zstd}, {"none", codec::none}},
                              "Wrap the " + what + ": gzip (default), zstd, none");
    options.add_choice<profile_format>(
        "--to", "FORMAT", format,
        {{"pprof", profile_format::pprof}, {"otlp", profile_format::otlp}},
        "Write the " + what + " as pprof (default), or for OpenTelemetry as OTLP");
    options.add_number("--level", "N", level, "Compression level: gzip 0 to 9, zstd 1 to 19");
}

void profile_output::check() {
    if (file == "-") {
        file.clear();
    }
    if (level == default_level) {
        return;
    }
    if (compress == codec::none) {
        wrong_usage("--level needs a compression");
    }
    const level_range range = levels(compress);
    if (level < range.lowest || level > range.highest) {
        wrong_usage("--level " + std::to_string(level) + ": " +
                    (compress == codec::gzip ? "gzip" : "zstd") + " has levels " +
                    std::to_string(range.lowest) + " to " + std::to_string(range.highest));
    }
}

void profile_output::refuse_terminal() const {
    if (file.empty() && !force && standard_output_is_terminal()) {
        throw failure{exit_status::usage, "a profile is not for a terminal: redirect it, use "
                                          "-o FILE, or -f to have it there all the same"};
    }
}

std::string profile_output::encoded(std::string profile, bool is_delta, std::string& lost) const {
    if (format == profile_format::otlp) {
        std::string otlp;
        const otlp_losses losses =
            about("what is written", [&] { return write_otlp_profile(profile, otlp, is_delta); });
        profile = std::move(otlp);
        if (losses.unknown_fields != 0) {
            lost = "OTLP has no place for fields that are not known (" +
                   std::to_string(losses.unknown_fields) + ")";
        } else if (losses.changed_labels != 0) {
            lost = "OTLP has no place for labels with a text and a number, or with several units "
                   "(" +
                   std::to_string(losses.changed_labels) + ")";
        } else if (losses.changed_strings != 0) {
            lost = "OTLP has no place for names that are not UTF-8 (" +
                   std::to_string(losses.changed_strings) + ")";
        }
    }
    if (compress == codec::none) {
        return profile;
    }
    return encode(profile, compress, level);
}

void profile_output::write(std::string_view bytes, durability when) const {
    if (file.empty()) {
        write_standard_output(bytes, when);
    } else {
        write_file(file, bytes, when);
    }
}

} // namespace pprofdelta::tool
