// SPDX-License-Identifier: Apache-2.0
#include "c/common.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pprofdelta::c {

namespace {

pprofdelta_status status_of(error_kind kind) noexcept {
    switch (kind) {
    case error_kind::malformed:
        return PPROFDELTA_MALFORMED;
    case error_kind::too_large:
        return PPROFDELTA_TOO_LARGE;
    case error_kind::incompatible:
        return PPROFDELTA_INCOMPATIBLE;
    case error_kind::no_cumulative_type:
        return PPROFDELTA_NO_CUMULATIVE_TYPE;
    case error_kind::reset:
        return PPROFDELTA_RESET;
    case error_kind::invalid_argument:
        return PPROFDELTA_INVALID_ARGUMENT;
    }
    return PPROFDELTA_INTERNAL;
}

pprofdelta_input input_of(error_input input) noexcept {
    switch (input) {
    case error_input::unspecified:
        break;
    case error_input::previous:
        return PPROFDELTA_INPUT_PREVIOUS;
    case error_input::current:
        return PPROFDELTA_INPUT_CURRENT;
    case error_input::both:
        return PPROFDELTA_INPUT_BOTH;
    case error_input::state:
        return PPROFDELTA_INPUT_STATE;
    }
    return PPROFDELTA_INPUT_UNSPECIFIED;
}

// Not in the middle of a character of UTF-8.
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

} // namespace

pprofdelta_status status_of_exception(pprofdelta_error* to) noexcept {
    try {
        throw;
    } catch (const error& e) {
        const std::int64_t offset = e.offset() ? static_cast<std::int64_t>(*e.offset()) : -1;
        return fill(to, status_of(e.kind()), e.what(), input_of(e.input()), offset);
    } catch (const std::bad_alloc&) {
        return fill(to, PPROFDELTA_OUT_OF_MEMORY, "out of memory");
    } catch (const std::exception& e) {
        return fill(to, PPROFDELTA_INTERNAL, e.what());
    } catch (...) {
        return fill(to, PPROFDELTA_INTERNAL, "unknown fault");
    }
}

} // namespace pprofdelta::c

const char* pprofdelta_status_name(int status) {
    switch (status) {
    case PPROFDELTA_OK:
        return "ok";
    case PPROFDELTA_INVALID_ARGUMENT:
        return "invalid argument";
    case PPROFDELTA_MALFORMED:
        return "malformed";
    case PPROFDELTA_INCOMPATIBLE:
        return "incompatible";
    case PPROFDELTA_OUT_OF_MEMORY:
        return "out of memory";
    case PPROFDELTA_TOO_LARGE:
        return "too large";
    case PPROFDELTA_NO_CUMULATIVE_TYPE:
        return "no cumulative type";
    case PPROFDELTA_RESET:
        return "reset";
    case PPROFDELTA_INTERNAL:
        return "internal";
    }
    return "unknown";
}

