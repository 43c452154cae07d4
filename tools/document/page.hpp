// SPDX-License-Identifier: Apache-2.0
// The data that the script of a page draws, as JSON; tools/page/types.d.ts describes it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/flame_graph.hpp>
#include <pprofdelta/info.hpp>
#include <pprofdelta/overview.hpp>
#include <pprofdelta/value_type.hpp>

#include "base/json.hpp"
#include "base/names.hpp"
#include "base/value_text.hpp"
#include "document/document.hpp"
#include "document/palette.hpp"

namespace pprofdelta::tool {

/// The length is in characters. Names of functions in pages and pictures are cut there.
inline constexpr std::size_t longest_name = 500;

/// Text between the tags of HTML or XML. Everything that is printable() is allowed there, but for
/// "&", "<" and ">", which are escaped.
[[nodiscard]] std::string as_markup(std::string_view text);

/// The forms of names for scripts. Each name has an array of how many characters stay if it is cut,
/// and of its forms, of which those that are an end of the last text, or of the name, are their
/// numbers of characters.
[[nodiscard]] std::string forms_as_json(const std::vector<std::string>& names,
                                        const distinct_names& distinct);

/// The contents of a page: reports of all kinds, or a heat map.
enum class page_kind : std::uint8_t { usual, periods };

/// A page that loads nothing else, with its script and style inside. All that it shows is
/// printable() text in UTF-8, of which nothing becomes markup.
/// @param json is drawn by the script of the page; tools/page/types.d.ts describes it.
/// @param text is shown where there are no scripts, or only old ones.
[[nodiscard]] std::string html_page(const std::string& title, const std::string& json,
                                    const std::string& text, page_kind kind = page_kind::usual);

/// A file that a page is about.
struct page_input {
    std::string role; ///< The role of the file, such as "previous".
    std::string name;
    std::optional<profile_info> info{}; ///< Empty for what is no profile, such as a state.
};

/// The text above tables and picture.
struct page_head {
    std::string command{};
    std::string about{}; ///< The inputs in a few words, such as "8 base and 8 head captures".
    std::array<std::string, 2> sides{}; ///< The names of the values of both sides.
    std::vector<page_input> inputs{};
    std::vector<std::string> options{}; ///< The options as they were given.
    bool begins_with_change = false;    ///< Frames are as wide as that at first.
    std::vector<std::string> warnings{};
    document answer{}; ///< Findings, notes on these, limits, and tables that are shown as they are.
    std::vector<std::string> notes{}; ///< Each of one or more lines.
    std::string interval{}; ///< The interval that a delta covers, in words; empty for none.
    std::int64_t duration_nanos = 0; ///< The same as a number.
    std::optional<rate_time> per{};  ///< The time that rows are rates for, if they are rates.
    std::string by{};                ///< The kind of the rows.
    std::size_t type = 0;            ///< The type that is shown first.
};

/// The names of rows and frames, each once.
class page_names {
public:
    [[nodiscard]] std::size_t number(std::string_view name);
    /// Printable, different, and of at most 500 characters.
    [[nodiscard]] std::vector<std::string> shown() const;
    /// The place of each in the source, empty if it is not known.
    [[nodiscard]] std::vector<std::string>
    places(const std::map<std::string, source_place>& known) const;
    /// The place of the color of each, for frames with nothing to compare with.
    [[nodiscard]] std::vector<std::size_t> groups(const group_colors& colors) const;

private:
    std::map<std::string, std::size_t> m_numbers;
    std::vector<std::string> m_names{""};
};

/// The part of the stacks of a type that a page has: what can be seen once one has zoomed in, and
/// what was there before.
inline constexpr flame_graph_limits page_limits{.narrowest = 1.0 / 4000,
                                                .most_nodes = 5000,
                                                .deepest = 500,
                                                .keeps_previous = true,
                                                .sums_left_out = true};

/// The numbers of labels to choose from, and of rows of a type.
inline constexpr part_limits page_parts_limits{.most_parts = 20, .most_rows = 1500};

/// @param are_medians whether the values of frames that are called by one need not add up to its.
[[nodiscard]] ordered_json page_tree(const flame_graph& graph, page_names& names, bool are_medians);

/// Anything as people see it, of at most 500 characters: nothing of a page is for programs.
[[nodiscard]] std::string page_text(const std::string& any);

/// The heading of a page: the first finding, without its details.
[[nodiscard]] std::string page_title(const page_head& head);

/// The findings and limits of a document, as people see them, for programs to read first.
[[nodiscard]] ordered_json summary_json(const document& found);

/// An object with the first members of a type, which are the same in all pages.
[[nodiscard]] ordered_json page_type(const value_type& type, bool is_cumulative,
                                     const std::string& content);

/// The whole.
/// @param types an array of objects, of which all names must have been numbered.
/// @param more  an object with further members.
[[nodiscard]] std::string page_data(const page_head& head, ordered_json types,
                                    const page_names& names, ordered_json more);

/// The page.
/// @param text is shown where there are no scripts.
[[nodiscard]] std::string page_of(const page_head& head, ordered_json types,
                                  const page_names& names, ordered_json more, const document& text);

/// The number of rows of a page about many captures. It is to stay small, however many rows and
/// captures there are, so it has the first ones, each with a value for each capture.
[[nodiscard]] constexpr std::size_t most_page_rows(std::size_t captures) noexcept {
    constexpr std::size_t most_values = 20'000;
    constexpr std::size_t least_rows = 20;
    return std::max(least_rows, most_values / std::max<std::size_t>(captures, 1) / 2);
}

} // namespace pprofdelta::tool
