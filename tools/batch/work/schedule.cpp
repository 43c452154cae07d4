// SPDX-License-Identifier: Apache-2.0
#include "batch/work/schedule.hpp"

#include <algorithm>
#include <utility>

namespace pprofdelta::tool {

schedule::schedule(const batch_items& items)
    : m_items{items}, m_series(items.series().size()), m_unfinished{items.series().size()} {
    std::size_t id = 0;
    m_first_id.reserve(m_series.size());
    for (const series_items& each : items.series()) {
        m_first_id.push_back(id);
        id += each.inputs.size();
    }
}

void schedule::start(ask_for fetch) {
    const std::lock_guard lock{m_mutex};
    m_fetch = std::move(fetch);
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        request_from(i, 0);
        make_ready(i);
        if (m_items.series()[i].inputs.empty()) {
            m_series[i].is_ready = true; // once, for what is left of it
            m_ready.push_back(i);
        }
    }
}

// One at a time of a series, so that they arrive in order.
void schedule::request_from(std::size_t series, std::size_t place) {
    const std::vector<std::string_view>& inputs = m_items.series()[series].inputs;
    const auto next =
        std::find_if(inputs.begin() + static_cast<std::ptrdiff_t>(place), inputs.end(), is_url);
    if (next != inputs.end()) {
        const auto at = static_cast<std::size_t>(next - inputs.begin());
        m_fetch(m_first_id[series] + at, std::string{*next});
    }
}

bool schedule::has_next(std::size_t series) const {
    const std::size_t place = m_series[series].next;
    const std::vector<std::string_view>& inputs = m_items.series()[series].inputs;
    return place < inputs.size() &&
           (!is_url(inputs[place]) || m_fetched.contains(m_first_id[series] + place));
}

void schedule::make_ready(std::size_t series) {
    progress_of& at = m_series[series];
    if (!at.is_taken && !at.is_ready && has_next(series)) {
        at.is_ready = true;
        m_ready.push_back(series);
        m_change.notify_one();
    }
}

std::optional<std::size_t> schedule::take(bool may_wait) {
    std::unique_lock lock{m_mutex};
    if (may_wait) {
        m_change.wait(lock, [&] { return !m_ready.empty() || m_unfinished == 0 || m_is_stopped; });
    }
    if (m_ready.empty() || m_is_stopped) {
        return std::nullopt;
    }
    const std::size_t series = m_ready.front();
    m_ready.pop_front();
    m_series[series].is_ready = false;
    m_series[series].is_taken = true;
    return series;
}

std::optional<schedule::item> schedule::next(std::size_t series) {
    const std::lock_guard lock{m_mutex};
    if (m_is_stopped || !has_next(series)) {
        return std::nullopt;
    }
    item next{m_series[series].next++, std::nullopt};
    if (auto result = m_fetched.extract(m_first_id[series] + next.place)) {
        next.result = std::move(result.mapped());
    }
    return next;
}

void schedule::give_back(std::size_t series) {
    const std::lock_guard lock{m_mutex};
    m_series[series].is_taken = false;
    if (m_series[series].next == m_items.series()[series].inputs.size()) {
        --m_unfinished;
        if (m_unfinished == 0) {
            m_change.notify_all();
        }
    } else {
        make_ready(series);
    }
}

void schedule::arrive(std::size_t id, fetched result) {
    const std::lock_guard lock{m_mutex};
    const auto after = std::upper_bound(m_first_id.begin(), m_first_id.end(), id);
    const auto series = static_cast<std::size_t>(after - m_first_id.begin()) - 1;
    m_fetched.emplace(id, std::move(result));
    request_from(series, id - m_first_id[series] + 1);
    make_ready(series);
}

void schedule::stop() {
    const std::lock_guard lock{m_mutex};
    m_is_stopped = true;
    m_change.notify_all();
}

} // namespace pprofdelta::tool
