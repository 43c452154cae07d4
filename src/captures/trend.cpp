// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/trend.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include <pprofdelta/error.hpp>

#include "captures/capture_series.hpp"
#include "captures/questions.hpp"
#include "captures/trend_family_test.hpp"
#include "limits/bounds.hpp"
#include "select/name_pattern.hpp"
#include "select/sample_type.hpp"

namespace pprofdelta {

namespace {

[[noreturn]] void refuse(const std::string& what) {
    throw error{error_kind::invalid_argument, what};
}

void check(const trend_options& options, const std::vector<limit>& limits) {
    check_test(options);
    if (options.seconds_between && !(*options.seconds_between > 0)) {
        refuse("the time between captures is more than 0");
    }
    for (const limit& l : limits) {
        if (l.on == limit::bound::value) {
            refuse("'" + l.text + "': a trend is judged by its growth, as in inuse_space>+1MiB/h");
        }
    }
}

double mean_size(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) {
        sum += std::fabs(value);
    }
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

// Real growth is what is looked for.
bool grows_more(const trend_row& a, const trend_row& b) {
    if ((a.is == trend_verdict::grows) != (b.is == trend_verdict::grows)) {
        return a.is == trend_verdict::grows;
    }
    return a.slope.value != b.slope.value ? a.slope.value > b.slope.value : a.name < b.name;
}

} // namespace

class profile_trend::impl {
public:
    impl(const trend_options& options, std::vector<limit> limits)
        : m_options{options}, m_captures{options, std::move(limits)} {
        if (!options.rows.empty()) {
            m_pattern = std::make_unique<name_pattern>(options.rows);
        }
    }

    void add(std::string_view profile) {
        m_captures.add(profile);
        m_in_time.clear();
        m_types.clear();
        m_rows.clear();
    }

    [[nodiscard]] const capture_series& all() const noexcept { return m_captures; }

    const std::vector<trend_capture>& in_time() {
        if (m_captures.count() == 0) {
            refuse("there is no trend before there is a capture");
        }
        if (m_in_time.empty()) {
            m_in_time = m_captures.in_time();
        }
        return m_in_time;
    }

    const std::vector<std::size_t>& places(std::size_t type) { return of(type).values.places(); }

    const trend_rows& rows(std::size_t type) {
        const auto found = m_rows.find(type);
        return found != m_rows.end() ? found->second
                                     : m_rows.emplace(type, test_rows(type)).first->second;
    }

    std::vector<trend_limit> judge() {
        std::vector<trend_limit> found;
        std::vector<place> places;
        const std::vector<value_type>& types = m_captures.types();
        for_each_named_type(m_captures.reader().limits(), types,
                            [&](std::size_t number, std::size_t type) {
                                require_unit(m_captures.reader().limits()[number], type);
                                places.push_back({number, type});
                                found.emplace_back().type = types[type];
                            });
        put_rows(places, found);
        for (std::size_t i = 0; i < found.size(); ++i) {
            judge(places[i].limit, places[i].type, found[i]);
        }
        return found;
    }

    std::optional<too_few_captures> too_few(std::size_t type, std::size_t questions) {
        return of(type).test.too_few(questions);
    }

private:
    // What is the same for all rows of a type.
    struct type_test {
        type_test(const capture_series& captures, const std::vector<trend_capture>& in_time,
                  std::size_t type, const trend_options& options)
            : values{captures, in_time, type}, test{options, values.hours(), values.runs()} {}

        capture_series::measured_values values;
        trend_family_test test;
    };

    // Where the values of a limit are.
    struct place {
        std::size_t limit = 0;
        std::size_t type = 0;
    };

    type_test& of(std::size_t type) {
        auto found = m_types.find(type);
        if (found == m_types.end()) {
            found = m_types.try_emplace(type, m_captures, in_time(), type, m_options).first;
        }
        return found->second;
    }

    void require_unit(const limit& l, std::size_t type) const {
        if (m_captures.is_rate(type) && l.on != limit::bound::percent) {
            throw error{error_kind::incompatible,
                        "'" + l.text + "': the values of " + to_string(m_captures.types()[type]) +
                            " are rates, whose growth is limited in percent"};
        }
    }

    trend_row row_of(std::size_t type, const capture_series::column& values) {
        trend_row row;
        row.values = of(type).values.of(values);
        return row;
    }

    // Of a row that is not left out, in the unit of the type. By size alone: what depended on the
    // growth would make small p more likely among the rest.
    double least_size(std::size_t type, const trend_row& total) const {
        const auto given = m_options.min_amount
                               ? in_unit(*m_options.min_amount, m_captures.types()[type])
                               : std::nullopt;
        return given ? *given : m_options.min_share * mean_size(total.values);
    }

