// SPDX-License-Identifier: Apache-2.0
#include "slow_sum.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <regex.h>

#include <pprofdelta/error.hpp>

namespace pprofdelta::test {

namespace {

// Sums and products of 64-bit numbers need more than 64 bits.
__extension__ using wide = __int128;

[[noreturn]] void refuse(const char* what) { throw error{error_kind::incompatible, what}; }

std::int64_t narrow(wide number) {
    if (number < std::numeric_limits<std::int64_t>::min() ||
        number > std::numeric_limits<std::int64_t>::max()) {
        throw error{error_kind::too_large, "more than 64 bits"};
    }
    return static_cast<std::int64_t>(number);
}

std::int64_t rounded(double number) {
    const double whole = std::round(number);
    if (!(whole >= -0x1p63 && whole < 0x1p63)) {
        throw error{error_kind::too_large, "more than 64 bits"};
    }
    return static_cast<std::int64_t>(whole);
}

// Doubles have all whole numbers up to 2^53.
bool is_exact(double number) { return number == std::floor(number) && number <= 0x1p53; }

std::int64_t times(std::int64_t value, double weight) {
    return is_exact(weight) ? narrow(wide{value} * static_cast<wide>(weight))
                            : rounded(static_cast<double>(value) * weight);
}

std::int64_t over(std::int64_t value, double divisor) {
    if (!is_exact(divisor)) {
        return rounded(static_cast<double>(value) / divisor);
    }
    const auto by = static_cast<wide>(divisor);
    const wide size = value < 0 ? -wide{value} : wide{value};
    const wide quotient = (2 * size + by) / (2 * by);
    return narrow(value < 0 ? -quotient : quotient);
}

bool is_zero(const std::vector<std::int64_t>& values) {
    return std::all_of(values.begin(), values.end(), [](std::int64_t v) { return v == 0; });
}

template <typename Record>
const Record* with_id(const std::vector<Record>& records, std::uint64_t id) {
    const auto found =
        std::find_if(records.begin(), records.end(), [id](const Record& r) { return r.id == id; });
    return found == records.end() ? nullptr : &*found;
}

void keep_types(profile& in, const std::vector<std::size_t>& kept) {
    const auto choose = [&](auto& list) {
        std::remove_reference_t<decltype(list)> chosen;
        for (const std::size_t i : kept) {
            chosen.push_back(list[i]);
        }
        list = chosen;
    };
    choose(in.types);
    for (auto& each : in.samples) {
        choose(each.values);
    }
    const bool has_default = std::any_of(in.types.begin(), in.types.end(), [&](const auto& type) {
        return type.type == in.default_type;
    });
    if (!has_default) {
        in.default_type.clear();
    }
}

std::vector<std::size_t> types_to_keep(const profile& in, const trim_options& options) {
    std::vector<std::size_t> kept;
    for (const auto& pattern : options.keep_types) {
        bool any = false;
        for (std::size_t i = 0; i < in.types.size(); ++i) {
            if (pattern.text() == in.types[i].type ||
                pattern.text() == in.types[i].type + "/" + in.types[i].unit) {
                any = true;
                if (std::count(kept.begin(), kept.end(), i) == 0) {
                    kept.push_back(i);
                }
            }
        }
        if (!any) {
            refuse("a pattern matches nothing");
        }
    }
    for (std::size_t i = 0; options.keep_types.empty() && i < in.types.size(); ++i) {
        kept.push_back(i);
    }
    return kept;
}

// The C library's, as the header of std::regex takes seconds to compile.
class expression {
public:
    explicit expression(const std::string& pattern) {
        if (::regcomp(&m_compiled, pattern.c_str(), REG_EXTENDED) != 0) {
            throw std::invalid_argument{"a bad regular expression: " + pattern};
        }
    }
    ~expression() { ::regfree(&m_compiled); }
    expression(const expression&) = delete;
    expression& operator=(const expression&) = delete;

