// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <list>
#include <map>
#include <mutex>
#include <numeric>
#include <span>
#include <utility>

#include <pprofdelta/error.hpp>
#include <pprofdelta/fleet.hpp>
#include <pprofdelta/statistics.hpp>

#include "captures/fleet_service.hpp"
#include "statistics/order.hpp"
#include "statistics/serial_test.hpp"
#include "verdicts/family_test.hpp"

namespace pprofdelta {

namespace {

// Ranks of slots take these for independent. A change is no news either if it may be a run of slots
// that resemble each other, as under a load that rises and falls.
// @param p comes from a test that knows that slots resemble each other.
void require_no_run(compared_row& row, double p, double corrected_p, double alpha) {
    row.detectable.reset(); // which ranks alone would find
    row.p = std::max(row.p, p);
    row.corrected_p = std::max(row.corrected_p, corrected_p);
    if (row.is_significant() && row.corrected_p > alpha) {
        row.verdict = verdict::unsure;
    }
}

// Ranks tell whether there is a change, and means how large it is, as they add up. Neither is news
// if the two differ in direction, as they do for rare events.
void require_change_of_mean(fleet_row& row, double min_change) {
    const bool is_up = row.test.verdict == verdict::grew;
    if (!row.is_significant()) {
        return;
    }
    if (row.change() == 0 || (row.change() > 0) != is_up) {
        row.test.verdict = verdict::unsure;
    } else if (std::fabs(row.change()) < min_change * std::fabs(row.before)) {
        row.test.verdict = verdict::same;
    }
}

// A wait counts when it ends, so a part of these is of another time.
void require_no_older_waits(fleet_row& row) {
    if (row.has_older_waits && row.is_significant()) {
        row.test.verdict = verdict::unsure;
    }
}

// A row that may well have changed is looked at before one that is only large.
int rank_of(const fleet_row& row) {
    return row.is_significant()                       ? 0
           : row.presence != fleet_row::state::tested ? 2
           : row.is_suspect()                         ? 1
                                                      : 3;
}

// The excess of the variation of values as a whole over that from one to the next: much where there
// is a step or a slope, and nothing on average where there is but noise.
double course_of(const std::vector<double>& values, double mean) {
    constexpr std::size_t few = 4; // to tell these apart
    if (values.size() < few) {
        const auto [least, most] = std::ranges::minmax_element(values);
        return values.empty() ? 0 : *most - *least;
    }
    double excess = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double step = i == 0 ? 0 : values[i] - values[i - 1];
        excess += (values[i] - mean) * (values[i] - mean) - step * step / 2;
    }
    return excess;
}

double news_of(const fleet_row& row) {
    if (!row.periods.empty()) {
        return course_of(row.test.head.values, row.now);
    }
    const int rank = rank_of(row);
    return rank == 1                                           ? -row.test.corrected_p
           : rank == 3 && row.test.verdict != verdict::too_few ? std::fabs(row.now)
                                                               : std::fabs(row.change());
}

// A row that is not tested yet; the values of periods are those of the head.
fleet_row make_fleet_row(std::string name, const slot_values& rates, const slot_plan& plan,
                         const fleet_options& options) {
    fleet_row row;
    row.name = std::move(name);
    std::vector<double>& values = row.test.head.values;
    if (options.period_nanos == 0) {
        row.test.base.values = plan.values(base, rates);
        values = plan.values(head, rates);
    } else {
        row.periods.resize(windows_of(rates));
        row.test.verdict = verdict::too_few;
    }
    for (std::size_t window = 0; window < row.periods.size(); ++window) {
        if (plan.count(window) != 0) {
            row.periods[window].value = values.emplace_back(mean_of(plan.values(window, rates)));
        }
    }
    row.before = row.test.base.values.empty() ? 0 : mean_of(row.test.base.values);
    row.now = values.empty() ? 0 : mean_of(values);
    return row;
}

// Those that have something, and have a part of the total that is large enough.
// @param count is the number of names.
// @param rates_of_row returns all slots of the row with the number of a name.
// @param left_out counts those that are too small.
template <typename Rates>
std::vector<fleet_row> make_fleet_rows(const row_names& names, std::size_t count,
                                       Rates&& rates_of_row, const fleet_row& total,
                                       const slot_plan& plan, const fleet_options& options,
                                       std::size_t& left_out) {
    const double least = options.min_share * size_of(total.test) * nearly_all;
    std::vector<fleet_row> rows;
    for (std::uint32_t number = 0; number < count; ++number) {
        fleet_row row = make_fleet_row({}, rates_of_row(number), plan, options);
        const double size = size_of(row.test);
        if (size > 0 && size >= least) {
            row.name = names.name(number);
            rows.push_back(std::move(row));
        } else {
            left_out += size > 0 ? 1 : 0;
        }
    }
    return rows;
}

// Tests rows together, of which each has the state `tested`.
// @param times is that of family_test::test().
// @returns the result of family_test; nothing is found if a side has no slot.
family_test::family test_fleet_rows(const std::vector<fleet_row*>& rows, family_kind kind,
                                    const compare_options& options, const slot_plan& plan,
                                    double times = 1) {
    const std::size_t before = plan.count(base);
    const std::size_t now = plan.count(head);
    if (before == 0 || now == 0) {
        for (fleet_row* const row : rows) {
            row->test.verdict = verdict::too_few;
        }
        return {};
    }
    family_test tests{options, before, now};
    std::vector<compared_row*> compared;
    for (fleet_row* const row : rows) {
        tests.estimate(row->test);
        compared.push_back(&row->test);
    }
    const family_test::family found = tests.test(compared, kind, times);
    std::vector<serial_row> in_time;
    std::ranges::transform(compared, std::back_inserter(in_time), [](const compared_row* row) {
        return serial_row{row->base.values, row->head.values};
    });
    const std::vector<double> p = test_serial_rows(in_time);
    const std::vector<double> corrected =
        correct(p, kind == family_kind::rows ? options.corrected : correction::holm);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        require_no_run(*compared[i], p[i], std::min(times * corrected[i], 1.0), options.alpha);
        require_change_of_mean(*rows[i], options.min_change);
        require_no_older_waits(*rows[i]);
    }
    return found;
}

