// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_PLAN_OUTPUT_TEMPLATE_HPP
#define PPROFDELTA_TOOLS_BATCH_PLAN_OUTPUT_TEMPLATE_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "batch/plan/target_labels.hpp"

namespace pprofdelta::tool {

/// What the path of a delta is made of.
struct output_parts {
    std::string_view series; ///< A name without fault.
    std::int64_t time_nanos = 0;
    std::uint64_t number = 0;
    std::string_view type; ///< Any text.
    target_labels labels{};
};

/// The paths of deltas: `out/{series}/{time}.pb.gz`. Deltas of different series have different
/// paths, if their numbers and times are the same or not.
class output_template {
public:
    /// @param has_labels whether other words in braces are names of labels.
    /// @throws usage_failure for a text without {series}, without both of {time} and {n}, with
    ///         other braces, that names no file, that leads out of a folder again, or in which one
    ///         could not tell where a series' name ends.
    explicit output_template(const std::string& text, bool has_labels = false);

    [[nodiscard]] std::string path(const output_parts& parts) const;

    /// Where all paths are below: what comes before the first component with a placeholder, up to
    /// and with a slash. May be empty.
    [[nodiscard]] const std::string& folder() const noexcept { return m_folder; }

    /// The names of labels that paths have values of.
    [[nodiscard]] std::vector<std::string> labels() const;

private:
    enum class field { none, series, time, number, type, label };

    // A text with a placeholder behind it; without one at the end.
    struct piece {
        std::string text;
        field next = field::none;
        std::string label{};
    };

    [[nodiscard]] static field field_called(std::string_view name);
    [[nodiscard]] bool has(field wanted) const;
    [[nodiscard]] bool are_apart(std::size_t one, std::size_t other) const;
    void require_fields() const;
    void require_separated_series() const;

    std::vector<piece> m_pieces;
    std::string m_folder;
};

/// `nanos` since 1970 in UTC, as in 20261122T223412.123456789Z. Of the same length for all times,
/// which lie between 1677 and 2262, so that texts are in the order of times.
[[nodiscard]] std::string time_in_path(std::int64_t nanos);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_PLAN_OUTPUT_TEMPLATE_HPP
