// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <pprofdelta/flame_graph.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/report.hpp>

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
            for (const judgement& j : judge(limits, before, now)) {
                found += std::to_string(j.current) + (j.crossed ? " crossed " : " kept ");
            }
        });
        return found;
    });
    sweep("totals", [&](fault& f) {
        std::vector<std::int64_t> sums;
        f.allows_in_the_end([&] { sums = totals(now); });
        return std::to_string(sums.at(1));
    });
}

} // namespace

void sweep_reports(const std::string& before, const std::string& now) {
    sweep_limits(before, now);
    for (const grouping by :
         {grouping::function, grouping::file, grouping::package, grouping::line}) {
        report_options options;
        options.by = by;
        options.sample_type.emplace("alloc_space/bytes");
        sweep(std::string{"make_report: "} + to_string(by), [&](fault& f) {
            std::string rows;
            f.allows_in_the_end([&] {
                rows.clear();
                for (const auto& row : make_report(before, now, options).rows) {
                    rows += row.name + std::to_string(row.flat.current);
                }
            });
            return rows;
        });
        sweep(std::string{"make_flame_graph: "} + to_string(by), [&](fault& f) {
            std::string names;
            f.allows_in_the_end([&] {
                names.clear();
                for (const auto& name : make_flame_graph(before, now, options).names) {
                    names += name;
                }
            });
            return names;
        });
    }
}

} // namespace pprofdelta::test