// Puts them in the order that fleet_table has.
void sort_fleet_rows(std::vector<fleet_row>& rows) {
    std::ranges::sort(rows, [](const fleet_row& a, const fleet_row& b) {
        if (rank_of(a) != rank_of(b)) {
            return rank_of(a) < rank_of(b);
        }
        return news_of(a) != news_of(b) ? news_of(a) > news_of(b) : a.name < b.name;
    });
}

// A service that has ended, of one sample type, and when its own series have deltas.
struct ended_service {
    fleet_row row;
    slot_plan plan;
};

// The sums of one sample type over all services; with rows of a fleet, that is one service.
struct fleet_sums : fleet_rates {
    std::vector<ended_service> services;
    // The values of services before they came and after they went, if they were there after all.
    slot_values beyond;
    std::vector<row_slots> rows_beyond; // by the number of the name
    std::vector<std::size_t> came;      // by window
    std::vector<std::size_t> went;
};

// Whether those that came are those that went, by other names.
bool are_replaced(std::size_t came, std::size_t went) {
    constexpr std::size_t part = 10;
    const auto [few, many] = std::minmax(came, went);
    return (many - few) * part <= many;
}

// Nothing is known that differs if services were there of which no delta is.
// @param gone is the row if they were not.
void require_both(fleet_row& row, const fleet_row& gone, double alpha) {
    row.growth_without_unknown = gone.has_grown(alpha) ? gone.change() / gone.before : 0;
    if (row.test.verdict != gone.test.verdict && (row.is_significant() || gone.is_significant())) {
        row.has_unknown_services = true;
        row.may_have_grown =
            row.test.verdict == verdict::grew || gone.test.verdict == verdict::grew;
        row.test.verdict = verdict::unsure;
    }
}

// Adds what was found in a service to what is told of all of them.
void add_findings(fleet_findings& to, const std::string& service, const fleet_findings& more) {
    if (more.least_period != more.most_period && (to.service.empty() || service < to.service)) {
        to.service = service;
        to.least_period = more.least_period;
        to.most_period = more.most_period;
        to.period_unit = more.period_unit;
    }
    to.mean_wait_nanos = std::max(to.mean_wait_nanos, more.mean_wait_nanos);
}

