// SPDX-License-Identifier: Apache-2.0
#include "batch/work.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <future>
#include <new>
#include <system_error>

#include <sys/stat.h>
#include <unistd.h>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/error.hpp>
#include <pprofdelta/info.hpp>
#include <pprofdelta/merge.hpp>
#include <pprofdelta/report_json.hpp>

#include "base/value_text.hpp"
#include "batch/stop_signals.hpp"
#include "files/file.hpp"
#include "files/profile_file.hpp"
#include "files/series_record.hpp"
#include "output/gate.hpp"

namespace pprofdelta::tool {

namespace {

// Why there is nothing to read, however well the machine does; empty if there may be.
constexpr const char* not_later = "it is not later than the last processed profile";

std::string fault_of_path(const std::string& path) {
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0) {
        return errno == ENOENT || errno == ENOTDIR ? "there is no such file" : "";
    }
    return S_ISDIR(status.st_mode) ? "it is a folder" : "";
}

// Returns the memory that reading and uncompressing `size` bytes takes, unless they shrank to less
// than a sixteenth.
constexpr std::size_t room_to_read(std::size_t size) noexcept {
    constexpr std::size_t least = std::size_t{1} << 20U;
    constexpr std::size_t likely_ratio = 16;
    return std::max(least, size * likely_ratio);
}

// Returns the memory that work on a profile or state of `size` bytes takes: the previous values,
// the current ones, and the output.
std::size_t room_to_work(std::size_t size) {
    constexpr std::size_t for_each = 5;
    return size * for_each;
}

// Waits for all the room there is if `raw` turns out to be an archive that holds much.
profile_file uncompressed(raw_file raw, const read_options& options, memory_reservation& room) {
    const std::size_t likely = room_to_read(raw.bytes.size());
    room.need(likely);
    if (likely >= options.max_size) {
        return {std::move(raw), options.without_names()};
    }
    return {std::move(raw), options.with_size(likely), [&room, &options] {
                room.need_all();
                return options.max_size;
            }};
}

profile_info info_of(const profile_file& profile) {
    return with_file_context(profile, [&] { return read_profile_info(profile.bytes()); });
}

// An argument of a command ends there.
std::string without_nul(std::string_view text) {
    std::string result;
    for (const char c : text) {
        result += c == '\0' ? std::string{"\xef\xbf\xbd"} : std::string{c};
    }
    return result;
}

// Before anything is computed, as what cannot be written must not count as done.
void require_kept_types(const trim_options& trim, const profile_info& info) {
    for (const value_type_pattern& pattern : trim.keep_types) {
        if (std::ranges::none_of(info.types, [&](const type_treatment& each) {
                return pattern.matches(each.type);
            })) {
            throw error{error_kind::incompatible,
                        "no sample type is " + pattern.text() + ", which --keep-type names"};
        }
    }
}

// Leaves of a delta what is to be kept, and counts that.
void trim_delta(std::string& delta, const batch_plan& plan, const target_labels& labels,
                delta_summary& summary) {
    trim_options trim = plan.trim;
    if (plan.add_labels) {
        for (const auto& [name, value] : labels.shown()) {
            trim.add_labels.emplace_back(name, value);
        }
    }
    tool::trim_delta(trim, plan.delta.match, delta, summary);
}

// Computes the deltas of one series, one after the other, into a journal.
class series_work {
public:
    // Goes on from the file of the series, if there is one.
    // @param is_begun whether this run has done items of the series before, so that it goes on from
    //                 the file even if the plan is to begin from scratch.
    // @param room     grows to what is needed; outlives this.
    // @throws failure malformed, incompatible, io.
    series_work(const batch_work& shared, std::string_view series, bool is_begun,
                memory_reservation& room)
        : m_plan{shared.plan}, m_room{room}, m_record_path{shared.states.record_path(series)},
          m_unsent_path{shared.states.unsent_path(series)} {
        m_record.series = series;
        if ((m_plan.from_scratch && !is_begun) || !regular_file_exists(m_record_path)) {
            return;
        }
        m_room.need(room_to_work(regular_file_size(m_record_path)));
        const std::string bytes = read_file(m_record_path, 2 * max_profile_size);
        m_record = parse_record(bytes, m_record_path);
        if (m_record.series != series) {
            throw failure{exit_status::malformed,
                          m_record_path + ": it belongs to another series, " + m_record.series};
        }
        m_computer.emplace(m_plan.delta);
        with_file_context(m_record_path, [&] { m_computer->load(m_record.state); });
        std::string{}.swap(m_record.state);
        m_has_record = true;
    }

