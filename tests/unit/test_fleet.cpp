// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/fleet.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/error.hpp>

#include "catch.hpp"
#include "error_from.hpp"
#include "near.hpp"
#include "profile_builder.hpp"

using namespace pprofdelta;
using test::is_near;

namespace {

constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t minute = 60 * second;
constexpr std::int64_t hour = 60 * minute;
constexpr std::int64_t end_of_now = 1'000'000 * second;

const fleet_options an_hour{
    .begin_nanos = end_of_now - hour, .end_nanos = end_of_now, .ago_nanos = 24 * hour};

struct of_function {
    std::string name;
    std::int64_t bytes;
};

// Bytes that functions allocated, with as many in use.
std::string delta(const std::vector<of_function>& functions, std::int64_t time,
                  std::int64_t duration) {
    test::profile p;
    p.types = {{"inuse_space", "bytes"}, {"alloc_space", "bytes"}};
    const std::uint64_t main = test::add_frame(p, "main");
    for (const of_function& each : functions) {
        p.samples.push_back({{test::add_frame(p, each.name), main}, {each.bytes, each.bytes}});
    }
    p.time = time;
    p.duration = duration;
    return test::serialize(p);
}

// A number from 0 to 9 that looks like one by chance.
std::int64_t noise(std::int64_t seed) { return seed * 7919 % 101 % 10; }

// Twelve deltas of each time, of some 1000 bytes a minute, and now `factor` times as many.
void add_steady(fleet_comparison::service& to, std::int64_t seed, double factor = 1) {
    for (const std::int64_t end : {end_of_now - 24 * hour, end_of_now}) {
        for (std::int64_t i = 1; i <= 12; ++i) {
            const auto bytes = static_cast<std::int64_t>(
                static_cast<double>(5000 + 50 * noise(seed + i * 13 + end / hour)) *
                (end == end_of_now ? factor : 1));
            to.add(delta({{"work", bytes}, {"idle", 10}}, end - hour + i * 5 * minute, 5 * minute));
        }
    }
}

void add_steady(fleet_comparison& fleet, const std::string& name, std::int64_t seed,
                double factor = 1) {
    fleet_comparison::service service{fleet};
    add_steady(service, seed, factor);
    fleet.add(name, service);
}

fleet_table only_table(const fleet_comparison& fleet) {
    std::vector<fleet_table> all = fleet.tables();
    REQUIRE(all.size() == 1);
    return std::move(all.front());
}

} // namespace

TEST_CASE("the service that grew comes first, with its function") {
    fleet_comparison fleet{an_hour};
    for (std::int64_t i = 0; i < 20; ++i) {
        add_steady(fleet, "quiet " + std::to_string(i), i * 31);
    }
    add_steady(fleet, "grown", 7, 1.5);
    const fleet_table table = only_table(fleet);
    CHECK(table.is_rate);
    CHECK(table.type.type == "alloc_space");
    CHECK(table.hypotheses == 21);
    REQUIRE(table.rows.size() == 21);
    const fleet_row& first = table.rows.front();
    CHECK(first.name == "grown");
    CHECK(first.test.verdict == verdict::grew);
    CHECK(first.now / first.before > 1.4);
    REQUIRE(first.rows.size() == 1); // idle has less than 1 %
    CHECK(first.rows[0].name == "work");
    CHECK(first.rows[0].test.verdict == verdict::grew);
    CHECK(first.all_rows == 2);
    for (std::size_t i = 1; i < table.rows.size(); ++i) {
        CHECK_FALSE(table.rows[i].is_significant());
    }
    CHECK(fleet.counts().now == 252);
    CHECK(fleet.counts().before == 252);
}

TEST_CASE("a function that is folded in several services counts once") {
    fleet_options folding = an_hour;
    folding.selection.folds_allocators = true;
    fleet_comparison fleet{folding};
    for (const char* const name : {"malloc", "free"}) {
        fleet_comparison::service service{fleet};
        service.add(delta({{"malloc", 8}, {name, 8}, {"work", 8}}, end_of_now, minute));
        fleet.add(name, service);
    }
    CHECK(only_table(fleet).folded_functions == 2);
}

