// SPDX-License-Identifier: Apache-2.0
// Profiles as OTLP. tests/otlp reads what is written by Google's runtime.
#include <pprofdelta/otlp_profile.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "canonical.hpp"
#include "catch.hpp"
#include "error_from.hpp"
#include "profile_builder.hpp"
#include "profile_reader.hpp"
#include "random_profile.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

std::string written(const profile& from, bool is_delta = false) {
    std::string otlp;
    write_otlp_profile(serialize(from), otlp, is_delta);
    REQUIRE(is_otlp_profile(otlp));
    return otlp;
}

profile there_and_back(const profile& from, bool is_delta = false) {
    std::string bytes;
    convert_otlp_profile(written(from, is_delta), bytes);
    return parse(bytes).content;
}

profile one_sample(const std::vector<label>& labels) {
    profile p;
    p.types = {{"alloc_space", "bytes"}};
    p.samples.push_back({{add_frame(p, "f")}, {5}, labels, ""});
    return p;
}

std::vector<label> labels_back(const std::vector<label>& labels) {
    return there_and_back(one_sample(labels)).samples.at(0).labels;
}

// OTLP has none but at index 0, where it is no function and no mapping.
bool has_function_or_mapping_of_zeros(const profile& p) {
    return std::any_of(p.functions.begin(), p.functions.end(),
                       [](const function& f) {
                           return f.name.empty() && f.system_name.empty() && f.file.empty() &&
                                  f.start_line == 0;
                       }) ||
           std::any_of(p.mappings.begin(), p.mappings.end(), [](const mapping& m) {
               return m == mapping{.id = m.id, .unknown = m.unknown};
           });
}

bool is_in(const std::string& otlp, const std::string& text) {
    return otlp.find(text) != std::string::npos;
}

} // namespace

TEST_CASE("labels are the same when they come back from OTLP") {
    for (const std::vector<label>& each : std::vector<std::vector<label>>{
             {},
             {{"k", "v", 0, "", ""}},
             {{"k", "", 7, "bytes", ""}},
             {{"k", "", -7, "", ""}},
             {{"k", "", 0, "bytes", ""}},
             {{"k", "", 0, "", ""}},
             {{"k", "a", 0, "", ""}, {"k", "b", 0, "", ""}},
             {{"k", "", 1, "u", ""}, {"k", "", 2, "u", ""}},
             {{"trace_id", "not one", 0, "", ""}},
             {{"trace_id", std::string(32, 'a'), 0, "", ""}},
             {{"trace_id", std::string(32, 'a'), 0, "", ""},
              {"span_id", std::string(16, '9'), 0, "", ""}},
             {{"resource.service.name", "s", 0, "", ""}, {"otel.scope.name", "o", 0, "", ""}},
             {{"resource.list", "a", 0, "", ""}, {"resource.list", "b", 0, "", ""}}}) {
        CHECK(labels_back(each) == each);
    }
}

TEST_CASE("resources, scopes and links of OTLP are labels and become themselves again") {
    const std::string otlp = written(one_sample({{"resource.service.name", "s", 0, "", ""},
                                                 {"otel.scope.name", "o", 0, "", ""},
                                                 {"trace_id", std::string(32, 'a'), 0, "", ""},
                                                 {"span_id", std::string(16, '9'), 0, "", ""}}));
    for (const char* const label : {"resource.", "otel.scope", "trace_id", "span_id", "aaaa"}) {
        CHECK_FALSE(is_in(otlp, label));
    }
    CHECK(is_in(otlp, "service.name"));
    CHECK(is_in(otlp, std::string(16, '\xaa')));
}

TEST_CASE("a delta in OTLP says that it is one, and begins when it did") {
    profile p = one_sample({});
    p.time = 100;
    CHECK_FALSE(is_in(written(p), "pprofdelta.temporality"));
    p.duration = 60;
    CHECK(is_in(written(p), "pprofdelta.temporality"));
    CHECK(there_and_back(p).time == 100);
    CHECK(there_and_back(p).duration == 60);
    p.types = {{"cpu", "nanoseconds"}};
    CHECK_FALSE(is_in(written(p), "pprofdelta.temporality"));
    CHECK(there_and_back(p).time == 100);
    CHECK(is_in(written(p, true), "pprofdelta.temporality"));
    CHECK(there_and_back(p, true).time == 100);
}

TEST_CASE("a profile without samples keeps its types in OTLP") {
    profile p;
    p.types = heap_types();
    CHECK(there_and_back(p).types == p.types);
}

TEST_CASE("samples that are zero in some types come back from OTLP, and those that are in all") {
    profile p;
    p.types = heap_types();
    p.samples.push_back({{add_frame(p, "f")}, {0, 0, 0, 0}, {}, ""});
    p.samples.push_back({{add_frame(p, "g")}, {0, 0, 0, 7}, {}, ""});
    const profile back = there_and_back(p);
    REQUIRE(back.samples.size() == 2);
    CHECK(back.samples[0].values == std::vector<std::int64_t>{0, 0, 0, 0});
    CHECK(back.samples[1].values == std::vector<std::int64_t>{0, 0, 0, 7});
}

