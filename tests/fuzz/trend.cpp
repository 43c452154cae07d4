// SPDX-License-Identifier: Apache-2.0
// Captures in time: what is refused changes nothing, totals are those of the reference's reader,
// rows add up to them, the order in which captures are added does not count, and each form keeps
// its rules.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <pprofdelta/limits.hpp>
#include <pprofdelta/trend.hpp>

#include "captures.hpp"
#include "document/trend.hpp"
#include "fuzz.hpp"
#include "json.hpp"
#include "printed.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

struct wanted : asked_of_captures<trend_options> {
    explicit wanted(steering& bytes)
        : asked_of_captures{bytes,
                            {"each:inuse_space>+1%", "inuse_space>+1kB/h",
                             "func:f:inuse_space>+10%", "flat:main:delay>+5%", "contentions>+10%",
                             "each:cum:inuse_objects>+3/h"}} {
        options.are_independent = bits / 4 % 2 == 0;
        if (more / 4 % 4 == 3) {
            options.seconds_between = 1 + more / 16;
        }
    }
};

// All that is known of one type, as people and programs read it.
struct results {
    tool::trend_view view{};
    std::string text{};
    std::string json{};
};

results results_of(profile_trend& of, std::size_t type, const wanted& asked) {
    results found;
    tool::trend_view& view = found.view;
    static_cast<void>(is_accepted([&] { add_limits(view, of); }));
    view.captures = of.captures();
    view.files = std::vector<std::string>(view.captures.size(), asked.name);
    view.of = tool::shown_type_of(of, type);
    view.rows = of.rows(type);
    view.options = asked.options;
    view.top = asked.top;
    found.text = tool::as_text(tool::document_of(view), 100, false);
    found.json = tool::as_json(view);
    return found;
}

void require_in_time(const std::vector<trend_capture>& captures, const wanted& asked) {
    std::vector<bool> is_there(captures.size());
    for (std::size_t i = 0; i < captures.size(); ++i) {
        const trend_capture& now = captures[i];
        require(now.added < captures.size() && !is_there[now.added], "each capture is there once");
        is_there[now.added] = true;
        if (i == 0) {
            require(now.run == 0 && now.hours == 0, "time begins with the first capture");
            continue;
        }
        const trend_capture& before = captures[i - 1];
        require(now.run == before.run || now.run == before.run + 1, "a restart begins one run");
        require(now.hours >= before.hours, "time goes on");
        require(asked.options.seconds_between ? now.added == i : now.time_nanos > before.time_nanos,
                "captures are in the order of their times");
    }
}

void require_row(const trend_row& row, const results& found, const wanted& asked) {
    require(row.values.size() == found.view.of.places.size(), "a value for each place");
    require_chances(row);
    const bool is_significant =
        row.verdict == trend_verdict::grows || row.verdict == trend_verdict::falls;
    require(!is_significant || row.corrected_p <= asked.options.alpha,
            "what is real has a small p");
    require(!is_significant || row.through || !row.slope.within || row.slope.within->low > 0 ||
                row.slope.within->high < 0,
            "what is real is not level as well");
    require(!is_significant || row.values.size() > 2, "two captures tell nothing");
    require(row.verdict != trend_verdict::steps || (row.step > 0 && row.step < row.values.size()),
            "a step is between captures");
}

void require_rows(const results& found, const wanted& asked) {
    const trend_rows& rows = found.view.rows;
    require_row(rows.total, found, asked);
    for (const std::vector<trend_row>* const all : {&rows.flat, &rows.cum}) {
        require_different_names(*all);
        for (const trend_row& row : *all) {
            require_row(row, found, asked);
        }
    }
    // Rates are rounded.
    if (asked.options.min_share == 0 && !found.view.of.is_rate) {
        require(rows.left_out == 0, "no row is too small");
        require_sum(
            rows.flat, rows.total.values,
            [](const trend_row& row) -> const auto& { return row.values; });
    }
}

void require_printed(const results& found) {
    require_text(found.text);
    require_markdown(tool::as_markdown(tool::markdown_document_of(found.view)));
    const json whole = parse_json(found.json);
    require(whole.at("flat").size() == std::min(found.view.top, found.view.rows.flat.size()) &&
                whole.at("cum").size() == std::min(found.view.top, found.view.rows.cum.size()),
            "as many rows as are asked for");
}

using added_captures = std::vector<const given_capture*>;

void require_totals(const results& found, const added_captures& added) {
    const tool::trend_view& view = found.view;
    for (std::size_t i = 0; i < view.of.places.size() && !view.of.is_rate; ++i) {
        const auto& content = added[view.captures[view.of.places[i]].added]->content;
        require(!content ||
                    view.rows.total.values[i] == static_cast<double>(sums(*content)[view.of.place]),
                "a total is that of all samples");
    }
}

// The first capture decides whether there are durations.
bool are_alike(const added_captures& added) {
    return std::all_of(added.begin(), added.end(), [&](const given_capture* each) {
        return each->content &&
               (each->content->duration > 0) == (added.front()->content->duration > 0);
    });
}

void require_any_order(const results& found, added_captures added, const wanted& asked) {
    if (asked.options.seconds_between || !asked.limits.empty() || !added.front()->content ||
        !are_alike(added)) {
        return;
    }
    std::reverse(added.begin(), added.end());
    profile_trend reversed{asked.options};
    for (const given_capture* const each : added) {
        reversed.add(each->bytes);
    }
    require(results_of(reversed, found.view.of.place, asked).text == found.text,
            "captures can be added in any order");
}

void check(const std::vector<given_capture>& captures, const wanted& asked) {
    std::unique_ptr<profile_trend> all;
    if (!is_accepted([&] { // a limit that is none on growth
            all = std::make_unique<profile_trend>(asked.options, asked.limits);
        })) {
        return;
    }
    profile_trend sound{asked.options, asked.limits};
    added_captures added;
    for (const given_capture& each : captures) {
        if (is_accepted([&] { all->add(each.bytes); })) {
            sound.add(each.bytes);
            added.push_back(&each);
            require(!each.content || each.content->time == 0 ||
                        !is_accepted([&] { all->add(each.bytes); }),
                    "a copy is refused");
        }
        if (!added.empty() && each.choice % 4 == 0) { // whose results are kept until the next one
            static_cast<void>(is_accepted([&] { static_cast<void>(all->rows(0)); }));
        }
    }
    const bool is_in_time = is_accepted([&] { static_cast<void>(all->captures()); });
    require(is_in_time == is_accepted([&] { static_cast<void>(sound.captures()); }),
            "what is refused has no time");
    if (!is_in_time) {
        return; // none, or two at a time
    }
    require(all->captures().size() == added.size(), "what is refused is not counted");
    require_in_time(all->captures(), asked);
    for (std::size_t type = 0; type < all->types().size(); ++type) {
        const results found = results_of(*all, type, asked);
        const results expected = results_of(sound, type, asked);
        require(found.text == expected.text && found.json == expected.json,
                "what is refused changes nothing");
        require_totals(found, added);
        require_rows(found, asked);
        if (type == 0) {
            require_any_order(found, added, asked);
            require_printed(found);
        }
    }
}

} // namespace

FUZZ_TARGET(trend, data, size) {
    steering bytes{data, size};
    const wanted asked{bytes};
    check(choose_captures(bytes), asked);
    return 0;
}
