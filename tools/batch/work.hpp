// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/failure.hpp"
#include "batch/fetcher.hpp"
#include "batch/memory_pool.hpp"
#include "batch/results.hpp"
#include "batch/series.hpp"
#include "batch/states.hpp"
#include "files/path_list.hpp"

namespace pprofdelta::tool {

/// Who works on what: series side by side, the items of one in their order, and those that are
/// fetched as soon as they are there. Safe for several threads.
class schedule {
public:
    using ask_for = std::function<void(std::size_t series, std::string url)>;

    /// @param items must outlive the object.
    explicit schedule(const batch_items& items)
        : m_items{items.series()}, m_series(m_items.size()), m_unfinished{m_items.size()} {}

    /// Asks for the first URL of each series, and for the next one of a series when one arrives.
    /// @param fetch is not needed where there is no URL.
    void start(ask_for fetch) {
        const std::lock_guard lock{m_mutex};
        m_fetch = std::move(fetch);
        for (std::size_t i = 0; i < m_series.size(); ++i) {
            ask_for_next(i);
            make_ready(i);
            if (m_items[i].inputs.empty()) {
                m_series[i].is_ready = true; // once, for what is left of it
                m_ready.push_back(i);
            }
        }
    }

    /// An item to work on.
    struct item {
        std::size_t place;             ///< The place among the inputs of its series.
        std::optional<fetched> result; ///< If its input is a URL.
    };

    /// A series that has an item to work on; nobody else gets it before give_back().
    /// @param may_wait whether to wait for one, rather than to return none.
    /// @returns none, too, if there is nothing left to do.
    std::optional<std::size_t> take(bool may_wait) {
        std::unique_lock lock{m_mutex};
        if (may_wait) {
            m_change.wait(lock,
                          [&] { return !m_ready.empty() || m_unfinished == 0 || m_is_stopped; });
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

    /// The next item of a series that was taken; none if there is none yet, or no more.
    std::optional<item> next(std::size_t series) {
        const std::lock_guard lock{m_mutex};
        if (m_is_stopped || !has_next(series)) {
            return std::nullopt;
        }
        item next{m_series[series].next++, std::nullopt};
        if (is_url(m_items[series].inputs[next.place])) {
            next.result = std::move(m_fetched.extract(m_fetched.lower_bound(series)).mapped());
        }
        return next;
    }

    void give_back(std::size_t series) {
        const std::lock_guard lock{m_mutex};
        m_series[series].is_taken = false;
        if (m_series[series].next == m_items[series].inputs.size()) {
            --m_unfinished;
            if (m_unfinished == 0) {
                m_change.notify_all();
            }
        } else {
            make_ready(series);
        }
    }

    /// Takes what was fetched.
    void arrive(std::size_t series, fetched result) {
        const std::lock_guard lock{m_mutex};
        m_fetched.emplace(series, std::move(result));
        ask_for_next(series);
        make_ready(series);
    }

    /// Ends all waiting; nobody gets another item.
    void stop() {
        const std::lock_guard lock{m_mutex};
        m_is_stopped = true;
        m_change.notify_all();
    }

private:
    struct progress_of {
        std::size_t next = 0;  // place of the next item
        std::size_t asked = 0; // place behind the last URL that was asked for
        bool is_taken = false;
        bool is_ready = false; // in m_ready
    };

    [[nodiscard]] bool has_next(std::size_t series) const {
        const std::size_t place = m_series[series].next;
        const std::vector<std::string_view>& inputs = m_items[series].inputs;
        return place < inputs.size() && (!is_url(inputs[place]) || m_fetched.contains(series));
    }

    void make_ready(std::size_t series) {
        progress_of& at = m_series[series];
        if (!at.is_taken && !at.is_ready && has_next(series)) {
            at.is_ready = true;
            m_ready.push_back(series);
            m_change.notify_one();
        }
    }

    // One at a time of a series, so that they arrive in order.
    void ask_for_next(std::size_t series) {
        const std::vector<std::string_view>& inputs = m_items[series].inputs;
        for (std::size_t& place = m_series[series].asked; place < inputs.size();) {
            if (const std::string_view input = inputs[place++]; is_url(input)) {
                m_fetch(series, std::string{input});
                return;
            }
        }
    }

    const std::vector<series_items>& m_items;
    std::vector<progress_of> m_series;
    std::size_t m_unfinished; // series with items left
    ask_for m_fetch;
    std::deque<std::size_t> m_ready;
    std::multimap<std::size_t, fetched> m_fetched; // by series, in the order of its items
    bool m_is_stopped = false;
    std::mutex m_mutex;
    std::condition_variable m_change;
};

/// How a series stands in this run.
struct series_progress {
    bool is_begun = false;       ///< Something of it was done.
    std::int64_t time_nanos = 0; ///< The time of its last profile; 0 if it is not known.
    std::optional<failure>
        blocked_by{}; ///< Why the rest has to wait for another run, if it has to.
};

/// The data that all workers share.
struct batch_work {
    const batch_plan& plan;
    const batch_items& items;
    state_folder& states;
    schedule& order;
    batch_results& results;
    std::vector<series_progress>& series; ///< Whoever has taken a series uses its own.
    memory_pool& memory;                  ///< The memory for profiles that are worked on.
    /// Shared while a group is put into place, sent and told, which must not be left half done.
    std::shared_mutex& commits;
    /// Called for each fetched result that was used, with its room.
    std::function<void(std::size_t)> use_up_fetched;
};

/// Makes workers do all there is, each on a thread of its own.
/// @param look is called now and then on this thread.
/// @throws what a worker throws; the others have ended then. failure io if no thread can be
///         started.
void work_side_by_side(const batch_work& work, unsigned workers, const std::function<void()>& look);

} // namespace pprofdelta::tool
