// SPDX-License-Identifier: Apache-2.0
#include "slow_delta.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <pprofdelta/error.hpp>

namespace pprofdelta::test {

namespace {

// Sums of differences of 64-bit numbers need more than 64 bits.
__extension__ using wide = __int128;

std::int64_t wrapped_difference(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

bool is_zero(const std::vector<std::int64_t>& values) {
    return std::all_of(values.begin(), values.end(), [](std::int64_t v) { return v == 0; });
}

[[noreturn]] void refuse(const char* what) { throw error{error_kind::incompatible, what}; }

bool is_default_cumulative(const value_type& type, const value_type& period) {
    const std::string name = type.type + "/" + type.unit;
    if (name == "alloc_objects/count" || name == "alloc_space/bytes") {
        return period != value_type{"alloc_space", "bytes"}; // which Node 26 writes of intervals
    }
    const bool from_java =
        period == value_type{"mutex", "count"} || period == value_type{"block", "count"};
    return !from_java && (name == "contentions/count" || name == "delay/nanoseconds");
}

bool matches(const value_type_pattern& pattern, const value_type& type) {
    return pattern.text() == type.type || pattern.text() == type.type + "/" + type.unit;
}

void check_pair(const profile& previous, const profile& current) {
    if (!(previous.types == current.types)) {
        refuse("sample types differ");
    }
    const value_type none;
    if (!(previous.period_type == none) && !(current.period_type == none) &&
        !(previous.period_type == current.period_type)) {
        refuse("period types differ");
    }
}

std::vector<std::string> headers_between(const profile& previous, profile current) {
    // Nobody profiles before 1970: a negative time is as good as none, and a difference from one
    // might not fit.
    if (previous.time > 0 && current.time >= previous.time) {
        current.duration = current.time - previous.time;
    }
    return headers_of(current);
}

} // namespace

std::vector<bool> slow_treatment(const profile& from, const delta_options& options) {
    std::vector<bool> out;
    std::vector<bool> named(from.types.size(), false);
    constexpr std::int64_t longest_duration = 1'000'000'000'000'000'000;
    const bool has_duration = from.duration > 0 && from.duration <= longest_duration;
    for (const auto& type : from.types) {
        out.push_back(!has_duration && is_default_cumulative(type, from.period_type));
    }
    const auto apply = [&](const std::vector<value_type_pattern>& patterns, bool cumulative) {
        std::vector<bool> chosen(from.types.size(), false);
        for (const auto& pattern : patterns) {
            bool any = false;
            for (std::size_t i = 0; i < from.types.size(); ++i) {
                if (matches(pattern, from.types[i])) {
                    any = chosen[i] = true;
                }
            }
            if (!any) {
                refuse("a pattern matches nothing");
            }
        }
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            if (chosen[i] && named[i]) {
                refuse("a type is named twice");
            }
            if (chosen[i]) {
                named[i] = true;
                out[i] = cumulative;
            }
        }
    };
    apply(options.cumulative, true);
    apply(options.gauge, false);
    apply(options.interval, false);
    return out;
}

std::vector<bool> slow_delta::check(const profile& current) const {
    if (m_last) {
        check_pair(*m_last, current);
    }
    profile treated = current;
    treated.duration = m_last ? m_first_duration : current.duration;
    auto cumulative = slow_treatment(treated, m_options);
    if (std::count(cumulative.begin(), cumulative.end(), true) == 0) {
        throw error{error_kind::no_cumulative_type, "nothing is cumulative"};
    }
    return cumulative;
}

namespace {

// The places at which a process has what the kernel draws an address for.
using addresses = std::map<std::string, std::uint64_t>;

addresses addresses_of(const profile& from) {
    addresses found;
    std::set<std::string> several;
    for (const mapping& each : from.mappings) {
        const std::string name = each.file.substr(each.file.find_last_of("/\\") + 1);
        const bool is_library = name.find(".so") != std::string::npos;
        const bool is_linker = is_library && (name.starts_with("ld-") || name.starts_with("ld.") ||
                                              name.starts_with("ld64."));
        const bool is_program = &each == from.mappings.data() && !is_library && !name.empty() &&
                                name[0] != '[' && each.file[0] == '/' && each.start >> 32U != 0;
        const std::string what = each.file == "[vdso]" ? each.file
                                 : is_linker           ? "linker"
                                 : is_program          ? "of " + name
                                                       : "";
        const std::uint64_t at = each.start - (what == "[vdso]" ? 0 : each.offset);
        if (!what.empty() && !found.emplace(what, at).second && found[what] != at) {
            several.insert(what);
        }
    }
    std::erase_if(
        found, [&](const auto& each) { return each.second == 0 || several.contains(each.first); });
    return found;
}

enum class processes : std::uint8_t { unknown, same, different };

processes compare(const profile& before, const profile& now) {
    const addresses a = addresses_of(before);
    const addresses b = addresses_of(now);
    auto found = processes::unknown;
    for (const auto& [what, at] : a) {
        const auto other = b.find(what);
        if (other == b.end()) {
            continue;
        }
        const auto says = at == other->second ? processes::same : processes::different;
        if (what == "[vdso]") {
            return says; // the first one in this order
        }
        found = found == processes::different ? found : says;
    }
    return found;
}

} // namespace

bool slow_delta::is_reset(const profile& current, const sample_values& now,
                          const std::vector<bool>& cumulative) const {
    if (!m_last) {
        return false;
    }
    const processes of = compare(*m_last, current);
    const bool is_known = of != processes::unknown;
    if (of == processes::different) {
        return true;
    }
    std::set<std::string> keys; // what went away before the last profile has no part in it
    std::size_t samples = 0;
    for (const auto& [key, before] : m_before) {
        if (before.seen == m_count) {
            keys.insert(key);
            ++samples;
        }
    }
    for (const auto& [key, values] : now) {
        keys.insert(key);
    }
    std::set<std::string> fallen;
    for (std::size_t i = 0; i < cumulative.size(); ++i) {
        wide lost = 0;
        wide lost_in_place = 0;
        wide gained = 0;
        wide total = 0;
        for (const std::string& key : keys) {
            const auto before = m_before.find(key);
            const auto found = now.find(key);
            const wide was = before == m_before.end() ? 0 : before->second.values[i];
            const wide is = found == now.end() ? 0 : found->second[i];
            if (cumulative[i]) {
                lost += std::max<wide>(0, was - is);
                lost_in_place += found == now.end() ? 0 : std::max<wide>(0, was - is);
                gained += std::max<wide>(0, is - was);
                total += std::max<wide>(0, was);
            }
            if (cumulative[i] && is < was) {
                fallen.insert(key);
            }
        }
        const wide most = total / 10;
        if (is_known ? lost_in_place > most : lost > gained || lost > most) {
            return true;
        }
    }
    const bool is_any_as_before = std::ranges::any_of(now, [this](const auto& each) {
        const auto before = m_before.find(each.first);
        return before != m_before.end() && before->second.seen == m_count;
    });
    if (is_known && samples != 0 && !now.empty() && !is_any_as_before && !fallen.empty()) {
        return true;
    }
    return !is_known && fallen.size() > 1 && fallen.size() > samples / 50;
}

// Whether counters grew in one process although its clock went back.
bool slow_delta::was_clock_set(const profile& current, const sample_values& now,
                               const std::vector<bool>& cumulative) const {
    if (!m_last || current.time == 0 || current.time >= m_last->time ||
        compare(*m_last, current) != processes::same) {
        return false;
    }
    bool has_changed = std::ranges::any_of(m_before, [&](const auto& each) {
        return each.second.seen == m_count && !now.contains(each.first);
    });
    for (const auto& [key, values] : now) {
        const auto before = m_before.find(key);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::int64_t was = before == m_before.end() ? 0 : before->second.values[i];
            if (cumulative[i] && values[i] < was) {
                return false;
            }
            has_changed = has_changed || (cumulative[i] && values[i] != was);
        }
    }
    return has_changed;
}

