// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/merge.hpp>
#include <pprofdelta/pprofdelta.h>
#include <pprofdelta/report_json.hpp>
#include <pprofdelta/version.hpp>

#include "c_handles.hpp"
#include "catch.hpp"
#include "profile_builder.hpp"

using namespace pprofdelta::test;
using namespace pprofdelta;

namespace {

using settings = std::vector<std::pair<const char*, const char*>>;

options_handle with(const settings& all) {
    options_handle options{pprofdelta_options_new()};
    for (const auto& [name, value] : all) {
        pprofdelta_error error{};
        INFO(name << " " << value << ": " << error.message);
        CHECK(pprofdelta_options_set(options.get(), name, value, &error) == PPROFDELTA_OK);
    }
    return options;
}

computer_handle new_computer(const settings& all = {}) {
    pprofdelta_computer* computer = nullptr;
    CHECK(pprofdelta_computer_new(with(all).get(), &computer, nullptr) == PPROFDELTA_OK);
    return computer_handle{computer};
}

sum_handle new_sum(const settings& all = {}) {
    pprofdelta_sum* sum = nullptr;
    CHECK(pprofdelta_sum_new(with(all).get(), &sum, nullptr) == PPROFDELTA_OK);
    return sum_handle{sum};
}

/// A heap profile in which the function `name` has allocated.
std::string heap(const std::string& name, std::int64_t objects) {
    profile p;
    p.types = heap_types();
    const auto frame = add_frame(p, name);
    p.samples.push_back({{frame}, {objects, objects * 16, 1, 16}});
    p.time = objects;
    return serialize(p);
}

bool is_empty(const pprofdelta_view& view) { return view.data == nullptr && view.size == 0; }

} // namespace

// These parts are not seen by tests/fuzz/c_interface.cpp: options, messages and statuses. It
// compares results with those of C++.

namespace {

pprofdelta_status compute(const computer_handle& computer, const std::string& profile,
                          std::string& delta, pprofdelta_error* error = nullptr) {
    pprofdelta_view view{};
    const auto status =
        pprofdelta_computer_compute(computer.get(), profile.data(), profile.size(),
                                    PPROFDELTA_SOURCE_PROTOBUF, &view, nullptr, error);
    delta = text_of(view);
    return status;
}

} // namespace

TEST_CASE("the interface in C has the version of the library") {
    CHECK(std::string_view{pprofdelta_version()} == version());
}

TEST_CASE("each status has a word, and the program's exit status as its last digit") {
    CHECK(std::string_view{pprofdelta_status_name(PPROFDELTA_OK)} == "ok");
    CHECK(std::string_view{pprofdelta_status_name(PPROFDELTA_TOO_LARGE)} == "too large");
    CHECK(std::string_view{pprofdelta_status_name(PPROFDELTA_INTERNAL)} == "internal");
    CHECK(std::string_view{pprofdelta_status_name(7)} == "unknown");
    CHECK(PPROFDELTA_TOO_LARGE % 10 == PPROFDELTA_MALFORMED);
    CHECK(PPROFDELTA_NO_CUMULATIVE_TYPE % 10 == PPROFDELTA_INCOMPATIBLE);
    CHECK(PPROFDELTA_RESET % 10 == PPROFDELTA_INCOMPATIBLE);
}

TEST_CASE("a failed call in C has a status, a message and a place, and changes nothing") {
    const auto computer = new_computer({{"on-reset", "error"}});
    std::string delta;
    CHECK(compute(computer, heap("f", 10), delta) == PPROFDELTA_OK);

    pprofdelta_error error{};
    CHECK(compute(computer, "\x0a\x7f", delta, &error) == PPROFDELTA_MALFORMED);
    CHECK(error.status == PPROFDELTA_MALFORMED);
    CHECK(error.input == PPROFDELTA_INPUT_CURRENT);
    CHECK(error.offset >= 0);
    CHECK(std::string_view{error.message}.find("at byte") != std::string_view::npos);
    CHECK(delta.empty());

    CHECK(compute(computer, heap("f", 1), delta, &error) == PPROFDELTA_RESET);
    CHECK(error.offset == -1);
    CHECK(compute(computer, "\x0a\x7f", delta) == PPROFDELTA_MALFORMED); // without an error

    profile gauges;
    gauges.types = {{"space", "bytes"}};
    CHECK(compute(computer, serialize(gauges), delta) == PPROFDELTA_INCOMPATIBLE);
    CHECK(compute(new_computer(), serialize(gauges), delta) == PPROFDELTA_NO_CUMULATIVE_TYPE);

    std::string wanted;
    delta_computer expected;
    expected.prime(heap("f", 10));
    expected.compute(heap("f", 12), wanted);
    CHECK(compute(computer, heap("f", 12), delta) == PPROFDELTA_OK);
    CHECK(delta == wanted);
}

