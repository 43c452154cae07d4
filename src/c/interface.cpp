// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/error.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/merge.hpp>
#include <pprofdelta/normalize.hpp>
#include <pprofdelta/otlp_profile.hpp>
#include <pprofdelta/pprofdelta.h>
#include <pprofdelta/report.hpp>
#include <pprofdelta/report_json.hpp>
#include <pprofdelta/text_profile.hpp>
#include <pprofdelta/version.hpp>

#include "base/errors.hpp"
#include "base/text.hpp"

struct pprofdelta_buffer {
    std::string bytes{};
    std::string converted{}; ///< The profile that `bytes` are as text.
};

struct pprofdelta_options {
    pprofdelta::delta_options delta{};
    /// The options of a sum without those that the others have as well.
    pprofdelta::merge_options merge{};
    pprofdelta::report_options report{};
    bool diff = false;
    std::size_t top = 20;
    std::vector<pprofdelta::limit> limits{};
    std::optional<pprofdelta::amount> min_amount{};
};

struct pprofdelta_computer {
    pprofdelta::delta_computer computer;
    std::string delta{};
    std::string state{};
};

struct pprofdelta_sum {
    pprofdelta::profile_sum sum;
    std::string written{};
};

namespace pprofdelta::c {

namespace {

pprofdelta_status status_of(error_kind kind) noexcept {
    constexpr std::array statuses{// in the order of their declarations
                                  PPROFDELTA_MALFORMED,    PPROFDELTA_TOO_LARGE,
                                  PPROFDELTA_INCOMPATIBLE, PPROFDELTA_NO_CUMULATIVE_TYPE,
                                  PPROFDELTA_RESET,        PPROFDELTA_INVALID_ARGUMENT};
    const auto place = static_cast<std::size_t>(kind);
    return place < statuses.size() ? statuses[place] : PPROFDELTA_INTERNAL;
}

// The enumerations have the same numbers.
static_assert(static_cast<int>(error_input::previous) == PPROFDELTA_INPUT_PREVIOUS &&
              static_cast<int>(error_input::current) == PPROFDELTA_INPUT_CURRENT &&
              static_cast<int>(error_input::both) == PPROFDELTA_INPUT_BOTH &&
              static_cast<int>(error_input::state) == PPROFDELTA_INPUT_STATE);

// A character of UTF-8 is not cut.
std::size_t fitting(std::string_view text, std::size_t most) noexcept {
    if (text.size() <= most) {
        return text.size();
    }
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0U) == 0x80U) {
        --most;
    }
    return most;
}

pprofdelta_status fill(pprofdelta_error* to, pprofdelta_status status, std::string_view message,
                       pprofdelta_input input = PPROFDELTA_INPUT_UNSPECIFIED,
                       std::int64_t offset = -1) noexcept {
    if (to != nullptr) {
        *to = {status, input, offset, {}};
        std::memcpy(to->message, message.data(), fitting(message, sizeof to->message - 1));
    }
    return status;
}

// The status of the exception that is being handled, with which it fills `to` if that is not null.
// Allocates nothing.
pprofdelta_status status_of_exception(pprofdelta_error* to) noexcept {
    try {
        throw;
    } catch (const error& e) {
        const std::int64_t offset = e.offset() ? static_cast<std::int64_t>(*e.offset()) : -1;
        return fill(to, status_of(e.kind()), e.what(), static_cast<pprofdelta_input>(e.input()),
                    offset);
    } catch (const std::bad_alloc&) {
        return fill(to, PPROFDELTA_OUT_OF_MEMORY, "out of memory");
    } catch (const std::exception& e) {
        return fill(to, PPROFDELTA_INTERNAL, e.what());
    } catch (...) {
        return fill(to, PPROFDELTA_INTERNAL, "unknown fault");
    }
}

// Calls `work()`, and lets no exception through.
template <typename Work>
pprofdelta_status guarded(pprofdelta_error* error, Work&& work) noexcept {
    try {
        std::forward<Work>(work)();
    } catch (...) {
        return status_of_exception(error);
    }
    if (error != nullptr) {
        *error = {PPROFDELTA_OK, PPROFDELTA_INPUT_UNSPECIFIED, -1, {}};
    }
    return PPROFDELTA_OK;
}

