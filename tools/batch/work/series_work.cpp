// SPDX-License-Identifier: Apache-2.0
#include "batch/work/series_work.hpp"

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>

#include <sys/stat.h>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/error.hpp>
#include <pprofdelta/info.hpp>
#include <pprofdelta/merge.hpp>
#include <pprofdelta/report_json.hpp>

#include "base/clock.hpp"
#include "base/value_text.hpp"
#include "batch/plan/items.hpp"
#include "batch/work/stop_signals.hpp"
#include "files/content_hash.hpp"
#include "files/file.hpp"

namespace pprofdelta::tool {

namespace {

// Nanoseconds since 1970.
std::int64_t time_of_file(const std::string& path) {
    constexpr std::int64_t nanos = 1'000'000'000;
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0) {
        throw io_failure(path, "cannot be looked at");
    }
    return std::int64_t{status.st_mtim.tv_sec} * nanos + status.st_mtim.tv_nsec;
}

// Why there is nothing to read, however well the machine does; empty if there may be.
std::string fault_of_path(const std::string& path) {
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0) {
        return errno == ENOENT || errno == ENOTDIR ? "there is no such file" : "";
    }
    return S_ISDIR(status.st_mode) ? "it is a folder" : "";
}

// What it takes to work on a profile, or a state, of so many bytes: what was there before, what it
// becomes and what is written of it.
std::size_t room_to_work(std::size_t size) {
    constexpr std::size_t for_each = 5;
    return size * for_each;
}

// Waits for all the room there is if `raw` turns out to be an archive that holds much.
profile_file uncompressed(raw_file raw, const reading& how, memory_room& room) {
    const std::size_t likely = room_to_read(raw.bytes.size());
    room.need(likely);
    if (likely >= how.max_size) {
        return {std::move(raw), how};
    }
    return {std::move(raw), {likely, how.counted}, [&room, &how] {
                room.need_all();
                return how.max_size;
            }};
}

profile_info info_of(const profile_file& profile) {
    return about(profile, [&] { return read_profile_info(profile.bytes()); });
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
        if (std::none_of(info.types.begin(), info.types.end(),
                         [&](const type_treatment& each) { return pattern.matches(each.type); })) {
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
    if (!trim.are_empty()) {
        profile_sum kept{{.match = plan.delta.match, .trim = std::move(trim)}};
        kept.add(delta);
        summary.samples_kept = kept.write(delta).samples_out;
    }
}

} // namespace

series_work::series_work(const batch_plan& plan, std::string_view series, std::string record_path,
                         std::string unsent_path, bool is_begun, memory_room& room)
    : m_plan{plan}, m_room{room}, m_record_path{std::move(record_path)}, m_unsent_path{std::move(
                                                                             unsent_path)} {
    m_record.series = series;
    if ((plan.from_scratch && !is_begun) || !regular_file_exists(m_record_path)) {
        return;
    }
    m_room.need(room_to_work(regular_file_size(m_record_path)));
    const std::string bytes = read_file(m_record_path, 2 * max_profile_size);
    m_record = parse_record(bytes, m_record_path);
    if (m_record.series != series) {
        throw failure{exit_status::malformed,
                      m_record_path + ": it is of another series, " + m_record.series};
    }
    m_computer.emplace(plan.delta);
    about(m_record_path, [&] { m_computer->load(m_record.state); });
    std::string{}.swap(m_record.state);
    m_has_record = true;
}

