// SPDX-License-Identifier: Apache-2.0
#include "batch/work/worker.hpp"

#include <cerrno>
#include <chrono>
#include <new>

#include <unistd.h>

#include "files/file.hpp"

#include "batch/states/recovery.hpp"

namespace pprofdelta::tool {

namespace {

// How much the deltas of a group may take.
constexpr std::size_t most_bytes = std::size_t{32} << 20U;

// What an item says that was not tried. Another run does it, unless its series cannot go on at all.
std::string left_text(const failure& reason) {
    return (reason.status() == exit_status::io ? "left for another run: " : "") +
           std::string{reason.what()};
}

} // namespace

batch_worker::batch_worker(const batch_work& shared, unsigned number)
    : m_shared{shared}, m_limits{shared.plan.limits, {}}, m_room{shared.memory}, m_number{number} {
    open_journal();
}

void batch_worker::open_journal() {
    m_files =
        std::make_unique<journal>(m_shared.states.journals() + "/" + m_shared.plan.run + "-" +
                                      std::to_string(m_number) + "-" + std::to_string(++m_journals),
                                  m_shared.plan.flush != flush_rule::none);
}

void batch_worker::run() {
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

bool batch_worker::is_full() const noexcept {
    return m_outcomes.size() >= m_shared.plan.group || m_bytes >= most_bytes ||
           (m_shared.plan.flush == flush_rule::item && m_files->size() != 0);
}

void batch_worker::work_on(std::size_t series) {
    m_taken.push_back(series);
    series_standing& standing = m_shared.series[series];
    if (standing.obstacle) {
        leave(series, *standing.obstacle);
        return;
    }
    const std::string_view name = m_shared.items.series()[series].name;
    const batch_plan& plan = m_shared.plan;
    try {
        m_shared.states.lock(name);
        const std::string record = m_shared.states.record_path(name);
        recover_before(absolute_path(record), m_shared.states.journals(), plan.run,
                       [this](const std::string& text) { m_shared.results.warn(text); });
        send_left(series);
        if (m_shared.items.series()[series].inputs.empty()) {
            return;
        }
        series_work work{plan,  name, record, m_shared.states.unsent_path(name), standing.is_begun,
                         m_room};
        work_on_items(series, work);
        const std::shared_lock lock{m_shared.commits};
        standing.time_nanos = work.time_nanos();
    } catch (const failure& e) {
        leave(series, e);
    } catch (const std::bad_alloc&) {
        leave(series, {exit_status::io, "out of memory"});
    }
}

item_outcome batch_worker::outcome_of(std::size_t series, std::string_view input) const {
    item_outcome outcome;
    outcome.series = m_shared.items.series()[series].name;
    outcome.input = input;
    outcome.labels = m_shared.items.labels(series);
    return outcome;
}

void batch_worker::work_on_items(std::size_t series, series_work& work) {
    const batch_plan& plan = m_shared.plan;
    std::vector<std::string_view> ordered;
    if (plan.in_order_of_time) {
        ordered = in_order_of_time(m_shared.items.series()[series].inputs, plan.input, m_room);
    }
    const auto& inputs = plan.in_order_of_time ? ordered : m_shared.items.series()[series].inputs;
    const std::size_t done = m_shared.series[series].is_begun ? 0 : work.done_of(inputs);
    m_unsaved = {m_files->size(), m_outcomes.size()};
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
                    leave(series, m_shared.series[series].obstacle.value());
                    return;
                }
                m_unsaved = {m_files->size(), m_outcomes.size()};
            }
        }
        save(series, work);
    } catch (const failure& e) {
        take_back(e);
        throw;
    } catch (const std::bad_alloc&) {
        take_back({exit_status::io, "out of memory"});
        throw;
    }
}

// Adds what became of an item.
void batch_worker::add(std::size_t series, series_work& work, item_outcome outcome,
                       schedule::item next) {
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
        outcome.fail(to_item_status(e.status()), e.what());
        m_outcomes.push_back(std::move(outcome));
        if (work.is_sound()) {
            save(series, work); // what was done before
        }
        throw;
    }
    outcome.milliseconds = std::chrono::duration<double, std::milli>(clock::now() - start).count();
    m_bytes += outcome.bytes_out_on_disk;
    m_outcomes.push_back(std::move(outcome));
}

void batch_worker::save(std::size_t series, series_work& work) {
    if (work.save(*m_files)) {
        m_saved.push_back({series, work.time_nanos(), work.take_note()});
    }
    m_unsaved = {m_files->size(), m_outcomes.size()};
}

