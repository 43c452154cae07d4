// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/report.hpp>
#include <pprofdelta/report_json.hpp>

#include "c/buffer.hpp"
#include "c/guard.hpp"
#include "c/options.hpp"
#include "c/source.hpp"

using namespace pprofdelta;
using namespace pprofdelta::c;

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

std::string on_two(const given_profile& previous, const given_profile& current,
                   const pprofdelta_options& options, report_context context) {
    if (previous.source != current.source) {
        throw error{error_kind::incompatible,
                    std::string{"one is "} + to_string(previous.source) + " and the other " +
                        to_string(current.source) +
                        ": the stacks of one are not those of the other",
                    error_input::both};
    }
    context.judgements = judge(options.limits, previous.bytes, current.bytes, options.min_amount,
                               options.report.selection);
    return report_as_json(make_report(previous.bytes, current.bytes, options.report), context);
}

std::string on_delta(const given_profile& previous, const given_profile& current,
                     const pprofdelta_options& options, report_context context) {
    delta_computer computer{options.delta};
    computer.prime(previous.bytes, previous.source);
    std::string delta;
    const delta_summary summary = computer.compute(current.bytes, delta, current.source);
    const computed_delta computed{delta, current.bytes, previous.bytes, computer.types(), summary};
    context.judgements =
        judge(options.limits, computed, options.min_amount, options.report.selection);
    return report_as_json(make_report(computed, options.report), context);
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
