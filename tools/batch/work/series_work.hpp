// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_WORK_SERIES_WORK_HPP
#define PPROFDELTA_TOOLS_BATCH_WORK_SERIES_WORK_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/delta.hpp>

#include "batch/fetch/fetcher.hpp"
#include "batch/fetch/memory_pool.hpp"
#include "batch/plan/plan.hpp"
#include "batch/states/journal.hpp"
#include "batch/states/unsent.hpp"
#include "batch/work/outcome.hpp"
#include "files/profile_file.hpp"
#include "files/series_record.hpp"
#include "gate/gate.hpp"

namespace pprofdelta::tool {

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

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_WORK_SERIES_WORK_HPP