// Sets which data a row is made of.
void describe_data(fleet_row& row, const fleet_rates& rates) {
    row.has_older_waits = rates.found.mean_wait_nanos != 0;
    const auto data_of = [&](std::size_t window) {
        const std::span<const double> covered = slots_in(rates.covered, window);
        return fleet_row::data{
            rates.series_of_windows[window],
            static_cast<std::int64_t>(std::accumulate(covered.begin(), covered.end(), 0.0))};
    };
    for (std::size_t window = 0; window < row.periods.size(); ++window) {
        row.periods[window].data = data_of(window);
    }
    if (row.periods.empty()) {
        row.data_before = data_of(base);
        row.data_now = data_of(head);
    }
}

std::vector<fleet_row*> pointers_to(std::vector<fleet_row>& rows) {
    std::vector<fleet_row*> all;
    for (fleet_row& row : rows) {
        if (row.presence == fleet_row::state::tested && row.test.verdict != verdict::too_few) {
            all.push_back(&row);
        }
    }
    return all;
}

ended_service end(const fleet_question& asked, std::string name, const fleet_rates& rates) {
    const slot_plan plan{asked.options, rates.series, median(rates.durations)};
    ended_service ended{make_fleet_row(std::move(name), rates.total, plan, asked.options), plan};
    describe_data(ended.row, rates);
    if (!asked.options.is_one && asked.has_rows()) {
        std::vector<fleet_row>& rows = ended.row.rows;
        std::size_t left_out = 0;
        slot_values slots = asked.zeros;
        const auto rates_of_row = [&](std::uint32_t number) -> const slot_values& {
            rates.rows[number].put_into(slots);
            return slots;
        };
        rows = make_fleet_rows(rates.names, rates.rows.size(), rates_of_row, ended.row, plan,
                               asked.options, left_out);
        for (fleet_row& row : rows) {
            row.has_older_waits = ended.row.has_older_waits;
        }
        test_fleet_rows(pointers_to(rows), family_kind::rows, asked.tests, plan);
        sort_fleet_rows(rows);
        ended.row.all_rows = rows.size() + left_out;
        rows.resize(std::min(rows.size(), asked.options.most_rows));
        rows.shrink_to_fit();
        for (fleet_row& row : rows) {
            row.test.base.values = std::vector<double>{};
            row.test.head.values = std::vector<double>{};
        }
    }
    return ended;
}

// Tests services, each by the slots of its own series. Those with other slots are other families,
// which share alpha by how many services each has; Holm's correction knows no least p of its own,
// as ways that are drawn have.
family_test::family test_services(std::vector<fleet_row>& rows,
                                  const std::vector<ended_service>& services,
                                  const compare_options& options) {
    std::map<slot_plan, std::vector<fleet_row*>> families;
    std::size_t all = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].presence == fleet_row::state::tested) {
            families[services[i].plan].push_back(&rows[i]);
            ++all;
        }
    }
    family_test::family found;
    std::size_t most = 0;
    for (const auto& [plan, family] : families) {
        constexpr double few = 2;
        const double times = static_cast<double>(all) / static_cast<double>(family.size());
        compare_options corrected = options;
        corrected.corrected = times < few ? options.corrected : correction::holm;
        const family_test::family each =
            test_fleet_rows(family, family_kind::mixed, corrected, plan, times);
        found.hypotheses += each.hypotheses;
        if (family.size() > most) {
            most = family.size();
            found.too_few = each.too_few;
        }
    }
    return found;
}

} // namespace

class fleet_comparison::impl {
public:
    explicit impl(const fleet_options& options) : m_asked{options} {}

    [[nodiscard]] const fleet_question& asked() const noexcept { return m_asked; }

