// SPDX-License-Identifier: Apache-2.0
#include "captures/fleet_test.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "captures/family_test.hpp"

namespace pprofdelta {

namespace {

double mean(const std::vector<double>& numbers) {
    return numbers.empty() ? 0
                           : std::accumulate(numbers.begin(), numbers.end(), 0.0) /
                                 static_cast<double>(numbers.size());
}

// Ranks tell whether there is a change, and means how large it is, as they add up. Where the two
// differ in direction, as of something that happens seldom, neither is news.
void require_change_of_mean(fleet_row& row, double min_change) {
    const bool is_up = row.test.is == verdict::grew;
    if (!row.is_real()) {
        return;
    }
    if (row.change() == 0 || (row.change() > 0) != is_up) {
        row.test.is = verdict::unsure;
    } else if (std::fabs(row.change()) < min_change * std::fabs(row.before)) {
        row.test.is = verdict::same;
    }
}

// What may well have changed is looked at before what is only large.
bool is_suspect(const fleet_row& row) {
    constexpr double suspect = 0.2;
    return row.test.is == verdict::unsure && row.test.corrected_p <= suspect;
}

int rank_of(const fleet_row& row) {
    return row.is_real() ? 0 : row.was != fleet_row::state::tested ? 2 : is_suspect(row) ? 1 : 3;
}

double news_of(const fleet_row& row) {
    const int rank = rank_of(row);
    return rank == 1                                      ? -row.test.corrected_p
           : rank == 3 && row.test.is != verdict::too_few ? std::fabs(row.now)
                                                          : std::fabs(row.change());
}

} // namespace

fleet_row make_fleet_row(std::string name, const slot_values& rates, const slot_plan& plan) {
    fleet_row row;
    row.name = std::move(name);
    row.test.base.values = plan.values(compare_side::base, rates);
    row.test.head.values = plan.values(compare_side::head, rates);
    row.before = mean(row.test.base.values);
    row.now = mean(row.test.head.values);
    return row;
}

std::vector<fleet_row> make_fleet_rows(const row_names& names,
                                       const std::vector<slot_values>& rates,
                                       const fleet_row& total, const slot_plan& plan,
                                       double min_share, std::size_t& left_out) {
    const double least = min_share * size_of(total.test);
    std::vector<fleet_row> rows;
    for (std::uint32_t number = 0; number < rates.size(); ++number) {
        fleet_row row = make_fleet_row({}, rates[number], plan);
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

family_test::family test_fleet_rows(const std::vector<fleet_row*>& rows, family_kind kind,
                                    const compare_options& options, const slot_plan& plan) {
    const std::size_t base = plan.count(compare_side::base);
    const std::size_t head = plan.count(compare_side::head);
    if (base == 0 || head == 0) {
        for (fleet_row* const row : rows) {
            row->test.is = verdict::too_few;
        }
        return {};
    }
    family_test tests{options, base, head};
    std::vector<compared_row*> compared;
    for (fleet_row* const row : rows) {
        tests.estimate(row->test);
        compared.push_back(&row->test);
    }
    const family_test::family found = tests.test(compared, kind);
    for (fleet_row* const row : rows) {
        require_change_of_mean(*row, options.min_change);
    }
    return found;
}

void sort_fleet_rows(std::vector<fleet_row>& rows) {
    std::sort(rows.begin(), rows.end(), [](const fleet_row& a, const fleet_row& b) {
        if (rank_of(a) != rank_of(b)) {
            return rank_of(a) < rank_of(b);
        }
        return news_of(a) != news_of(b) ? news_of(a) > news_of(b) : a.name < b.name;
    });
}

} // namespace pprofdelta
