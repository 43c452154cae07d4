// SPDX-License-Identifier: Apache-2.0
#include "views/limits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include <pprofdelta/error.hpp>

#include "base/errors.hpp"
#include "base/numbers.hpp"
#include "base/text.hpp"
#include "profile/producers.hpp"
#include "profile/stacks.hpp"
#include "select/label_pattern.hpp"
#include "select/names.hpp"
#include "select/rows.hpp"
#include "select/stacks.hpp"
#include "select/units.hpp"
#include "select/viewed_profiles.hpp"

namespace pprofdelta {

namespace {

bool names_functions(const limit& l) {
    return l.of == limit::scope::through || l.of == limit::scope::leaf;
}

// Whether functions of a profile may be in none of its stacks.
bool loses_frames(const stack_selection& frames) {
    return !frames.hide.empty() || !frames.show_from.empty() || frames.folds_allocators;
}

// Selects the samples of one profile that a limit is about.
class selection {
public:
    selection(const limit& l, const profile_stacks& stacks) : m_scope{l.of} {
        if (names_functions(l)) {
            choose_locations(l, stacks);
        } else if (l.of == limit::scope::label) {
            m_marks = stacks.matching_values(label_pattern{l.label});
            m_has_match = std::ranges::find(m_marks, true) != m_marks.end();
        } else {
            m_scope = limit::scope::all;
        }
    }

    // Whether a sample is one of them.
    [[nodiscard]] bool has(std::size_t sample, selected_reader& reader, const label_index& labels) {
        if (m_scope == limit::scope::all) {
            return true;
        }
        if (m_scope == limit::scope::label) {
            return has_any(labels.of(sample), m_marks);
        }
        if (!reader.is_selected()) {
            return false; // no frame is left
        }
        const std::span<const std::uint32_t> stack = reader.stack();
        m_is_seen = m_is_seen || has_any(stack, m_named);
        const std::size_t count = m_scope == limit::scope::leaf ? 1 : stack.size();
        return has_any(stack.first(std::min(count, stack.size())), m_marks);
    }

    [[nodiscard]] bool has_match() const noexcept { return m_has_match; }
    // Whether a function that matches was in a stack so far.
    [[nodiscard]] bool is_seen() const noexcept { return m_is_seen; }

private:
    void choose_locations(const limit& l, const profile_stacks& stacks) {
        const name_pattern pattern{l.functions};
        matching_strings names{pattern, stacks.names(), stacks.index().strings.size()};
        std::vector<bool> functions; // by place, whether its name matches
        for (std::uint32_t place = 0; place < stacks.index().view.functions.size(); ++place) {
            functions.push_back(names.has(stacks.index().functions.at(place).name));
        }
        m_has_match = std::ranges::find(functions, true) != functions.end();
        const frame_index& frames = stacks.frames();
        for (std::uint32_t place = 0; place < stacks.index().locations.size(); ++place) {
            const auto begin = frames.frames().begin() + frames.begin(place);
            const std::uint32_t count = frames.begin(place + 1) - frames.begin(place);
            const auto end = begin + (m_scope == limit::scope::leaf ? std::min(count, 1U) : count);
            const auto is_match = [&](const frame_index::frame& frame) {
                return frame.function != id_map::npos && functions[frame.function];
            };
            m_marks.push_back(std::any_of(begin, end, is_match));
            m_named.push_back(std::any_of(begin, begin + count, is_match));
        }
    }

