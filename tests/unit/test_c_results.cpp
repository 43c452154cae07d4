// SPDX-License-Identifier: Apache-2.0
// What the interface in C makes of profiles without a computer, which is what C++ makes of them.
#include <pprofdelta/pprofdelta.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/merge.hpp>
#include <pprofdelta/normalize.hpp>
#include <pprofdelta/report_json.hpp>

#include "c_handles.hpp"
#include "c_settings.hpp"
#include "catch.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

TEST_CASE("C reads and writes archives and texts") {
    const buffer_handle storage{pprofdelta_buffer_new()};
    const buffer_handle again{pprofdelta_buffer_new()};
    const std::string profile = heap("f", 1);
    pprofdelta_view encoded{};
    pprofdelta_view decoded{};
    pprofdelta_source source = PPROFDELTA_SOURCE_TEXT;
    for (const auto& [to, expected] : {std::pair{PPROFDELTA_CODEC_NONE, codec::none},
                                       {PPROFDELTA_CODEC_GZIP, codec::gzip},
                                       {PPROFDELTA_CODEC_ZSTD, codec::zstd}}) {
        CHECK(pprofdelta_encode(profile.data(), profile.size(), to, PPROFDELTA_DEFAULT_LEVEL,
                                storage.get(), &encoded, nullptr) == PPROFDELTA_OK);
        CHECK(text_of(encoded) == encode(profile, expected));
        CHECK(pprofdelta_decode(encoded.data, encoded.size, 0, again.get(), &decoded, &source,
                                nullptr) == PPROFDELTA_OK);
        CHECK(text_of(decoded) == profile);
        CHECK(source == PPROFDELTA_SOURCE_PROTOBUF);
    }
    // Without a copy where there is nothing to do.
    CHECK(pprofdelta_decode(profile.data(), profile.size(), 0, again.get(), &decoded, nullptr,
                            nullptr) == PPROFDELTA_OK);
    CHECK(decoded.data == profile.data());

    const std::string text = "--- contention:\ncycles/second = 1000\n7 2 @ 0x10 0x20\n";
    CHECK(pprofdelta_decode(text.data(), text.size(), 0, again.get(), &decoded, &source, nullptr) ==
          PPROFDELTA_OK);
    CHECK(source == PPROFDELTA_SOURCE_TEXT);
    CHECK(list_types(text_of(decoded)).size() == 2);

    pprofdelta_error error{};
    CHECK(pprofdelta_encode(profile.data(), profile.size(), PPROFDELTA_CODEC_GZIP, 10,
                            storage.get(), &encoded, &error) == PPROFDELTA_INVALID_ARGUMENT);
    CHECK(is_empty(encoded));
    CHECK(pprofdelta_encode(profile.data(), profile.size(), 3, 1, storage.get(), &encoded,
                            &error) == PPROFDELTA_INVALID_ARGUMENT);
    CHECK(std::string_view{error.message} == "there is no codec 3");
    const std::string large = encode(std::string(100, 'x'), codec::gzip);
    CHECK(pprofdelta_decode(large.data(), large.size(), 99, again.get(), &decoded, nullptr,
                            &error) == PPROFDELTA_TOO_LARGE);
    CHECK(is_empty(decoded));
}

TEST_CASE("C computes the same diffs and scaled profiles as C++") {
    const buffer_handle storage{pprofdelta_buffer_new()};
    const std::string before = heap("f", 10);
    const std::string now = heap("f", 20);
    pprofdelta_view view{};
    pprofdelta_summary summary{};
    CHECK(pprofdelta_diff(before.data(), before.size(), now.data(), now.size(), nullptr,
                          storage.get(), &view, &summary, nullptr) == PPROFDELTA_OK);
    std::string wanted;
    diff(before, now, {}, wanted);
    CHECK(text_of(view) == wanted);
    CHECK(summary.samples_kept == 1);

    CHECK(pprofdelta_normalize(before.data(), before.size(), now.data(), now.size(),
                               PPROFDELTA_NORMALIZE_TOTAL, storage.get(), &view,
                               nullptr) == PPROFDELTA_OK);
    CHECK(text_of(view) == normalize(before, now, normalization::total).profile);
    pprofdelta_error error{};
    CHECK(pprofdelta_normalize(before.data(), before.size(), now.data(), now.size(),
                               PPROFDELTA_NORMALIZE_DURATION, storage.get(), &view,
                               &error) == PPROFDELTA_INCOMPATIBLE);
    CHECK(is_empty(view));
    CHECK(pprofdelta_diff("\x0a\x7f", 2, now.data(), now.size(), nullptr, storage.get(), &view,
                          nullptr, &error) == PPROFDELTA_MALFORMED);
    CHECK(error.input == PPROFDELTA_INPUT_PREVIOUS);
}