namespace pprofdelta::c {

namespace {

using options = pprofdelta_options;

[[noreturn]] void refuse(const std::string& what) {
    throw error{error_kind::invalid_argument, what};
}

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
    Number result = 0;
    const char* const end = value.data() + value.size();
    const auto [rest, fault] = std::from_chars(value.data(), end, result);
    if (fault != std::errc{} || rest != end || result < least || result > most) {
        refuse("'" + std::string{value} + "' is not a number from " + std::to_string(least) +
               " to " + std::to_string(most));
    }
    return result;
}

std::string regex(std::string_view value) {
    check_pattern(value);
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

struct setter {
    const char* name;
    void (*set)(options& to, std::string_view value);
};

constexpr std::array<setter, 27> setters{{
    {"cumulative",
     [](options& to, std::string_view v) {
         to.delta.cumulative.emplace_back(v);
         to.merge.cumulative.emplace_back(v);
     }},
    {"gauge",
     [](options& to, std::string_view v) {
         to.delta.gauge.emplace_back(v);
         to.merge.gauge.emplace_back(v);
     }},
    {"match",
     [](options& to, std::string_view v) {
         to.delta.match = to.merge.match =
             named(v, {match_mode::exact, match_mode::line, match_mode::function});
     }},
    {"on-reset",
     [](options& to, std::string_view v) {
         to.delta.on_reset = word<reset_policy>(v, {{"emit", reset_policy::emit},
                                                    {"drop", reset_policy::drop},
                                                    {"error", reset_policy::error},
                                                    {"negative", reset_policy::negative}});
     }},
    {"first",
     [](options& to, std::string_view v) {
         to.delta.skip_first = word<bool>(v, {{"emit", false}, {"skip", true}});
     }},
    {"drop-negative", [](options& to, std::string_view v) { to.delta.drop_negative = flag(v); }},
    {"threads",
     [](options& to, std::string_view v) { to.delta.threads = number<unsigned>(v, 1, 64); }},
    {"levels",
     [](options& to, std::string_view v) {
         to.merge.levels = word<level_policy>(v, {{"sum", level_policy::sum},
                                                  {"last", level_policy::last},
                                                  {"mean", level_policy::mean},
                                                  {"max", level_policy::max}});
     }},
    {"keep-type",
     [](options& to, std::string_view v) { to.merge.trim.keep_types.emplace_back(v); }},
    {"drop-label",
     [](options& to, std::string_view v) { to.merge.trim.drop_labels.emplace_back(v); }},
    {"drop-lines", [](options& to, std::string_view v) { to.merge.trim.drop_lines = flag(v); }},
    {"for-pgo", [](options& to, std::string_view v) { to.merge.trim.for_pgo = flag(v); }},
    {"focus",
     [](options& to, std::string_view v) {
         to.merge.trim.focus = to.report.selection.focus = regex(v);
     }},
    {"ignore",
     [](options& to, std::string_view v) {
         to.merge.trim.ignore = to.report.selection.ignore = regex(v);
     }},
    {"label",
     [](options& to, std::string_view v) {
         add(to.report.selection, &stack_selection::labels, v);
         to.merge.trim.labels = to.report.selection.labels;
     }},
    {"no-label",
     [](options& to, std::string_view v) {
         add(to.report.selection, &stack_selection::no_labels, v);
         to.merge.trim.no_labels = to.report.selection.no_labels;
     }},
    {"hide", [](options& to, std::string_view v) { to.report.selection.hide = regex(v); }},
    {"show-from",
     [](options& to, std::string_view v) { to.report.selection.show_from = regex(v); }},
    {"rename", [](options& to,
                  std::string_view v) { add(to.report.selection, &stack_selection::renames, v); }},
    {"label-root",
     [](options& to, std::string_view v) {
         add(to.report.selection, &stack_selection::label_roots, v);
     }},
    {"diff", [](options& to, std::string_view v) { to.diff = flag(v); }},
    {"by",
     [](options& to, std::string_view v) {
         const bool is_label = v.starts_with(label_prefix);
         to.report.by_label = is_label ? v.substr(label_prefix.size()) : "";
         to.report.by = is_label && !to.report.by_label.empty()
                            ? grouping::label
                            : named(v, {grouping::function, grouping::file, grouping::package,
                                        grouping::line});
     }},
    {"order",
     [](options& to, std::string_view v) {
         to.report.order = named(v, {row_order::flat, row_order::cum, row_order::percent});
     }},
    {"sample-type", [](options& to, std::string_view v) { to.report.sample_type.emplace(v); }},
    {"top",
     [](options& to, std::string_view v) {
         to.top = number<std::size_t>(v, 0, static_cast<std::size_t>(-1));
     }},
    {"limit", [](options& to, std::string_view v) { to.limits.push_back(parse_limit(v)); }},
    {"min-amount", [](options& to, std::string_view v) { to.min_amount = parse_amount(v); }},
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

} // namespace

} // namespace pprofdelta::c

pprofdelta_options* pprofdelta_options_new(void) { return new (std::nothrow) pprofdelta_options; }

pprofdelta_status pprofdelta_options_set(pprofdelta_options* options, const char* name,
                                         const char* value, pprofdelta_error* error) {
    using namespace pprofdelta::c;
    return guarded(error, [&] {
        set(required(options, "options"), &required(name, "name"), &required(value, "value"));
    });
}

void pprofdelta_options_free(pprofdelta_options* options) { delete options; }
