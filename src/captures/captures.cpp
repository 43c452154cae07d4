// SPDX-License-Identifier: Apache-2.0
#include "captures/captures.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <pprofdelta/error.hpp>

#include "base/numbers.hpp"
#include "profile/index.hpp"
#include "select/rows.hpp"
#include "select/stacks.hpp"
#include "views/flame.hpp"
#include "views/limits.hpp"
#include "wire/reader.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

namespace {

std::uint64_t to_zigzag(std::int64_t number) {
    const auto bits = static_cast<std::uint64_t>(number);
    return bits << 1U ^ (0 - (bits >> 63U));
}

// Reads the numbers of a capture, from an offset on.
class packed_reader {
public:
    packed_reader(const std::string& packed, std::size_t offset)
        : m_packed{packed}, m_position{packed.data() + offset} {}

    [[nodiscard]] bool is_end() const { return m_position == m_packed.data() + m_packed.size(); }

    std::uint64_t next() {
        const decoded_varint decoded =
            decode_varint(m_position, m_packed.data() + m_packed.size(), m_packed.data());
        m_position = decoded.end;
        return decoded.number;
    }

    std::int64_t next_sum() {
        const std::uint64_t number = next();
        return static_cast<std::int64_t>(number >> 1U ^ (0 - (number & 1U)));
    }

private:
    const std::string& m_packed;
    const char* m_position;
};

} // namespace

std::int64_t packed_sums::rows::of(std::uint32_t row, std::size_t sum) const {
    const auto found = std::lower_bound(numbers.begin(), numbers.end(), row);
    const auto place = static_cast<std::size_t>(found - numbers.begin());
    return found != numbers.end() && *found == row
               ? sums[place * (sums.size() / numbers.size()) + sum]
               : 0;
}

void packed_sums::prepare(const rows& added) {
    const std::size_t rows_so_far =
        added.numbers.empty() ? 0 : std::size_t{added.numbers.back()} + 1;
    m_last.resize(std::max(m_last.size(), rows_so_far));
    m_sums = added.numbers.empty() ? m_sums : added.sums.size() / added.numbers.size();
    m_offsets.clear();
    std::string packed;
    std::uint32_t before = 0;
    auto sum = added.sums.begin();
    for (const std::uint32_t row : added.numbers) {
        const place& last = m_last[row];
        m_offsets.push_back(packed.size());
        append_varint(packed, last.capture == nowhere ? 0 : m_count - last.capture);
        append_varint(packed, last.offset);
        append_varint(packed, row - std::exchange(before, row));
        for (std::size_t i = 0; i < m_sums; ++i) {
            append_varint(packed, to_zigzag(*sum++));
        }
    }
    packed.shrink_to_fit();
    m_packed.resize(m_count + 1);
    m_packed.back() = std::move(packed);
}

void packed_sums::keep(const rows& added) noexcept {
    for (std::size_t i = 0; i < added.numbers.size(); ++i) {
        m_last[added.numbers[i]] = {m_count, m_offsets[i]};
    }
    ++m_count;
}

std::vector<std::int64_t> packed_sums::column(std::size_t row, std::size_t sum) const {
    std::vector<std::int64_t> result(m_count);
    place at = row < m_last.size() ? m_last[row] : place{};
    while (at.capture != nowhere) {
        packed_reader numbers{m_packed[at.capture], at.offset};
        const std::uint64_t back = numbers.next();
        const std::uint64_t offset = numbers.next();
        numbers.next();
        for (std::size_t i = 0; i < sum; ++i) {
            numbers.next();
        }
        result[at.capture] = numbers.next_sum();
        at = back == 0 ? place{} : place{at.capture - back, offset};
    }
    return result;
}

packed_sums::rows packed_sums::of(std::size_t capture) const {
    rows all;
    std::uint32_t row = 0;
    for (packed_reader numbers{m_packed[capture], 0}; !numbers.is_end();) {
        numbers.next();
        numbers.next();
        row += static_cast<std::uint32_t>(numbers.next());
        all.numbers.push_back(row);
        for (std::size_t i = 0; i < m_sums; ++i) {
            all.sums.push_back(numbers.next_sum());
        }
    }
    return all;
}