// Returns the object behind a pointer from the caller.
// @throws error invalid_argument if it is null.
template <typename Type>
Type& required(Type* object, const char* what) {
    if (object == nullptr) {
        refuse(std::string{what} + " is null");
    }
    return *object;
}

// @throws error invalid_argument for null bytes of a size.
std::string_view bytes_of(const void* bytes, std::size_t size, const char* what) {
    if (bytes == nullptr && size != 0) {
        refuse(std::string{what} + " is null");
    }
    return {static_cast<const char*>(bytes), size};
}

pprofdelta_view view_of(std::string_view bytes) noexcept { return {bytes.data(), bytes.size()}; }

// The enumerator of C++ that stands at the place `number` among `all`.
// @throws error invalid_argument if there is none.
template <typename Type>
Type chosen(int number, const char* what, std::initializer_list<Type> all) {
    if (number < 0 || number >= static_cast<int>(all.size())) {
        refuse("there is no " + std::string{what} + " " + std::to_string(number));
    }
    return all.begin()[number];
}

// @param source a pprofdelta_source.
profile_source source_of(int source) {
    return chosen(source, "source",
                  {profile_source::protobuf, profile_source::text, profile_source::otlp});
}

// Returns the given options, or the defaults for a null pointer.
const pprofdelta_options& options_or_defaults(const pprofdelta_options* options) {
    static const pprofdelta_options defaults{};
    return options == nullptr ? defaults : *options;
}

using options = pprofdelta_options;

// One of several words.
template <typename Type>
Type word(std::string_view value, const std::vector<std::pair<const char*, Type>>& known) {
    std::string all;
    for (const auto& [name, meaning] : known) {
        if (value == name) {
            return meaning;
        }
        all += (all.empty() ? "" : ", ") + std::string{name};
    }
    refuse("there is no '" + std::string{value} + "'; there are " + all);
}

// One of several values, by the words that the library has for them.
template <typename Type>
Type named(std::string_view value, std::initializer_list<Type> known) {
    std::vector<std::pair<const char*, Type>> words;
    for (const Type each : known) {
        words.emplace_back(to_string(each), each);
    }
    return word<Type>(value, words);
}

bool flag(std::string_view value) { return word<bool>(value, {{"yes", true}, {"no", false}}); }

template <typename Number>
Number number(std::string_view value, Number least, Number most) {
    const std::optional<Number> result = to_number<Number>(value);
    if (!result || *result < least || *result > most) {
        refuse("'" + std::string{value} + "' is not a number from " + std::to_string(least) +
               " to " + std::to_string(most));
    }
    return *result;
}

std::string regex(std::string_view value) {
    check_selection({.focus = std::string{value}});
    return std::string{value};
}

// One more of what can be given several times, checked.
void add(stack_selection& to, std::vector<std::string> stack_selection::*list,
         std::string_view value) {
    stack_selection alone;
    (alone.*list).emplace_back(value);
    check_selection(alone);
    (to.*list).emplace_back(value);
}

constexpr std::string_view label_prefix = "label:";

using text = std::string_view;

struct setter {
    const char* name;
    void (*set)(options& to, text value);
};