void slow_delta::remember(const profile& current, const sample_values& now) {
    m_first_duration = m_last ? m_first_duration : current.duration;
    ++m_count;
    for (const auto& [key, values] : now) {
        m_before[key] = {values, m_count};
    }
    // A profile without a period type does not take back what those before it said.
    const value_type known = m_last ? m_last->period_type : value_type{};
    m_last = current;
    m_last->samples.clear();
    if (m_last->period_type == value_type{}) {
        m_last->period_type = known;
    }
}

void slow_delta::prime(const profile& current) {
    (void)check(current);
    remember(current, add_up(current, m_options.match));
}

slow_result slow_delta::compute(const profile& current) {
    const auto cumulative = check(current);
    const auto now = add_up(current, m_options.match);
    slow_result out;
    out.first = !m_last;
    out.reset = m_options.on_reset != reset_policy::negative && is_reset(current, now, cumulative);
    if (out.reset && m_options.on_reset == reset_policy::error) {
        throw error{error_kind::reset, "counters started over"};
    }
    if (out.reset) {
        m_before.clear();
    }

    out.delta.headers =
        m_last && !out.reset ? headers_between(*m_last, current) : headers_of(current);
    if (!out.reset && was_clock_set(current, now, cumulative)) {
        profile timeless = current;
        timeless.duration = 0;
        out.delta.headers = headers_of(timeless);
    }

    for (const auto& [key, values] : now) {
        auto result = values;
        bool negative = false;
        const auto before = m_before.find(key);
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (cumulative[i]) {
                if (before != m_before.end()) {
                    result[i] = wrapped_difference(values[i], before->second.values[i]);
                }
                negative = negative || result[i] < 0;
            }
        }
        const bool dropped = (out.reset && m_options.on_reset == reset_policy::drop) ||
                             (out.first && m_options.skip_first);
        if (!dropped && !is_zero(result) && !(negative && m_options.drop_negative)) {
            out.delta.samples[key] = result;
        }
    }
    remember(current, now);
    return out;
}

slow_result slow_diff(const profile& previous, const profile& current,
                      const delta_options& options) {
    check_pair(previous, current);
    sample_values before = add_up(previous, options.match);
    sample_values now = add_up(current, options.match);
    for (const auto& [key, values] : before) {
        now[key].resize(values.size());
    }
    slow_result out;
    profile timeless = current; // two processes have no interval
    timeless.duration = 0;
    out.delta.headers = headers_of(timeless);
    for (const auto& [key, values] : now) {
        auto result = values;
        before[key].resize(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            result[i] = wrapped_difference(values[i], before[key][i]);
        }
        const bool negative =
            std::any_of(result.begin(), result.end(), [](std::int64_t v) { return v < 0; });
        if (!is_zero(result) && !(negative && options.drop_negative)) {
            out.delta.samples[key] = result;
        }
    }
    return out;
}

} // namespace pprofdelta::test
