// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/fleet.hpp>

#include <algorithm>
#include <iterator>
#include <list>
#include <mutex>
#include <utility>

#include <pprofdelta/statistics.hpp>

#include "captures/fleet_service.hpp"
#include "captures/fleet_slots.hpp"
#include "captures/fleet_test.hpp"

namespace pprofdelta {

namespace {

// A service that has ended, of one sample type.
struct ended_service {
    std::string name;
    slot_values rates;
    double usual_duration; // of its deltas, in nanoseconds
    bool was_before;
    bool is_now;
    std::vector<fleet_row> rows; // the first ones
    std::size_t all_rows;
};

// What all services have of one sample type.
struct fleet_sums {
    value_type type;
    bool is_rate;
    slot_values total{};
    slot_values series{};
    std::vector<double> durations{};
    std::vector<ended_service> services{};
    row_names names{}; // of a fleet that is one
    std::vector<slot_values> rows{};
};

void add_all(slot_values& to, const slot_values& more) {
    for (std::size_t i = 0; i < more.size(); ++i) {
        to[i] += more[i];
    }
}

bool has_any(const slot_values& series, compare_side side) {
    const auto* const begin = series.begin() + first_slot(side);
    return std::any_of(begin, begin + slots_of_side, [](double count) { return count > 0; });
}

std::vector<fleet_row*> pointers_to(std::vector<fleet_row>& rows) {
    std::vector<fleet_row*> all;
    for (fleet_row& row : rows) {
        if (row.was == fleet_row::state::tested && row.test.is != verdict::too_few) {
            all.push_back(&row);
        }
    }
    return all;
}

ended_service end(const fleet_question& asked, std::string name, const fleet_rates& rates) {
    ended_service ended{.name = std::move(name),
                        .rates = rates.total,
                        .usual_duration = median(rates.durations),
                        .was_before = has_any(rates.series, compare_side::base),
                        .is_now = has_any(rates.series, compare_side::head),
                        .rows = {},
                        .all_rows = 0};
    if (!asked.options.is_one) {
        const slot_plan plan{asked.options, rates.series, ended.usual_duration};
        std::size_t left_out = 0;
        ended.rows = make_fleet_rows(rates.names, rates.rows, make_fleet_row({}, rates.total, plan),
                                     plan, asked.options.min_share, left_out);
        test_fleet_rows(pointers_to(ended.rows), family_kind::rows, asked.tests, plan);
        sort_fleet_rows(ended.rows);
        ended.all_rows = ended.rows.size() + left_out;
        ended.rows.resize(std::min(ended.rows.size(), asked.options.most_rows));
        ended.rows.shrink_to_fit();
        for (fleet_row& row : ended.rows) {
            row.test.base.values.clear();
            row.test.base.values.shrink_to_fit();
            row.test.head.values.clear();
            row.test.head.values.shrink_to_fit();
        }
    }
    return ended;
}

fleet_row row_of(const ended_service& service, const slot_plan& plan) {
    fleet_row row = make_fleet_row(service.name, service.rates, plan);
    row.rows = service.rows;
    row.all_rows = service.all_rows;
    const bool can_tell =
        plan.count(compare_side::base) != 0 && plan.count(compare_side::head) != 0;
    if (!can_tell || (service.was_before && service.is_now)) {
        // Slots that are parts of one delta are no news of each other.
        row.test.is = plan.fits(service.usual_duration) ? verdict::unsure : verdict::too_few;
    } else {
        row.was = service.is_now ? fleet_row::state::appeared : fleet_row::state::gone;
    }
    return row;
}

} // namespace

class fleet_comparison::impl {
public:
    explicit impl(const fleet_options& options) : m_asked{options} {}

    [[nodiscard]] const fleet_question& asked() const noexcept { return m_asked; }

    void add(const std::string& name, fleet_service& ended) {
        ended.next_series();
        for (const fleet_rates& rates : ended.rates()) {
            if (rates.durations.empty()) {
                continue; // its only deltas were refused
            }
            ended_service service = end(m_asked, name, rates);
            const std::lock_guard lock{m_mutex};
            fleet_sums& sums = sums_of(rates.type, rates.is_rate);
            add_all(sums.total, rates.total);
            add_all(sums.series, rates.series);
            sums.durations.push_back(service.usual_duration);
            if (m_asked.options.is_one) {
                add_rows(sums, rates);
            } else {
                sums.services.push_back(std::move(service));
            }
        }
        const std::lock_guard lock{m_mutex};
        const fleet_counts& more = ended.counts();
        m_counts.before += more.before;
        m_counts.now += more.now;
        m_counts.elsewhere += more.elsewhere;
        m_counts.of_other_types += more.of_other_types;
        m_counts.without_duration += more.without_duration;
        m_counts.latest_nanos = std::max(m_counts.latest_nanos, more.latest_nanos);
    }