constexpr std::array<setter, 29> setters{{
    {"cumulative", [](options& to, text v) { to.delta.cumulative.emplace_back(v); }},
    {"gauge", [](options& to, text v) { to.delta.gauge.emplace_back(v); }},
    {"interval", [](options& to, text v) { to.delta.interval.emplace_back(v); }},
    {"match",
     [](options& to, text v) {
         to.delta.match = named(v, {match_mode::exact, match_mode::line, match_mode::function});
     }},
    {"on-reset",
     [](options& to, text v) {
         to.delta.on_reset = word<reset_policy>(v, {{"emit", reset_policy::emit},
                                                    {"drop", reset_policy::drop},
                                                    {"error", reset_policy::error},
                                                    {"negative", reset_policy::negative}});
     }},
    {"first",
     [](options& to, text v) {
         to.delta.skip_first = word<bool>(v, {{"emit", false}, {"skip", true}});
     }},
    {"drop-negative", [](options& to, text v) { to.delta.drop_negative = flag(v); }},
    {"threads", [](options& to, text v) { to.delta.threads = number<unsigned>(v, 1, 64); }},
    {"levels",
     [](options& to, text v) {
         to.merge.levels = word<level_policy>(v, {{"sum", level_policy::sum},
                                                  {"last", level_policy::last},
                                                  {"mean", level_policy::mean},
                                                  {"max", level_policy::max}});
     }},
    {"keep-type", [](options& to, text v) { to.merge.trim.keep_types.emplace_back(v); }},
    {"drop-label", [](options& to, text v) { to.merge.trim.drop_labels.emplace_back(v); }},
    {"drop-lines", [](options& to, text v) { to.merge.trim.drop_lines = flag(v); }},
    {"for-pgo", [](options& to, text v) { to.merge.trim.for_pgo = flag(v); }},
    {"focus", [](options& to, text v) { to.report.selection.focus = regex(v); }},
    {"ignore", [](options& to, text v) { to.report.selection.ignore = regex(v); }},
    {"label", [](options& to, text v) { add(to.report.selection, &stack_selection::labels, v); }},
    {"no-label",
     [](options& to, text v) { add(to.report.selection, &stack_selection::no_labels, v); }},
    {"hide", [](options& to, text v) { to.report.selection.hide = regex(v); }},
    {"show-from", [](options& to, text v) { to.report.selection.show_from = regex(v); }},
    {"fold-allocators",
     [](options& to, text v) { to.report.selection.folds_allocators = flag(v); }},
    {"rename", [](options& to, text v) { add(to.report.selection, &stack_selection::renames, v); }},
    {"label-root",
     [](options& to, text v) { add(to.report.selection, &stack_selection::label_roots, v); }},
    {"diff", [](options& to, text v) { to.diff = flag(v); }},
    {"by",
     [](options& to, text v) {
         const bool is_label = v.starts_with(label_prefix);
         to.report.by_label = is_label ? v.substr(label_prefix.size()) : "";
         to.report.by = is_label && !to.report.by_label.empty()
                            ? grouping::label
                            : named(v, {grouping::function, grouping::file, grouping::package,
                                        grouping::line, grouping::size});
     }},
    {"order",
     [](options& to, text v) {
         to.report.order = named(v, {row_order::flat, row_order::cum, row_order::percent});
     }},
    {"sample-type", [](options& to, text v) { to.report.sample_type.emplace(v); }},
    {"top",
     [](options& to, text v) { to.top = number<std::size_t>(v, 0, static_cast<std::size_t>(-1)); }},
    {"limit", [](options& to, text v) { to.limits.push_back(parse_limit(v)); }},
    {"min-amount", [](options& to, text v) { to.min_amount = parse_amount(v); }},
}};

void set(options& to, std::string_view name, std::string_view value) {
    for (const setter& each : setters) {
        if (name == each.name) {
            try {
                // The whole of it or nothing.
                options changed = to;
                each.set(changed, value);
                to = std::move(changed);
            } catch (const error& e) {
                refuse(std::string{name} + ": " + e.what());
            }
            return;
        }
    }
    refuse("there is no option '" + std::string{name} + "'");
}

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

// A profile of a report.
struct given_profile {
    std::string_view bytes{};
    profile_source source{};
};

std::string on_one(const given_profile& profile, const pprofdelta_options& with,
                   const report_context& context) {
    if (!with.limits.empty()) {
        refuse("limits need a previous profile");
    }
    return report_as_json(make_report(profile.bytes, with.report), context);
}

std::string with_limits(const viewed_profiles& profiles, const pprofdelta_options& with,
                        report_context context) {
    context.judgements = judge(with.limits, profiles, with.min_amount, with.report.selection);
    return report_as_json(make_report(profiles, with.report), context);
}

