// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/normalize.hpp>

#include <limits>
#include <string>
#include <vector>

#include <pprofdelta/comment.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/limits.hpp>

#include "catch.hpp"
#include "error_from.hpp"
#include "profile_builder.hpp"
#include "profile_reader.hpp"

using namespace pprofdelta;
using test::fails_as;

namespace {

test::profile with_values(const std::vector<std::vector<std::int64_t>>& values) {
    test::profile p;
    p.types = {{"objects", "count"}, {"space", "bytes"}};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto frame = test::add_frame(p, "f" + std::to_string(i));
        p.samples.push_back({{frame}, values[i], {{"key", "text"}}, ""});
    }
    return p;
}

std::vector<std::vector<std::int64_t>> values_of(const std::string& bytes) {
    std::vector<std::vector<std::int64_t>> values;
    for (const auto& sample : test::parse(bytes).content.samples) {
        values.push_back(sample.values);
    }
    return values;
}

normalized_profile normalized(const test::profile& previous, const test::profile& current,
                              normalization by = normalization::total) {
    return normalize(test::serialize(previous), test::serialize(current), by);
}

} // namespace

TEST_CASE("each type is scaled to its own total, and halves are rounded away from zero") {
    const test::profile before = with_values({{1, 10}, {3, -10}, {-1, 40}, {1, 0}});
    const test::profile now = with_values({{6, 20}});
    const normalized_profile result = normalized(before, now);
    CHECK(result.factors == std::vector<double>{1.5, 0.5});
    CHECK(values_of(result.profile) ==
          std::vector<std::vector<std::int64_t>>{{2, 5}, {5, -5}, {-2, 20}, {2, 0}});
    CHECK(test::parse(result.profile).content.samples[0].labels == before.samples[0].labels);
}

TEST_CASE("a total of zero stays, and samples of zeros are left out") {
    const normalized_profile result =
        normalized(with_values({{0, 5}, {7, 0}, {-7, 0}}), with_values({{1, 10}}));
    CHECK(result.factors == std::vector<double>{0, 2});
    CHECK(values_of(result.profile) == std::vector<std::vector<std::int64_t>>{{0, 10}});
    CHECK(test::parse(result.profile).content.functions.size() == 1);
}

TEST_CASE("what does not fit into 64 bits saturates") {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    const normalized_profile result =
        normalized(with_values({{3, 1}, {-2, 0}, {0, 1}}), with_values({{most, 4}}));
    CHECK(values_of(result.profile) ==
          std::vector<std::vector<std::int64_t>>{{most, 2}, {least, 0}, {0, 2}});
}

TEST_CASE("by duration all types have one factor") {
    test::profile before = with_values({{2, 10}});
    test::profile now = with_values({{5, 5}});
    const auto scale = [&] { return normalized(before, now, normalization::duration); };
    CHECK(fails_as(error_kind::incompatible, scale));
    before.duration = 2'000'000'000;
    CHECK(fails_as(error_kind::incompatible, scale));
    now.duration = 5'000'000'000;
    CHECK(scale().factors == std::vector<double>{2.5, 2.5});
    CHECK(values_of(scale().profile) == std::vector<std::vector<std::int64_t>>{{5, 25}});
    CHECK(test::parse(scale().profile).content.duration == before.duration);
    before.duration = -1;
    CHECK(fails_as(error_kind::incompatible, scale));
}

TEST_CASE("profiles that do not go together are not normalized") {
    test::profile other = with_values({{1, 1}});
    other.types[0].unit = "bytes";
    CHECK(fails_as(error_kind::incompatible, [&] { normalized(with_values({{1, 1}}), other); }));
    CHECK(fails_as(error_kind::malformed, [&] {
        static_cast<void>(normalize("x", test::serialize(other), normalization::total));
    }));
}

TEST_CASE("a profile in proportion has no change when it is normalized") {
    const std::string before = test::serialize(with_values({{1, 10}, {2, 30}}));
    const std::string now = test::serialize(with_values({{7, 50}, {14, 150}}));
    const std::string scaled = normalize(before, now, normalization::total).profile;
    CHECK(totals(scaled) == totals(now));
    std::string delta;
    CHECK(diff(scaled, now, {}, delta).samples_kept == 0);
    CHECK(diff(before, now, {}, delta).samples_kept == 2);
}

TEST_CASE("a comment comes after those that are there") {
    test::profile p = with_values({{1, 2}});
    p.comments = {"one", "two"};
    std::string bytes = test::serialize(p);
    add_comment(bytes, "three");
    add_comment(bytes, "");
    p.comments.insert(p.comments.end(), {"three", ""});
    CHECK(test::parse(bytes).content == p);
    std::string nothing = "x";
    CHECK(fails_as(error_kind::malformed, [&] { add_comment(nothing, "text"); }));
    CHECK(nothing == "x");
}