    trend_rows test_rows(std::size_t type) {
        trend_rows result;
        result.total = row_of(type, m_captures.captures().totals(type));
        const double least = least_size(type, result.total);
        const auto add_row = [&](std::uint32_t number, auto column, std::vector<trend_row>& to) {
            trend_row row = row_of(type, (m_captures.captures().*column)(type, number));
            const double size = mean_size(row.values);
            if (size > 0 && size >= least) {
                row.name = m_captures.reader().names().name(number);
                to.push_back(std::move(row));
            } else {
                result.left_out += size > 0 ? 1 : 0;
            }
        };
        for (std::uint32_t number = 0; number < m_captures.reader().names().size(); ++number) {
            if (m_pattern == nullptr ||
                m_pattern->is_in(m_captures.reader().names().name(number))) {
                add_row(number, &capture_list::flat, result.flat);
                add_row(number, &capture_list::cum, result.cum);
            }
        }
        std::vector<trend_row*> together{&result.total};
        for (std::vector<trend_row>* const rows : {&result.flat, &result.cum}) {
            std::transform(rows->begin(), rows->end(), std::back_inserter(together),
                           [](trend_row& row) { return &row; });
        }
        result.questions = of(type).test.run(together);
        for (trend_row* const row : together) {
            if (result.total.slope.value != 0) {
                row->share = row->slope.value / result.total.slope.value;
            }
        }
        std::sort(result.flat.begin(), result.flat.end(), grows_more);
        std::sort(result.cum.begin(), result.cum.end(), grows_more);
        return result;
    }

    // Those on totals and on named functions are what was asked for, so they are tested together.
    // Limits on each function get the total.
    void put_rows(const std::vector<place>& places, std::vector<trend_limit>& found) {
        std::map<std::size_t, std::vector<std::size_t>> by_type;
        for (std::size_t i = 0; i < found.size(); ++i) {
            const auto [number, type] = places[i];
            found[i].row = row_of(type, names_functions(m_captures.reader().limits()[number])
                                            ? m_captures.captures().of_limit(type, number)
                                            : m_captures.captures().totals(type));
            by_type[type].push_back(i);
        }
        for (const auto& [type, numbers] : by_type) {
            std::vector<trend_row*> together;
            std::transform(numbers.begin(), numbers.end(), std::back_inserter(together),
                           [&](std::size_t i) { return &found[i].row; });
            const std::size_t questions = of(type).test.run(together);
            for (const std::size_t i : numbers) {
                found[i].too_few = of(type).test.too_few(questions);
            }
        }
    }

    void judge(std::size_t number, std::size_t type, trend_limit& found) {
        const limit& l = m_captures.reader().limits()[number];
        found.limit = l.text;
        found.of = l.of;
        found.on = l.on;
        found.has_match = m_captures.has_match(number);
        found.crossed = of(type).test.is_beyond(l, found.type, found.row);
        if (limit::is_each(l.of)) {
            const trend_rows& all = rows(type);
            const std::vector<trend_row>& judged =
                l.of == limit::scope::each_leaf ? all.flat : all.cum;
            found.too_few = of(type).test.too_few(all.questions);
            std::copy_if(
                judged.begin(), judged.end(), std::back_inserter(found.functions),
                [&](const trend_row& row) { return of(type).test.is_beyond(l, found.type, row); });
            found.crossed = !found.functions.empty();
        }
    }

    trend_options m_options;
    capture_series m_captures;
    std::unique_ptr<name_pattern> m_pattern;
    // Of all captures that there are.
    std::vector<trend_capture> m_in_time;
    std::map<std::size_t, type_test> m_types;
    std::map<std::size_t, trend_rows> m_rows; // by type
};

const char* to_string(trend_verdict of) noexcept {
    switch (of) {
    case trend_verdict::grows:
        return "grows";
    case trend_verdict::falls:
        return "falls";
    case trend_verdict::level:
        return "level";
    case trend_verdict::steps:
        return "steps";
    case trend_verdict::unsure:
        return "unsure";
    }
    return "";
}

profile_trend::profile_trend(const trend_options& options, std::vector<limit> limits) {
    check(options, limits);
    m_impl = std::make_unique<impl>(options, std::move(limits));
}

profile_trend::~profile_trend() = default;

void profile_trend::add(std::string_view profile) { m_impl->add(profile); }

const std::vector<value_type>& profile_trend::types() const noexcept {
    return m_impl->all().types();
}

bool profile_trend::is_rate(std::size_t type) const { return m_impl->all().is_rate(type); }

std::vector<std::string> profile_trend::programs() const {
    return m_impl->all().captures().programs();
}

std::size_t profile_trend::find_type(const std::optional<value_type_pattern>& pattern) const {
    return pattern ? pprofdelta::find_type(*pattern, types()) : m_impl->all().default_type();
}

const std::vector<trend_capture>& profile_trend::captures() { return m_impl->in_time(); }

std::vector<std::size_t> profile_trend::places(std::size_t type) { return m_impl->places(type); }

trend_rows profile_trend::rows(std::size_t type) { return m_impl->rows(type); }

std::vector<trend_limit> profile_trend::judge() { return m_impl->judge(); }

std::optional<too_few_captures> profile_trend::too_few(std::size_t type, std::size_t questions) {
    return m_impl->too_few(type, questions);
}

} // namespace pprofdelta