namespace {

// Adds up the samples of calls that are asked for, of those that rules let through. A sample counts
// once for a call, and a row that calls itself is no call, as in `go tool pprof -peek`.
class call_reader {
public:
    // @param rows  with numbers of their own.
    // @param asked two flags for each of these, by kin.
    call_reader(const profile_stacks& stacks, const location_rows& rows,
                const std::array<std::vector<bool>, 2>& asked)
        : m_rows{rows}, m_asked{asked}, m_allowance{stacks.index()}, m_reader{stacks} {}

    // To be called for all samples, one after the other.
    void read(std::size_t sample) {
        m_reader.read(sample);
        const std::vector<std::int64_t>& values = m_reader.values();
        if (std::all_of(values.begin(), values.end(), [](std::int64_t v) { return v == 0; }) ||
            !m_reader.is_selected()) {
            return;
        }
        m_sample = sample;
        m_callee = row_call::none;
        const std::span<const std::uint32_t> places = m_reader.stack();
        if (places.empty()) {
            add_frame(m_rows.of_no_stack());
        }
        for (const std::uint32_t place : places) {
            if (const std::uint32_t only = m_rows.only(place); only != location_rows::several) {
                add_frame(only);
            } else {
                m_allowance.take(m_rows.of(place).size());
                for (const std::uint32_t row : m_rows.of(place)) {
                    add_frame(row);
                }
            }
        }
    }

    // The sums of all sample types.
    // @param names the numbers of the rows' names.
    // @param calls gets those that it does not have yet.
    [[nodiscard]] packed_sums::rows found(std::span<const std::uint32_t> names,
                                          keyed_list<row_call>& calls) const {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> in_order; // a number, and a place here
        for (std::uint32_t place = 0; place < m_calls.size(); ++place) {
            row_call named = m_calls[place].call;
            if (named.caller != row_call::none) {
                named = {names[named.caller], names[named.callee]};
            }
            in_order.emplace_back(calls.find_or_add(named.key(), [&] { return named; }), place);
        }
        std::sort(in_order.begin(), in_order.end());
        packed_sums::rows result;
        for (const auto& [number, place] : in_order) {
            const std::vector<std::int64_t>& sums = m_calls[place].sums;
            result.numbers.push_back(number);
            result.sums.insert(result.sums.end(), sums.begin(), sums.end());
        }
        return result;
    }

private:
    struct summed_call {
        row_call call; // of rows with numbers of their own
        std::vector<std::int64_t> sums;
        std::size_t last_sample;
    };

    [[nodiscard]] bool is_asked(kin of, std::uint32_t row) const {
        return m_asked[static_cast<std::size_t>(of)][row];
    }

    // To be called for each frame of a stack, the innermost first.
    void add_frame(std::uint32_t row) {
        for (const kin of : {kin::callers, kin::callees}) {
            if (is_asked(of, row)) {
                count_once(row_call::with_any(of));
            }
        }
        const std::uint32_t callee = std::exchange(m_callee, row);
        if (callee != row_call::none && callee != row &&
            (is_asked(kin::callers, callee) || is_asked(kin::callees, row))) {
            count_once({row, callee});
        }
    }

    void count_once(const row_call& call) {
        const std::vector<std::int64_t>& values = m_reader.values();
        const std::uint32_t known = m_calls.size();
        const std::uint32_t place = m_calls.find_or_add(call.key(), [&] {
            return summed_call{call, values, m_sample};
        });
        summed_call& found = m_calls[place];
        if (place != known && found.last_sample != m_sample) {
            found.last_sample = m_sample;
            std::transform(
                values.begin(), values.end(), found.sums.begin(), found.sums.begin(),
                [](std::int64_t value, std::int64_t sum) { return fitting_add(sum, value); });
        }
    }

    const location_rows& m_rows;
    const std::array<std::vector<bool>, 2>& m_asked;
    frame_allowance m_allowance;
    selected_reader m_reader;
    keyed_list<summed_call> m_calls;
    std::size_t m_sample = 0;
    std::uint32_t m_callee = row_call::none;
};

} // namespace

