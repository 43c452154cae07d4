// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_WORK_WORKER_HPP
#define PPROFDELTA_TOOLS_BATCH_WORK_WORKER_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/failure.hpp"
#include "batch/fetch/memory_pool.hpp"
#include "batch/plan/plan.hpp"
#include "batch/states/journal.hpp"
#include "batch/states/state_folder.hpp"
#include "batch/work/outcome.hpp"
#include "batch/work/results.hpp"
#include "batch/work/schedule.hpp"
#include "batch/work/series_work.hpp"
#include "gate/gate.hpp"

namespace pprofdelta::tool {

/// How a series stands in this run.
struct series_standing {
    bool is_begun = false;             ///< Something of it was done.
    std::int64_t time_nanos = 0;       ///< Of its last profile; 0 if it is not known.
    std::optional<failure> obstacle{}; ///< Why the rest has to wait for another run, if it has to.
};

/// What all workers share.
struct batch_work {
    const batch_plan& plan;
    const batch_items& items;
    state_folder& states;
    schedule& order;
    batch_results& results;
    std::vector<series_standing>& series; ///< Whoever has taken a series uses its own.
    memory_pool& memory;                  ///< For profiles that are worked on.
    /// Shared while a group is put into place, sent and told, which must not be left half done.
    std::shared_mutex& commits;
    /// Called for each fetched result that was used, with its room.
    std::function<void(std::size_t)> use_up_fetched;
};

/// Takes series from the schedule, one after the other, until there is none left, and puts their
/// deltas and files into place in groups. One of several threads.
class batch_worker {
public:
    /// @param number among the workers of this run.
    /// @throws failure io, usage for limits that are none.
    batch_worker(const batch_work& shared, unsigned number);

    /// @throws failure io if results cannot be written; then no worker goes on.
    void run();

private:
    // Where what a series has not saved begins.
    struct mark {
        std::size_t files;
        std::size_t outcomes;
    };

    // A series whose file was saved in this group.
    struct saved_series {
        std::size_t series;
        std::int64_t time_nanos;
        unsent_note note; // of its deltas that are to be sent
    };

    void work_on(std::size_t series);
    void send_left(std::size_t series);
    void send_group();
    void send(const unsent_note& note);
    void tell(const unsent_note& note, const unsent_delta& delta, delivery made);
    void keep_note(unsent_note note, std::size_t sent);
    void work_on_items(std::size_t series, series_work& work);
    void add(std::size_t series, series_work& work, item_outcome outcome, schedule::item next);
    void save(std::size_t series, series_work& work);
    void leave(std::size_t series, const failure& reason);
    void take_back(const failure& reason);
    [[nodiscard]] item_outcome outcome_of(std::size_t series, std::string_view input) const;
    [[nodiscard]] bool is_full() const noexcept;
    void fail_group(const failure& reason);
    bool commit(std::optional<std::size_t> keep);
    void report();
    void open_journal();

    batch_work m_shared;
    gate m_limits;
    memory_room m_room;
    unsigned m_number;
    unsigned m_journals = 0; // so far
    std::unique_ptr<journal> m_files;
    // What came of the items of the group.
    std::vector<item_outcome> m_outcomes;
    std::vector<std::size_t> m_taken; // series
    std::vector<saved_series> m_saved;
    std::size_t m_bytes = 0; // of deltas
    mark m_unsaved{};
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_WORK_WORKER_HPP
