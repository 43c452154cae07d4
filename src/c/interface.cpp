// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/merge.hpp>
#include <pprofdelta/normalize.hpp>
#include <pprofdelta/otlp_profile.hpp>
#include <pprofdelta/report.hpp>
#include <pprofdelta/report_json.hpp>
#include <pprofdelta/text_profile.hpp>
#include <pprofdelta/version.hpp>

#include "c/common.hpp"

using namespace pprofdelta;
using namespace pprofdelta::c;

const char* pprofdelta_version(void) { return version(); }

pprofdelta_buffer* pprofdelta_buffer_new(void) { return new (std::nothrow) pprofdelta_buffer; }

void pprofdelta_buffer_free(pprofdelta_buffer* buffer) { delete buffer; }

pprofdelta_status pprofdelta_decode(const void* bytes, size_t size, size_t max_size,
                                    pprofdelta_buffer* storage, pprofdelta_view* profile,
                                    pprofdelta_source* source, pprofdelta_error* error) {
    return guarded(error, [&] {
        pprofdelta_view& result = required(profile, "profile") = {};
        pprofdelta_buffer& room = required(storage, "storage");
        const std::size_t most = max_size == 0 ? max_profile_size : max_size;
        std::string_view read = decode(bytes_of(bytes, size, "bytes"), room.bytes, most);
        pprofdelta_source found = PPROFDELTA_SOURCE_PROTOBUF;
        if (is_text_profile(read)) {
            convert_text_profile(read, room.converted, most);
            found = PPROFDELTA_SOURCE_TEXT;
        } else if (is_otlp_profile(read)) {
            convert_otlp_profile(read, room.converted, most);
            found = PPROFDELTA_SOURCE_OTLP;
        }
        result = view_of(found == PPROFDELTA_SOURCE_PROTOBUF ? read : room.converted);
        if (source != nullptr) {
            *source = found;
        }
    });
}

pprofdelta_status pprofdelta_encode(const void* bytes, size_t size, int to, int level,
                                    pprofdelta_buffer* storage, pprofdelta_view* encoded,
                                    pprofdelta_error* error) {
    return guarded(error, [&] {
        pprofdelta_view& result = required(encoded, "encoded") = {};
        pprofdelta_buffer& room = required(storage, "storage");
        room.bytes =
            encode(bytes_of(bytes, size, "bytes"),
                   chosen<codec>(to, "codec", codec::none, codec::gzip, codec::zstd), level);
        result = view_of(room.bytes);
    });
}

struct pprofdelta_computer {
    delta_computer computer;
    std::string delta{};
    std::string state{};
};

namespace {

void fill(pprofdelta_summary* to, const delta_summary& from) noexcept {
    if (to != nullptr) {
        *to = {from.samples_in,
               from.samples_kept,
               from.time_nanos,
               from.duration_nanos,
               static_cast<std::int32_t>(from.first),
               static_cast<std::int32_t>(from.reset),
               static_cast<std::int32_t>(from.out_of_order),
               static_cast<std::int32_t>(from.previous_has_duration),
               static_cast<std::int32_t>(from.reason),
               static_cast<std::int32_t>(from.other_program),
               static_cast<std::int32_t>(from.process_returned),
               static_cast<std::int32_t>(from.starts_over_each_time),
               from.negative_samples};
    }
}

} // namespace

pprofdelta_status pprofdelta_computer_new(const pprofdelta_options* options,
                                          pprofdelta_computer** computer, pprofdelta_error* error) {
    return guarded(error, [&] {
        pprofdelta_computer*& result = required(computer, "computer") = nullptr;
        result = new pprofdelta_computer{delta_computer{options_or_defaults(options).delta}};
    });
}

pprofdelta_status pprofdelta_computer_compute(pprofdelta_computer* computer, const void* profile,
                                              size_t size, int source, pprofdelta_view* delta,
                                              pprofdelta_summary* summary,
                                              pprofdelta_error* error) {
    return guarded(error, [&] {
        pprofdelta_view& result = required(delta, "delta") = {};
        pprofdelta_computer& of = required(computer, "computer");
        fill(summary,
             of.computer.compute(bytes_of(profile, size, "profile"), of.delta, source_of(source)));
        result = view_of(of.delta);
    });
}