TEST_CASE("a message that does not fit is cut off before a character") {
    profile p;
    p.types = {{std::string(511, 'x') + std::string(3000, '\xc3'), "bytes"}};
    std::string& type = p.types[0].type;
    for (std::size_t i = 512; i < type.size(); i += 2) {
        type[i] = '\xa4';
    }
    std::string delta;
    pprofdelta_error error{};
    CHECK(compute(new_computer(), serialize(p), delta, &error) == PPROFDELTA_NO_CUMULATIVE_TYPE);
    const std::string_view message = error.message;
    CHECK(message.size() >= sizeof error.message - 2);
    CHECK(message.size() < sizeof error.message);
    CHECK(message.back() == '\xa4');
}

TEST_CASE("options in C refuse what they cannot have, and stay as they are") {
    const options_handle options = with({{"limit", "alloc_space>1"},
                                         {"first", "skip"},
                                         {"drop-negative", "yes"},
                                         {"threads", "64"},
                                         {"drop-lines", "no"},
                                         {"for-pgo", "no"},
                                         {"drop-label", "a.*"},
                                         {"label", "tenant=a"},
                                         {"no-label", "size=1kb:"},
                                         {"gauge", "alloc_space"},
                                         {"min-amount", "1kB"},
                                         {"levels", "max"},
                                         {"ignore", "^gc"},
                                         {"hide", "^std::"},
                                         {"show-from", "main"},
                                         {"fold-allocators", "yes"},
                                         {"by", "label:tenant"},
                                         {"order", "percent"}});
    for (const auto& [name, value] : settings{{"", ""},
                                              {"nothing", "yes"},
                                              {"match", "Exact"},
                                              {"first", "yes"},
                                              {"drop-negative", "1"},
                                              {"threads", "0"},
                                              {"threads", "65"},
                                              {"threads", "2x"},
                                              {"threads", ""},
                                              {"top", "-1"},
                                              {"focus", "("},
                                              {"ignore", "("},
                                              {"hide", "("},
                                              {"show-from", "("},
                                              {"fold-allocators", "true"},
                                              {"levels", "most"},
                                              {"label", "tenant"},
                                              {"no-label", "=a"},
                                              {"limit", "alloc_space"},
                                              {"min-amount", "much"}}) {
        pprofdelta_error error{};
        INFO(name << " " << value);
        CHECK(pprofdelta_options_set(options.get(), name, value, &error) ==
              PPROFDELTA_INVALID_ARGUMENT);
        CHECK_FALSE(std::string_view{error.message}.empty());
    }
    pprofdelta_error error{};
    CHECK(pprofdelta_options_set(options.get(), "by", "name", &error) ==
          PPROFDELTA_INVALID_ARGUMENT);
    CHECK(std::string_view{error.message} ==
          "by: there is no 'name'; there are function, file, package, line, size");
}

