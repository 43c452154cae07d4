// SPDX-License-Identifier: Apache-2.0
// The forms in which tables and profiles are written.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/merge.hpp>

#include "base/json.hpp"
#include "document/document.hpp"
#include "document/report.hpp"

namespace pprofdelta::tool {

/// The output with the first rows only, as many as fit: whole ones, and what comes before them.
/// @param max_bytes limits the output; 0 for no limit.
/// @param make      the output with at most so many rows in each table; nothing for all of them.
///                  More rows never make it shorter by much.
/// @throws usage_failure if it does not fit without any row.
/// Cost: that of as many outputs as `max_bytes` has bits, none of much more than that.
[[nodiscard]] std::string
fitted(std::size_t max_bytes,
       const std::function<std::string(std::optional<std::size_t> most_rows)>& make);

/// The form in which tables are written, and their place.
struct output_form {
    enum class form { text, markdown, json };
    enum class color { automatic, always, never };

    form format = form::text;
    std::size_t max_bytes = 0; ///< The most bytes of what is written; 0 for no limit.
    std::string file;          ///< Empty for standard output.
    color colors = color::automatic;

    /// A view in the form that was chosen, with as many rows as fit. There are document_of() and
    /// as_json() of it.
    /// @param narrow leaves at most so many of what the view has besides the rows of tables, for
    ///               less and less of them or for more.
    /// @throws usage_failure as fitted() does.
    template <typename View>
    [[nodiscard]] std::string
    render(View view,
           const std::function<void(std::type_identity_t<View>& view, std::size_t most_rows)>&
               narrow = {}) const {
        const std::size_t top = view.top;
        return fitted(max_bytes, [&](std::optional<std::size_t> most_rows) {
            view.top = std::min(top, most_rows.value_or(top));
            if (most_rows && narrow) {
                narrow(view, *most_rows);
            }
            if (max_bytes != 0) {
                view.budget = row_budget{max_bytes, most_rows};
            }
            if (format == form::json) {
                return as_json(view);
            }
            return in_words(format == form::markdown ? markdown_document_of(view)
                                                     : document_of(view),
                            most_rows, next_line(view.next));
        });
    }

    /// The width of the terminal that text goes to, in columns; 0 if it goes elsewhere.
    [[nodiscard]] std::size_t width() const;
    /// Whether text has colors: unless it was decided, on a terminal without NO_COLOR.
    [[nodiscard]] bool has_colors() const;
    /// Whether what is written comes to the same place as what is printed on standard error.
    [[nodiscard]] bool is_beside_errors() const;

private:
    // Text or Markdown. Where it is too long without rows, only the summary is left of it.
    [[nodiscard]] std::string in_words(document content, std::optional<std::size_t> most_rows,
                                       const std::string& next) const;
    // "next: pprofdelta report …", for readers that limit the size of what they read; else empty.
    [[nodiscard]] std::string next_line(const command_list& next) const;
};

/// The format of a written profile.
enum class profile_format : std::uint8_t { pprof, otlp };

/// The place and form of the profile that a command makes.
struct profile_output {
    std::string file; ///< Empty for standard output.
    profile_format format = profile_format::pprof;
    codec compress = codec::gzip;
    int level = default_level;
    bool force = false; ///< Write binary output even to a terminal.

    /// @throws failure usage if the profile would go to a terminal.
    void refuse_terminal() const;

    /// A profile as it will be written.
    /// @param is_delta whether it says what happened in an interval, for a format that has to be
    ///                 told.
    /// @param lost     receives a warning about what the format has no place for; empty for
    ///                 nothing.
    [[nodiscard]] std::string encoded(std::string profile, bool is_delta, std::string& lost) const;
};

/// Leaves that of a delta, and says in its summary how many samples these are.
/// @param match says which samples are the same.
/// @throws error as profile_sum::add() does.
void trim_delta(const trim_options& kept, match_mode match, std::string& delta,
                delta_summary& summary);
/// A warning that a choice left no sample, as a name that is misspelt does; empty if any is left,
/// or none was there.
[[nodiscard]] std::string none_left_text(std::size_t before, std::size_t after);

} // namespace pprofdelta::tool
