// SPDX-License-Identifier: Apache-2.0
#include "cli/output_form.hpp"

#include <cstdlib>

#include "cli/common_options.hpp"
#include "files/file.hpp"

namespace pprofdelta::tool {

void output_form::add_format(command_options& options) {
    options.add_choice<form>(
        "--format", "FORM", format,
        {{"text", form::text}, {"markdown", form::markdown}, {"json", form::json}},
        "text (default), markdown or json");
    add_max_bytes(options, max_bytes);
}

void output_form::add_output(command_options& options, const std::string& what) {
    options.add_value("-o,--output", "FILE", file, "Write " + what + " to FILE");
}

void output_form::add_color(command_options& options) {
    options.add_choice<color>(
        "--color", "WHEN", colors,
        {{"auto", color::automatic}, {"always", color::always}, {"never", color::never}},
        "Of text: auto (default: on a terminal), always or never");
}

void output_form::write(const std::string& text, durability when) const {
    if (file.empty()) {
        write_standard_output(text, when);
    } else {
        write_file(file, text, when);
    }
}

std::size_t output_form::width() const { return file.empty() ? standard_output_width() : 0; }

bool output_form::has_colors() const {
    const char* const no_color = ::secure_getenv("NO_COLOR");
    const bool is_wanted = width() != 0 && (no_color == nullptr || *no_color == '\0');
    return colors == color::always || (colors == color::automatic && is_wanted);
}

std::string output_form::last_line(std::optional<std::size_t> most_rows) const {
    return most_rows
               ? "\nAt most " + std::to_string(*most_rows) + (*most_rows == 1 ? " row" : " rows") +
                     " of each table, for --max-bytes " + std::to_string(max_bytes) + "\n"
               : "";
}

bool output_form::is_beside_errors() const { return file.empty() && standard_outputs_are_one(); }

} // namespace pprofdelta::tool