TEST_CASE("options of a delta in C are those of C++") {
    profile p;
    p.types = {{"objects", "count"}, {"space", "bytes"}};
    p.samples.push_back({{add_frame(p, "f")}, {7, 8}});
    const std::string before = serialize(p);
    p.samples[0].values = {5, 9};
    const std::string now = serialize(p);
    for (const auto& [all, expected] : std::vector<std::pair<settings, delta_options>>{
             {{{"cumulative", "objects"}, {"cumulative", "space/bytes"}, {"on-reset", "negative"}},
              {.cumulative = {value_type_pattern{"objects"}, value_type_pattern{"space/bytes"}},
              .gauge = {},
              .on_reset = reset_policy::negative}},
             {{{"cumulative", "space"}, {"gauge", "objects"}, {"first", "skip"}},
              {.cumulative = {value_type_pattern{"space"}},
              .gauge = {value_type_pattern{"objects"}},
              .skip_first = true}},
             {{{"cumulative", "objects"}, {"drop-negative", "yes"}, {"match", "line"}},
              {.cumulative = {value_type_pattern{"objects"}},
              .gauge = {},
              .match = match_mode::line,
              .drop_negative = true}}}) {
        const auto computer = new_computer(all);
        delta_computer wanted{expected};
        for (const std::string& profile : {before, now}) {
            std::string delta;
            std::string wanted_delta;
            CHECK(compute(computer, profile, delta) == PPROFDELTA_OK);
            wanted.compute(profile, wanted_delta);
            CHECK(delta == wanted_delta);
        }
    }
}

TEST_CASE("null is refused in C where there has to be something") {
    const auto computer = new_computer();
    const auto sum = new_sum();
    const buffer_handle storage{pprofdelta_buffer_new()};
    const options_handle options{pprofdelta_options_new()};
    const std::string profile = heap("f", 1);
    const char* const bytes = profile.data();
    const std::size_t size = profile.size();
    pprofdelta_view view{bytes, size};
    pprofdelta_error error{};
    const auto is_refused = [&](pprofdelta_status status) {
        return status == PPROFDELTA_INVALID_ARGUMENT &&
               std::string_view{error.message}.ends_with(" is null");
    };
    CHECK(is_refused(pprofdelta_options_set(nullptr, "by", "file", &error)));
    CHECK(is_refused(pprofdelta_options_set(options.get(), nullptr, "file", &error)));
    CHECK(is_refused(pprofdelta_options_set(options.get(), "by", nullptr, &error)));
    CHECK(is_refused(pprofdelta_computer_new(nullptr, nullptr, &error)));
    CHECK(is_refused(pprofdelta_computer_compute(
        computer.get(), nullptr, 1, PPROFDELTA_SOURCE_PROTOBUF, &view, nullptr, &error)));
    CHECK(is_refused(pprofdelta_computer_compute(
        computer.get(), bytes, size, PPROFDELTA_SOURCE_PROTOBUF, nullptr, nullptr, &error)));
    CHECK(is_refused(
        pprofdelta_computer_prime(nullptr, bytes, size, PPROFDELTA_SOURCE_PROTOBUF, &error)));
    CHECK(pprofdelta_computer_prime(computer.get(), bytes, size, 3, &error) ==
          PPROFDELTA_INVALID_ARGUMENT);
    CHECK(pprofdelta_computer_has_previous(nullptr) == 0);
    CHECK(is_refused(pprofdelta_computer_save(computer.get(), nullptr, &error)));
    CHECK(is_refused(pprofdelta_computer_load(nullptr, bytes, size, &error)));
    CHECK(is_refused(pprofdelta_computer_load(computer.get(), nullptr, 1, &error)));
    CHECK(pprofdelta_computer_load(computer.get(), nullptr, 0, &error) == PPROFDELTA_MALFORMED);
    CHECK(is_refused(pprofdelta_decode(bytes, size, 0, nullptr, &view, nullptr, &error)));
    CHECK(is_refused(pprofdelta_decode(bytes, size, 0, storage.get(), nullptr, nullptr, &error)));
    CHECK(is_refused(
        pprofdelta_encode(bytes, size, PPROFDELTA_CODEC_GZIP, 1, nullptr, &view, &error)));
    CHECK(is_refused(
        pprofdelta_encode(bytes, size, PPROFDELTA_CODEC_GZIP, 1, storage.get(), nullptr, &error)));
    CHECK(is_refused(
        pprofdelta_diff(bytes, size, bytes, size, nullptr, nullptr, &view, nullptr, &error)));
    CHECK(is_refused(pprofdelta_normalize(bytes, size, bytes, size, PPROFDELTA_NORMALIZE_TOTAL,
                                          nullptr, &view, &error)));
    CHECK(is_refused(pprofdelta_sum_new(nullptr, nullptr, &error)));
    CHECK(is_refused(pprofdelta_sum_add(nullptr, bytes, size, 1, &error)));
    CHECK(is_refused(pprofdelta_sum_add(sum.get(), nullptr, 1, 1, &error)));
    CHECK(is_refused(pprofdelta_sum_finish(sum.get(), nullptr, nullptr, &error)));
    CHECK(is_refused(pprofdelta_sum_finish_mean(nullptr, &view, nullptr, &error)));
    CHECK(is_refused(pprofdelta_report(bytes, size, nullptr, bytes, size, nullptr, nullptr, nullptr,
                                       &view, &error)));
    CHECK(pprofdelta_report(bytes, size, nullptr, bytes, size, nullptr, nullptr, storage.get(),
                            &view, &error) == PPROFDELTA_OK);
    pprofdelta_options_free(nullptr);
    pprofdelta_buffer_free(nullptr);
    pprofdelta_computer_free(nullptr);
    pprofdelta_sum_free(nullptr);
}

