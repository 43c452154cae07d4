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

using namespace pprofdelta;
using namespace pprofdelta::c;

namespace {

std::string on_one(std::string_view profile, const pprofdelta_options& options,
                   report_context context) {
    if (!options.limits.empty()) {
        throw error{error_kind::invalid_argument, "limits need a previous profile"};
    }
    context.previous.clear();
    return report_as_json(make_report(profile, options.report), context);
}

std::string on_two(std::string_view previous, std::string_view current,
                   const pprofdelta_options& options, report_context context) {
    context.judgements = judge(options.limits, previous, current, options.min_amount);
    return report_as_json(make_report(previous, current, options.report), context);
}

std::string on_delta(std::string_view previous, std::string_view current,
                     const pprofdelta_options& options, report_context context) {
    delta_computer computer{options.delta};
    computer.prime(previous);
    std::string delta;
    const delta_summary summary = computer.compute(current, delta);
    const computed_delta computed{delta, current, previous, computer.types(), summary};
    context.judgements = judge(options.limits, computed, options.min_amount);
    return report_as_json(make_report(computed, options.report), context);
}

bool has_counters(std::string_view profile, const delta_options& options) {
    const auto types = list_types(profile, options);
    return std::any_of(types.begin(), types.end(),
                       [](const type_treatment& each) { return each.cumulative; });
}

std::string name_of(const char* given) { return given == nullptr ? "" : given; }

} // namespace

pprofdelta_status pprofdelta_report(const void* previous, size_t previous_size,
                                    const char* previous_name, const void* current,
                                    size_t current_size, const char* current_name,
                                    const pprofdelta_options* options, pprofdelta_buffer* storage,
                                    pprofdelta_view* json, pprofdelta_error* error) {
    return guarded(error, [&] {
        pprofdelta_view& result = required(json, "json") = {};
        pprofdelta_buffer& room = required(storage, "storage");
        const pprofdelta_options& with = options_or_defaults(options);
        const std::string_view before = bytes_of(previous, previous_size, "previous");
        const std::string_view now = bytes_of(current, current_size, "current");
        report_context context;
        context.previous = name_of(previous_name);
        context.current = name_of(current_name);
        context.reported = with.report;
        context.top = with.top;
        if (previous == nullptr) {
            room.bytes = on_one(now, with, std::move(context));
        } else if (with.diff || !has_counters(before, with.delta)) {
            room.bytes = on_two(before, now, with, std::move(context));
        } else {
            room.bytes = on_delta(before, now, with, std::move(context));
        }
        result = view_of(room.bytes);
    });
}
