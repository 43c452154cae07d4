// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_WORK_HPP
#define PPROFDELTA_TOOLS_BATCH_WORK_HPP

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/delta.hpp>

#include "base/failure.hpp"
#include "batch/fetcher.hpp"
#include "batch/memory_pool.hpp"
#include "batch/results.hpp"
#include "batch/series.hpp"
#include "batch/states.hpp"
#include "cli/gate.hpp"
#include "files/profile_file.hpp"
#include "files/series_record.hpp"

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
    void arrive(std::size_t series, fetched result);

    /// Nobody gets anything any more.
    void stop();

private:
    struct progress_of {
        std::size_t next = 0;  // place of the next item
        std::size_t asked = 0; // place behind the last URL that was asked for
        bool is_taken = false;
        bool is_ready = false; // in m_ready
    };

    [[nodiscard]] bool has_next(std::size_t series) const;
    void make_ready(std::size_t series);
    void ask_for_next(std::size_t series);

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

/// Computes the deltas of one series, one after the other, into a journal.
class series_work {
public:
    /// Goes on from the file of the series, if there is one.
    /// @param record_path of that file.
    /// @param unsent_path of the note of deltas that the command has still to take.
    /// @param is_begun    whether this run has done items of the series before, so that it goes on
    ///                    from the file even if the plan is to begin from scratch.
    /// @param room        that grows to what is needed; outlives this.
    /// @throws failure malformed, incompatible, io.
    series_work(const batch_plan& plan, std::string_view series, std::string record_path,
                std::string unsent_path, bool is_begun, memory_room& room);

    /// How many of `inputs` were done by an earlier run, as far as their names and the content of
    /// the last one tell.
    /// @throws failure io
    [[nodiscard]] std::size_t done_of(const std::vector<std::string_view>& inputs) const;

    /// Makes the delta of the next profile, unless the profile is at fault, which the outcome says.
    /// @param result of a URL.
    /// @throws failure for what is no fault of the profile. The series cannot go on then.
    void add(item_outcome& outcome, std::optional<fetched> result, gate& limits, journal& files);

    /// Writes the file of the series, if there is something new, and the note of its deltas that
    /// the command has to take.
    /// @returns whether there was.
    /// @throws failure io
    bool save(journal& files);
    /// What the last save() noted.
    [[nodiscard]] unsent_note take_note() { return std::exchange(m_saved_note, {}); }
    /// Whether save() can be called: not after a delta was computed that could not be written.
    [[nodiscard]] bool is_sound() const noexcept { return m_is_sound; }

    /// The time of the last profile that was done; 0 if it is not known.
    [[nodiscard]] std::int64_t time_nanos() const noexcept { return m_record.time_nanos; }

private:
    void make_delta(item_outcome& outcome, raw_file raw, const reading& how,
                    std::int64_t time_of_input, gate& limits, journal& files);
    void note_unsent(item_outcome& outcome, const std::string& path, std::string id,
                     std::int64_t time, const std::string& type);
    void sum_up(item_outcome& outcome, const std::string& delta) const;
    void judge(item_outcome& outcome, const profile_file& profile, const std::string& delta,
               gate& limits) const;

    const batch_plan& m_plan;
    memory_room& m_room;
    std::string m_record_path;
    std::string m_unsent_path;
    unsent_note m_note; // since the last save()
    unsent_note m_saved_note;
    std::optional<delta_computer> m_computer; // none before the first profile
    series_record m_record;
    bool m_has_record = false;
    bool m_is_changed = false;
    bool m_is_sound = true;
};

/// `inputs`, which are files, in the order of their profiles' times.
/// @param room that grows to what is needed.
/// @throws failure io
[[nodiscard]] std::vector<std::string_view>
in_order_of_time(const std::vector<std::string_view>& inputs, const reading& how,
                 memory_room& room);

/// What it takes to read an input of so many bytes, and to uncompress it, unless it shrank to less
/// than a sixteenth.
[[nodiscard]] constexpr std::size_t room_to_read(std::size_t size) noexcept {
    constexpr std::size_t least = std::size_t{1} << 20U;
    constexpr std::size_t likely_ratio = 16;
    return std::max(least, size * likely_ratio);
}

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
    batch_worker(const batch_work& shared, std::size_t number);

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
    std::size_t m_number;
    unsigned m_journals = 0; // so far
    std::unique_ptr<journal> m_files;
    // What came of the items of the group.
    std::vector<item_outcome> m_outcomes;
    std::vector<std::size_t> m_taken; // series
    std::vector<saved_series> m_saved;
    std::size_t m_bytes = 0; // of deltas
    mark m_unsaved{};
};

/// Has workers do all there is, each on a thread of its own.
/// @param look is called now and then on this thread.
/// @throws what a worker throws; the others have ended then. failure io if no thread can be
///         started.
void work_side_by_side(const batch_work& work, unsigned workers, const std::function<void()>& look);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_WORK_HPP