asked_calls::asked_calls(const std::string& callers_of, const std::string& callees_of) {
    if (!callers_of.empty()) {
        m_patterns[static_cast<std::size_t>(kin::callers)].emplace(callers_of);
    }
    if (!callees_of.empty()) {
        m_patterns[static_cast<std::size_t>(kin::callees)].emplace(callees_of);
    }
}

namespace {

// Adds up the samples of each stack, of those that rules let through and that are not zero.
// @param rows with the numbers of their names.
// @param to   gets the stacks that it does not have yet. One has no frames: that of samples without
//             a stack.
// @returns all sample types, by the numbers of the stacks.
packed_sums::rows sum_stacks(const profile_stacks& from, const location_rows& rows, stack_set& to) {
    std::vector<std::pair<std::uint32_t, std::size_t>> samples; // stacks, and where values are
    std::vector<std::int64_t> all_values;
    stack_set::adder stacks{to, from.index(), rows};
    selected_reader reader{from};
    for (std::size_t sample = 0; sample < from.index().view.samples.size(); ++sample) {
        reader.read(sample);
        const std::vector<std::int64_t>& values = reader.values();
        if (std::any_of(values.begin(), values.end(), [](std::int64_t v) { return v != 0; }) &&
            reader.is_selected()) {
            samples.emplace_back(stacks.add(reader.stack()), all_values.size());
            all_values.insert(all_values.end(), values.begin(), values.end());
        }
    }
    std::sort(samples.begin(), samples.end());
    const std::size_t types = from.index().types.sample_types.size();
    packed_sums::rows sums;
    for (const auto& [stack, begin] : samples) {
        if (sums.numbers.empty() || sums.numbers.back() != stack) {
            sums.numbers.push_back(stack);
            sums.sums.resize(sums.sums.size() + types);
        }
        std::int64_t* const of_stack = sums.sums.data() + sums.sums.size() - types;
        for (std::size_t type = 0; type < types; ++type) {
            of_stack[type] = fitting_add(of_stack[type], all_values[begin + type]);
        }
    }
    return sums;
}

} // namespace

void capture_list::add(capture&& added, const capture_rows& rows) {
    m_rows.prepare(rows.sums);
    m_calls.prepare(rows.of_calls);
    m_stacks.prepare(rows.of_stacks);
    m_all.push_back(std::move(added));
    // Nothing can fail from here on.
    m_rows.keep(rows.sums);
    m_calls.keep(rows.of_calls);
    m_stacks.keep(rows.of_stacks);
}

capture_list::column capture_list::values(std::size_t type, const sample_group& samples) const {
    if (m_all.empty()) {
        return {};
    }
    std::vector<std::int64_t> sums;
    switch (samples.of) {
    case sample_group::kind::flat:
        sums = m_rows.column(samples.number, type);
        return {sums.begin(), sums.end()};
    case sample_group::kind::cum: {
        sums = m_rows.column(samples.number, type);
        const std::vector<std::int64_t> more =
            m_rows.column(samples.number, m_all.front().totals.size() + type);
        std::transform(sums.begin(), sums.end(), more.begin(), sums.begin(), wrapping_add);
        return {sums.begin(), sums.end()};
    }
    case sample_group::kind::call:
        sums = m_calls.column(samples.number, type);
        return {sums.begin(), sums.end()};
    case sample_group::kind::stack:
        sums = m_stacks.column(samples.number, type);
        return {sums.begin(), sums.end()};
    case sample_group::kind::all:
    case sample_group::kind::limit:
        break;
    }
    column result;
    result.reserve(m_all.size());
    for (const capture& each : m_all) {
        const std::vector<std::int64_t>& of_types = samples.of == sample_group::kind::limit
                                                        ? each.of_limits.sums[samples.number]
                                                        : each.totals;
        result.push_back(static_cast<double>(of_types[type]));
    }
    return result;
}

std::vector<std::string> capture_list::programs() const {
    std::vector<std::string> names;
    for (const capture& each : m_all) {
        if (!each.program.empty() &&
            std::find(names.begin(), names.end(), each.program) == names.end()) {
            names.push_back(each.program);
        }
    }
    return names;
}