    [[nodiscard]] const fleet_counts& counts() const noexcept { return m_counts; }

    [[nodiscard]] std::vector<fleet_table> tables() const {
        std::vector<const fleet_sums*> in_order;
        in_order.reserve(m_sums.size());
        for (const fleet_sums& each : m_sums) {
            in_order.push_back(&each);
        }
        std::sort(in_order.begin(), in_order.end(), [](const auto* a, const auto* b) {
            return a->durations.size() != b->durations.size()
                       ? a->durations.size() > b->durations.size()
                       : std::pair{to_string(a->type), a->is_rate} <
                             std::pair{to_string(b->type), b->is_rate};
        });
        std::vector<fleet_table> all;
        std::transform(in_order.begin(), in_order.end(), std::back_inserter(all),
                       [&](const fleet_sums* each) { return table_of(*each); });
        return all;
    }

private:
    fleet_sums& sums_of(const value_type& type, bool is_rate) {
        const auto found = std::find_if(m_sums.begin(), m_sums.end(), [&](const fleet_sums& each) {
            return each.type == type && each.is_rate == is_rate;
        });
        if (found != m_sums.end()) {
            return *found;
        }
        m_sums.push_back({.type = type, .is_rate = is_rate});
        return m_sums.back();
    }

    static void add_rows(fleet_sums& to, const fleet_rates& rates) {
        for (std::uint32_t i = 0; i < rates.rows.size(); ++i) {
            const std::uint32_t row = to.names.number(rates.names.name(i));
            to.rows.resize(std::max<std::size_t>(to.rows.size(), row + std::size_t{1}));
            add_all(to.rows[row], rates.rows[i]);
        }
    }

    [[nodiscard]] fleet_table table_of(const fleet_sums& sums) const {
        const fleet_options& options = m_asked.options;
        const slot_plan plan{options, sums.series, median(sums.durations)};
        fleet_table table{.type = sums.type,
                          .is_rate = sums.is_rate,
                          .slots_before = plan.count(compare_side::base),
                          .slots_now = plan.count(compare_side::head),
                          .total = make_fleet_row({}, sums.total, plan),
                          .rows = {}};
        test_fleet_rows({&table.total}, family_kind::mixed, m_asked.tests, plan);
        if (options.is_one) {
            table.rows = make_fleet_rows(sums.names, sums.rows, table.total, plan,
                                         options.min_share, table.left_out);
        }
        for (const ended_service& each : sums.services) {
            table.rows.push_back(row_of(each, plan));
        }
        const family_test::family found = test_fleet_rows(
            pointers_to(table.rows), options.is_one ? family_kind::judged_rows : family_kind::mixed,
            m_asked.tests, plan);
        table.questions = found.questions;
        table.too_few = found.too_few;
        sort_fleet_rows(table.rows);
        return table;
    }

    fleet_question m_asked;
    std::mutex m_mutex;
    std::list<fleet_sums> m_sums;
    fleet_counts m_counts;
};

class fleet_comparison::service::impl : public fleet_service {
public:
    using fleet_service::fleet_service;
};

fleet_comparison::service::service(const fleet_comparison& of)
    : m_impl{std::make_unique<impl>(of.m_impl->asked())} {}
fleet_comparison::service::~service() = default;

void fleet_comparison::service::next_series() { m_impl->next_series(); }

void fleet_comparison::service::add(std::string_view delta, bool to_base, bool to_head) {
    m_impl->add(delta, to_base, to_head);
}

fleet_comparison::fleet_comparison(const fleet_options& options)
    : m_impl{std::make_unique<impl>(options)} {}
fleet_comparison::~fleet_comparison() = default;

void fleet_comparison::add(const std::string& name, service& ended) {
    m_impl->add(name, *ended.m_impl);
}

fleet_counts fleet_comparison::counts() const { return m_impl->counts(); }

std::vector<fleet_table> fleet_comparison::tables() const { return m_impl->tables(); }

} // namespace pprofdelta
