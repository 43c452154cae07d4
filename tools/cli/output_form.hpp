// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_CLI_OUTPUT_FORM_HPP
#define PPROFDELTA_TOOLS_CLI_OUTPUT_FORM_HPP

#include <cstddef>
#include <optional>
#include <string>

#include "base/json.hpp"
#include "cli/command_options.hpp"
#include "cli/row_budget.hpp"
#include "files/temporary_file.hpp"

namespace pprofdelta::tool {

/// In which form tables are written, and where to.
struct output_form {
    enum class form { text, markdown, json };
    enum class color { automatic, always, never };

    form format = form::text;
    std::size_t max_bytes = 0; ///< Of what is written; 0 for no limit.
    std::string file;          ///< Empty for standard output.
    color colors = color::automatic;

    /// `--format` and `--max-bytes`
    void add_format(command_options& options);
    /// @param what is written, for the help.
    void add_output(command_options& options, const std::string& what);
    void add_color(command_options& options);

    /// What the writer of the form that was chosen makes of a view, of as many rows as fit.
    /// @param narrow leaves at most so many rows in each table of the view, for less and less of
    ///               them or for more.
    /// @throws usage_failure as fitted() does.
    template <typename View, typename Narrow>
    [[nodiscard]] std::string made_of(View view, std::string (*as_text)(const View&),
                                      std::string (*as_markdown)(const View&),
                                      std::string (*as_json)(const View&), Narrow narrow) const {
        view.width = width();
        view.has_colors = has_colors();
        return fitted(max_bytes, [&](std::optional<std::size_t> most_rows) {
            if (most_rows) {
                narrow(view, *most_rows);
            }
            if (max_bytes != 0) {
                view.budget = row_budget{max_bytes, most_rows};
            }
            return format == form::json       ? as_json(view)
                   : format == form::markdown ? as_markdown(view) + last_line(most_rows)
                                              : as_text(view) + last_line(most_rows);
        });
    }

    /// @throws failure io
    void write(const std::string& text, durability when) const;

    /// The width of the terminal that text goes to, in columns; 0 if it goes elsewhere.
    [[nodiscard]] std::size_t width() const;
    /// Whether text has colors: unless it was decided, on a terminal without NO_COLOR.
    [[nodiscard]] bool has_colors() const;
    /// Whether what is written comes to the same place as what is printed on standard error.
    [[nodiscard]] bool is_beside_errors() const;

private:
    // What says that rows were left out, if they were.
    [[nodiscard]] std::string last_line(std::optional<std::size_t> most_rows) const;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_CLI_OUTPUT_FORM_HPP