    // The number of `inputs` that an earlier run did, as far as their names and the content of the
    // last one tell.
    //
    // The last input of a run stands for all before it: those that are not done have an interval
    // that a later delta covers. A URL has another profile each time, and so has a pipe.
    [[nodiscard]] std::size_t done_of(const std::vector<std::string_view>& inputs) const {
        if (!m_has_record || is_url(m_record.input)) {
            return 0;
        }
        const auto last = std::find(inputs.rbegin(), inputs.rend(), m_record.input);
        const std::string path = last == inputs.rend() ? "" : path_of_input(*last);
        const std::size_t size = path.empty() ? 0 : regular_file_size(path);
        if (size == 0) {
            return 0;
        }
        m_room.need(size);
        if (content_hash(read_file(path, max_profile_size)) != m_record.input_hash) {
            return 0;
        }
        return static_cast<std::size_t>(inputs.rend() - last);
    }

    // Makes the delta of the next profile, unless the profile is at fault, which the outcome says.
    // @param result is that of a URL.
    // @throws failure for what is no fault of the profile. The series cannot go on then.
    void add(item_outcome& outcome, std::optional<fetched> result, gate& limits, journal& files) {
        if (result) {
            if (!result->error.empty()) {
                const std::string error = std::string{outcome.input} + ": " + result->error;
                if (result->may_come_back) {
                    throw failure{exit_status::io, error};
                }
                outcome.fail(exit_status::io, error);
                return;
            }
            make_delta(outcome, raw_file{std::string{outcome.input}, std::move(result->body)},
                       {m_plan.max_fetched_size, m_plan.input.counted, m_plan.input.part},
                       nanos_now(), limits, files);
            return;
        }
        const std::string path = path_of_input(outcome.input);
        if (const std::string fault = fault_of_path(path); !fault.empty()) {
            outcome.fail(exit_status::io, path + ": " + fault);
            return;
        }
        try {
            const auto may_wait = [] { return !stop_signals::is_stopping(); };
            m_room.need(room_to_read(regular_file_size(path)));
            make_delta(outcome, raw_file{path, m_plan.input.max_size, may_wait}, m_plan.input,
                       time_of_file(path), limits, files);
        } catch (const failure& e) {
            if (e.status() != exit_status::malformed || !m_is_sound) {
                throw;
            }
            outcome.fail(exit_status::malformed, e.what()); // the file is too large
        }
    }

    // Writes the file of the series, if there is something new, and the note of its deltas that
    // the command has to take.
    // @returns the note, which may be empty; nothing if there was nothing new.
    // @throws failure io
    [[nodiscard]] std::optional<unsent_note> save(journal& files) {
        if (!m_is_changed) {
            return std::nullopt;
        }
        m_record.state = with_file_context(m_record_path, [&] { return m_computer->save(); });
        files.write(absolute_path(m_record_path), to_bytes(m_record));
        if (!m_note.deltas.empty()) {
            files.write(absolute_path(m_unsent_path), to_bytes(m_note));
        }
        files.end_group();
        std::string{}.swap(m_record.state);
        m_is_changed = false;
        return std::exchange(m_note, {});
    }

    // Whether save() can be called: not after a delta was computed that could not be written.
    [[nodiscard]] bool is_sound() const noexcept { return m_is_sound; }