    void add(const std::string& name, fleet_service& ended) {
        ended.next_series();
        const fleet_life life = ended.life();
        bool is_unknown = false;
        for (fleet_rates& rates : ended.rates()) {
            if (rates.durations.empty()) {
                continue; // its only deltas were refused
            }
            if (has_unknown_window(ended, rates)) {
                is_unknown = true;
                continue;
            }
            const double usual_duration = median(rates.durations);
            ended_service service = end(m_asked, name, rates);
            const std::lock_guard lock{m_mutex};
            fleet_sums& sums = rates_of(m_sums, rates.type, rates.is_rate, m_asked.zeros);
            add_findings(sums.found, name, rates.found);
            sums.beyond.resize(m_asked.zeros.size());
            sums.came.resize(life.came.size());
            sums.went.resize(life.went.size());
            for (std::size_t i = 0; i < life.came.size(); ++i) {
                const bool is_there = rates.series_of_windows[i] != 0;
                sums.came[i] += is_there && life.came[i] ? 1 : 0;
                sums.went[i] += is_there && life.went[i] ? 1 : 0;
            }
            service.plan.fill(rates.total);
            add_values(sums.beyond, split(rates.total, life));
            add_values(sums.total, rates.total);
            add_values(sums.series, rates.series);
            keep_largest(sums.covered, rates.covered);
            std::ranges::transform(rates.series_of_windows, sums.series_of_windows,
                                   sums.series_of_windows.begin(), std::plus<>{});
            sums.durations.push_back(usual_duration);
            sums.names.add_folded(rates.names);
            if (m_asked.options.is_one) {
                add_rows(sums, rates, service.plan, life);
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
        if (is_unknown) {
            m_counts.unknown_services.push_back(name);
            std::ranges::sort(m_counts.unknown_services); // services end in any order
        }
        m_counts.empty += more.empty;
        m_counts.latest_nanos = std::max(m_counts.latest_nanos, more.latest_nanos);
        if (std::isfinite(ended.earliest(base))) {
            const auto earliest = static_cast<std::int64_t>(ended.earliest(base));
            m_counts.earliest_nanos = m_counts.earliest_nanos == 0
                                          ? earliest
                                          : std::min(m_counts.earliest_nanos, earliest);
        }
    }

    [[nodiscard]] const fleet_counts& counts() const noexcept { return m_counts; }

    [[nodiscard]] std::vector<fleet_table> tables() const {
        std::vector<const fleet_sums*> in_order;
        std::ranges::transform(m_sums, std::back_inserter(in_order),
                               [](const fleet_sums& each) { return &each; });
        std::ranges::sort(in_order, [](const auto* a, const auto* b) {
            return a->durations.size() != b->durations.size()
                       ? a->durations.size() > b->durations.size()
                       : std::pair{to_string(a->type), a->is_rate} <
                             std::pair{to_string(b->type), b->is_rate};
        });
        std::vector<fleet_table> all;
        std::ranges::transform(in_order, std::back_inserter(all),
                               [&](const fleet_sums* each) { return table_of(*each); });
        return all;
    }

private:
    // A service that restarts before each profile has not gone, and the fleet has no less of it.
    [[nodiscard]] bool has_unknown_window(const fleet_service& service,
                                          const fleet_rates& rates) const {
        const fleet_options& options = m_asked.options;
        return options.period_nanos == 0 && !options.is_one &&
               std::ranges::any_of(std::array{base, head}, [&](std::size_t window) {
                   return rates.series_of_windows[window] == 0 && service.has_unknown(window);
               });
    }

    // Leaves what a service has from when it came to when it went.
    // @returns the rest.
    static slot_values split(slot_values& filled, const fleet_life& life) {
        slot_values rest = filled;
        for (std::size_t i = 0; i < filled.size(); ++i) {
            filled[i] *= life.parts[i];
            rest[i] -= filled[i];
        }
        return rest;
    }

    // Rows are gone from the service, so that they are not there twice.
    void add_rows(fleet_sums& to, fleet_rates& rates, const slot_plan& plan,
                  const fleet_life& life) const {
        slot_values slots = m_asked.zeros;
        for (std::uint32_t i = 0; i < rates.rows.size(); ++i) {
            const std::uint32_t row = to.names.number(rates.names.name(i));
            to.rows.resize(std::max<std::size_t>(to.rows.size(), row + std::size_t{1}));
            std::exchange(rates.rows[i], {}).put_into(slots);
            plan.fill(slots);
            to.rows_beyond.resize(to.rows.size());
            to.rows_beyond[row].add(split(slots, life));
            to.rows[row].add(slots);
        }
    }

    // The values of those that may have been there after all, and that no others replaced.
    [[nodiscard]] slot_values unknown_part(const fleet_sums& sums, slot_values beyond) const {
        for (std::size_t i = 0; i < beyond.size(); ++i) {
            const std::size_t window = i / slots_of_window;
            beyond[i] = are_replaced(sums.came[window], sums.went[window]) ? 0 : beyond[i];
        }
        return beyond;
    }

    // The rows of a fleet that is one.
    // @param are_gone is whether services had nothing where they may lack deltas.
    [[nodiscard]] std::vector<fleet_row> rows_of(const fleet_sums& sums, const fleet_row& total,
                                                 const slot_plan& plan, bool are_gone,
                                                 std::size_t& left_out) const {
        slot_values slots = m_asked.zeros;
        slot_values beyond = m_asked.zeros;
        const auto rates_of_row = [&](std::uint32_t number) -> const slot_values& {
            sums.rows[number].put_into(slots);
            if (!are_gone && number < sums.rows_beyond.size()) {
                sums.rows_beyond[number].put_into(beyond);
                add_values(slots, unknown_part(sums, beyond));
            }
            return slots;
        };
        return make_fleet_rows(sums.names, sums.rows.size(), rates_of_row, total, plan,
                               m_asked.options, left_out);
    }

    [[nodiscard]] fleet_table table_of(const fleet_sums& sums) const {
        const fleet_options& options = m_asked.options;
        const double usual_duration = median(sums.durations);
        const slot_plan plan{options, sums.series, usual_duration};
        slot_values total = sums.total;
        add_values(total, unknown_part(sums, sums.beyond));
        fleet_table table{.type = sums.type,
                          .is_rate = sums.is_rate,
                          .usual_nanos = static_cast<std::int64_t>(usual_duration),
                          .total = make_fleet_row({}, total, plan, options),
                          .rows = {},
                          .found = sums.found,
                          .folded_functions = sums.names.folded()};
        table.came = std::accumulate(sums.came.begin(), sums.came.end(), std::size_t{0});
        table.went = std::accumulate(sums.went.begin(), sums.went.end(), std::size_t{0});
        describe_data(table.total, sums);
        if (options.is_one) {
            table.rows = rows_of(sums, table.total, plan, false, table.left_out);
            for (fleet_row& row : table.rows) {
                describe_data(row, sums);
            }
        }
        std::ranges::transform(sums.services, std::back_inserter(table.rows), &ended_service::row);
        if (options.period_nanos == 0) {
            test(table, sums, plan);
        }
        sort_fleet_rows(table.rows);
        return table;
    }

    void test(fleet_table& table, const fleet_sums& sums, const slot_plan& plan) const {
        table.slots_before = plan.count(base);
        table.slots_now = plan.count(head);
        test_fleet_rows({&table.total}, family_kind::mixed, m_asked.tests, plan);
        const bool has_both = table.slots_before != 0 && table.slots_now != 0;
        // A row of a fleet that is one is a function, and may have nothing to do.
        if (has_both && !m_asked.options.is_one) {
            for (fleet_row& row : table.rows) {
                row.presence = row.data_now.series == 0      ? fleet_row::state::gone
                               : row.data_before.series == 0 ? fleet_row::state::appeared
                                                             : fleet_row::state::tested;
            }
        }
        const family_test::family found =
            m_asked.options.is_one ? test_fleet_rows(pointers_to(table.rows),
                                                     family_kind::judged_rows, m_asked.tests, plan)
                                   : test_services(table.rows, sums.services, m_asked.tests);
        table.hypotheses = found.hypotheses;
        table.too_few = found.too_few;
        const slot_values unknown = unknown_part(sums, sums.beyond);
        if (has_both && std::ranges::any_of(unknown, [](double value) { return value != 0; })) {
            test_without_unknown(table, sums, plan);
        }
    }

    // Tests again what may not have been there.
    void test_without_unknown(fleet_table& table, const fleet_sums& sums,
                              const slot_plan& plan) const {
        fleet_row total = make_fleet_row({}, sums.total, plan, m_asked.options);
        total.has_older_waits = table.total.has_older_waits;
        test_fleet_rows({&total}, family_kind::mixed, m_asked.tests, plan);
        require_both(table.total, total, m_asked.options.alpha);
        if (!m_asked.options.is_one) {
            return; // a service is tested where it has deltas
        }
        std::size_t left_out = 0;
        std::vector<fleet_row> rows = rows_of(sums, total, plan, true, left_out);
        for (fleet_row& row : rows) {
            row.has_older_waits = total.has_older_waits;
        }
        test_fleet_rows(pointers_to(rows), family_kind::judged_rows, m_asked.tests, plan);
        for (fleet_row& row : table.rows) {
            const auto gone = std::ranges::find(rows, row.name, &fleet_row::name);
            require_both(row, gone == rows.end() ? fleet_row{} : *gone, m_asked.options.alpha);
        }
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

fleet_comparison::service::service(const fleet_comparison& comparison)
    : m_impl{std::make_unique<impl>(comparison.m_impl->asked())} {}
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