// Forgets deltas that the file of their series does not know of.
void batch_worker::take_back(const failure& reason) {
    m_files->drop_after(m_unsaved.files);
    for (std::size_t i = m_unsaved.outcomes; i < m_outcomes.size(); ++i) {
        if (!m_outcomes[i].output.empty()) {
            m_outcomes[i].fail(to_item_status(reason.status()), left_text(reason));
        }
    }
}

// Leaves the items of a series that are there to another run.
void batch_worker::leave(std::size_t series, const failure& reason) {
    m_shared.series[series].obstacle = reason;
    while (const auto next = m_shared.order.next(series)) {
        if (next->result) {
            m_shared.use_up_fetched(next->result->room);
        }
        item_outcome outcome =
            outcome_of(series, m_shared.items.series()[series].inputs[next->place]);
        outcome.fail(to_item_status(reason.status()), left_text(reason));
        m_outcomes.push_back(std::move(outcome));
    }
}

// What the group has is not in place, or not for sure.
void batch_worker::fail_group(const failure& reason) {
    for (const std::size_t series : m_taken) {
        m_shared.series[series].obstacle = reason;
    }
    for (item_outcome& each : m_outcomes) {
        if (!each.output.empty() && each.status != item_status::sent) {
            each.fail(to_item_status(reason.status()), left_text(reason));
        }
    }
}

// What the files of the group say is done and durable now, and goes to the command. A series that
// it does not take goes no further in this run.
void batch_worker::send_group() {
    for (const saved_series& each : m_saved) {
        if (!each.note.deltas.empty()) {
            try {
                send(each.note);
            } catch (const failure& e) {
                m_shared.series[each.series].obstacle = e;
            }
        }
    }
}

// What an earlier run has noted of a series that is locked by now, before anything new is done.
// Without a command it stays noted.
void batch_worker::send_left(std::size_t series) {
    const std::string_view name = m_shared.items.series()[series].name;
    const std::string path = m_shared.states.unsent_path(name);
    if (m_shared.plan.exec.command.is_empty() || !regular_file_exists(path)) {
        return;
    }
    // What others have done in this group must not wait for that, or fail with it.
    if (m_files->size() != 0 && !commit(series)) {
        throw failure{m_shared.series[series].obstacle.value()};
    }
    unsent_note note = parse_unsent(read_file(path, max_profile_size), path);
    if (note.series != name) {
        throw failure{exit_status::malformed, path + ": it is of another series, " + note.series};
    }
    std::erase_if(note.deltas, [this](const unsent_delta& each) {
        const bool is_gone = !regular_file_exists(each.path);
        if (is_gone) {
            m_shared.results.warn(each.path + ": it was removed before --exec took it");
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
// @throws failure io if the command did not take one. Then that, and those after it, stay noted.
void batch_worker::send(const unsent_note& note) {
    for (std::size_t i = 0; i < note.deltas.size(); ++i) {
        delivery made{.id = note.deltas[i].id};
        try {
            made = deliver(m_shared.plan.exec, note, note.deltas[i]);
        } catch (const failure& e) {
            made.fault = e.what();
        }
        const std::string fault = made.fault;
        tell(note, note.deltas[i], std::move(made));
        if (!fault.empty()) {
            for (std::size_t later = i + 1; later < note.deltas.size(); ++later) {
                tell(note, note.deltas[later],
                     {.id = note.deltas[later].id, .fault = "the delta before it was not taken"});
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
void batch_worker::tell(const unsent_note& note, const unsent_delta& delta, delivery made) {
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

// So that what was taken is not sent again.
void batch_worker::keep_note(unsent_note note, std::size_t sent) {
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
bool batch_worker::commit(std::optional<std::size_t> keep) {
    const std::shared_lock lock{m_shared.commits};
    bool is_done = false;
    try {
        m_files->commit();
        for (const saved_series& each : m_saved) {
            m_shared.series[each.series].is_begun = true;
            m_shared.series[each.series].time_nanos = each.time_nanos;
        }
        send_group();
        is_done = !keep || !m_shared.series[*keep].obstacle;
    } catch (const failure& e) {
        fail_group(e);
    } catch (const std::bad_alloc&) {
        fail_group({exit_status::io, "out of memory"});
    }
    if (m_files->is_left()) {
        open_journal();
    }
    report();
    for (const std::size_t series : std::exchange(m_taken, {})) {
        if (series == keep) {
            m_taken.push_back(series);
        } else {
            m_shared.states.unlock(m_shared.items.series()[series].name);
            m_shared.order.give_back(series);
        }
    }
    return is_done;
}

void batch_worker::report() {
    m_saved.clear();
    m_bytes = 0;
    m_shared.results.add(std::exchange(m_outcomes, {}));
}

} // namespace pprofdelta::tool
