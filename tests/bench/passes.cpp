// SPDX-License-Identifier: Apache-2.0
#include "passes.hpp"

#include <algorithm>
#include <cstdint>

#include <delta/passes.hpp>
#include <delta/series.hpp>
#include <delta/value_table.hpp>
#include <profile/index.hpp>
#include <profile/writer.hpp>

namespace pprofdelta::test {

namespace {

class pass_timer {
public:
    explicit pass_timer(std::string& delta) : m_delta{delta} {}

    void round(std::string_view previous, std::string_view current) {
        prepare(previous);
        m_next = 0;
        m_watch.lap();
        read(current);
        m_table.compare(m_changes);
        const bool subtract = m_changes.find_reset(process_relation::same) == reset_reason::none;
        done("2 look for a reset");
        write(subtract);
        m_table.commit();
        done("  commit");
    }

    std::vector<timed_pass> passes;

private:
    // The work before has `name`.
    void done(const char* name) {
        const double seconds = m_watch.lap();
        if (m_next == passes.size()) {
            passes.push_back({name, {}});
        }
        passes[m_next++].taken.add(seconds);
        m_watch.lap();
    }

    void prepare(std::string_view previous) {
        m_index.build(previous, match_mode::exact);
        if (m_plan.is_cumulative.empty()) {
            m_plan = plan_subtraction(m_index.types, {});
            m_table.configure(m_plan.is_cumulative.size(), m_plan.cumulative);
            m_values.resize(m_plan.is_cumulative.size());
        }
        m_table.clear();
        m_table.begin();
        m_samples.run(m_index, m_table, 1);
        m_table.commit();
        m_previous_time = m_index.view.time_nanos;
    }

    // As profile_index::build(), and pass 2.
    void read(std::string_view current) {
        m_table.begin();
        m_index.view.parse(current);
        done("1 find records");
        m_index.strings.build(m_index.view);
        done("1 index strings");
        m_index.types.read(m_index.view, m_index.strings);
        m_index.mappings.build(m_index.view, m_index.strings);
        done("1 index types and mappings");
        m_index.functions.build(m_index.view, m_index.strings);
        done("1 index functions");
        m_index.locations.build(m_index.view, m_index.strings, m_index.mappings, m_index.functions,
                                match_mode::exact);
        done("1 index locations");
        m_samples.run(m_index, m_table, 1);
        done("2 aggregate samples");
    }

    void write(bool subtract) {
        m_writer.start(m_index, nullptr, m_delta);
        m_samples.for_each([&](record sample, std::uint32_t entry) {
            if (take_values(entry, subtract)) {
                m_writer.write_sample(side::current, sample, m_values);
            }
        });
        done("3 write samples");
        write_locations_and_mappings(m_writer);
        done("4 write locations");
        write_functions(m_writer);
        done("5 write functions");
        write_headers_and_strings(m_writer,
                                  duration_between(m_previous_time, m_index.view.time_nanos,
                                                   m_index.view.duration_nanos));
        done("6 write headers and strings");
    }

    // Whether the sample is to be written, with m_values.
    bool take_values(std::uint32_t entry, bool subtract) {
        return m_table.difference(entry, subtract, m_values.data()).is_nonzero;
    }

    std::string& m_delta;
    stopwatch m_watch;
    std::size_t m_next = 0; // the pass that is next done()

    profile_index m_index;
    subtraction_plan m_plan;
    value_table m_table;
    counter_changes m_changes;
    aggregation m_samples;
    profile_writer m_writer;
    std::vector<std::int64_t> m_values;
    std::int64_t m_previous_time = 0;
};

} // namespace

std::vector<timed_pass> time_passes(std::string_view previous, std::string_view current,
                                    std::size_t rounds, std::string& delta) {
    pass_timer timer{delta};
    // What is allocated is so in the first round.
    timer.round(previous, current);
    timer.passes.clear();
    for (std::size_t i = 0; i < rounds; ++i) {
        timer.round(previous, current);
    }
    return timer.passes;
}

} // namespace pprofdelta::test
