// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_CLI_OUTPUT_FORM_HPP
#define PPROFDELTA_TOOLS_CLI_OUTPUT_FORM_HPP

#include <cstddef>
#include <string>

#include "cli/command_options.hpp"
#include "files/temporary_file.hpp"

namespace pprofdelta::tool {

/// In which form tables are written, and where to.
struct output_form {
    enum class form { text, markdown, json };
    enum class color { automatic, always, never };

    form format = form::text;
    std::string file; ///< Empty for standard output.
    color colors = color::automatic;

    void add_format(command_options& options);
    /// @param what is written, for the help.
    void add_output(command_options& options, const std::string& what);
    void add_color(command_options& options);

    /// What the writer of the form that was chosen makes of a view.
    template <typename View>
    [[nodiscard]] std::string made_of(View view, std::string (*as_text)(const View&),
                                      std::string (*as_markdown)(const View&),
                                      std::string (*as_json)(const View&)) const {
        view.width = width();
        view.has_colors = has_colors();
        switch (format) {
        case form::json:
            return as_json(view);
        case form::markdown:
            return as_markdown(view);
        case form::text:
            break;
        }
        return as_text(view);
    }

    /// @throws failure io
    void write(const std::string& text, durability when) const;

    /// Of the terminal that text goes to, in columns; 0 if it goes elsewhere.
    [[nodiscard]] std::size_t width() const;
    /// Whether text has colors: unless it was decided, on a terminal without NO_COLOR.
    [[nodiscard]] bool has_colors() const;
    /// Whether what is written comes to the same place as what is printed on standard error.
    [[nodiscard]] bool is_beside_errors() const;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_CLI_OUTPUT_FORM_HPP