    limit::scope m_scope;
    bool m_has_match = true;
    bool m_is_seen = false;
    std::vector<bool> m_marks; // of values of labels, or of locations by their frames that count
    std::vector<bool> m_named; // of locations by all frames; empty without functions
};

} // namespace

bool is_of_some(const limit& l) noexcept {
    return names_functions(l) || l.of == limit::scope::label;
}

std::string about_limit(const limit& l) {
    return l.place + (l.place.empty() ? "'" : ": '") + l.text + "': ";
}

bool have_other_intervals(const profile_index& before, const profile_index& now, std::size_t type) {
    const std::int64_t duration = now.view.duration_nanos;
    return durations_differ(before.view.duration_nanos, duration) &&
           kind_of(now.types.sample_types[type], now.types.period_type, true) ==
               value_kind::interval;
}

std::int64_t mean_of_longer_waits(const std::vector<value_type>& types, std::size_t type,
                                  std::span<const std::int64_t> sums, std::int64_t duration_nanos) {
    const auto count = std::ranges::find(types, value_type{"contentions", "count"});
    const auto unit = type_unit(types[type].unit);
    if (types[type].type != "delay" || count == types.end() || !unit ||
        unit->of != dimension::time || duration_nanos <= 0) {
        return 0;
    }
    const auto waits = static_cast<double>(sums[static_cast<std::size_t>(count - types.begin())]);
    const double mean =
        static_cast<double>(sums[type]) * static_cast<double>(unit->size) / std::max(waits, 1.0);
    return mean > static_cast<double>(duration_nanos) ? to_nearest(mean) : 0;
}

void find_types(std::vector<limit>& limits, const std::vector<value_type>& types) {
    for (limit& l : limits) {
        if (!is_of_some(l)) {
            continue;
        }
        std::string& samples = l.of == limit::scope::label ? l.label : l.functions;
        const std::string subject = samples + ":" + l.type.text();
        for (const value_type& type : types) {
            for (const std::string& name : {type.type, to_string(type)}) {
                if (name.size() > l.type.text().size() && subject.ends_with(":" + name)) {
                    samples = subject.substr(0, subject.size() - name.size() - 1);
                    l.type = value_type_pattern{name};
                }
            }
        }
    }
}

stack_selection frames_of(const stack_selection& selection) {
    return {.hide = selection.hide,
            .show_from = selection.show_from,
            .renames = selection.renames,
            .names_between_builds = selection.names_between_builds,
            .folds_allocators = selection.folds_allocators};
}

measures measure(const std::vector<limit>& limits, const profile_index& index,
                 const stack_selection& frames) {
    // Frames take time, and totals do not need them.
    const bool needs_frames = std::ranges::any_of(limits, names_functions);
    stack_rules rules{needs_frames ? frames_of(frames) : stack_selection{}};
    for (const limit& l : limits) {
        if (l.of == limit::scope::label) {
            rules.add_key(label_pattern{l.label}.key());
        }
    }
    const profile_stacks stacks{index, rules, needs_frames};
    std::vector<selection> selections;
    measures result;
    for (const limit& l : limits) {
        selections.emplace_back(l, stacks);
        result.has_match.push_back(selections.back().has_match());
        result.sums.emplace_back(index.types.sample_types.size());
    }
    selected_reader reader{stacks};
    for (std::size_t sample = 0; sample < index.view.samples.size(); ++sample) {
        reader.read(sample);
        for (std::size_t i = 0; i < limits.size(); ++i) {
            if (!selections[i].has(sample, reader, stacks.labels())) {
                continue;
            }
            for (std::size_t type = 0; type < result.sums[i].size(); ++type) {
                std::int64_t& sum = result.sums[i][type];
                sum = fitting_add(sum, reader.values()[type]);
            }
        }
    }
    for (std::size_t i = 0; loses_frames(frames) && i < limits.size(); ++i) {
        if (names_functions(limits[i]) && !selections[i].is_seen()) {
            result.has_match[i] = false; // all of it is hidden
        }
    }
    return result;
}

namespace {

// The size of a given unit in a type's unit, as a fraction; empty if they do not fit.
std::optional<std::pair<std::int64_t, std::int64_t>> unit_ratio(const std::string& unit,
                                                                const value_type& type) {
    const auto wanted = number_unit(unit);
    if (!wanted) {
        return std::pair{std::int64_t{1}, std::int64_t{1}};
    }
    const auto own = type_unit(type.unit);
    if (!own || own->of != wanted->of) {
        return std::nullopt;
    }
    return std::pair{wanted->size, own->size};
}

std::pair<std::int64_t, std::int64_t> unit_ratio(const limit& l, const value_type& type) {
    const auto ratio = unit_ratio(l.threshold.unit, type);
    if (!ratio) {
        throw error{error_kind::incompatible, l.place + (l.place.empty() ? "" : ": ") +
                                                  "the unit of '" + l.text + "' does not fit " +
                                                  to_string(type)};
    }
    return *ratio;
}

// Numbers of up to 120 bits come up below.
__extension__ using wide = unsigned __int128;

constexpr wide power_of_ten(int exponent) {
    wide power = 1;
    while (exponent-- > 0) {
        power *= 10;
    }
    return power;
}

// Whether a / b is more than c / d, by their whole parts and then, upside down, by what is left of
// both: products would have more than 128 bits. A fraction over zero is more than any other.
bool is_more(wide a, wide b, wide c, wide d) {
    bool is_upright = true;
    while (b != 0 && d != 0) {
        if (a / b != c / d) {
            return (a / b > c / d) == is_upright;
        }
        a %= b;
        c %= d;
        std::swap(a, b);
        std::swap(c, d);
        is_upright = !is_upright;
    }
    return is_upright ? b == 0 && d != 0 : d == 0 && b != 0;
}

std::uint64_t above_zero(std::int64_t value) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0));
}