    // The time of the last profile that was done; 0 if it is not known.
    [[nodiscard]] std::int64_t time_nanos() const noexcept { return m_record.time_nanos; }

private:
    void make_delta(item_outcome& outcome, raw_file raw, const read_options& options,
                    std::int64_t time_of_input, gate& limits, journal& files) {
        outcome.bytes_in_on_disk = raw.bytes.size();
        const std::uint64_t hash = content_hash(raw.bytes);
        if (m_has_record && hash == m_record.input_hash) {
            outcome.skip("it is the last processed profile");
            return;
        }
        std::string delta;
        std::string type;
        try {
            profile_file profile = uncompressed(std::move(raw), options, m_room);
            outcome.bytes_in = profile.bytes().size();
            m_room.need(room_to_work(outcome.bytes_in));
            const profile_info info = info_of(profile);
            // Maybe the clock was set, which only the counters say.
            std::optional<std::string> saved;
            if (m_has_record && info.time_nanos != 0 && info.time_nanos <= m_record.time_nanos) {
                if (info.time_nanos != m_record.time_nanos && m_computer) {
                    saved = m_computer->save();
                } else {
                    outcome.skip(not_later);
                    return;
                }
            }
            if (!info.types.empty()) {
                type = info.types.back().type.type;
            }
            with_file_context(profile, [&] { require_kept_types(m_plan.trim, info); });
            if (!m_computer) {
                m_computer.emplace(m_plan.delta);
            }
            with_file_context(profile, [&] {
                const std::vector<type_treatment> before = m_computer->types();
                if (before.size() == info.types.size()) { // and maybe in another order
                    convert_types(profile, mapped(before, &type_treatment::type));
                }
                outcome.summary = m_computer->compute(profile.bytes(), delta, profile.source());
                m_is_sound = false;
                if (saved && !outcome.summary.clock_was_set) {
                    m_computer->load(*saved);
                    m_is_sound = true;
                    outcome.summary = {};
                    outcome.skip(not_later);
                    return;
                }
                if (m_plan.input.names) { // only now, as binaries may be others for the next one
                    delta = m_plan.input.names->named(delta, 0);
                }
            });
            if (outcome.status == item_status::skipped) {
                return;
            }
            judge(outcome, profile, delta, limits);
        } catch (const failure& e) {
            if (!m_is_sound) {
                throw; // or the next delta would lack the interval of this one
            }
            outcome.fail(e.status(), e.what());
            return;
        }
        with_file_context("the delta of " + std::string{outcome.input},
                          [&] { trim_delta(delta, m_plan, outcome.labels, outcome.summary); });
        sum_up(outcome, delta);
        const std::int64_t time = outcome.summary.time_nanos;
        outcome.output = m_plan.output.path({.series = m_record.series,
                                             .time_nanos = time != 0 ? time : time_of_input,
                                             .number = m_record.deltas + 1,
                                             .type = type,
                                             .labels = outcome.labels});
        const std::string target = absolute_path(outcome.output);
        struct stat status = {};
        if (files.has(target) || (!m_plan.from_scratch && ::lstat(target.c_str(), &status) == 0)) {
            throw failure{exit_status::io,
                          outcome.output +
                              ": the file exists and is not replaced; see --from-scratch"};
        }
        if (const std::string fault =
                m_plan.paths->check_late_output({"-o", outcome.output, output_kind::profile});
            !fault.empty()) {
            throw failure{exit_status::io, fault};
        }
        std::string lost; // which is so for all of a series, and nobody reads a line for each
        delta = m_plan.form.encoded(std::move(delta), !outcome.summary.first, lost);
        outcome.bytes_out_on_disk = delta.size();
        files.write(target, delta);
        ++m_record.deltas;
        if (!m_plan.exec.command.is_empty()) {
            note_unsent(outcome, target, delta_id(m_record.series, m_record.deltas, delta),
                        time != 0 ? time : time_of_input, type);
        }
        m_record.time_nanos = time;
        m_record.input = outcome.input;
        m_record.input_hash = hash;
        m_has_record = true;
        m_is_changed = true;
        m_is_sound = true;
    }

    // Says what is in a delta, as far as anybody wants to know. A total that would not fit is no
    // reason to do without the delta.
    void sum_up(item_outcome& outcome, const std::string& delta) const {
        if (!m_plan.wants_totals && !m_plan.wants_rates) {
            return;
        }
        const auto& kept = m_plan.trim.keep_types;
        const auto is_kept = [&kept](const value_type& type) {
            return kept.empty() ||
                   std::ranges::any_of(kept, [&](const auto& each) { return each.matches(type); });
        };
        std::vector<type_treatment> types = m_computer->types();
        try {
            const std::vector<std::int64_t> totals = m_computer->totals();
            for (std::size_t i = 0; m_plan.wants_totals && i < totals.size(); ++i) {
                if (is_kept(types[i].type)) {
                    outcome.totals.push_back({types[i].type, types[i].is_cumulative(), totals[i]});
                }
            }
        } catch (const error&) {
            outcome.totals.clear();
        }
        if (m_plan.wants_rates) {
            std::erase_if(types, [&](const type_treatment& each) { return !is_kept(each.type); });
            outcome.rates = rates_of(delta, types, seconds_of(outcome.summary.duration_nanos));
        }
    }