// The interface in C does the same as C++ with profiles without a computer.

TEST_CASE("C refuses levels and codecs that there are not, and archives of more than is allowed") {
    const buffer_handle storage{pprofdelta_buffer_new()};
    const std::string profile = heap("f", 1);
    const std::string large = encode(std::string(100, 'x'), codec::gzip);
    pprofdelta_view view{};
    pprofdelta_error error{};
    const auto encoded = [&](int to, int level) {
        return pprofdelta_encode(profile.data(), profile.size(), to, level, storage.get(), &view,
                                 &error);
    };
    CHECK(encoded(PPROFDELTA_CODEC_ZSTD, PPROFDELTA_DEFAULT_LEVEL) == PPROFDELTA_OK);
    CHECK(text_of(view) == encode(profile, codec::zstd));
    CHECK(encoded(PPROFDELTA_CODEC_GZIP, 10) == PPROFDELTA_INVALID_ARGUMENT);
    CHECK(is_empty(view));
    CHECK(encoded(3, 1) == PPROFDELTA_INVALID_ARGUMENT);
    CHECK(std::string_view{error.message} == "there is no codec 3");
    CHECK(pprofdelta_decode(large.data(), large.size(), 99, storage.get(), &view, nullptr,
                            &error) == PPROFDELTA_TOO_LARGE);
    CHECK(is_empty(view));
    // No copy is made where there is nothing to do.
    CHECK(pprofdelta_decode(profile.data(), profile.size(), 0, storage.get(), &view, nullptr,
                            nullptr) == PPROFDELTA_OK);
    CHECK(view.data == profile.data());
}

TEST_CASE("options of a sum in C are those of C++") {
    const auto sum = new_sum({{"keep-type", "alloc_space"}, {"match", "function"}});
    profile_sum expected{{.match = match_mode::function,
                          .trim = {.keep_types = {value_type_pattern{"alloc_space"}}}}};
    for (const char* const name : {"f", "g", "f"}) {
        const std::string profile = heap(name, 4);
        CHECK(pprofdelta_sum_add(sum.get(), profile.data(), profile.size(), 2.5, nullptr) ==
              PPROFDELTA_OK);
        expected.add(profile, 2.5);
    }
    pprofdelta_view view{};
    std::string wanted;
    CHECK(pprofdelta_sum_finish_mean(sum.get(), &view, nullptr, nullptr) == PPROFDELTA_OK);
    expected.write_mean(wanted);
    CHECK(text_of(view) == wanted);

    pprofdelta_error error{};
    pprofdelta_sum* none = sum.get();
    CHECK(pprofdelta_sum_new(with({{"drop-label", "("}}).get(), &none, &error) ==
          PPROFDELTA_INVALID_ARGUMENT);
    CHECK(none == nullptr);
}
