// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_WORK_SCHEDULE_HPP
#define PPROFDELTA_TOOLS_BATCH_WORK_SCHEDULE_HPP

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "batch/fetch/fetcher.hpp"
#include "batch/plan/items.hpp"

namespace pprofdelta::tool {

/// Who works on what: series side by side, the items of one in their order, and those that are
/// fetched as soon as they are there. Safe for several threads.
class schedule {
public:
    using ask_for = std::function<void(std::size_t id, std::string url)>;

    /// @param items must outlive the object.
    explicit schedule(const batch_items& items);

    /// Asks for the first URL of each series, and for the next one of a series when one arrives.
    /// @param fetch is not needed where there is no URL.
    void start(ask_for fetch);

    /// An item to work on.
    struct item {
        std::size_t place;             ///< Among the inputs of its series.
        std::optional<fetched> result; ///< If its input is a URL.
    };

    /// A series that has an item to work on; nobody else gets it before give_back().
    /// @param may_wait whether to wait for one, rather than to return none.
    /// @returns none, too, if there is nothing left to do.
    std::optional<std::size_t> take(bool may_wait);
    /// The next item of a series that was taken; none if there is none yet, or no more.
    std::optional<item> next(std::size_t series);
    void give_back(std::size_t series);

    /// Takes what was fetched.
    void arrive(std::size_t id, fetched result);

    /// Nobody gets anything any more.
    void stop();

private:
    struct progress_of {
        std::size_t next = 0; // place of the next item
        bool is_taken = false;
        bool is_ready = false; // in m_ready
    };

    [[nodiscard]] bool has_next(std::size_t series) const;
    void make_ready(std::size_t series);
    void request_from(std::size_t series, std::size_t place);

    const batch_items& m_items;
    ask_for m_fetch;
    std::vector<std::size_t> m_first_id; // of the items of each series
    std::vector<progress_of> m_series;
    std::deque<std::size_t> m_ready;
    std::map<std::size_t, fetched> m_fetched; // by id
    std::size_t m_unfinished = 0;             // series with items left
    bool m_is_stopped = false;
    std::mutex m_mutex;
    std::condition_variable m_change;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_WORK_SCHEDULE_HPP