    // The delta is made all the same if limits do not fit it: nobody else has its interval.
    void judge(item_outcome& outcome, const profile_file& profile, const std::string& delta,
               gate& limits) const {
        if (!limits.is_on()) {
            return;
        }
        try {
            const std::string named = with_file_context(profile, [&] {
                return m_plan.input.names ? m_plan.input.names->named(profile.bytes(), 0) : "";
            });
            limits.judge(
                viewed_profiles{computed_delta{.delta = delta,
                                               .current = named.empty() ? profile.bytes() : named,
                                               .previous = {},
                                               .types = m_computer->types(),
                                               .summary = outcome.summary}},
                "", profile.name());
        } catch (const failure& e) {
            outcome.fail(e.status(), e.what());
            return;
        }
        std::vector<std::string> objects;
        for (const judgement& each : limits.judgements()) {
            objects.push_back(limit_as_json(each));
            if (each.crossed) {
                outcome.status = item_status::limit_crossed;
                outcome.crossed += (outcome.crossed.empty() ? "" : "; ") + describe(each, {});
            } else if (has_unknown_rate(each) && outcome.status == item_status::done) {
                outcome.fail(exit_status::incompatible, describe(each, {}));
            }
        }
        outcome.limits = std::move(objects);
    }

    void note_unsent(item_outcome& outcome, const std::string& path, std::string id,
                     std::int64_t time, const std::string& type) {
        m_note.series = m_record.series;
        m_note.labels.clear();
        for (const auto& [name, value] : outcome.labels.all()) {
            m_note.labels.emplace_back(without_nul(name), without_nul(value));
        }
        outcome.sent = delivery{.id = id};
        m_note.deltas.push_back({.path = path,
                                 .id = std::move(id),
                                 .time_nanos = time,
                                 .duration_nanos = outcome.summary.duration_nanos,
                                 .number = m_record.deltas,
                                 .type = without_nul(type)});
    }

    const batch_plan& m_plan;
    memory_reservation& m_room;
    std::string m_record_path;
    std::string m_unsent_path;
    unsent_note m_note{};                     // since the last save()
    std::optional<delta_computer> m_computer; // none before the first profile
    series_record m_record;
    bool m_has_record = false;
    bool m_is_changed = false;
    bool m_is_sound = true;
};

// `inputs`, which are files, in the order of their profiles' times.
// @param room grows to what is needed.
// @throws failure io
std::vector<std::string_view> in_order_of_time(const std::vector<std::string_view>& inputs,
                                               const read_options& options,
                                               memory_reservation& room) {
    std::vector<std::pair<std::int64_t, std::string_view>> timed;
    for (const std::string_view input : inputs) {
        const std::string path = path_of_input(input);
        std::int64_t time = 0;
        try {
            room.need(room_to_read(regular_file_size(path)));
            time =
                info_of(uncompressed(raw_file{path, options.max_size}, options, room)).time_nanos;
        } catch (const failure& e) {
            // A file that is no profile is reported when its turn comes.
            if (e.status() == exit_status::io && fault_of_path(path).empty()) {
                throw;
            }
        }
        if (time == 0 && fault_of_path(path).empty()) {
            time = time_of_file(path);
        }
        timed.emplace_back(time, input);
    }
    using timed_input = decltype(timed)::value_type;
    std::ranges::stable_sort(timed, {}, &timed_input::first);
    return mapped(timed, &timed_input::second);
}

// The memory that the deltas of a group may take.
constexpr std::size_t most_bytes = std::size_t{32} << 20U;

// Marks an item that was not tried, or whose delta was taken back, as left for another run, unless
// its series cannot go on at all.
void leave_item(item_outcome& outcome, const failure& reason) {
    outcome.fail(reason.status(),
                 (reason.status() == exit_status::io ? "left for another run: " : "") +
                     std::string{reason.what()});
}

// Returns the current exception as a failure, want of memory included. Other types are thrown on.
failure current_failure() {
    try {
        throw;
    } catch (const failure& e) {
        return e;
    } catch (const std::bad_alloc&) {
        return {exit_status::io, "out of memory"};
    }
}

// Takes series from the schedule, one after the other, until there is none left, and puts their
// deltas and files into place in groups. One of several threads.
class batch_worker {
public:
    // @param number among the workers of this run.
    // @throws failure io, usage for an invalid limits file.
    batch_worker(const batch_work& shared, std::size_t number)
        : m_shared{shared}, m_limits{shared.plan.limits, {}, shared.plan.trim.selection},
          m_room{shared.memory}, m_number{number} {
        open_journal();
    }

