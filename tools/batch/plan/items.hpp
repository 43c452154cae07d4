// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_PLAN_ITEMS_HPP
#define PPROFDELTA_TOOLS_BATCH_PLAN_ITEMS_HPP

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "batch/plan/shard.hpp"
#include "batch/plan/target_labels.hpp"

namespace pprofdelta::tool {

/// The profiles of one series, in their order.
struct series_items {
    std::string_view name;
    std::vector<std::string_view> inputs; ///< Paths and URLs.
};

/// What a run has to do. Strings lie in texts of its own, so that many items take little memory.
class batch_items {
public:
    batch_items() = default;
    // Copies would share the texts.
    batch_items(const batch_items&) = delete;
    batch_items& operator=(const batch_items&) = delete;
    batch_items(batch_items&&) = default;
    batch_items& operator=(batch_items&&) = default;
    ~batch_items() = default;

    /// Keeps `text` as long as this lives, wherever this is moved to.
    /// @returns where it lies.
    std::string_view keep(std::string text);

    /// Appends to the series `name`, which begins with its first input. Both must be kept. Takes
    /// time in proportion to the logarithm of the number of series, whatever their names.
    void add(std::string_view name, std::string_view input);
    /// Adds a series with one input and labels. They must be kept, too.
    void add(std::string_view name, std::string_view input, const target_labels& labels);

    /// Adds a series that has no input, unless it is there. The name must be kept.
    void add_without_input(std::string_view name) { static_cast<void>(series_of(name)); }

    /// Keeps labels of several targets, and their texts.
    const label_texts& keep(const std::map<std::string, std::string>& labels);

    /// In the order of their first inputs.
    [[nodiscard]] const std::vector<series_items>& series() const noexcept { return m_series; }

    /// The labels of a series, by its place; none if its profiles are not those of a target.
    [[nodiscard]] target_labels labels(std::size_t place) const {
        return place < m_series_labels.size() ? m_series_labels[place] : target_labels{};
    }

    /// The series `name`; nullptr if it has no input yet. Good until the next one is added.
    [[nodiscard]] const series_items* find(std::string_view name) const;

    /// The number of items.
    [[nodiscard]] std::size_t size() const noexcept { return m_size; }

    /// Drops the series of other shards; the texts stay.
    void keep_shard(const shard& part);

private:
    [[nodiscard]] series_items& series_of(std::string_view name);

    std::deque<std::string> m_texts; // which moves none of them when it grows
    std::deque<std::string> m_blocks;
    std::deque<label_texts> m_labels;
    std::vector<series_items> m_series;
    std::vector<target_labels> m_series_labels;       // of targets only
    std::map<std::string_view, std::size_t> m_places; // in m_series
    std::size_t m_last = 0;                           // the series of the last item
    std::size_t m_size = 0;
};

/// Whether it begins with http:// or https://, in letters of any case. Anything else is a path.
[[nodiscard]] bool is_url(std::string_view input) noexcept;

/// The path that an input is which is no URL: "-" is a file of that name, not standard input.
[[nodiscard]] std::string path_of_input(std::string_view input);

/// Whether a URL has a user's name or a password before its host. They would be in results and
/// messages.
[[nodiscard]] bool has_credentials(std::string_view url) noexcept;

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_PLAN_ITEMS_HPP