TEST_CASE("C computes the same sums and means as C++") {
    const auto sum = new_sum({{"keep-type", "alloc_space"}, {"match", "function"}});
    profile_sum expected{{.match = match_mode::function,
                          .trim = {.keep_types = {value_type_pattern{"alloc_space"}}}}};
    pprofdelta_view view{};
    pprofdelta_error error{};
    CHECK(pprofdelta_sum_finish(sum.get(), &view, nullptr, &error) == PPROFDELTA_INVALID_ARGUMENT);
    for (const auto& [name, weight] : {std::pair{"f", 1.0}, {"g", 2.5}, {"f", 3.0}}) {
        const std::string profile = heap(name, 4);
        CHECK(pprofdelta_sum_add(sum.get(), profile.data(), profile.size(), weight, nullptr) ==
              PPROFDELTA_OK);
        expected.add(profile, weight);
        CHECK(pprofdelta_sum_add(sum.get(), profile.data(), profile.size(), 0, nullptr) ==
              PPROFDELTA_INVALID_ARGUMENT);
        CHECK(pprofdelta_sum_add(sum.get(), "\x0a\x7f", 2, 1, nullptr) == PPROFDELTA_MALFORMED);
    }
    pprofdelta_sum_summary summary{};
    std::string wanted;
    CHECK(pprofdelta_sum_finish(sum.get(), &view, &summary, nullptr) == PPROFDELTA_OK);
    expected.write(wanted);
    CHECK(text_of(view) == wanted);
    CHECK(summary.profiles == 3);
    CHECK(summary.samples_in == 3);
    CHECK(summary.samples_out == 2);
    CHECK(pprofdelta_sum_finish_mean(sum.get(), &view, nullptr, nullptr) == PPROFDELTA_OK);
    expected.write_mean(wanted);
    CHECK(text_of(view) == wanted);

    pprofdelta_sum* none = sum.get();
    CHECK(pprofdelta_sum_new(with({{"drop-label", "("}}).get(), &none, &error) ==
          PPROFDELTA_INVALID_ARGUMENT);
    CHECK(none == nullptr);
}

TEST_CASE("C writes the same reports as C++") {
    const buffer_handle storage{pprofdelta_buffer_new()};
    const std::string before = heap("f", 10);
    const std::string now = heap("g", 20);
    pprofdelta_view view{};
    const auto in_c = [&](const std::string* previous, const settings& all) {
        pprofdelta_error error{};
        const auto status =
            pprofdelta_report(previous == nullptr ? nullptr : previous->data(),
                              previous == nullptr ? 0 : previous->size(), "before", now.data(),
                              now.size(), "now", with(all).get(), storage.get(), &view, &error);
        return status == PPROFDELTA_OK ? text_of(view) : std::string{error.message};
    };
    report_context context{.previous = "before", .current = "now"};
    CHECK(in_c(&before, {{"diff", "yes"}}) == report_as_json(make_report(before, now), context));

    delta_computer computer;
    computer.prime(before);
    std::string delta;
    const auto summary = computer.compute(now, delta);
    const computed_delta computed{delta, now, before, computer.types(), summary};
    context.reported = {.by = grouping::file, .sample_type = value_type_pattern{"alloc_space"}};
    context.judgements = judge({parse_limit("alloc_space>+1kB")}, computed);
    context.top = 0;
    CHECK(in_c(&before, {{"by", "file"},
                         {"sample-type", "alloc_space"},
                         {"limit", "alloc_space>+1kB"},
                         {"top", "0"}}) ==
          report_as_json(make_report(computed, context.reported), context));

    context = {.current = "now"};
    CHECK(in_c(nullptr, {}) == report_as_json(make_report(now), context));
    CHECK(in_c(nullptr, {{"limit", "alloc_space>1"}}) == "limits need a previous profile");
    CHECK(in_c(&before, {{"sample-type", "none"}}).find("none") != std::string::npos);
    CHECK(is_empty(view));
}

TEST_CASE("reports in C refuse text with protobuf, as their stacks differ") {
    const buffer_handle storage{pprofdelta_buffer_new()};
    const std::string before = heap("f", 10);
    const std::string now = heap("f", 20);
    const auto report = [&](int previous, int current, const settings& all, std::string& json) {
        const pprofdelta_report_input first{before.data(), before.size(), previous, "before"};
        const pprofdelta_report_input second{now.data(), now.size(), current, "now"};
        pprofdelta_view view{};
        pprofdelta_error error{};
        const auto status =
            pprofdelta_report_on(&first, &second, with(all).get(), storage.get(), &view, &error);
        CHECK(error.input == (status == PPROFDELTA_INCOMPATIBLE ? PPROFDELTA_INPUT_BOTH
                                                                : PPROFDELTA_INPUT_UNSPECIFIED));
        json = text_of(view);
        return status;
    };
    constexpr int text = PPROFDELTA_SOURCE_TEXT;
    constexpr int protobuf = PPROFDELTA_SOURCE_PROTOBUF;
    for (const settings& all : {settings{}, {{"diff", "yes"}}}) {
        std::string json;
        CHECK(report(text, protobuf, all, json) == PPROFDELTA_INCOMPATIBLE);
        CHECK(report(protobuf, text, all, json) == PPROFDELTA_INCOMPATIBLE);
        CHECK(json.empty());
        CHECK(report(3, text, all, json) == PPROFDELTA_INVALID_ARGUMENT);
        CHECK(report(text, text, all, json) == PPROFDELTA_OK);
        pprofdelta_view view{};
        CHECK(pprofdelta_report(before.data(), before.size(), "before", now.data(), now.size(),
                                "now", with(all).get(), storage.get(), &view,
                                nullptr) == PPROFDELTA_OK);
        CHECK(json == text_of(view));
    }
}
