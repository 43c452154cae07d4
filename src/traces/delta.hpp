// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_TRACES_DELTA_HPP
#define PPROFDELTA_SRC_TRACES_DELTA_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/traces.hpp>

#include "delta/value_table.hpp"
#include "profile/index.hpp"
#include "traces/mappings.hpp"
#include "traces/records.hpp"
#include "traces/stacks.hpp"

namespace pprofdelta {

/// The delta of rounds of traces, whatever they measure; memory_delta says what that means. Not
/// safe for use by several threads.
class trace_delta {
public:
    /// @param types what the values of a trace are; which of them are cumulative follows from their
    ///              names, as in profiles.
    trace_delta(profile_types types, const trace_delta_options& options);

    /// Adds a batch to the round. After a throw it is as before.
    /// @throws std::bad_alloc
    void add(trace_batch& batch, const trace_meta& meta);

    /// Ends the round. @throws error reset, too_large, std::bad_alloc
    delta_summary write(std::string& delta);

private:
    // What is known of an entry of the table but its values.
    struct entry {
        stack_store::stack stack;
        std::uint32_t labels;
        bool is_written; // in the last delta, so that its locations are in use
    };
    // What is known of a round but its traces.
    struct round {
        std::size_t traces = 0;
        std::int64_t time_nanos = 0;
        std::int64_t period = 0;
    };

    static constexpr std::size_t entries_per_block = 64;

    [[nodiscard]] std::size_t value_count() const noexcept { return m_types.sample_types.size(); }
    [[nodiscard]] bool take_values(std::size_t number, std::int64_t* values) const noexcept;
    void add_entries(trace_batch& batch);
    void write_samples();
    void write_locations();
    void find_mappings();
    bool place_locations(); // false if a new one lies in no mapping
    void set_written(entry& e, bool is_written) noexcept;
    void begin_round() noexcept;
    void advance() noexcept;
    void forget_round() noexcept;
    void forget_vanished() noexcept;
    void pack();

    profile_types m_types;
    trace_delta_options m_options;

    // What is known of the rounds before, and of all traces.
    value_table m_table;
    counter_changes m_changes;    // for its memory
    std::vector<entry> m_entries; // for each of the table's
    stack_store m_stacks;
    label_sets m_labels;
    bool m_has_previous = false;
    std::int64_t m_previous_time = 0;

    mapping_list m_mappings;
    bool m_own_mappings = true; // they are read here, as none were given
    mapping_list m_placed_in;   // what the next two are of
    mapping_search m_search;
    std::vector<std::uint32_t> m_places; // of locations' mappings, as far as they were looked up

    round m_round;
    delta_summary m_summary;
    trace_records m_writer;
    std::vector<std::int64_t> m_values; // of a block of entries
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_TRACES_DELTA_HPP