bool capture_list::has_match(std::size_t limit) const {
    return std::any_of(m_all.begin(), m_all.end(),
                       [&](const capture& c) { return c.of_limits.has_match[limit]; });
}

namespace {

// The name of the first mapping's file, which is that of the program.
std::string program_of(const profile_index& index) {
    const std::string_view file = index.view.mappings.empty()
                                      ? std::string_view{}
                                      : index.strings.text(index.mappings.at(0).file);
    return std::string{file_name_of(file)};
}

} // namespace

void capture_reader::require_types_of(const profile_index& index) const {
    if (!is_empty()) {
        require_same(m_types, index.types);
    }
}

void capture_reader::read(const profile_index& index, std::size_t usual_type, std::string name,
                          capture_list& to) {
    const std::uint32_t names = m_names.size();
    const std::uint32_t calls = m_calls.size();
    const stack_set::mark stacks = m_stacks.end();
    const std::uint32_t captures = m_captures.size();
    profile_types types = is_empty() ? index.types : profile_types{};
    try {
        capture_rows rows;
        capture added = read(index, rows);
        if (added.time_nanos != 0) {
            refuse_copy(index.view.bytes(), std::move(name));
        }
        to.add(std::move(added), rows);
    } catch (...) {
        m_names.truncate(names);
        m_calls.truncate(calls);
        m_stacks.truncate(stacks);
        m_captures.truncate(captures);
        throw;
    }
    if (is_empty()) {
        m_types = std::move(types);
        m_usual_type = usual_type;
    }
}

capture capture_reader::read(const profile_index& index, capture_rows& of_rows) {
    std::vector<std::size_t> every_type(index.types.sample_types.size());
    std::iota(every_type.begin(), every_type.end(), std::size_t{0});
    const profile_stacks stacks{index, m_rules, true};
    location_rows rows{stacks, m_names};
    capture made{.program = program_of(index),
                 .process = index.mappings.process(),
                 .time_nanos = index.view.time_nanos,
                 .duration_nanos = index.view.duration_nanos};
    if (m_keeps_stacks) {
        m_no_stack = rows.of_no_stack();
        of_rows.of_stacks = sum_stacks(stacks, rows, m_stacks);
    }
    of_rows.sums.numbers = rows.renumber(m_names.size());
    row_sums sums = sum_rows(stacks, rows, of_rows.sums.numbers.size(), every_type);
    const auto types = static_cast<std::ptrdiff_t>(every_type.size());
    auto cum = sums.cum.begin();
    for (auto flat = sums.flat.begin(); flat != sums.flat.end(); flat += types, cum += types) {
        std::vector<std::int64_t>& all = of_rows.sums.sums;
        all.insert(all.end(), flat, flat + types);
        std::transform(cum, cum + types, flat, std::back_inserter(all), wrapping_subtract);
    }
    made.totals = std::move(sums.totals);
    made.samples = std::move(sums.samples);
    if (!m_asked.are_none()) {
        read_calls(stacks, rows, of_rows);
    }
    if (std::any_of(m_limits.begin(), m_limits.end(), is_of_some)) {
        made.of_limits = measure(m_limits, index, m_selection);
    }
    return made;
}

void capture_reader::read_calls(const profile_stacks& stacks, const location_rows& rows,
                                capture_rows& into) {
    std::array<std::vector<bool>, 2> asked;
    for (const kin of : {kin::callers, kin::callees}) {
        for (const std::uint32_t name : into.sums.numbers) {
            asked[static_cast<std::size_t>(of)].push_back(m_asked.has(of, m_names.name(name)));
        }
    }
    call_reader reader{stacks, rows, asked};
    for (std::size_t sample = 0; sample < stacks.index().view.samples.size(); ++sample) {
        reader.read(sample);
    }
    into.of_calls = reader.found(into.sums.numbers, m_calls);
}

void capture_reader::refuse_copy(std::string_view profile, std::string name) {
    const std::uint32_t known = m_captures.size();
    const std::uint32_t number =
        m_captures.find_or_add(hash_bytes(profile), [&] { return std::move(name); });
    if (number < known) {
        throw error{error_kind::incompatible,
                    "it is a copy of " + m_captures[number] + ", and would count twice"};
    }
}

} // namespace pprofdelta