// A difference can need one bit more than it has, and has wrapped around then.
std::uint64_t growth(const value_pair& value, std::int64_t change) {
    const auto difference =
        static_cast<std::uint64_t>(value.current) - static_cast<std::uint64_t>(value.previous);
    if (difference != static_cast<std::uint64_t>(change)) {
        return above_zero(change); // what a delta has, as after a restart
    }
    return value.current > value.previous ? difference : 0;
}

} // namespace

bool is_crossed(const limit& l, const value_type& type, std::int64_t duration_nanos,
                const value_pair& value, std::int64_t change) {
    const auto [unit, own_unit] = unit_ratio(l, type);
    const std::uint64_t compared =
        limit::is_of_value(l.on) ? above_zero(value.current) : growth(value, change);
    if (compared == 0) {
        return false; // no bound is negative
    }
    constexpr wide nanoseconds = 1'000'000'000;
    const wide most = static_cast<wide>(l.threshold.digits) * static_cast<wide>(unit);
    const wide digits = power_of_ten(l.threshold.decimals);
    const wide size = static_cast<wide>(compared) * static_cast<wide>(own_unit);
    switch (l.on) {
    case limit::bound::percent:
    case limit::bound::share:
        return is_more(size * 100, magnitude(value.previous), most, digits);
    case limit::bound::rate:
        return is_more(size * static_cast<wide>(l.seconds), static_cast<wide>(duration_nanos), most,
                       digits * nanoseconds);
    case limit::bound::value:
    case limit::bound::growth:
        break;
    }
    return is_more(size, 1, most, digits);
}

std::uint64_t most_allowed(const limit& l, const value_type& type, std::int64_t duration_nanos,
                           std::int64_t previous) {
    constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
    const auto [unit, own_unit] = unit_ratio(l, type);
    wide most = static_cast<wide>(l.threshold.digits) * static_cast<wide>(unit);
    wide parts = power_of_ten(l.threshold.decimals) * static_cast<wide>(own_unit);
    if (l.on == limit::bound::percent || l.on == limit::bound::share) {
        most *= magnitude(previous);
        parts *= 100;
    }
    if (l.on == limit::bound::rate) {
        // A double is enough for text; products would have more than 128 bits.
        const double exact =
            static_cast<double>(most) / static_cast<double>(parts) *
            (static_cast<double>(duration_nanos) / (1e9 * static_cast<double>(l.seconds)));
        return exact < 0x1p63 ? static_cast<std::uint64_t>(std::max(exact, 0.0)) : largest;
    }
    return static_cast<std::uint64_t>(std::min<wide>(most / parts, largest));
}

std::optional<double> in_unit(const amount& value, const value_type& type) {
    const auto ratio = unit_ratio(value.unit, type);
    if (!ratio) {
        return std::nullopt;
    }
    return static_cast<double>(value.digits) / std::pow(10.0, value.decimals) *
           (static_cast<double>(ratio->first) / static_cast<double>(ratio->second));
}

bool is_large(const std::optional<amount>& least, const value_type& type, const value_pair& value) {
    if (!least) {
        return true;
    }
    const auto ratio = unit_ratio(least->unit, type);
    if (!ratio) {
        return true;
    }
    const auto [unit, own_unit] = *ratio;
    const std::uint64_t larger = std::max(magnitude(value.previous), magnitude(value.current));
    return !is_more(static_cast<wide>(least->digits) * static_cast<wide>(unit),
                    power_of_ten(least->decimals),
                    static_cast<wide>(larger) * static_cast<wide>(own_unit), 1);
}