    [[nodiscard]] bool is_in(const std::string& text) const {
        ::regmatch_t range{0, static_cast<::regoff_t>(text.size())};
        return ::regexec(&m_compiled, text.c_str(), 1, &range, REG_STARTEND) == 0;
    }

private:
    ::regex_t m_compiled{};
};

bool has_match(const profile& in, const sample& of, const expression& searched) {
    const auto has = [&](const std::string& text) { return searched.is_in(text); };
    return std::any_of(of.stack.begin(), of.stack.end(), [&](std::uint64_t id) {
        const location& frame = *with_id(in.locations, id);
        const mapping* const m = with_id(in.mappings, frame.mapping);
        return (m != nullptr && has(m->file)) ||
               std::any_of(frame.lines.begin(), frame.lines.end(), [&](const line& l) {
                   const function* const f = with_id(in.functions, l.function);
                   return f != nullptr && (has(f->name) || has(f->file));
               });
    });
}

void keep_samples(profile& in, const trim_options& options) {
    const auto keep = [&in](const std::string& pattern, bool with_match) {
        if (pattern.empty()) {
            return;
        }
        const expression searched{pattern};
        std::erase_if(in.samples, [&](const sample& each) {
            return has_match(in, each, searched) != with_match;
        });
    };
    keep(options.selection.focus, true);
    keep(options.selection.ignore, false);
}

void drop_labels(profile& in, const std::string& pattern) {
    const expression whole{"^(" + pattern + ")$"};
    for (auto& each : in.samples) {
        each.labels.erase(std::remove_if(each.labels.begin(), each.labels.end(),
                                         [&](const label& l) { return whole.is_in(l.key); }),
                          each.labels.end());
    }
}

void drop_lines(profile& in) {
    for (auto& each : in.locations) {
        for (auto& l : each.lines) {
            l.number = l.column = 0;
            each.address = l.function == 0 ? each.address : 0;
        }
    }
}

// A frame as the compiler of Go has it, but for the address: the name, the start line and the line.
std::string go_frame(const profile& in, const line& of) {
    const function* const f = with_id(in.functions, of.function);
    return f == nullptr
               ? "none"
               : std::to_string(f->start_line) + " " + std::to_string(of.number) + " " + f->name;
}

// Whether there are fewer different frames in a stack if they have no addresses.
bool tells_by_address(const profile& in, const sample& of) {
    std::set<std::string> frames;
    std::set<std::string> with_addresses;
    for (const std::uint64_t id : of.stack) {
        const location& from = *with_id(in.locations, id);
        const std::vector<line> lines = from.lines.empty() ? std::vector<line>(1) : from.lines;
        for (const auto& l : lines) {
            frames.insert(go_frame(in, l));
            with_addresses.insert(std::to_string(from.address) + " " + go_frame(in, l));
        }
    }
    return frames.size() < with_addresses.size();
}

bool has_start_lines(const profile& in) {
    return std::any_of(in.functions.begin(), in.functions.end(),
                       [](const function& f) { return f.start_line != 0; });
}

profile for_pgo(const profile& from) {
    const auto type = std::find_if(from.types.begin(), from.types.end(), [](const auto& each) {
        return each == value_type{"samples", "count"} || each == value_type{"cpu", "nanoseconds"};
    });
    if (type == from.types.end()) {
        refuse("no type for the compiler");
    }
    profile out;
    out.types = {*type};
    for (const auto& each : from.functions) {
        out.functions.push_back({each.id, each.name, "", "", each.start_line, ""});
    }
    for (const auto& each : from.samples) {
        sample& s = out.samples.emplace_back();
        s.values = {each.values[static_cast<std::size_t>(type - from.types.begin())]};
        const bool has_addresses = tells_by_address(from, each);
        for (const std::uint64_t id : each.stack) {
            location frame = *with_id(from.locations, id);
            frame.id = out.locations.size() + 1;
            frame.mapping = 0;
            frame.folded = false;
            frame.address = has_addresses ? frame.address : 0;
            for (auto& l : frame.lines) {
                l.column = 0;
            }
            s.stack.push_back(frame.id);
            out.locations.push_back(frame);
        }
    }
    return out;
}

} // namespace

profile slow_trim(profile from, const trim_options& options) {
    if (options.are_empty()) {
        return from;
    }
    if (options.for_pgo && !from.samples.empty() && !has_start_lines(from)) {
        refuse("no start lines");
    }
    keep_samples(from, options);
    if (options.for_pgo) {
        from = for_pgo(from);
    } else {
        keep_types(from, types_to_keep(from, options));
    }
    for (const auto& pattern : options.drop_labels) {
        drop_labels(from, pattern);
    }
    if (options.drop_lines) {
        drop_lines(from);
    }
    return from;
}

void slow_sum::add(const profile& next, double weight) {
    profile trimmed = slow_trim(next, m_options.trim);
    const value_type none;
    if (m_count != 0 && !(trimmed.types == m_headers.types)) {
        refuse("sample types differ");
    }
    if (!(m_headers.period_type == none) && !(trimmed.period_type == none) &&
        !(m_headers.period_type == trimmed.period_type)) {
        refuse("period types differ");
    }
    constexpr std::int64_t longest = 1'000'000'000'000'000'000;
    const std::int64_t own_duration = trimmed.duration > longest ? 0 : trimmed.duration;
    const std::int64_t duration = narrow(wide{m_headers.duration} + own_duration);
    if (m_count == 0) {
        m_headers.types = trimmed.types;
        m_first_period_type = trimmed.period_type;
    }
    const bool are_kept =
        m_options.levels == level_policy::last || m_options.levels == level_policy::max;
    const std::vector<bool> is_gauge = are_gauges();
    sample_values sums = m_samples;
    added own{{}, trimmed.time};
    profile one = trimmed;
    for (const auto& each : trimmed.samples) {
        std::vector<std::int64_t> values;
        for (const std::int64_t value : each.values) {
            values.push_back(times(value, weight));
        }
        if (is_zero(values)) {
            continue;
        }
        one.samples = {each};
        const std::string key = add_up(one, m_options.match).begin()->first;
        auto& sum = sums[key];
        auto& own_sum = own.samples[key];
        sum.resize(values.size());
        own_sum.resize(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::int64_t& to = are_kept && is_gauge[i] ? own_sum[i] : sum[i];
            to = narrow(wide{to} + values[i]);
        }
    }
    m_added.push_back(std::move(own));
    m_samples = std::move(sums);
    add_headers(trimmed);
    m_headers.duration = duration;
    if (!m_main && !trimmed.mappings.empty()) {
        m_main = trimmed.mappings.front();
    }
    ++m_count;
    m_weight += weight;
    m_durations.emplace_back(own_duration, weight);
}

// As combineHeaders() of google/pprof has it, but that a time of 0 is none.
void slow_sum::add_headers(const profile& next) {
    profile& own = m_headers;
    if (m_count == 0) {
        own.types = next.types;
        own.drop_frames = next.drop_frames;
        own.keep_frames = next.keep_frames;
        own.unknown = next.unknown;
    }
    if (own.time == 0 || (next.time != 0 && next.time < own.time)) {
        own.time = next.time;
    }
    if (own.period == 0 || own.period < next.period) {
        own.period = next.period;
    }
    for (const auto& comment : next.comments) {
        if (std::count(own.comments.begin(), own.comments.end(), comment) == 0) {
            own.comments.push_back(comment);
        }
    }
    if (own.period_type == value_type{}) {
        own.period_type = next.period_type;
    }
    if (own.default_type.empty()) {
        own.default_type = next.default_type;
    }
    if (own.doc_url.empty()) {
        own.doc_url = next.doc_url;
    }
}

// By the names that pprofdelta(7) gives.
std::vector<bool> slow_sum::are_gauges() const {
    static const std::set<std::string> heap{"alloc_objects/count", "alloc_space/bytes"};
    static const std::set<std::string> waiting{"contentions/count", "delay/nanoseconds"};
    const bool is_java = to_string(m_first_period_type) == "mutex/count";
    std::vector<bool> are;
    for (const auto& type : m_headers.types) {
        const auto is_in = [&type](const auto& patterns) {
            return std::any_of(patterns.begin(), patterns.end(),
                               [&type](const auto& each) { return each.matches(type); });
        };
        const std::string name = to_string(type);
        const bool is_counter = heap.contains(name) || (waiting.contains(name) && !is_java);
        are.push_back(is_in(m_options.gauge) || !(is_counter || is_in(m_options.cumulative)));
    }
    return are;
}

// The last or the largest one, by looking at all profiles.
std::int64_t slow_sum::level(const std::string& key, std::size_t type) const {
    std::int64_t found = 0;
    std::int64_t last_time = 0;
    for (const added& each : m_added) {
        const auto sample = each.samples.find(key);
        const std::int64_t own = sample == each.samples.end() ? 0 : sample->second[type];
        if (m_options.levels == level_policy::max) {
            found = std::max(found, own);
        } else if (!(each.time != 0 && last_time != 0 && each.time < last_time)) {
            found = own;
            last_time = each.time;
        }
    }
    return found;
}

sample_values slow_sum::samples(double divisor) const {
    const std::vector<bool> is_gauge = are_gauges();
    sample_values out;
    for (const auto& [key, sums] : m_samples) {
        std::vector<std::int64_t> values;
        for (std::size_t i = 0; i < sums.size(); ++i) {
            if (!is_gauge[i] || m_options.levels == level_policy::sum) {
                values.push_back(over(sums[i], divisor));
            } else {
                values.push_back(m_options.levels == level_policy::mean ? over(sums[i], m_weight)
                                                                        : level(key, i));
            }
        }
        if (!is_zero(values)) {
            out[key] = values;
        }
    }
    return out;
}

canonical slow_sum::sum() const { return {samples(1), headers_of(m_headers)}; }

canonical slow_sum::mean() const {
    profile headers = m_headers;
    std::int64_t weighted = 0;
    for (const auto& [duration, weight] : m_durations) {
        weighted = narrow(wide{weighted} + times(duration, weight));
    }
    headers.duration = over(weighted, m_weight);
    return {samples(m_weight), headers_of(headers)};
}

} // namespace pprofdelta::test