TEST_CASE("random profiles are the same when they come back from OTLP") {
    int compared = 0;
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        random_series series{seed};
        const std::string bytes = serialize(series.next(), series.next_layout());
        std::string otlp;
        otlp_losses lost;
        const auto fault = error_from([&] { lost = write_otlp_profile(bytes, otlp); });
        if (fault) {
            CHECK(fault->kind() == error_kind::incompatible); // two types are the same
            continue;
        }
        std::string back;
        convert_otlp_profile(otlp, back);
        CHECK(is_otlp_profile(otlp));
        std::string again;
        write_otlp_profile(back, again);
        std::string back_again;
        convert_otlp_profile(again, back_again);
        const auto samples_of = [](const std::string& each) {
            return canonical{add_up(parse(each).content, match_mode::exact), {}};
        };
        CHECK(difference(samples_of(back), samples_of(back_again)) == "none");
        if (lost.changed_labels == 0 && !has_function_or_mapping_of_zeros(parse(bytes).content)) {
            CHECK(difference(samples_of(bytes), samples_of(back)) == "none");
            ++compared;
        }
    }
    CHECK(compared > 0);
}

TEST_CASE("what OTLP has no place for is counted") {
    profile p = one_sample({{"k", "v", 3, "", ""}, {"l", "", 1, "a", ""}, {"l", "", 1, "b", ""}});
    p.unknown = message_builder{}.number(99, 1).str();
    std::string otlp;
    const otlp_losses lost = write_otlp_profile(serialize(p), otlp);
    CHECK(lost.unknown_fields == 1);
    CHECK(lost.changed_labels == 2);
    p.types.push_back(p.types.front());
    p.samples[0].values.push_back(1);
    CHECK(fails_as(error_kind::incompatible, [&] { write_otlp_profile(serialize(p), otlp); }));
    p.types.back() = {"", "bytes"};
    CHECK(fails_as(error_kind::incompatible, [&] { write_otlp_profile(serialize(p), otlp); }));
}

TEST_CASE("what is not UTF-8 becomes question marks in OTLP") {
    profile p;
    p.types = {{"alloc_space", "bytes"}};
    p.samples.push_back(
        {{add_frame(p, "\xe2\x82\xac\xe2\x82")}, {5}, {{"k\xff", "v", 0, "", ""}}, ""});
    p.samples.push_back(
        {{add_frame(p, "f\xc3\xa9\xfe")}, {3}, {{"resource.n", "\x80", 0, "", ""}}, ""});
    std::string otlp;
    CHECK(write_otlp_profile(serialize(p), otlp).changed_strings == 4);
    const profile back = there_and_back(p);
    CHECK(back.functions.at(0).name == "\xe2\x82\xac??");
    CHECK(back.functions.at(1).name == "f\xc3\xa9?");
    CHECK(back.samples.at(0).labels.at(0).key == "k?");
    CHECK(back.samples.at(1).labels.at(0).str == "?");
}

TEST_CASE("what many records refer to takes no room out of proportion in OTLP") {
    const std::string text(400'000, 'x');
    constexpr int many = 300;
    const auto require_refusal = [](const profile& from) {
        std::string otlp;
        CHECK(fails_as(error_kind::too_large, [&] { write_otlp_profile(serialize(from), otlp); }));
    };
    profile p = one_sample({});
    p.comments.assign(many, text);
    require_refusal(p);
    // A text that each sample has, by itself and as a part of its resource.
    for (const char* const key : {"k", "resource.k"}) {
        p = one_sample({});
        for (int i = 0; i < many; ++i) {
            p.samples.push_back({{1}, {1}, {{key, text, 0, "", ""}, {"n", "", i, "", ""}}, ""});
        }
        require_refusal(p);
    }
    // The header of each source.
    p = one_sample({});
    p.default_type = text;
    for (int i = 1; i < many; ++i) {
        p.samples.push_back({{1}, {1}, {{"resource.n", "", i, "", ""}}, ""});
    }
    require_refusal(p);
    // One build id.
    p = one_sample({});
    for (std::uint64_t id = 1; id <= many; ++id) {
        p.mappings.push_back({.id = id, .start = id, .build_id = text});
        p.locations.push_back({id + 1, id, id, {}, false, ""});
        p.samples[0].stack.push_back(id + 1);
    }
    require_refusal(p);
}

TEST_CASE("names that are equal in OTLP are one") {
    profile p;
    p.types = {{"alloc_space", "bytes"}};
    p.samples.push_back({{add_frame(p, "f\xff")}, {5}, {}, ""});
    p.samples.push_back({{add_frame(p, "f\xfe")}, {3}, {}, ""});
    const profile back = there_and_back(p);
    REQUIRE(back.samples.size() == 1);
    CHECK(back.samples[0].values == std::vector<std::int64_t>{8});
}
