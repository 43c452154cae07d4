// SPDX-License-Identifier: Apache-2.0
#include "batch/work/worker.hpp"

#include <chrono>
#include <new>

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
        series_work work{plan, name, record, standing.is_begun, m_room};
        work_on_items(series, work);
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
        ordered = in_order_of_time(m_shared.items.series()[series].inputs, plan.max_size, m_room);
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
        m_saved.emplace_back(series, work.time_nanos());
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
        if (!each.output.empty()) {
            each.fail(to_item_status(reason.status()), left_text(reason));
        }
    }
}

// @param keep a series that goes on, if there is one.
// @returns whether it can.
bool batch_worker::commit(std::optional<std::size_t> keep) {
    bool is_done = false;
    try {
        m_files->commit();
        for (const auto& [series, time] : m_saved) {
            m_shared.series[series].is_begun = true;
            m_shared.series[series].time_nanos = time;
        }
        is_done = true;
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
