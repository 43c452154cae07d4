// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/trend.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include <pprofdelta/error.hpp>

#include "captures/capture_series.hpp"
#include "captures/questions.hpp"
#include "captures/study.hpp"
#include "captures/trend_family_test.hpp"

namespace pprofdelta {

namespace {

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

// Real growth is what is looked for.
bool grows_more(const trend_row& a, const trend_row& b) {
    if ((a.is == trend_verdict::grows) != (b.is == trend_verdict::grows)) {
        return a.is == trend_verdict::grows;
    }
    return a.slope.value != b.slope.value ? a.slope.value > b.slope.value : a.name < b.name;
}

} // namespace

class profile_trend::impl final : public study<capture_series, trend_rows, trend_limit> {
public:
    impl(const trend_options& options, std::vector<limit> limits)
        : study{options, std::move(limits)}, m_options{options} {}

    const std::vector<trend_capture>& in_time() {
        if (captures().count() == 0) {
            refuse("there is no trend before there is a capture");
        }
        if (m_in_time.empty()) {
            m_in_time = captures().in_time();
        }
        return m_in_time;
    }

    const std::vector<std::size_t>& places(std::size_t type) { return of(type).values.places(); }

    std::vector<trend_limit> judge() {
        for_each_named_type(limits(), types(), [&](std::size_t number, std::size_t type) {
            const limit& l = limits()[number];
            if (captures().is_rate(type) && l.on != limit::bound::percent) {
                throw error{error_kind::incompatible,
                            "'" + l.text + "': the values of " + to_string(types()[type]) +
                                " are rates, whose growth is limited in percent"};
            }
        });
        return study::judge();
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

    type_test& of(std::size_t type) {
        auto found = m_types.find(type);
        if (found == m_types.end()) {
            found = m_types.try_emplace(type, captures(), in_time(), type, m_options).first;
        }
        return found->second;
    }

    void forget() noexcept override {
        m_in_time.clear();
        m_types.clear();
    }

    trend_row row_of(std::size_t type, const sample_group& samples) override {
        trend_row made;
        made.values = of(type).values.of(captures().captures().values(type, samples));
        return made;
    }

    [[nodiscard]] double size_of(const trend_row& row) const override {
        return mean_size({row.values});
    }

    trend_rows test_rows(std::size_t type) override {
        trend_rows result;
        result.total = row_of(type, {});
        std::vector<trend_row*> together =
            add_rows(type, result.total, result.flat, result.cum, result.left_out);
        together.push_back(&result.total);
        result.questions = of(type).test.run(together);
        follow_rows(result.total, result);
        for (trend_row* const row : together) {
            if (result.total.slope.value != 0) {
                row->share = row->slope.value / result.total.slope.value;
            }
        }
        std::sort(result.flat.begin(), result.flat.end(), grows_more);
        std::sort(result.cum.begin(), result.cum.end(), grows_more);
        return result;
    }

    // Those of a type, on totals and on named functions, are what was asked for, so they are tested
    // together.
    void test_limits(const std::vector<place>& places, std::vector<trend_limit>& all) override {
        std::map<std::size_t, std::vector<trend_limit*>> by_type;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto [number, type] = places[i];
            all[i].row = row_of(type, is_of_some(limits()[number])
                                          ? sample_group{sample_group::kind::limit, number}
                                          : sample_group{});
            by_type[type].push_back(&all[i]);
        }
        for (const auto& [type, found] : by_type) {
            std::vector<trend_row*> together;
            std::transform(found.begin(), found.end(), std::back_inserter(together),
                           [](trend_limit* each) { return &each->row; });
            const std::size_t questions = of(type).test.run(together);
            for (trend_limit* const each : found) {
                each->too_few = of(type).test.too_few(questions);
                if (each->of == limit::scope::all && is_in_doubt(each->row)) {
                    follow_rows(each->row, rows(type));
                }
            }
        }
    }

    // Whether a total really changed, upwards, and does not show that it goes on.
    [[nodiscard]] bool is_in_doubt(const trend_row& total) const {
        return !m_options.are_independent && total.s > 0 && total.corrected_p <= m_options.alpha &&
               (total.is == trend_verdict::steps || total.is == trend_verdict::levels_off ||
                total.is == trend_verdict::wanders);
    }

    // All other rows are noise in a total, and what fills up hides what goes on. So it grows as
    // well if a row does: a flat one, or else one that grows in several places.
    void follow_rows(trend_row& total, const trend_rows& all) const {
        if (!is_in_doubt(total)) {
            return;
        }
        for (const std::vector<trend_row>* const rows : {&all.flat, &all.cum}) {
            if (total.through) {
                break;
            }
            for (const trend_row& row : *rows) {
                if (row.is == trend_verdict::grows &&
                    (!total.through || row.growth > total.through->in_all)) {
                    total.is = trend_verdict::grows;
                    total.through = {row.name, row.slope.value, row.growth};
                }
            }
        }
    }

    bool is_beyond(const limit& l, std::size_t type, const trend_row& row) override {
        return of(type).test.is_beyond(l, types()[type], row);
    }

    const std::vector<trend_row>& rows_of_each(std::size_t type, trend_limit& found) override {
        const trend_rows& all = rows(type);
        found.too_few = of(type).test.too_few(all.questions);
        return found.of == limit::scope::each_leaf ? all.flat : all.cum;
    }

    trend_options m_options;
    // These are kept until another capture is added.
    std::vector<trend_capture> m_in_time;
    std::map<std::size_t, type_test> m_types;
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
    case trend_verdict::levels_off:
        return "levels off";
    case trend_verdict::wanders:
        return "wanders";
    case trend_verdict::too_few:
        return "too few";
    }
    return "";
}

profile_trend::profile_trend(const trend_options& options, std::vector<limit> limits) {
    check(options, limits);
    m_impl = std::make_unique<impl>(options, std::move(limits));
}

profile_trend::~profile_trend() = default;

void profile_trend::add(std::string_view profile) { m_impl->add(profile); }

const std::vector<value_type>& profile_trend::types() const noexcept { return m_impl->types(); }

bool profile_trend::is_rate(std::size_t type) const { return m_impl->captures().is_rate(type); }

std::vector<std::string> profile_trend::programs() const {
    return m_impl->captures().captures().programs();
}

std::size_t profile_trend::find_type(const std::optional<value_type_pattern>& pattern) const {
    return m_impl->find_type(pattern);
}

const std::vector<trend_capture>& profile_trend::captures() { return m_impl->in_time(); }

std::vector<std::size_t> profile_trend::places(std::size_t type) { return m_impl->places(type); }

trend_rows profile_trend::rows(std::size_t type) { return m_impl->rows(type); }

std::vector<trend_limit> profile_trend::judge() { return m_impl->judge(); }

std::optional<too_few_captures> profile_trend::too_few(std::size_t type, std::size_t questions) {
    return m_impl->too_few(type, questions);
}

} // namespace pprofdelta
