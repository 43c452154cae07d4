// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/calls.hpp>
#include <pprofdelta/compare.hpp>
#include <pprofdelta/flame_graph.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/overview.hpp>
#include <pprofdelta/report.hpp>
#include <pprofdelta/symbolize.hpp>
#include <pprofdelta/trend.hpp>

#include "sweep.hpp"

namespace pprofdelta::test {

namespace {

void sweep_limits(const std::string& before, const std::string& now) {
    // Without functions: RE2 cannot do without memory while it compiles an expression, so the
    // library asks for enough of it before.
    const std::string text = "a_type_with_a_name_that_is_longer/than_others>+10%";
    sweep("parse_limit", [&](fault& f) {
        std::string type;
        f.allows_in_the_end([&] { type = parse_limit(text).type.text(); });
        return type;
    });
    const std::vector<limit> limits{parse_limit("alloc_space>+1%"), parse_limit("inuse_space>2kB")};
    sweep("judge", [&](fault& f) {
        std::string found;
        f.allows_in_the_end([&] {
            found.clear();
            for (const judgement& j : judge(limits, {before, now})) {
                found += std::to_string(j.current) + (j.crossed ? " crossed " : " kept ");
            }
        });
        return found;
    });
    sweep("parse_amount", [&](fault& f) {
        std::string unit;
        f.allows_in_the_end([&] { unit = parse_amount("1.5MiB").unit; });
        return unit;
    });
    sweep("totals", [&](fault& f) {
        std::vector<std::int64_t> sums;
        f.allows_in_the_end([&] { sums = totals(now); });
        return std::to_string(sums.at(1));
    });
}

// All that looks at a delta, with the profile before and with a state alone.
void sweep_deltas_for_people(const std::string& before, const std::string& now) {
    delta_computer computer;
    computer.prime(before);
    std::string delta;
    computed_delta of;
    of.summary = computer.compute(now, delta);
    of.types = computer.types();
    of.delta = delta;
    of.current = now;
    const std::vector<limit> limits{parse_limit("each:alloc_space>+1%"),
                                    parse_limit("each:cum:alloc_space>+1kB/s"),
                                    parse_limit("inuse_space>+2kB")};
    for (const bool has_previous : {true, false}) {
        of.previous = has_previous ? std::optional<std::string_view>{before} : std::nullopt;
        const std::string with = has_previous ? "two profiles" : "a state";
        sweep("judge: delta of " + with, [&](fault& f) {
            std::string found;
            f.allows_in_the_end([&] {
                found.clear();
                for (const judgement& j : judge(limits, of, parse_amount("10B"))) {
                    found += j.unknown + std::to_string(j.functions.size()) + " ";
                }
            });
            return found;
        });
        sweep("make_report: delta of " + with, [&](fault& f) {
            std::size_t rows = 0;
            f.allows_in_the_end([&] { rows = make_report(of).rows.size(); });
            return std::to_string(rows);
        });
        sweep("make_flame_graph: delta of " + with, [&](fault& f) {
            std::size_t nodes = 0;
            f.allows_in_the_end([&] { nodes = make_flame_graph(of).nodes.size(); });
            return std::to_string(nodes);
        });
    }
    sweep("make_report, make_flame_graph: one profile", [&](fault& f) {
        std::size_t size = 0;
        f.allows_in_the_end(
            [&] { size = make_report(now).rows.size() + make_flame_graph(now).nodes.size(); });
        return std::to_string(size);
    });
    sweep("call_stacks", [&](fault& f) {
        std::size_t size = 0;
        f.allows_in_the_end([&] {
            call_stacks stacks;
            size = make_report({before, now}, {}, stacks).rows.size();
            // Without callers, whose functions are chosen by a pattern.
            size += stacks.tree().nodes.size() + stacks.paths(3).paths.size();
        });
        return std::to_string(size);
    });
    sweep("add_names", [&](fault& f) {
        std::string named;
        f.allows_in_the_end([&] {
            named = add_names(now, [](const code_place&) {
                return std::vector<code_frame>{{"a function with a long name", "f", "f.cpp", 1}};
            });
        });
        return named;
    });
}

// What is there to see of captures, of any class.
template <typename Captures>
std::string judged(Captures& captures) {
    std::string found;
    for (const auto& each : captures.judge()) {
        found += std::to_string(each.row.p) + std::to_string(each.crossed) + " ";
    }
    return found;
}

std::string seen(profile_comparison& captures) {
    std::string found = judged(captures);
    const compared_rows rows = captures.rows(captures.find_type({}));
    found += std::to_string(rows.flat.questions) + " " + std::to_string(rows.left_out);
    for (const compared_row& row : rows.cum.rows) {
        found += " " + row.name + " " + std::to_string(row.change);
    }
    for (const compared_tree::node& node : captures.tree(captures.find_type({})).nodes) {
        found += " " + node.frames.front() + " " + std::to_string(node.cum.change);
    }
    // Of equal changes the first one to come is the first, and that may be of either side.
    for (const compared_paths::path& path : captures.paths(captures.find_type({}), 3).paths) {
        found += " " + std::to_string(std::abs(path.value.change));
    }
    return found;
}

std::string seen(profile_trend& trend) {
    std::string found = judged(trend);
    const trend_rows rows = trend.rows(trend.find_type({}));
    found += std::to_string(rows.questions) + " " + std::to_string(rows.left_out);
    for (const trend_row& row : rows.cum) {
        found += " " + row.name + " " + std::to_string(row.growth);
    }
    return found;
}

std::string seen(const flame_graph& graph) {
    std::string found = std::to_string(graph.left_out);
    for (const flame_graph::node& node : graph.nodes) {
        found += " " + graph.names[node.name] + " " + std::to_string(node.value.current);
    }
    return found;
}

// One profile of each side twice; a change in what comes after all that counts makes another one.
void sweep_comparisons(const std::string& before, const std::string& now) {
    constexpr const char* comment = "\x68"; // field 13, whose number follows
    const auto capture = [](const std::string& profile, int number) {
        return profile + comment + std::string(1, static_cast<char>(number));
    };
    const std::vector<limit> limits{parse_limit("each:alloc_space>+1%"),
                                    parse_limit("alloc_space>1kB")};
    sweep("profile_comparison::add", [&](fault& f) {
        profile_comparison captures{{}, limits};
        const auto add = [&](compare_side to, int number) {
            captures.add(to, capture(to == compare_side::base ? before : now, number));
        };
        const bool is_added = f.allows([&] { add(compare_side::head, 0); });
        require(captures.captures(compare_side::head) == (is_added ? 1 : 0), "another count");
        // Another one at once, and not the same: it must not meet what the one that failed left.
        add(compare_side::base, 0);
        if (!is_added) {
            add(compare_side::head, 0);
        }
        add(compare_side::base, 1);
        add(compare_side::head, 1);
        return seen(captures);
    });
    sweep("profile_comparison::judge and ::rows", [&](fault& f) {
        profile_comparison captures{{}, limits};
        captures.add(compare_side::base, before);
        captures.add(compare_side::head, now);
        std::string found;
        f.allows_in_the_end([&] { found = seen(captures); });
        return found;
    });
    sweep("profile_comparison::flame_graph", [&](fault& f) {
        profile_comparison captures;
        captures.add(compare_side::base, before);
        captures.add(compare_side::head, now);
        std::string found;
        f.allows_in_the_end([&] { found = seen(captures.flame_graph(0)); });
        return found;
    });
}

void sweep_trends(const std::string& before, const std::string& now) {
    trend_options options;
    options.are_independent = true;
    // Regular expressions, which take long here, are those of limits on two profiles.
    const std::vector<limit> limits{parse_limit("each:inuse_space>+1%"),
                                    parse_limit("inuse_space>+1kB/h")};
    sweep("profile_trend::add", [&](fault& f) {
        profile_trend trend{options, limits};
        const bool is_added = f.allows([&] { trend.add(now); });
        trend.add(before);
        if (!is_added) {
            trend.add(now);
        }
        return seen(trend);
    });
    sweep("profile_trend::judge and ::rows", [&](fault& f) {
        profile_trend trend{options, limits};
        trend.add(before);
        trend.add(now);
        std::string found;
        f.allows_in_the_end([&] { found = seen(trend); });
        return found;
    });
    sweep("make_overview", [&](fault& f) {
        std::size_t rows = 0;
        f.allows_in_the_end([&] {
            rows = 0;
            for (const overview::type& type : make_overview({before, now}).types) {
                rows += type.rows.size() + type.stacks.nodes.size();
            }
        });
        return std::to_string(rows);
    });
}

} // namespace

void sweep_reports(const std::string& before, const std::string& now) {
    sweep_limits(before, now);
    sweep_deltas_for_people(before, now);
    sweep_comparisons(before, now);
    sweep_trends(before, now);
    for (const grouping by :
         {grouping::function, grouping::file, grouping::package, grouping::line}) {
        report_options options;
        options.by = by;
        options.sample_type.emplace("alloc_space/bytes");
        sweep(std::string{"make_report: "} + to_string(by), [&](fault& f) {
            std::string rows;
            f.allows_in_the_end([&] {
                rows.clear();
                for (const auto& row : make_report({before, now}, options).rows) {
                    rows += row.name + std::to_string(row.flat.current);
                }
            });
            return rows;
        });
        sweep(std::string{"make_flame_graph: "} + to_string(by), [&](fault& f) {
            std::string names;
            f.allows_in_the_end([&] {
                names.clear();
                for (const auto& name : make_flame_graph({before, now}, options).names) {
                    names += name;
                }
            });
            return names;
        });
    }
}

} // namespace pprofdelta::test