namespace {

constexpr double pi = 3.14159265358979323846;

// The method is Box and Muller's. Those of the standard library differ from one to the next.
double normal(std::mt19937_64& random) {
    const auto uniform = [&] {
        return (static_cast<double>(random() >> 11U) + 0.5) / 9007199254740992.0;
    };
    return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * pi * uniform());
}

// How often one of some services is named, in so many fleets, whose slots have noise of 10 % that
// is like that of the slot before, and of which the first has grown by a factor.
int named_of(int fleets, int services, double likeness, double factor) {
    std::mt19937_64 random{static_cast<std::uint64_t>(services)};
    int named = 0;
    for (int number = 0; number < fleets; ++number) {
        fleet_comparison fleet{an_hour};
        for (int i = 0; i < services; ++i) {
            fleet_comparison::service service{fleet};
            for (const std::int64_t end : {end_of_now - 24 * hour, end_of_now}) {
                double off = normal(random);
                for (std::int64_t slot = 1; slot <= 12; ++slot) {
                    const double grown = i == 0 && end == end_of_now ? factor : 1;
                    const auto bytes =
                        static_cast<std::int64_t>(1e6 * grown * std::max(0.0, 1 + 0.1 * off));
                    service.add(
                        delta({{"work", bytes}}, end - hour + slot * 5 * minute, 5 * minute));
                    off = likeness * off + std::sqrt(1 - likeness * likeness) * normal(random);
                }
            }
            fleet.add("service " + std::to_string(i), service);
        }
        const fleet_table table = only_table(fleet);
        named += std::ranges::any_of(table.rows, [&](const fleet_row& row) {
            return row.is_significant() && (factor == 1 || row.name == "service 0");
        });
    }
    return named;
}

} // namespace

TEST_CASE("slots that resemble the one before are no change", "[long][trials]") {
    for (const double likeness : {0.0, 0.3, 0.5, 0.7}) {
        INFO(likeness);
        // The checks use alpha 0.01. Ranks alone name a quarter where slots are most alike.
        CHECK(named_of(300, 1, likeness, 1) <= 9);
        CHECK(named_of(60, 10, likeness, 1) <= 2);
        // A service that takes twice as much.
        CHECK(named_of(60, 1, likeness, 2) >= 54);
        if (likeness == 0) {
            CHECK(named_of(60, 10, likeness, 2) >= 57);
        }
    }
}