std::string on_two(const given_profile& previous, const given_profile& current,
                   const pprofdelta_options& with, report_context context) {
    if (previous.source != current.source) {
        throw error{error_kind::incompatible,
                    std::string{"one is "} + to_string(previous.source) + " and the other " +
                        to_string(current.source) + ": stacks of different formats do not match",
                    error_input::both};
    }
    return with_limits(viewed_profiles{previous.bytes, current.bytes}, with, std::move(context));
}

std::string on_delta(const given_profile& previous, const given_profile& current,
                     const pprofdelta_options& with, report_context context) {
    delta_computer computer{with.delta};
    computer.prime(previous.bytes, previous.source);
    std::string delta;
    const delta_summary summary = computer.compute(current.bytes, delta, current.source);
    const computed_delta computed{delta, current.bytes, previous.bytes, computer.types(), summary};
    return with_limits(viewed_profiles{computed}, with, std::move(context));
}

bool has_counters(std::string_view profile, const delta_options& with) {
    const auto types = list_types(profile, with);
    return std::ranges::any_of(types, &type_treatment::is_cumulative);
}

given_profile read(const pprofdelta_report_input& from, const char* what, std::string& name) {
    name = from.name == nullptr ? "" : from.name;
    return {bytes_of(from.profile, from.size, what), source_of(from.source)};
}

} // namespace

} // namespace pprofdelta::c

using namespace pprofdelta;
using namespace pprofdelta::c;

const char* pprofdelta_status_name(int status) {
    constexpr std::array<std::pair<int, const char*>, 9> names{{
        {PPROFDELTA_OK, "ok"},
        {PPROFDELTA_INVALID_ARGUMENT, "invalid argument"},
        {PPROFDELTA_MALFORMED, "malformed"},
        {PPROFDELTA_INCOMPATIBLE, "incompatible"},
        {PPROFDELTA_OUT_OF_MEMORY, "out of memory"},
        {PPROFDELTA_TOO_LARGE, "too large"},
        {PPROFDELTA_NO_CUMULATIVE_TYPE, "no cumulative type"},
        {PPROFDELTA_RESET, "reset"},
        {PPROFDELTA_INTERNAL, "internal"},
    }};
    const auto* const known =
        std::ranges::find_if(names, [status](const auto& each) { return each.first == status; });
    return known == names.end() ? "unknown" : known->second;
}

pprofdelta_options* pprofdelta_options_new(void) { return new (std::nothrow) pprofdelta_options; }

pprofdelta_status pprofdelta_options_set(pprofdelta_options* options, const char* name,
                                         const char* value, pprofdelta_error* error) {
    return guarded(error, [&] {
        set(required(options, "options"), &required(name, "name"), &required(value, "value"));
    });
}

void pprofdelta_options_free(pprofdelta_options* options) { delete options; }

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
        room.bytes = encode(bytes_of(bytes, size, "bytes"),
                            chosen(to, "codec", {codec::none, codec::gzip, codec::zstd}), level);
        result = view_of(room.bytes);
    });
}

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
        room.bytes =
            normalize(bytes_of(previous, previous_size, "previous"),
                      bytes_of(current, current_size, "current"),
                      chosen(by, "normalization", {normalization::total, normalization::duration}))
                .profile;
        result = view_of(room.bytes);
    });
}

pprofdelta_status pprofdelta_sum_new(const pprofdelta_options* options, pprofdelta_sum** sum,
                                     pprofdelta_error* error) {
    return guarded(error, [&] {
        pprofdelta_sum*& result = required(sum, "sum") = nullptr;
        const pprofdelta_options& given = options_or_defaults(options);
        merge_options merge = given.merge;
        merge.match = given.delta.match;
        merge.cumulative = given.delta.cumulative;
        merge.gauge = given.delta.gauge;
        merge.interval = given.delta.interval;
        merge.trim.selection = given.report.selection;
        result = new pprofdelta_sum{profile_sum{std::move(merge)}};
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
