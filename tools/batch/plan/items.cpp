// SPDX-License-Identifier: Apache-2.0
#include "batch/plan/items.hpp"

#include <algorithm>
#include <utility>

namespace pprofdelta::tool {

namespace {

// Short texts share a block, as each in memory of its own would take twice what it has.
constexpr std::size_t block_size = std::size_t{64} << 10U;
constexpr std::size_t short_size = 4096;

bool begins_with(std::string_view text, std::string_view lower_case) noexcept {
    return text.size() >= lower_case.size() &&
           std::equal(lower_case.begin(), lower_case.end(), text.begin(), [](char wanted, char c) {
               return wanted == (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
           });
}

} // namespace

std::string_view batch_items::keep(std::string text) {
    if (text.size() > short_size) {
        return m_texts.emplace_back(std::move(text));
    }
    if (m_blocks.empty() || m_blocks.back().capacity() - m_blocks.back().size() < text.size()) {
        m_blocks.emplace_back().reserve(block_size);
    }
    std::string& block = m_blocks.back();
    const std::size_t start = block.size();
    block += text;
    return std::string_view{block}.substr(start);
}

series_items& batch_items::series_of(std::string_view name) {
    // Lists mostly have the items of a series one after the other.
    if (m_last < m_series.size() && m_series[m_last].name == name) {
        return m_series[m_last];
    }
    const auto [place, is_new] = m_places.try_emplace(name, m_series.size());
    if (is_new) {
        m_series.push_back({name, {}});
    }
    m_last = place->second;
    return m_series[m_last];
}

void batch_items::add(std::string_view name, std::string_view input) {
    series_of(name).inputs.push_back(input);
    ++m_size;
}

void batch_items::add(std::string_view name, std::string_view input, const target_labels& labels) {
    add(name, input);
    m_series_labels.resize(m_series.size());
    m_series_labels[m_last] = labels;
}

const label_texts& batch_items::keep(const std::map<std::string, std::string>& labels) {
    label_texts& kept = m_labels.emplace_back();
    for (const auto& [name, value] : labels) {
        if (!value.empty()) {
            kept.emplace_back(keep(name), keep(value));
        }
    }
    return kept;
}

const series_items* batch_items::find(std::string_view name) const {
    const auto place = m_places.find(name);
    return place == m_places.end() ? nullptr : &m_series[place->second];
}

void batch_items::keep_shard(const shard& part) {
    m_places.clear();
    m_last = 0;
    m_size = 0;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        if (!part.has(m_series[i].name)) {
            continue;
        }
        if (i != kept) {
            m_series[kept] = std::move(m_series[i]);
        }
        if (i < m_series_labels.size()) {
            m_series_labels[kept] = m_series_labels[i];
        }
        m_places.emplace(m_series[kept].name, kept);
        m_size += m_series[kept].inputs.size();
        ++kept;
    }
    m_series.resize(kept);
    m_series_labels.resize(std::min(kept, m_series_labels.size()));
}

bool is_url(std::string_view input) noexcept {
    return begins_with(input, "http://") || begins_with(input, "https://");
}

std::string path_of_input(std::string_view input) {
    return input == "-" ? "./-" : std::string{input};
}

bool has_credentials(std::string_view url) noexcept {
    const std::size_t start = url.find("//") + 2;
    // Some readers take a backslash for a slash, and some do not: what is doubtful is refused.
    return is_url(url) && url.substr(start, url.find_first_of("/?#", start) - start).find('@') !=
                              std::string_view::npos;
}

} // namespace pprofdelta::tool