namespace {

[[noreturn]] void fail(std::string_view text, const std::string& what) {
    refuse("'" + std::string{text} + "': " + what);
}

// Takes the digits, with at most one point among them, off the start of `number`.
void read_digits(std::string_view text, text_scanner& number, amount& out) {
    constexpr std::size_t most_digits = 18; // which fit into 64 bits
    std::string digits{number.take_while(is_decimal)};
    if (number.skip(".")) {
        const std::string_view decimals = number.take_while(is_decimal);
        out.decimals = static_cast<int>(decimals.size());
        digits += decimals;
    }
    if (digits.empty()) {
        fail(text, text.find('>') == std::string_view::npos ? "it is not a number"
                                                            : "what follows '>' is not a number");
    }
    if (digits.size() > most_digits) {
        fail(text, "a number has at most 18 digits");
    }
    out.digits = *to_number<std::int64_t>(digits);
}

void read_unit(std::string_view text, std::string_view unit, amount& out) {
    if (!unit.empty() && !number_unit(unit)) {
        fail(text,
             "'" + std::string{unit} +
                 "' is not a unit; the units are: B, kB, KiB, MB, MiB, GB, GiB, TB, TiB, ns, us, "
                 "ms, s" +
                 (text.find('>') == std::string_view::npos ? "" : ", and %"));
    }
    out.unit = unit;
}

// The times that a rate can be for, in seconds.
constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> times{
    {{"/s", 1}, {"/min", 60}, {"/h", 3600}, {"/d", 86400}}};

void read_bound(std::string_view text, limit& out) {
    text_scanner bound{text};
    const bool is_growth = bound.skip("+");
    out.on = is_growth ? limit::bound::growth : limit::bound::value;
    bound.skip_blanks();
    read_digits(out.text, bound, out.threshold);
    std::string_view unit = trim(bound.rest());
    if (unit == "%") {
        if (!is_growth && out.of == limit::scope::all) {
            fail(out.text, "a percentage of a total needs a '+', as in >+10%; a "
                           "share is of some samples, as in func:REGEX:TYPE>10%");
        }
        out.on = is_growth ? limit::bound::percent : limit::bound::share;
        return;
    }
    for (const auto& [end, seconds] : times) {
        if (unit.ends_with(end)) {
            if (!is_growth) {
                fail(out.text, "a rate needs a '+', as in >+1MiB/s");
            }
            unit = trim(unit.substr(0, unit.size() - end.size()));
            out.on = limit::bound::rate;
            out.seconds = seconds;
            break;
        }
    }
    read_unit(out.text, unit, out.threshold);
}

void read_subject(std::string_view text, limit& out) {
    // The longer one of two that begin alike is the first.
    constexpr std::array<std::pair<std::string_view, limit::scope>, 6> scopes{
        {{"each:cum:", limit::scope::each_through},
         {"each:", limit::scope::each_leaf},
         {"func:", limit::scope::through},
         {"cum:", limit::scope::through},
         {"flat:", limit::scope::leaf},
         {"label:", limit::scope::label}}};
    text_scanner scanner{text};
    for (const auto& [start, scope] : scopes) {
        if (scanner.skip(start)) {
            out.of = scope;
            break;
        }
    }
    std::string_view subject = scanner.rest();
    if (is_of_some(out)) {
        const bool is_of_label = out.of == limit::scope::label;
        const std::size_t colon = subject.rfind(':');
        if (colon == std::string_view::npos) {
            fail(out.text, std::string{"a sample type must follow, as in "} +
                               (is_of_label ? "label:KEY=REGEX" : "func:REGEX") + ":TYPE>NUMBER");
        }
        std::string& samples = is_of_label ? out.label : out.functions;
        samples = subject.substr(0, colon);
        subject.remove_prefix(colon + 1);
        try {
            if (is_of_label) {
                const label_pattern check{samples};
            } else {
                const name_pattern check{samples};
            }
        } catch (const error& e) {
            fail(out.text, e.what());
        }
    }
    subject = trim(subject);
    if (subject.empty()) {
        fail(out.text, "there is no sample type before '>'");
    }
    out.type = value_type_pattern{subject};
}

} // namespace

limit parse_limit(std::string_view text) {
    text = trim(text);
    limit out{.text = std::string{text},
              .functions = {},
              .type = value_type_pattern{""},
              .threshold = {}};
    const std::size_t sign = text.rfind('>');
    if (sign == std::string_view::npos) {
        fail(text, "a limit has a '>', as in alloc_space>+10%");
    }
    read_subject(trim(text.substr(0, sign)), out);
    read_bound(trim(text.substr(sign + 1)), out);
    return out;
}