    // @throws failure io if results cannot be written; then no worker goes on.
    void run() {
        while (true) {
            // Nothing waits for the disk longer than for the next item.
            const auto series = m_shared.order.take(m_taken.empty());
            if (series) {
                work_on(*series);
                m_room.release();
            } else if (m_taken.empty()) {
                return;
            }
            if (!series || is_full() || m_shared.plan.flush == flush_rule::series) {
                commit(std::nullopt);
            }
        }
    }

private:
    // A series whose file was saved in this group.
    struct saved_series {
        std::size_t series;
        std::int64_t time_nanos;
        unsent_note note; // of its deltas that are to be sent
    };

    [[nodiscard]] const series_items& items_of(std::size_t series) const {
        return m_shared.items.series()[series];
    }

    void open_journal() {
        m_files = std::make_unique<journal>(m_shared.states.journals() + "/" + m_shared.plan.run +
                                                "-" + std::to_string(m_number) + "-" +
                                                std::to_string(++m_journals),
                                            m_shared.plan.flush != flush_rule::none);
    }

    [[nodiscard]] bool is_full() const noexcept {
        return m_outcomes.size() >= m_shared.plan.group || m_bytes >= most_bytes ||
               (m_shared.plan.flush == flush_rule::item && m_files->size() != 0);
    }

    void work_on(std::size_t series) {
        m_taken.push_back(series);
        series_progress& standing = m_shared.series[series];
        if (standing.blocked_by) {
            leave(series, *standing.blocked_by);
            return;
        }
        const std::string_view name = items_of(series).name;
        try {
            m_shared.states.lock(name);
            recover_before(absolute_path(m_shared.states.record_path(name)),
                           m_shared.states.journals(), m_shared.plan.run,
                           [this](const std::string& text) { m_shared.results.warn(text); });
            send_left(series);
            if (items_of(series).inputs.empty()) {
                return;
            }
            series_work work{m_shared, name, standing.is_begun, m_room};
            {
                const std::shared_lock lock{m_shared.commits};
                standing.time_nanos = work.time_nanos(); // also of one that fails now
            }
            work_on_items(series, work);
        } catch (...) {
            leave(series, current_failure());
        }
    }

    [[nodiscard]] item_outcome outcome_of(std::size_t series, std::string_view input) const {
        item_outcome outcome;
        outcome.series = items_of(series).name;
        outcome.input = input;
        outcome.labels = items_of(series).labels;
        return outcome;
    }

    void work_on_items(std::size_t series, series_work& work) {
        const batch_plan& plan = m_shared.plan;
        const std::vector<std::string_view>& listed = items_of(series).inputs;
        std::vector<std::string_view> ordered;
        if (plan.in_order_of_time) {
            ordered = in_order_of_time(listed, plan.input, m_room);
        }
        const auto& inputs = plan.in_order_of_time ? ordered : listed;
        const std::size_t done = m_shared.series[series].is_begun ? 0 : work.done_of(inputs);
        mark_saved();
        try {
            while (auto next = m_shared.order.next(series)) {
                item_outcome outcome = outcome_of(series, inputs[next->place]);
                if (next->place < done) {
                    outcome.skip("it was done before");
                    m_outcomes.push_back(std::move(outcome));
                } else {
                    add(series, work, std::move(outcome), std::move(*next));
                }
                if (is_full()) {
                    save(series, work);
                    if (!commit(series)) {
                        leave(series, m_shared.series[series].blocked_by.value());
                        return;
                    }
                    mark_saved();
                }
            }
            save(series, work);
        } catch (...) {
            take_back(current_failure());
            throw;
        }
    }