TEST_CASE("a rate is what deltas add up to in the time that they cover") {
    fleet_comparison fleet{an_hour};
    fleet_comparison::service service{fleet};
    // 60 bytes a second in half of the hour, by deltas that begin and end within slots, one of them
    // twice; what lies outside the hour does not count.
    const std::string twice = delta({{"f", 25'200}}, end_of_now - 53 * minute, 7 * minute);
    service.add(twice);
    service.add(twice);
    service.add(delta({{"f", 82'800}}, end_of_now - 30 * minute, 23 * minute));
    service.next_series();
    // Another process of the same service, all the time.
    for (std::int64_t i = 1; i <= 12; ++i) {
        service.add(delta({{"f", 300}}, end_of_now - hour + i * 5 * minute, 5 * minute));
    }
    fleet.add("service", service);
    const fleet_table table = only_table(fleet);
    CHECK(table.slots_before == 0);
    REQUIRE(table.slots_now == 6); // as of usual deltas one would not fit into twelve
    const std::vector<double>& rates = table.total.test.head.values;
    CHECK(is_near(rates.front(), 61));
    CHECK(is_near(rates.back(), 1));
    CHECK(is_near(table.total.now, 31));
    CHECK(table.rows[0].test.verdict == verdict::too_few);
}

TEST_CASE("a service with few long deltas is not tested among others") {
    fleet_comparison fleet{an_hour};
    for (std::int64_t i = 0; i < 5; ++i) {
        add_steady(fleet, "steady " + std::to_string(i), i * 31);
    }
    fleet_comparison::service service{fleet};
    service.add(delta({{"f", 100}}, end_of_now - 24 * hour, hour));
    service.add(delta({{"f", 900}}, end_of_now, hour));
    fleet.add("long", service);
    for (const fleet_row& row : only_table(fleet).rows) {
        CHECK((row.test.verdict == verdict::too_few) == (row.name == "long"));
    }
}

TEST_CASE("a service is judged by the slots that its own series cover") {
    // 40 minutes of the 60 of today are missing, between others or at the end.
    for (const std::int64_t last_of_gap : {10, 12}) {
        fleet_comparison fleet{an_hour};
        for (std::int64_t i = 0; i < 9; ++i) {
            add_steady(fleet, "steady " + std::to_string(i), i * 31);
        }
        fleet_comparison::service service{fleet};
        for (const std::int64_t end : {end_of_now - 24 * hour, end_of_now}) {
            for (std::int64_t i = 1; i <= 12; ++i) {
                if (end != end_of_now || i > last_of_gap || i <= last_of_gap - 8) {
                    service.add(delta({{"f", (end == end_of_now ? 700 : 500) + noise(i)}},
                                      end - hour + i * 5 * minute, 5 * minute));
                }
            }
        }
        fleet.add("grown", service);
        const fleet_table table = only_table(fleet);
        const auto row = std::find_if(table.rows.begin(), table.rows.end(),
                                      [](const fleet_row& each) { return each.name == "grown"; });
        REQUIRE(row != table.rows.end());
        CHECK(row->now / row->before > 1.38);
        CHECK(row->test.head.values.size() == 4);
        CHECK(row->test.p < 0.002);
        CHECK(row->test.corrected_p > 9 * row->test.p); // one of ten, in a family of its own
        CHECK(row->data_now.nanos == 20 * minute);
        CHECK(row->data_before.nanos == hour);
        CHECK(table.hypotheses == 10);
        CHECK(table.total.test.verdict == verdict::same);
        CHECK(is_near(table.total.now, std::accumulate(table.rows.begin(), table.rows.end(), 0.0,
                                                       [](double sum, const fleet_row& each) {
                                                           return sum + each.now;
                                                       })));
    }
}

TEST_CASE("a gap of one series of a service is no fall of the service") {
    fleet_comparison fleet{an_hour};
    fleet_comparison::service service{fleet};
    for (std::int64_t pod = 0; pod < 3; ++pod) {
        for (const std::int64_t end : {end_of_now - 24 * hour, end_of_now}) {
            for (std::int64_t i = 1; i <= 12; ++i) {
                if (pod != 0 || end != end_of_now || i <= 2 || i > 10) {
                    service.add(delta({{"f", 6000 + noise(pod * 20 + i)}},
                                      end - hour + i * 5 * minute, 5 * minute));
                }
            }
        }
        service.next_series();
    }
    fleet.add("service", service);
    const fleet_table table = only_table(fleet);
    const fleet_row& row = table.rows.front();
    CHECK(row.test.verdict == verdict::same);
    CHECK(std::fabs(row.now - 60) < 0.1);
    CHECK(row.data_now.series == 3);
    CHECK(row.data_now.nanos == hour); // by the others
}

TEST_CASE("services come and go") {
    fleet_comparison fleet{an_hour};
    add_steady(fleet, "steady", 1);
    for (const bool is_new : {true, false}) {
        fleet_comparison::service service{fleet};
        for (std::int64_t i = 1; i <= 12; ++i) {
            service.add(delta({{"f", is_new ? 300 : 200}},
                              end_of_now - (is_new ? 1 : 25) * hour + i * 5 * minute, 5 * minute));
        }
        fleet.add(is_new ? "new" : "old", service);
    }
    const fleet_table table = only_table(fleet);
    REQUIRE(table.rows.size() == 3);
    CHECK(table.rows[0].name == "new");
    CHECK(table.rows[0].presence == fleet_row::state::appeared);
    CHECK(table.rows[1].presence == fleet_row::state::gone);
    CHECK(table.hypotheses == 1);
}

namespace {

// As many pods as given are replaced by others in the middle of the later time.
fleet_table after_rollout(std::int64_t old_pods, std::int64_t new_pods, fleet_options options) {
    fleet_comparison fleet{options};
    for (std::int64_t pod = 0; pod < old_pods + new_pods; ++pod) {
        const bool is_new = pod >= old_pods;
        fleet_comparison::service service{fleet};
        for (const std::int64_t end : {end_of_now - 24 * hour, end_of_now}) {
            for (std::int64_t i = 1; i <= 60; ++i) {
                const bool is_there = end != end_of_now ? !is_new : (i > 32) == is_new;
                if (is_there) {
                    service.add(delta({{"work", 60'000 + 600 * noise(pod * 20 + i)}},
                                      end - hour + i * minute, minute));
                }
            }
        }
        fleet.add("pod " + std::to_string(pod), service);
    }
    return only_table(fleet);
}

} // namespace

TEST_CASE("services that replace others do not count twice in the fleet") {
    for (const bool is_one : {false, true}) {
        fleet_options options = an_hour;
        options.is_one = is_one;
        const fleet_table table = after_rollout(10, 10, options);
        CHECK(table.total.test.verdict == verdict::same);
        CHECK(std::fabs(table.total.now / table.total.before - 1) < 0.01);
        CHECK_FALSE(table.total.has_unknown_services);
        CHECK(table.came == 10);
        CHECK(table.went == 10);
        if (is_one) {
            CHECK(table.rows.at(0).test.verdict == verdict::same);
            CHECK(is_near(table.rows[0].now, table.total.now));
        }
    }
    fleet_options periods = an_hour;
    periods.ago_nanos = 0;
    periods.period_nanos = 20 * minute;
    const fleet_table table = after_rollout(10, 10, periods);
    for (const fleet_row::period& each : table.total.periods) {
        CHECK(std::fabs(each.value.value() / 10'000 - 1) < 0.1); // and not half as much again
    }
}

TEST_CASE("the fleet cannot be judged if services that lack deltas decide what it does") {
    for (const bool is_one : {false, true}) {
        fleet_options options = an_hour;
        options.is_one = is_one;
        // With all of the 10 the fleet has 60 % more in the second half, and with none 40 % less.
        const fleet_table table = after_rollout(10, 6, options);
        CHECK(table.total.has_unknown_services);
        CHECK(table.total.may_have_grown);
        CHECK(table.total.test.verdict == verdict::unsure);
        if (is_one) {
            CHECK(table.rows.at(0).has_unknown_services);
        }
    }
}

TEST_CASE("services that come as late as a missing delta explains are always there") {
    fleet_comparison fleet{an_hour};
    for (std::int64_t pod = 0; pod < 10; ++pod) {
        fleet_comparison::service service{fleet};
        // Ten seconds of each ten minutes, half of them from the ninth minute on.
        for (const std::int64_t end : {end_of_now - 24 * hour, end_of_now}) {
            for (std::int64_t i = 0; i < 6; ++i) {
                service.add(delta({{"work", 10'000}},
                                  end - hour + (i * 10 + (pod % 2 == 0 ? 1 : 9)) * minute,
                                  10 * second));
            }
        }
        fleet.add("pod " + std::to_string(pod), service);
    }
    const fleet_table table = only_table(fleet);
    CHECK(is_near(table.total.now, 10'000));
    CHECK(is_near(table.total.before, 10'000));
    CHECK(table.came + table.went == 0);
}

TEST_CASE("counters without a duration are no deltas, and other times do not count") {
    fleet_comparison fleet{an_hour};
    fleet_comparison::service service{fleet};
    for (const std::int64_t none :
         {std::int64_t{0}, std::int64_t{1}, std::int64_t{-7}, 1 + 1'000'000'000 * second}) {
        service.add(delta({{"f", 1}}, end_of_now, none));
    }
    service.add(delta({{"f", 1}}, end_of_now - 2 * hour, minute));
    service.add(delta({{"f", 1}}, end_of_now, minute), true, false);
    service.add(delta({{"f", 1}}, -5, -7));
    test::profile first; // of a series, which has no samples
    first.types = {{"alloc_space", "bytes"}};
    first.time = end_of_now;
    service.add(test::serialize(first));
    fleet.add("service", service);
    CHECK(fleet.counts().empty == 1);
    CHECK(fleet.counts().without_duration == 4);
    CHECK(fleet.counts().elsewhere == 3);
    CHECK(fleet.counts().latest_nanos == end_of_now - 2 * hour);
    CHECK(fleet.tables().empty());
}

TEST_CASE("a service that restarts before each profile is not gone, nor has the fleet less") {
    fleet_comparison fleet{an_hour};
    for (std::int64_t i = 0; i < 6; ++i) {
        add_steady(fleet, "steady" + std::to_string(i), i * 100);
    }
    fleet_comparison::service restarting{fleet};
    for (std::int64_t i = 1; i <= 12; ++i) {
        const std::int64_t before = end_of_now - 25 * hour + i * 5 * minute;
        restarting.add(delta({{"work", 9000}}, before, 5 * minute));
        restarting.add(delta({{"work", 27000}}, before + 24 * hour, 0));
    }
    fleet.add("crash", restarting);
    const fleet_table table = only_table(fleet);
    CHECK(table.rows.size() == 6);
    CHECK_FALSE(table.total.is_significant());
    CHECK(fleet.counts().without_duration == 12);
    CHECK(fleet.counts().unknown_services == std::vector<std::string>{"crash"});
}

TEST_CASE("a period has what a window as long would have") {
    fleet_options options = an_hour;
    options.begin_nanos = end_of_now - 6 * hour;
    options.ago_nanos = 0;
    options.period_nanos = hour;
    fleet_comparison fleet{options};
    std::vector<std::string> deltas;
    // Some bytes a minute, twice as many from the fourth hour on, none in the second one.
    for (std::int64_t i = 1; i <= 72; ++i) {
        if (i <= 12 || i > 24) {
            const std::int64_t bytes = (i <= 36 ? 5000 : 10000) + 50 * noise(i);
            deltas.push_back(
                delta({{"work", bytes}}, end_of_now - 6 * hour + i * 5 * minute, 5 * minute));
        }
    }
    fleet_comparison::service step{fleet};
    fleet_comparison::service flat{fleet};
    for (const std::string& each : deltas) {
        step.add(each);
    }
    // More, and more noise.
    for (std::int64_t i = 1; i <= 69; ++i) {
        flat.add(delta({{"work", 90000 + 900 * noise(i)}}, end_of_now - 6 * hour + i * 5 * minute,
                       5 * minute));
    }
    fleet.add("flat", flat);
    fleet.add("step", step);
    const fleet_table table = only_table(fleet);
    CHECK(table.usual_nanos == 5 * minute);
    REQUIRE(table.rows.size() == 2);
    const fleet_row& first = table.rows.front();
    CHECK(first.name == "step");
    CHECK(first.rows.empty());
    REQUIRE(first.periods.size() == 6);
    CHECK_FALSE(first.periods[1].value);
    CHECK(first.periods[1].data.nanos == 0);
    CHECK(table.rows[1].periods[5].data.nanos == 45 * minute);
    for (const std::size_t i : {0U, 2U, 3U, 4U, 5U}) {
        fleet_options alone = an_hour;
        alone.begin_nanos = options.begin_nanos + static_cast<std::int64_t>(i) * hour;
        alone.end_nanos = alone.begin_nanos + hour;
        fleet_comparison one{alone};
        fleet_comparison::service service{one};
        for (const std::string& each : deltas) {
            service.add(each);
        }
        one.add("step", service);
        const fleet_row row = only_table(one).rows.front();
        CHECK(is_near(*first.periods[i].value, row.now));
        CHECK(first.periods[i].data.series == 1);
        CHECK(first.periods[i].data.nanos == row.data_now.nanos);
    }
    for (const std::int64_t bad : {7 * minute, -hour, std::int64_t{1000}}) {
        options.period_nanos = bad;
        CHECK_THROWS_AS(fleet_comparison{options}, error);
    }
}

TEST_CASE("periods of a fleet that is one have what many functions have in one each") {
    fleet_options options = an_hour;
    options.is_one = true;
    options.begin_nanos = end_of_now - 10 * hour;
    options.ago_nanos = 0;
    options.period_nanos = hour;
    options.min_share = 0;
    fleet_comparison fleet{options};
    for (const std::int64_t first : {0, 1}) {
        fleet_comparison::service service{fleet};
        for (std::int64_t i = 9; i >= first; --i) { // in any order of times
            service.add(delta({{"f" + std::to_string(i), 3600 * (i + 1)}, {"all", 3600}},
                              end_of_now - (9 - i) * hour, hour));
        }
        fleet.add(std::to_string(first), service);
    }
    const fleet_table found = only_table(fleet);
    REQUIRE(found.rows.size() == 11);
    for (const fleet_row& row : found.rows) {
        for (std::int64_t i = 0; i < 10; ++i) {
            const double value = row.name == "all"                     ? 1
                                 : row.name == "f" + std::to_string(i) ? static_cast<double>(i + 1)
                                                                       : 0;
            INFO(row.name << " " << i);
            CHECK(is_near(row.periods[static_cast<std::size_t>(i)].value.value(),
                          value * (i == 0 ? 1 : 2)));
        }
    }
}

TEST_CASE("windows that cannot be compared are refused") {
    fleet_options options = an_hour;
    options.period_nanos = hour;
    CHECK(test::fails_as(error_kind::invalid_argument, [&] { fleet_comparison{options}; }));
    const std::string some = delta({{"work", 1000}}, end_of_now - 30 * minute, minute);
    for (const std::int64_t ago : {std::int64_t{0}, minute, hour}) {
        options = an_hour;
        options.ago_nanos = ago;
        fleet_comparison fleet{options};
        fleet_comparison::service service{fleet};
        CHECK(test::fails_as(error_kind::invalid_argument, [&] { service.add(some); }) ==
              (ago < hour));
        // Two fleets can be compared at one time.
        service.add(some, true, false);
        service.add(some, false, true);
    }
}

TEST_CASE("waits that are longer than their delta, and other periods, are told") {
    const auto found = [](std::int64_t wait, std::int64_t period) {
        fleet_options options = an_hour;
        options.sample_type = value_type_pattern{"delay"};
        fleet_comparison fleet{options};
        fleet_comparison::service service{fleet};
        for (const std::int64_t end : {end_of_now - 24 * hour, end_of_now}) {
            for (std::int64_t i = 1; i <= 12; ++i) {
                test::profile p;
                p.types = {{"contentions", "count"}, {"delay", "nanoseconds"}};
                p.period_type = p.types[0];
                p.period = end == end_of_now ? period : 1;
                const std::int64_t one = (wait + noise(i + end / hour)) * second;
                p.samples = {
                    {{test::add_frame(p, "lock")}, {1, end == end_of_now ? one * 2 : one}}};
                p.time = end - hour + i * 5 * minute;
                p.duration = 5 * minute;
                service.add(test::serialize(p));
            }
        }
        fleet.add("web", service);
        return only_table(fleet);
    };
    const fleet_table plain = found(100, 1);
    CHECK(plain.rows.at(0).test.verdict == verdict::grew);
    CHECK_FALSE(plain.rows[0].test.detectable);
    CHECK(plain.found.mean_wait_nanos == 0);
    CHECK(plain.found.service.empty());

    const fleet_table longer = found(170, 1); // twice that are some 340 s, in 300 s
    CHECK(longer.rows.at(0).has_older_waits);
    CHECK(longer.rows[0].test.verdict == verdict::unsure);
    CHECK(longer.rows[0].rows.at(0).test.verdict != verdict::grew);
    CHECK(longer.found.mean_wait_nanos >= 340 * second);

    const fleet_table other = found(100, 10);
    CHECK(other.found.service == "web");
    CHECK(other.found.least_period == 1);
    CHECK(other.found.most_period == 10);
    CHECK(other.found.period_unit == "count");
}