amount parse_amount(std::string_view text) {
    text = trim(text);
    text_scanner number{text};
    amount out;
    read_digits(text, number, out);
    read_unit(text, trim(number.rest()), out);
    return out;
}

namespace {

// The profiles that limits are judged by, and what each limit is compared with in them.
class evidence {
public:
    evidence(std::vector<limit> limits, const stack_selection& frames,
             viewed_profiles::impl& profiles)
        : m_limits{std::move(limits)}, m_frames{frames_of(frames)}, m_delta{profiles.delta()},
          m_has_previous{profiles.has_previous()} {
        for (const limit& l : m_limits) {
            if (m_delta == nullptr && !m_has_previous && !limit::is_of_value(l.on)) {
                refuse(about_limit(l) + "a limit on growth needs a previous profile");
            }
        }
        if (m_has_previous) {
            read(error_input::previous, profiles.previous(), m_before);
        }
        read(error_input::current, profiles.current(), m_now);
        if (m_delta != nullptr) {
            read(error_input::current, profiles.main(), m_changes);
        } else if (m_has_previous) {
            require_same(m_before.index->types, m_now.index->types);
        }
    }

    [[nodiscard]] const std::vector<value_type>& types() const noexcept {
        return m_now.index->types.sample_types;
    }

    [[nodiscard]] const std::vector<limit>& limits() const noexcept { return m_limits; }

    judgement judge_one(std::size_t number, std::size_t type, const std::optional<amount>& least) {
        const limit& l = m_limits[number];
        judgement j;
        j.limit = l.text;
        j.of = l.of;
        j.type = types()[type];
        const auto sum = [&](const measured& row) {
            return row.index == nullptr ? 0 : row.limits.sums[number][type];
        };
        const values total = known(type, sum(m_before), sum(m_now), sum(m_changes));
        j.previous = total.value.previous;
        j.current = total.value.current;
        j.change = total.change;
        j.has_previous = has_previous(type);
        j.has_change = m_has_previous || (is_subtracted(type) && !is_first());
        const bool matches_now = m_now.limits.has_match[number];
        const bool matched = m_has_previous && m_before.limits.has_match[number];
        j.has_match = matches_now || matched;
        j.are_compared = m_has_previous && m_delta == nullptr;
        j.is_gone = j.are_compared && matched && !matches_now;
        j.is_restart = is_restart() && is_subtracted(type);
        j.unknown = reason_against(l, type);
        if (j.unknown.empty() && j.are_compared && !j.has_match) {
            j.unknown = "no " + std::string{l.of == limit::scope::label ? "label" : "function"} +
                        " matches" + (loses_frames(m_frames) ? " in the frames that are left" : "");
        }
        j.is_undecided = have_other_durations(l, type);
        if (j.unknown.empty() && j.is_undecided) {
            j.unknown =
                "the durations differ: " + format_value(m_before.index->view.duration_nanos, "ns") +
                " before, and now " + format_value(m_now.index->view.duration_nanos, "ns");
        }
        if (j.unknown.empty() && l.on == limit::bound::rate && !limit::is_each(l.of) &&
            are_longer(type, m_changes.limits.sums[number])) {
            j.unknown = longer_waits;
        }
        j.on = l.on;
        if (l.on == limit::bound::rate && j.unknown.empty()) {
            j.per_time = static_cast<double>(l.seconds) / (static_cast<double>(duration()) / 1e9);
        }
        j.whole = l.on == limit::bound::share ? totals(*m_now.index)[type] : 0;
        j.allowed = most_allowed(l, j.type, duration(), compared_with(j, j.previous));
        // Functions above the place where stacks of one side were cut have no cum to compare.
        const std::int64_t cut = is_through(l) ? value_cut_before(type) : 0;
        if (j.unknown.empty() && cut != 0 && l.of == limit::scope::through &&
            !is_crossed(l, j.type, duration(), {fitting_add(j.previous, cut), j.current},
                        wrapping_subtract(total.change, cut))) {
            j.crossed = false;
        } else if (j.unknown.empty() && limit::is_each(l.of)) {
            j.functions = crossing_functions(l, type, least, j);
            j.crossed = !j.functions.empty();
            if (!j.crossed && std::exchange(m_has_older, false)) {
                j.unknown = longer_waits;
            }
            keep_first_crossing(j);
        } else {
            // The call also checks that the unit fits.
            j.crossed = is_crossed(l, j.type, duration(), {compared_with(j, j.previous), j.current},
                                   total.change) &&
                        j.unknown.empty();
        }
        return j;
    }

private:
    // The value that a percentage refers to.
    static std::int64_t compared_with(const judgement& j, std::int64_t previous) {
        return j.on == limit::bound::share ? j.whole : previous;
    }