pprofdelta_status pprofdelta_computer_prime(pprofdelta_computer* computer, const void* profile,
                                            size_t size, int source, pprofdelta_error* error) {
    return guarded(error, [&] {
        required(computer, "computer")
            .computer.prime(bytes_of(profile, size, "profile"), source_of(source));
    });
}

int pprofdelta_computer_has_previous(const pprofdelta_computer* computer) {
    return computer != nullptr && computer->computer.has_previous() ? 1 : 0;
}

pprofdelta_status pprofdelta_computer_save(pprofdelta_computer* computer, pprofdelta_view* state,
                                           pprofdelta_error* error) {
    return guarded(error, [&] {
        pprofdelta_view& result = required(state, "state") = {};
        pprofdelta_computer& of = required(computer, "computer");
        of.state = of.computer.save();
        result = view_of(of.state);
    });
}

pprofdelta_status pprofdelta_computer_load(pprofdelta_computer* computer, const void* state,
                                           size_t size, pprofdelta_error* error) {
    return guarded(error, [&] {
        required(computer, "computer").computer.load(bytes_of(state, size, "state"));
    });
}

void pprofdelta_computer_free(pprofdelta_computer* computer) { delete computer; }

pprofdelta_status pprofdelta_diff(const void* previous, size_t previous_size, const void* current,
                                  size_t current_size, const pprofdelta_options* options,
                                  pprofdelta_buffer* storage, pprofdelta_view* delta,
                                  pprofdelta_summary* summary, pprofdelta_error* error) {
    return guarded(error, [&] {
        pprofdelta_view& result = required(delta, "delta") = {};
        pprofdelta_buffer& room = required(storage, "storage");
        fill(summary, diff(bytes_of(previous, previous_size, "previous"),
                           bytes_of(current, current_size, "current"),
                           options_or_defaults(options).delta, room.bytes));
        result = view_of(room.bytes);
    });
}

pprofdelta_status pprofdelta_normalize(const void* previous, size_t previous_size,
                                       const void* current, size_t current_size, int by,
                                       pprofdelta_buffer* storage, pprofdelta_view* normalized,
                                       pprofdelta_error* error) {
    return guarded(error, [&] {
        pprofdelta_view& result = required(normalized, "normalized") = {};
        pprofdelta_buffer& room = required(storage, "storage");
        room.bytes = normalize(bytes_of(previous, previous_size, "previous"),
                               bytes_of(current, current_size, "current"),
                               chosen<normalization>(by, "normalization", normalization::total,
                                                     normalization::duration))
                         .profile;
        result = view_of(room.bytes);
    });
}

struct pprofdelta_sum {
    profile_sum sum;
    std::string written{};
};

namespace {

using writer = merge_summary (profile_sum::*)(std::string&) const;

pprofdelta_status finish(pprofdelta_sum* sum, writer write, pprofdelta_view* written,
                         pprofdelta_sum_summary* summary, pprofdelta_error* error) noexcept {
    return guarded(error, [&] {
        pprofdelta_view& result = required(written, "written") = {};
        pprofdelta_sum& of = required(sum, "sum");
        const merge_summary totals = (of.sum.*write)(of.written);
        if (summary != nullptr) {
            *summary = {totals.profiles, totals.samples_in, totals.samples_out, totals.time_nanos,
                        totals.duration_nanos};
        }
        result = view_of(of.written);
    });
}

} // namespace

pprofdelta_status pprofdelta_sum_new(const pprofdelta_options* options, pprofdelta_sum** sum,
                                     pprofdelta_error* error) {
    return guarded(error, [&] {
        pprofdelta_sum*& result = required(sum, "sum") = nullptr;
        result = new pprofdelta_sum{profile_sum{options_or_defaults(options).merge}};
    });
}

pprofdelta_status pprofdelta_sum_add(pprofdelta_sum* sum, const void* profile, size_t size,
                                     double weight, pprofdelta_error* error) {
    return guarded(
        error, [&] { required(sum, "sum").sum.add(bytes_of(profile, size, "profile"), weight); });
}

pprofdelta_status pprofdelta_sum_finish(pprofdelta_sum* sum, pprofdelta_view* written,
                                        pprofdelta_sum_summary* summary, pprofdelta_error* error) {
    return finish(sum, &profile_sum::write, written, summary, error);
}

