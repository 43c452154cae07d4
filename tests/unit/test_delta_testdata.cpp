// SPDX-License-Identifier: Apache-2.0
// Real profiles, compared with the slow reference like invented ones.
#include <pprofdelta/delta.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <pprofdelta/codec.hpp>

#include "canonical.hpp"
#include "catch.hpp"
#include "profile_reader.hpp"
#include "slow_delta.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

const std::filesystem::path testdata = PPROFDELTA_TESTDATA;

std::string read_profile(const std::string& name) {
    std::ifstream file{testdata / name, std::ios::binary};
    if (!file) {
        throw std::runtime_error{"cannot open " + name};
    }
    const std::string bytes{std::istreambuf_iterator<char>{file}, {}};
    std::string storage;
    return std::string{decode(bytes, storage)};
}

// The names of all pairs, without what follows the first part.
std::vector<std::string> pairs() {
    const std::string ending = ".prev.pb.gz";
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator{testdata}) {
        const std::string name = entry.path().filename().string();
        if (name.size() > ending.size() && name.ends_with(ending)) {
            names.push_back(name.substr(0, name.size() - ending.size()));
        }
    }
    return names;
}

void check_same(const std::string& delta, const slow_result& expected, const profile& current,
                match_mode match) {
    const mapping* const main = current.mappings.empty() ? nullptr : current.mappings.data();
    CHECK(find_fault(delta, main) == "none");
    CHECK(difference(expected.delta, canonical_form(parse(delta).content, match)) == "none");
}

} // namespace

TEST_CASE("pairs of real profiles agree with the slow reference") {
    REQUIRE(pairs().size() >= 5);
    for (const std::string& name : pairs()) {
        const std::string before = read_profile(name + ".prev.pb.gz");
        const std::string now = read_profile(name + ".cur.pb.gz");
        const profile parsed_before = parse(before).content;
        const profile parsed_now = parse(now).content;
        for (const auto match : {match_mode::exact, match_mode::line, match_mode::function}) {
            CAPTURE(name, static_cast<int>(match));
            delta_options options;
            options.match = match;
            std::string delta;
            diff(before, now, options, delta);
            check_same(delta, slow_diff(parsed_before, parsed_now, options), parsed_now, match);

            const auto treatment = slow_treatment(parsed_now, options);
            if (std::find(treatment.begin(), treatment.end(), true) == treatment.end()) {
                options.cumulative.emplace_back(parsed_now.types.at(0).type);
            }
            delta_computer fast{options};
            slow_delta slow{options};
            fast.prime(before);
            slow.prime(parsed_before);
            const auto expected = slow.compute(parsed_now);
            CHECK(fast.compute(now, delta).reset == expected.reset);
            check_same(delta, expected, parsed_now, match);
        }
    }
}

TEST_CASE("a delta of real profiles copies its records as they are") {
    for (const std::string& name : pairs()) {
        CAPTURE(name);
        const std::string now = read_profile(name + ".cur.pb.gz");
        const auto before = whole_samples(parse(now).content);
        for (const auto match : {match_mode::exact, match_mode::line, match_mode::function}) {
            CAPTURE(static_cast<int>(match));
            delta_options options;
            options.match = match;
            options.cumulative.emplace_back(parse(now).content.types.at(0).type);
            delta_computer computer{options};
            computer.prime(read_profile(name + ".prev.pb.gz"));
            std::string delta;
            computer.compute(now, delta);
            const auto after = whole_samples(parse(delta).content);
            CHECK(std::includes(before.begin(), before.end(), after.begin(), after.end()));
        }
    }
}