    struct values {
        value_pair value;
        std::int64_t change = 0;
    };
    // The sums of one sample type by row.
    struct rows {
        row_sums before;
        row_sums now;
        row_sums delta;
        row_names names;
    };

    // A profile, and what the limits are compared with in it.
    struct measured {
        const profile_index* index = nullptr; // none for one that is not there
        measures limits;
    };

    // Totals do not need stacks, which take most of the time.
    void read(error_input input, lazy_index& profile, measured& into) {
        const bool needs_stacks =
            std::ranges::any_of(m_limits, [](const limit& l) { return l.of != limit::scope::all; });
        about_input(input, [&] {
            into.index = needs_stacks ? &profile.whole() : &profile.with_types();
            find_types(m_limits, into.index->types.sample_types);
            into.limits = measure(m_limits, *into.index, m_frames);
        });
    }

    static constexpr const char* longer_waits =
        "the waits are longer than the interval, so some began before it";

    [[nodiscard]] bool are_longer(std::size_t type, std::span<const std::int64_t> sums) const {
        return is_subtracted(type) && mean_of_longer_waits(types(), type, sums, duration()) != 0;
    }

    [[nodiscard]] bool is_first() const { return m_delta != nullptr && m_delta->summary.first; }
    [[nodiscard]] bool is_restart() const { return m_delta != nullptr && m_delta->summary.reset; }
    [[nodiscard]] bool is_subtracted(std::size_t type) const {
        return m_delta != nullptr && m_delta->types[type].is_cumulative();
    }
    // The state alone decides for a cumulative type, as far as samples are still there.
    [[nodiscard]] bool has_previous(std::size_t type) const {
        return m_has_previous || (is_subtracted(type) && !is_first() && !is_restart());
    }
    [[nodiscard]] std::int64_t duration() const {
        return m_delta == nullptr ? 0 : m_changes.index->view.duration_nanos;
    }

    [[nodiscard]] values known(std::size_t type, std::int64_t before, std::int64_t now,
                               std::int64_t delta) const {
        if (!is_subtracted(type)) {
            return {{before, now}, m_has_previous ? wrapping_subtract(now, before) : 0};
        }
        if (!m_has_previous && has_previous(type)) {
            before = fitting_subtract(now, delta);
        }
        return {{before, now}, delta};
    }

    [[nodiscard]] std::string reason_against(const limit& l, std::size_t type) const {
        if (limit::is_of_value(l.on)) {
            return {};
        }
        if (is_first()) {
            return "there is no previous profile to compare with";
        }
        if (m_delta != nullptr && m_delta->summary.is_rescaled) {
            return "the sampling period changed in between";
        }
        if (!is_subtracted(type) && !m_has_previous) {
            return "a state has no values of gauges";
        }
        if (l.on == limit::bound::percent && is_restart() && is_subtracted(type)) {
            return "there is no percentage after a counter reset";
        }
        if (l.on == limit::bound::rate && m_delta == nullptr) {
            return "a rate needs a delta";
        }
        if (l.on != limit::bound::rate || duration() > 0) {
            return {};
        }
        return is_restart() ? "the age of the process is unknown"
               : m_delta->summary.is_unpublished
                   ? "no garbage collection seems to have ended in between; see heap?gc=1"
                   : "the duration is unknown";
    }

    // Whether a growth compares what was counted in durations that differ.
    [[nodiscard]] bool have_other_durations(const limit& l, std::size_t type) const {
        return !limit::is_of_value(l.on) && m_delta == nullptr && m_has_previous &&
               have_other_intervals(*m_before.index, *m_now.index, type);
    }

    static bool is_through(const limit& l) {
        return !limit::is_of_value(l.on) &&
               (l.of == limit::scope::through || l.of == limit::scope::each_through);
    }