pprofdelta_status pprofdelta_sum_finish_mean(pprofdelta_sum* sum, pprofdelta_view* written,
                                             pprofdelta_sum_summary* summary,
                                             pprofdelta_error* error) {
    return finish(sum, &profile_sum::write_mean, written, summary, error);
}

void pprofdelta_sum_free(pprofdelta_sum* sum) { delete sum; }

namespace {

// A profile of a report.
struct given_profile {
    std::string_view bytes{};
    profile_source source{};
};

std::string on_one(const given_profile& profile, const pprofdelta_options& options,
                   const report_context& context) {
    if (!options.limits.empty()) {
        throw error{error_kind::invalid_argument, "limits need a previous profile"};
    }
    return report_as_json(make_report(profile.bytes, options.report), context);
}

std::string with_limits(const viewed_profiles& of, const pprofdelta_options& options,
                        report_context context) {
    context.judgements = judge(options.limits, of, options.min_amount, options.report.selection);
    return report_as_json(make_report(of, options.report), context);
}

std::string on_two(const given_profile& previous, const given_profile& current,
                   const pprofdelta_options& options, report_context context) {
    if (previous.source != current.source) {
        throw error{error_kind::incompatible,
                    std::string{"one is "} + to_string(previous.source) + " and the other " +
                        to_string(current.source) + ": stacks of different formats do not match",
                    error_input::both};
    }
    return with_limits(viewed_profiles{previous.bytes, current.bytes}, options, std::move(context));
}

std::string on_delta(const given_profile& previous, const given_profile& current,
                     const pprofdelta_options& options, report_context context) {
    delta_computer computer{options.delta};
    computer.prime(previous.bytes, previous.source);
    std::string delta;
    const delta_summary summary = computer.compute(current.bytes, delta, current.source);
    const computed_delta computed{delta, current.bytes, previous.bytes, computer.types(), summary};
    return with_limits(viewed_profiles{computed}, options, std::move(context));
}

bool has_counters(std::string_view profile, const delta_options& options) {
    const auto types = list_types(profile, options);
    return std::any_of(types.begin(), types.end(),
                       [](const type_treatment& each) { return each.cumulative; });
}

given_profile read(const pprofdelta_report_input& from, const char* what, std::string& name) {
    name = from.name == nullptr ? "" : from.name;
    return {bytes_of(from.profile, from.size, what), source_of(from.source)};
}

} // namespace

pprofdelta_status pprofdelta_report_on(const pprofdelta_report_input* previous,
                                       const pprofdelta_report_input* current,
                                       const pprofdelta_options* options,
                                       pprofdelta_buffer* storage, pprofdelta_view* json,
                                       pprofdelta_error* error) {
    return guarded(error, [&] {
        pprofdelta_view& result = required(json, "json") = {};
        pprofdelta_buffer& room = required(storage, "storage");
        const pprofdelta_options& with = options_or_defaults(options);
        report_context context;
        given_profile before;
        if (previous != nullptr) {
            before = read(*previous, "previous", context.previous);
        }
        const given_profile now = read(required(current, "current"), "current", context.current);
        context.reported = with.report;
        context.top = with.top;
        if (previous == nullptr) {
            room.bytes = on_one(now, with, context);
        } else if (with.diff || !has_counters(before.bytes, with.delta)) {
            room.bytes = on_two(before, now, with, std::move(context));
        } else {
            room.bytes = on_delta(before, now, with, std::move(context));
        }
        result = view_of(room.bytes);
    });
}

pprofdelta_status pprofdelta_report(const void* previous, size_t previous_size,
                                    const char* previous_name, const void* current,
                                    size_t current_size, const char* current_name,
                                    const pprofdelta_options* options, pprofdelta_buffer* storage,
                                    pprofdelta_view* json, pprofdelta_error* error) {
    const pprofdelta_report_input before{previous, previous_size, PPROFDELTA_SOURCE_PROTOBUF,
                                         previous_name};
    const pprofdelta_report_input now{current, current_size, PPROFDELTA_SOURCE_PROTOBUF,
                                      current_name};
    // A size without bytes is a fault there.
    const bool is_alone = previous == nullptr && previous_size == 0;
    return pprofdelta_report_on(is_alone ? nullptr : &before, &now, options, storage, json, error);
}
