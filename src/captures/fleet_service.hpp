// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_CAPTURES_FLEET_SERVICE_HPP
#define PPROFDELTA_SRC_CAPTURES_FLEET_SERVICE_HPP

#include <cstddef>
#include <list>
#include <memory>
#include <string_view>
#include <vector>

#include <pprofdelta/fleet.hpp>

#include "captures/fleet_slots.hpp"
#include "profile/index.hpp"
#include "select/location_rows.hpp"
#include "select/stack_rules.hpp"

namespace pprofdelta {

/// What is asked of all services of a fleet.
struct fleet_question {
    /// @throws error invalid_argument as fleet_comparison has it.
    explicit fleet_question(const fleet_options& of);

    fleet_options options;
    stack_rules rules;
    compare_options tests;
};

/// What a service has of one sample type.
struct fleet_rates {
    value_type type;
    bool is_rate = true;
    row_names names{};
    std::vector<slot_values> rows{}; ///< By number of the name.
    slot_values total{};
    slot_values series{};            ///< How many of them cover a slot.
    std::vector<double> durations{}; ///< The usual one of each series, in nanoseconds.
};

/// Adds up the deltas of the series of a service.
class fleet_service {
public:
    /// @param asked outlives this.
    explicit fleet_service(const fleet_question& asked) : m_asked{asked} {}

    /// As fleet_comparison::service has it.
    void next_series();
    void add(std::string_view delta, bool to_base, bool to_head);

    [[nodiscard]] const fleet_counts& counts() const noexcept { return m_counts; }
    /// Of the series that have ended.
    [[nodiscard]] std::list<fleet_rates>& rates() noexcept { return m_rates; }

private:
    // The series whose deltas are added: values times the part of their duration that is in a slot.
    struct open_series {
        fleet_rates* of = nullptr; // nullptr before its first delta
        std::vector<slot_values> rows{};
        slot_values total{};
        slot_values covered{}; // nanoseconds
        std::vector<double> durations{};
    };

    // The place of the sample type in the delta at hand.
    [[nodiscard]] std::size_t type_of_series() const;
    [[nodiscard]] bool is_rate(std::size_t type) const;
    [[nodiscard]] fleet_rates& rates_of(const value_type& type, bool is_rate);

    const fleet_question& m_asked;
    profile_index m_index; // of the delta at hand; its memory is used again
    open_series m_series;
    std::list<fleet_rates> m_rates; // which series point at
    fleet_counts m_counts;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CAPTURES_FLEET_SERVICE_HPP