    // The value of stacks that the previous profile has cut off, where the current one does not cut
    // them at the same length. It may belong to any function above.
    std::int64_t value_cut_before(std::size_t type) {
        if (m_delta != nullptr || !m_has_previous) {
            return 0;
        }
        if (!m_cut) {
            m_cut = find_cut_stacks(*m_before.index);
            if (m_cut->frames != 0 && find_cut_stacks(*m_now.index).frames == m_cut->frames) {
                m_cut.emplace();
            }
        }
        std::int64_t sum = 0;
        stack_reader reader{*m_before.index};
        for (const std::uint32_t sample : m_cut->samples) {
            reader.read(m_before.index->view.samples[sample]);
            sum = fitting_add(sum, reader.values()[type]);
        }
        return sum;
    }

    const rows& rows_of(std::size_t type) {
        const auto [entry, is_new] = m_rows.try_emplace(type);
        rows& r = entry->second;
        if (is_new) {
            const stack_rules rules{m_frames};
            const auto sum = [&](const measured& row) {
                return sum_rows(*row.index, {&type, 1}, rules, r.names);
            };
            r.now = sum(m_now);
            r.before = m_has_previous ? sum(m_before) : row_sums{};
            r.delta = is_subtracted(type) ? sum(m_changes) : row_sums{};
        }
        return r;
    }

    // The values of a row in a delta: this type, and the number of waits.
    std::vector<std::int64_t> sums_of_row(const limit& l, std::uint32_t row, std::size_t type) {
        std::vector<std::int64_t> sums(types().size());
        for (std::size_t i = 0; i < sums.size(); ++i) {
            if (i == type || types()[i].type == "contentions") {
                const row_sums& of = rows_of(i).delta;
                sums[i] = (l.of == limit::scope::each_leaf ? of.flat : of.cum)[row];
            }
        }
        return sums;
    }

    std::vector<judgement::function> crossing_functions(const limit& l, std::size_t type,
                                                        const std::optional<amount>& least,
                                                        const judgement& j) {
        const rows& r = rows_of(type);
        const auto value = [&](const row_sums& sums, std::uint32_t row) -> std::int64_t {
            const auto& column = l.of == limit::scope::each_leaf ? sums.flat : sums.cum;
            return row < column.size() ? column[row] : 0;
        };
        const std::int64_t cut = is_through(l) ? value_cut_before(type) : 0;
        std::vector<judgement::function> crossing;
        for (std::uint32_t row = 0; row < r.names.size(); ++row) {
            const values of_row =
                known(type, value(r.before, row), value(r.now, row), value(r.delta, row));
            const auto is_beyond = [&](std::int64_t cut) {
                return is_crossed(l, j.type, duration(),
                                  {compared_with(j, fitting_add(of_row.value.previous, cut)),
                                   of_row.value.current},
                                  wrapping_subtract(of_row.change, cut));
            };
            if (is_large(least, types()[type], of_row.value) && is_beyond(0) &&
                (cut == 0 || is_beyond(cut))) {
                if (l.on == limit::bound::rate && are_longer(type, sums_of_row(l, row, type))) {
                    m_has_older = true;
                    continue;
                }
                crossing.push_back({r.names.name(row), of_row.value, of_row.change});
            }
        }
        const auto size = [&](const judgement::function& f) {
            return limit::is_of_value(l.on) ? f.value.current : f.change;
        };
        std::ranges::sort(crossing, [&](const auto& a, const auto& b) {
            return size(a) != size(b) ? size(a) > size(b) : a.name < b.name;
        });
        return crossing;
    }

    std::vector<limit> m_limits;
    stack_selection m_frames;      // that stacks are of
    const computed_delta* m_delta; // nullptr for none
    bool m_has_previous;
    measured m_before;
    measured m_now;
    measured m_changes;                 // the delta itself
    std::map<std::size_t, rows> m_rows; // by type
    std::optional<cut_stacks> m_cut;
    bool m_has_older = false; // a function that would cross a limit if its waits were shorter
};

} // namespace

std::vector<judgement> judge(const std::vector<limit>& limits, const viewed_profiles& profiles,
                             const std::optional<amount>& least, const stack_selection& frames) {
    evidence found{limits, frames, viewed_profiles::impl::of(profiles)};
    std::vector<judgement> all;
    about_input(error_input::both, [&] {
        for_each_named_type(found.limits(), found.types(), [&](std::size_t number, auto type) {
            all.push_back(found.judge_one(number, type, least));
        });
    });
    return all;
}

} // namespace pprofdelta
