// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_DOCUMENT_PAGE_DATA_HPP
#define PPROFDELTA_TOOLS_DOCUMENT_PAGE_DATA_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/compare.hpp>
#include <pprofdelta/flame_graph.hpp>
#include <pprofdelta/info.hpp>
#include <pprofdelta/overview.hpp>
#include <pprofdelta/value_type.hpp>

#include "base/value_text.hpp"

// What the script of a page draws, as JSON; tools/page/data.js describes it.
namespace pprofdelta::tool {

/// A file that a page is about.
struct page_input {
    std::string role; ///< Such as "previous".
    std::string name;
    std::optional<profile_info> info{}; ///< Empty for what is no profile, such as a state.
};

/// What stands above tables and picture.
struct page_head {
    std::string command;
    std::string title;
    std::array<std::string, 2> sides; ///< What the values of both sides are called.
    std::vector<page_input> inputs{};
    std::vector<std::string> options{}; ///< As they were given.
    bool begins_with_change = false;    ///< Frames are as wide as that at first.
    std::vector<std::string> warnings{};
    std::vector<std::string> notes{}; ///< Each of one or more lines.
    struct limit {
        std::string text;
        std::string state; ///< "kept", "crossed" or "unjudged".
    };
    std::vector<limit> limits{};
    std::string interval{};          ///< That a delta covers, in words; empty for none.
    std::int64_t duration_nanos = 0; ///< The same as a number.
    std::optional<rate_time> per{};  ///< For what time rows are rates, if they are.
    std::string by;                  ///< What a row is.
    std::size_t type = 0;            ///< Which one is shown first.
    std::optional<double> alpha{};   ///< Of tests.
};

/// The names of rows and frames, each once.
class page_names {
public:
    [[nodiscard]] std::string number(std::string_view name);
    /// Printable, different, and of at most 500 characters.
    [[nodiscard]] std::string json() const;
    /// Where each is in the source, empty for what is not known.
    [[nodiscard]] std::string places_json(const std::map<std::string, source_place>& places) const;

private:
    std::map<std::string, std::size_t> m_numbers;
    std::vector<std::string> m_names{""};
};

/// How much of the stacks of a type a page has: what can be seen once one has zoomed in, and what
/// was there before.
inline constexpr flame_graph_limits page_limits{.narrowest = 1.0 / 4000,
                                                .most_nodes = 5000,
                                                .deepest = 500,
                                                .keeps_previous = true,
                                                .sums_left_out = true};

/// How many labels there are to choose from, and how many rows a type has.
inline constexpr part_limits page_parts_limits{.most_parts = 20, .most_rows = 1500};

/// @param are_medians whether the values of frames that are called by one need not add up to its.
[[nodiscard]] std::string page_tree(const flame_graph& graph, page_names& names, bool are_medians);

/// Anything as people see it, of at most 500 characters: nothing of a page is for programs.
[[nodiscard]] std::string page_text(const std::string& any);

/// An array of what `members` has in it already.
[[nodiscard]] std::string page_array(const std::vector<std::string>& elements);

/// A number of a profile, or null.
[[nodiscard]] std::string page_number(std::int64_t value, bool is_known = true);

/// All values of both sides, and what a test says of them.
/// @param p       none if there was no test.
/// @param verdict none if there is nothing to be said.
[[nodiscard]] std::string page_measured(const compared_row& row, const std::optional<double>& p,
                                        const std::optional<std::string>& verdict);

/// The members of a type that are the same in all pages, and a comma.
[[nodiscard]] std::string page_type(const value_type& type, bool is_cumulative,
                                    std::string_view content);

/// The whole.
/// @param types objects, of which all names must have been numbered.
/// @param more  further members, each after a comma.
[[nodiscard]] std::string page_data(const page_head& head, const std::vector<std::string>& types,
                                    const page_names& names, const std::string& more = "");

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_DOCUMENT_PAGE_DATA_HPP