    // Adds what became of an item.
    void add(std::size_t series, series_work& work, item_outcome outcome, schedule::item next) {
        using clock = std::chrono::steady_clock;
        const auto start = clock::now();
        if (next.result) {
            // Its body moves from the memory for answers to that of this worker.
            m_room.need(room_to_read(next.result->body.size()));
            m_shared.use_up_fetched(next.result->room);
        }
        try {
            work.add(outcome, std::move(next.result), m_limits, *m_files);
        } catch (const failure& e) {
            outcome.fail(e.status(), e.what());
            m_outcomes.push_back(std::move(outcome));
            if (work.is_sound()) {
                save(series, work); // what was done before
            }
            throw;
        }
        outcome.milliseconds =
            std::chrono::duration<double, std::milli>(clock::now() - start).count();
        m_bytes += outcome.bytes_out_on_disk;
        m_outcomes.push_back(std::move(outcome));
    }

    void save(std::size_t series, series_work& work) {
        if (auto note = work.save(*m_files)) {
            m_saved.push_back({series, work.time_nanos(), std::move(*note)});
        }
        mark_saved();
    }

    void mark_saved() {
        m_saved_files = m_files->size();
        m_saved_outcomes = m_outcomes.size();
    }

    // Forgets deltas that the file of their series does not know of.
    void take_back(const failure& reason) {
        m_files->drop_after(m_saved_files);
        for (std::size_t i = m_saved_outcomes; i < m_outcomes.size(); ++i) {
            if (!m_outcomes[i].output.empty()) {
                leave_item(m_outcomes[i], reason);
            }
        }
    }

    // Leaves the items of a series that are there to another run.
    void leave(std::size_t series, const failure& reason) {
        m_shared.series[series].blocked_by = reason;
        while (const auto next = m_shared.order.next(series)) {
            if (next->result) {
                m_shared.use_up_fetched(next->result->room);
            }
            item_outcome outcome = outcome_of(series, items_of(series).inputs[next->place]);
            leave_item(outcome, reason);
            m_outcomes.push_back(std::move(outcome));
        }
    }

    // Stops the series of the group: their files are not in place, or not for certain.
    void fail_group(const failure& reason) {
        for (const std::size_t series : m_taken) {
            m_shared.series[series].blocked_by = reason;
        }
        for (item_outcome& each : m_outcomes) {
            if (!each.output.empty() && each.status != item_status::sent) {
                leave_item(each, reason);
            }
        }
    }

    // Passes the deltas of the group, which are durable now, to the command. A series whose delta
    // it refuses goes no further in this run.
    void send_group() {
        for (const saved_series& each : m_saved) {
            if (!each.note.deltas.empty()) {
                try {
                    send(each.note);
                } catch (const failure& e) {
                    m_shared.series[each.series].blocked_by = e;
                }
            }
        }
    }

    // Passes on the deltas that an earlier run left in the note of a locked series, before any new
    // one. The note stays if there is no command.
    void send_left(std::size_t series) {
        const std::string_view name = items_of(series).name;
        const std::string path = m_shared.states.unsent_path(name);
        if (m_shared.plan.exec.command.is_empty() || !regular_file_exists(path)) {
            return;
        }
        // The deltas of other series in this group must not wait for the command, or fail with it.
        if (m_files->size() != 0 && !commit(series)) {
            throw failure{m_shared.series[series].blocked_by.value()};
        }
        unsent_note note = parse_unsent(read_file(path, max_profile_size), path);
        if (note.series != name) {
            throw failure{exit_status::malformed,
                          path + ": it belongs to another series, " + note.series};
        }
        std::erase_if(note.deltas, [this](const unsent_delta& each) {
            const bool is_gone = !regular_file_exists(each.path);
            if (is_gone) {
                m_shared.results.warn(each.path +
                                      ": it was removed before --exec could deliver it");
            }
            return is_gone;
        });
        const std::shared_lock lock{m_shared.commits};
        for (const unsent_delta& each : note.deltas) {
            item_outcome& outcome = m_outcomes.emplace_back(outcome_of(series, {}));
            outcome.status = item_status::sent;
            outcome.output = each.path;
        }
        send(note);
    }