// The last input of a run stands for all before it: those that are not done have an interval that
// a later delta covers. A URL has another profile each time, and so has a pipe.
std::size_t series_work::done_of(const std::vector<std::string_view>& inputs) const {
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

void series_work::add(item_outcome& outcome, std::optional<fetched> result, gate& limits,
                      journal& files) {
    if (result) {
        if (!result->error.empty()) {
            const std::string error = std::string{outcome.input} + ": " + result->error;
            if (result->may_come_back) {
                throw failure{exit_status::io, error};
            }
            outcome.fail(item_status::io, error);
            return;
        }
        make_delta(outcome, raw_file{std::string{outcome.input}, std::move(result->body)},
                   {m_plan.max_fetched_size, m_plan.input.counted}, nanos_now(), limits, files);
        return;
    }
    const std::string path = path_of_input(outcome.input);
    if (const std::string fault = fault_of_path(path); !fault.empty()) {
        outcome.fail(item_status::io, path + ": " + fault);
        return;
    }
    try {
        const auto may_wait = [] { return !stop_signals::is_stopping(); };
        m_room.need(room_to_read(regular_file_size(path)));
        make_delta(outcome, raw_file{path, m_plan.input.max_size, may_wait}, m_plan.input,
                   time_of_file(path), limits, files);
    } catch (const failure& e) {
        if (e.status() != exit_status::malformed) {
            throw;
        }
        outcome.fail(item_status::malformed, e.what()); // the file is too large
    }
}

void series_work::make_delta(item_outcome& outcome, raw_file raw, const reading& how,
                             std::int64_t time_of_input, gate& limits, journal& files) {
    outcome.bytes_in_on_disk = raw.bytes.size();
    const std::uint64_t hash = content_hash(raw.bytes);
    if (m_has_record && hash == m_record.input_hash) {
        outcome.skip("it is the profile that was done last");
        return;
    }
    std::string delta;
    std::string type;
    try {
        const profile_file profile = uncompressed(std::move(raw), how, m_room);
        outcome.bytes_in = profile.bytes().size();
        m_room.need(room_to_work(outcome.bytes_in));
        const profile_info info = info_of(profile);
        if (m_has_record && info.time_nanos != 0 && info.time_nanos <= m_record.time_nanos) {
            outcome.skip("it is not later than the profile that was done last");
            return;
        }
        if (!info.types.empty()) {
            type = info.types.back().type.type;
        }
        about(profile, [&] { require_kept_types(m_plan.trim, info); });
        if (!m_computer) {
            m_computer.emplace(m_plan.delta);
        }
        about(profile, [&] {
            outcome.summary = m_computer->compute(profile.bytes(), delta, profile.source());
        });
        m_is_sound = false;
        judge(outcome, profile, delta, limits);
    } catch (const failure& e) {
        outcome.fail(to_item_status(e.status()), e.what());
        return;
    }
    about("the delta of " + std::string{outcome.input},
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
        throw failure{exit_status::io, outcome.output + ": there is a file already, which is not "
                                                        "replaced; see --from-scratch"};
    }
    if (const std::string fault =
            m_plan.paths->fault_of_late({"-o", outcome.output, made_kind::profile});
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

// Says what is in a delta, as far as anybody wants to know. That a total would not fit is no reason
// to do without the delta.
void series_work::sum_up(item_outcome& outcome, const std::string& delta) const {
    if (!m_plan.wants_totals && !m_plan.wants_rates) {
        return;
    }
    const auto& kept = m_plan.trim.keep_types;
    const auto is_kept = [&kept](const value_type& type) {
        return kept.empty() || std::any_of(kept.begin(), kept.end(),
                                           [&](const auto& each) { return each.matches(type); });
    };
    std::vector<type_treatment> types = m_computer->types();
    try {
        const std::vector<std::int64_t> totals = m_computer->totals();
        for (std::size_t i = 0; m_plan.wants_totals && i < totals.size(); ++i) {
            if (is_kept(types[i].type)) {
                outcome.totals.push_back({types[i].type, types[i].cumulative, totals[i]});
            }
        }
    } catch (const error&) {
        outcome.totals.clear();
    }
    if (m_plan.wants_rates) {
        constexpr double a_second = 1e9;
        std::erase_if(types, [&](const type_treatment& each) { return !is_kept(each.type); });
        outcome.rates =
            rates_of(delta, types, static_cast<double>(outcome.summary.duration_nanos) / a_second);
    }
}

// The delta is made all the same if limits do not fit it: nobody else has its interval.
void series_work::judge(item_outcome& outcome, const profile_file& profile,
                        const std::string& delta, gate& limits) const {
    if (!limits.is_on()) {
        return;
    }
    try {
        limits.judge({.delta = delta,
                      .current = profile.bytes(),
                      .previous = {},
                      .types = m_computer->types(),
                      .summary = outcome.summary},
                     "", profile.name());
    } catch (const failure& e) {
        outcome.fail(to_item_status(e.status()), e.what());
        return;
    }
    std::string objects;
    for (const judgement& each : limits.judgements()) {
        objects += (objects.empty() ? "" : ",") + limit_as_json(each);
        if (each.crossed) {
            outcome.status = item_status::limit_crossed;
            outcome.crossed += (outcome.crossed.empty() ? "" : "; ") + describe(each, {});
        }
    }
    outcome.limits = "[" + objects + "]";
}

void series_work::note_unsent(item_outcome& outcome, const std::string& path, std::string id,
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

bool series_work::save(journal& files) {
    if (!m_is_changed) {
        return false;
    }
    m_record.state = m_computer->save();
    files.write(absolute_path(m_record_path), to_bytes(m_record));
    if (!m_note.deltas.empty()) {
        files.write(absolute_path(m_unsent_path), to_bytes(m_note));
        m_saved_note = std::exchange(m_note, {});
    }
    files.end_group();
    std::string{}.swap(m_record.state);
    m_is_changed = false;
    return true;
}

std::vector<std::string_view> in_order_of_time(const std::vector<std::string_view>& inputs,
                                               const reading& how, memory_room& room) {
    std::vector<std::pair<std::int64_t, std::string_view>> timed;
    for (const std::string_view input : inputs) {
        const std::string path = path_of_input(input);
        std::int64_t time = 0;
        try {
            room.need(room_to_read(regular_file_size(path)));
            time = info_of(uncompressed(raw_file{path, how.max_size}, how, room)).time_nanos;
        } catch (const failure& e) {
            // What is no profile is so at any place, and says so when its turn comes.
            if (e.status() == exit_status::io && fault_of_path(path).empty()) {
                throw;
            }
        }
        if (time == 0 && fault_of_path(path).empty()) {
            time = time_of_file(path);
        }
        timed.emplace_back(time, input);
    }
    std::stable_sort(timed.begin(), timed.end(),
                     [](const auto& one, const auto& other) { return one.first < other.first; });
    std::vector<std::string_view> ordered;
    ordered.reserve(timed.size());
    for (const auto& [time, input] : timed) {
        ordered.push_back(input);
    }
    return ordered;
}

} // namespace pprofdelta::tool
