// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include <pprofdelta/merge.hpp>

#include "profile_builder.hpp"
#include "sweep.hpp"

namespace pprofdelta::test {

namespace {

std::string written(const profile_sum& sum) {
    std::string out;
    sum.write(out);
    return out;
}

// One call on a sum that has `before`, or nothing if that is empty.
void sweep_add(const std::string& name, const std::string& before, const std::string& now,
               const merge_options& options = {}, double weight = 1) {
    sweep("profile_sum::add: " + name, [&](fault& f) {
        profile_sum sum{options};
        std::string old;
        if (!before.empty()) {
            sum.add(before);
            old = written(sum);
        }
        const std::size_t count = sum.size();
        if (!f.allows([&] { sum.add(now, weight); })) {
            require(sum.size() == count, "the profile counts");
            require(before.empty() || written(sum) == old, "the sum has changed");
            sum.add(now, weight);
        }
        require(sum.size() == count + 1, "the profile does not count");
        return written(sum);
    });
}

void sweep_options(const std::string& name, const merge_options& options) {
    sweep("profile_sum::profile_sum: " + name, [&](fault& f) {
        std::unique_ptr<profile_sum> sum;
        f.allows_in_the_end([&] { sum = std::make_unique<profile_sum>(options); });
        return std::string{};
    });
}

// What the compiler of Go reads: stacks in which a function is there twice, at two addresses.
std::string cpu(std::int64_t first, std::int64_t last) {
    profile p;
    p.types = {{"samples", "count"}, {"cpu", "nanoseconds"}};
    for (std::int64_t i = first; i < last; ++i) {
        const auto once = add_frame(p, "f" + std::to_string(i), "a.go", i);
        p.functions.back().start_line = 1;
        p.locations.back().address = 2;
        const auto again = p.locations.size() + 1;
        location other = p.locations.back();
        other.id = again;
        other.address = 1;
        p.locations.push_back(other);
        p.samples.push_back({{again, once, 1}, {i + 1, 10 * i}, {{"key", "text"}}, ""});
    }
    return serialize(p);
}

void sweep_trimmed(const std::string& before, const std::string& now) {
    // Without patterns: RE2 loses memory if some is missing while it compiles or searches.
    merge_options some;
    some.trim.keep_types.emplace_back("inuse_space");
    some.trim.drop_lines = true;
    sweep_options("some of a profile", some);
    sweep_add("one type, without lines", before, now, some);
    merge_options pgo;
    pgo.trim.for_pgo = true;
    sweep_add("for PGO", cpu(0, 30), cpu(10, 50), pgo);
}

} // namespace

void sweep_sums(const std::string& before, const std::string& now) {
    sweep_options("all", {});
    sweep_add("the first profile", "", now);
    sweep_add("the second profile", before, now);
    sweep_add("a weight", before, now, {}, 1.5);
    merge_options by_function;
    by_function.match = match_mode::function;
    sweep_add("by function", before, now, by_function);
    merge_options last;
    last.levels = level_policy::last;
    sweep_add("the last levels", before, now, last);
    sweep_trimmed(before, now);

    profile_sum sum;
    sum.add(before);
    sum.add(now);
    sweep("profile_sum::write", [&](fault& f) {
        std::string out;
        f.allows_in_the_end([&] { sum.write(out); });
        return out;
    });
    // Of which some samples are rounded to nothing, and go with what only they refer to.
    profile_sum small;
    small.add(heap(0, 60, 1));
    small.add(heap(30, 40, 1), 1e4);
    sweep("profile_sum::write_mean", [&](fault& f) {
        std::string out;
        f.allows_in_the_end([&] { small.write_mean(out); });
        return out;
    });
}

} // namespace pprofdelta::test