    // The deltas of a series in their order.
    // @throws failure io if the command did not take one. Then that, and those after it, stay
    // noted.
    void send(const unsent_note& note) {
        for (std::size_t i = 0; i < note.deltas.size(); ++i) {
            delivery made{.id = note.deltas[i].id};
            try {
                made = deliver(m_shared.plan.exec, note, note.deltas[i]);
            } catch (const failure& e) {
                made.fault = e.what();
            }
            const std::string fault = made.fault;
            record(note, note.deltas[i], std::move(made));
            if (!fault.empty()) {
                for (std::size_t later = i + 1; later < note.deltas.size(); ++later) {
                    record(note, note.deltas[later],
                           {.id = note.deltas[later].id,
                            .fault = "the previous delta was not delivered"});
                }
                keep_note(note, i);
                throw failure{exit_status::io, fault};
            }
        }
        if (const std::string path = m_shared.states.unsent_path(note.series);
            ::unlink(path.c_str()) != 0 && errno != ENOENT) {
            throw io_failure(path, "cannot be removed");
        }
    }

    // Says of a delta of this run, or of an earlier one, whether it was taken.
    void record(const unsent_note& note, const unsent_delta& delta, delivery made) {
        for (item_outcome& each : m_outcomes) {
            if (each.series == note.series && !each.output.empty() &&
                absolute_path(each.output) == delta.path) {
                if (!made.fault.empty()) {
                    each.status = item_status::unsent;
                    each.error = made.fault;
                }
                each.sent = std::move(made);
                return;
            }
        }
    }

    // Removes the accepted deltas from the note, so that they are not sent again.
    void keep_note(unsent_note note, std::size_t sent) {
        if (sent != 0) {
            note.deltas.erase(note.deltas.begin(),
                              note.deltas.begin() + static_cast<std::ptrdiff_t>(sent));
            m_files->write(absolute_path(m_shared.states.unsent_path(note.series)), to_bytes(note));
            m_files->end_group();
            m_files->commit();
        }
    }

    // @param keep a series that goes on, if there is one.
    // @returns whether it can.
    bool commit(std::optional<std::size_t> keep) {
        const std::shared_lock lock{m_shared.commits};
        bool is_done = false;
        try {
            m_files->commit();
            for (const saved_series& each : m_saved) {
                m_shared.series[each.series].is_begun = true;
                m_shared.series[each.series].time_nanos = each.time_nanos;
            }
            send_group();
            is_done = !keep || !m_shared.series[*keep].blocked_by;
        } catch (...) {
            fail_group(current_failure());
        }
        if (m_files->is_left()) {
            open_journal();
        }
        m_saved.clear();
        m_bytes = 0;
        m_shared.results.add(std::exchange(m_outcomes, {}));
        for (const std::size_t series : std::exchange(m_taken, {})) {
            if (series == keep) {
                m_taken.push_back(series);
            } else {
                m_shared.states.unlock(items_of(series).name);
                m_shared.order.give_back(series);
            }
        }
        return is_done;
    }

    batch_work m_shared;
    gate m_limits;
    memory_reservation m_room;
    std::size_t m_number;
    unsigned m_journals = 0; // so far
    std::unique_ptr<journal> m_files;
    // The outcomes of the items of the group.
    std::vector<item_outcome> m_outcomes;
    std::vector<std::size_t> m_taken; // series
    std::vector<saved_series> m_saved;
    std::size_t m_bytes = 0; // of deltas
    // The start of what a series has not saved.
    std::size_t m_saved_files = 0;
    std::size_t m_saved_outcomes = 0;
};

} // namespace

void work_side_by_side(const batch_work& work, unsigned workers,
                       const std::function<void()>& look) {
    std::vector<std::future<void>> running; // which are waited for in any case
    try {
        while (running.size() < workers) {
            try {
                running.push_back(std::async(std::launch::async, [&work, number = running.size()] {
                    try {
                        batch_worker{work, number}.run();
                    } catch (...) {
                        work.order.stop();
                        throw;
                    }
                }));
            } catch (const std::system_error& e) {
                if (running.empty()) {
                    throw io_failure("batch", "cannot start a thread", e.code().value());
                }
                break; // the system has no more
            }
        }
        for (const std::future<void>& each : running) {
            constexpr std::chrono::milliseconds pause{50};
            while (each.wait_for(pause) != std::future_status::ready) {
                look();
            }
        }
        for (std::future<void>& each : running) {
            each.get();
        }
    } catch (...) {
        work.order.stop();
        throw;
    }
}

} // namespace pprofdelta::tool
