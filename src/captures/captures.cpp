// SPDX-License-Identifier: Apache-2.0
#include "captures/captures.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include <pprofdelta/error.hpp>

#include "base/numbers.hpp"
#include "wire/reader.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

namespace {

std::uint64_t to_zigzag(std::int64_t number) {
    const auto bits = static_cast<std::uint64_t>(number);
    return bits << 1U ^ (0 - (bits >> 63U));
}

std::int64_t from_zigzag(std::uint64_t number) {
    return static_cast<std::int64_t>(number >> 1U ^ (0 - (number & 1U)));
}

// The name of the first mapping's file, which is that of the program.
std::string program_of(const profile_index& index) {
    return index.view.mappings.empty()
               ? std::string{}
               : std::string{file_name_of(index.strings.text(index.mappings.at(0).file))};
}

} // namespace

event_source event_source_of(const profile_types& types, std::size_t type, std::int64_t period) {
    const std::vector<value_type>& all = types.sample_types;
    const value_type& self = all[type];
    const std::string& unit_of_period = types.period_type.unit;
    const auto place_of = [&](const value_type& wanted) {
        const auto found = std::ranges::find(all, wanted);
        return found == all.end() ? std::nullopt
                                  : std::optional{static_cast<std::size_t>(found - all.begin())};
    };
    const double rate = period > 1 ? static_cast<double>(period) : 1;
    if (unit_of_period == "bytes") {
        constexpr std::string_view objects = "objects";
        constexpr std::string_view space = "space";
        const std::string_view name = self.type;
        const bool is_count = name.ends_with(objects);
        if (is_count || name.ends_with(space)) {
            const std::string_view kind = is_count ? objects : space;
            const std::string of{name.substr(0, name.size() - kind.size())};
            event_source heap{rate > 1, place_of({of + std::string{objects}, "count"}),
                              place_of({of + std::string{space}, "bytes"}), rate};
            if (heap.count && heap.bytes) {
                return heap;
            }
        }
    } else if (unit_of_period == "count") { // contentions, goroutines
        if (const auto count = place_of(types.period_type)) {
            return {rate > 1, count, {}, rate};
        }
    } else if (self.unit == unit_of_period && period > 0) {
        return {true, type, {}, rate};
    }
    if (self.unit == "count" && (self.type == "samples" || self.type == "sample")) {
        return {true, type, {}, 1};
    }
    return {};
}

void packed_sums::prepare(const rows& next) {
    const std::size_t rows_so_far = next.numbers.empty() ? 0 : std::size_t{next.numbers.back()} + 1;
    m_rows.resize(std::max(m_rows.size(), rows_so_far));
    m_sums = next.numbers.empty() ? m_sums : next.sums.size() / next.numbers.size();
    m_next.clear();
    m_ends.clear();
    auto sum = next.sums.begin();
    for (const std::uint32_t number : next.numbers) {
        packed_row& row = m_rows[number];
        const std::size_t begin = m_next.size();
        append_varint(m_next, m_captures - row.captures);
        for (std::size_t i = 0; i < m_sums; ++i) {
            append_varint(m_next, to_zigzag(*sum++));
        }
        m_ends.push_back(m_next.size());
        const std::size_t needed = row.packed.size() + m_next.size() - begin;
        if (needed > row.packed.capacity()) {
            row.packed.reserve(needed + needed / 8); // twice as much for each row is too much
        }
    }
}

void packed_sums::keep(const rows& next) noexcept {
    ++m_captures;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < next.numbers.size(); ++i) {
        packed_row& row = m_rows[next.numbers[i]];
        row.packed.insert(row.packed.end(), m_next.data() + begin, m_next.data() + m_ends[i]);
        row.captures = m_captures;
        begin = m_ends[i];
    }
}

std::vector<std::int64_t> packed_sums::column(std::size_t row, std::size_t sum) const {
    std::vector<std::int64_t> result(m_captures);
    if (row >= m_rows.size()) {
        return result;
    }
    const std::vector<char>& packed = m_rows[row].packed;
    const char* at = packed.data();
    const auto next = [&] {
        const decoded_varint decoded =
            decode_varint(at, packed.data() + packed.size(), packed.data());
        at = decoded.end;
        return decoded.number;
    };
    for (std::size_t capture = 0; at != packed.data() + packed.size(); ++capture) {
        capture += next();
        for (std::size_t i = 0; i < m_sums; ++i) {
            const std::uint64_t number = next();
            if (i == sum) {
                result[capture] = from_zigzag(number);
            }
        }
    }
    return result;
}

void capture_list::add(capture&& added, const packed_sums::rows& rows,
                       const packed_sums::rows& stacks) {
    m_rows.prepare(rows);
    m_stacks.prepare(stacks);
    m_all.push_back(std::move(added));
    // Nothing can fail from here on.
    m_rows.keep(rows);
    m_stacks.keep(stacks);
}

std::vector<double> capture_list::values(std::size_t type, const sample_group& samples) const {
    if (m_all.empty()) {
        return {};
    }
    std::vector<std::int64_t> sums;
    switch (samples.of) {
    case sample_group::kind::flat:
        sums = m_rows.column(samples.number, type);
        break;
    case sample_group::kind::cum: {
        sums = m_rows.column(samples.number, type);
        const std::vector<std::int64_t> more =
            m_rows.column(samples.number, m_all.front().totals.size() + type);
        std::ranges::transform(sums, more, sums.begin(), wrapping_add);
        break;
    }
    case sample_group::kind::stack:
        sums = m_stacks.column(samples.number, type);
        break;
    case sample_group::kind::all:
    case sample_group::kind::limit:
        for (const capture& each : m_all) {
            const bool is_all = samples.of == sample_group::kind::all;
            sums.push_back((is_all ? each.totals : each.of_limits.sums[samples.number])[type]);
        }
        break;
    }
    return {sums.begin(), sums.end()};
}

std::vector<std::string> capture_list::programs() const {
    std::vector<std::string> names;
    for (const capture& each : m_all) {
        if (!each.program.empty() && std::ranges::find(names, each.program) == names.end()) {
            names.push_back(each.program);
        }
    }
    return names;
}

bool capture_list::has_match(std::size_t limit) const {
    return std::ranges::any_of(m_all,
                               [&](const capture& c) { return c.of_limits.has_match[limit]; });
}

void capture_reader::require_types_of(const profile_index& index) const {
    if (!is_empty()) {
        require_same(m_types, index.types);
    }
}

void capture_reader::read(const profile_index& index, std::size_t usual_type, std::string name,
                          capture_list& to) {
    const std::uint32_t names = m_names.size();
    const stack_set::mark stacks = m_stacks.end();
    const std::uint32_t captures = m_captures.size();
    profile_types types = is_empty() ? index.types : profile_types{};
    try {
        packed_sums::rows of_rows;
        packed_sums::rows of_stacks;
        capture added = read(index, of_rows, of_stacks);
        if (added.time_nanos != 0) {
            refuse_copy(index.view.bytes(), std::move(name));
        }
        to.add(std::move(added), of_rows, of_stacks);
    } catch (...) {
        m_names.truncate(names);
        m_stacks.truncate(stacks);
        m_captures.truncate(captures);
        throw;
    }
    if (is_empty()) {
        m_types = std::move(types);
        m_usual_type = usual_type;
    }
}

capture capture_reader::read(const profile_index& index, packed_sums::rows& of_rows,
                             packed_sums::rows& of_stacks) {
    const std::size_t types = index.types.sample_types.size();
    std::vector<std::size_t> every_type(types);
    std::iota(every_type.begin(), every_type.end(), std::size_t{0});
    const profile_stacks stacks{index, m_rules, true};
    location_rows rows{stacks, m_names};
    capture made{.program = program_of(index),
                 .process = index.mappings.process(),
                 .time_nanos = index.view.time_nanos,
                 .duration_nanos = index.view.duration_nanos,
                 .period = index.view.period,
                 .is_empty = index.view.samples.empty()};
    m_no_stack = rows.stackless_row();
    location_rows own_rows = rows; // numbered as the capture has them
    of_rows.numbers = own_rows.renumber(m_names.size());
    row_sums by_row{stacks, own_rows, of_rows.numbers.size(), types};
    std::optional<stack_set::adder> adder;
    if (m_keeps_stacks) {
        adder.emplace(m_stacks, index, rows);
    }
    std::vector<std::int64_t> by_stack;
    std::vector<std::size_t> in_use = every_type;
    std::erase_if(in_use, [&](std::size_t type) {
        return !index.types.sample_types[type].type.starts_with("inuse_");
    });
    made.totals = visit_samples(stacks, every_type, [&](const auto& values, auto places) {
        by_row.add(own_rows, values, places);
        for (const std::size_t type : in_use) {
            made.has_negative_use = made.has_negative_use || values[type] < 0;
        }
        if (adder) {
            const std::size_t begin = adder->add(places) * types;
            by_stack.resize(std::max(by_stack.size(), begin + types));
            std::transform(values.begin(), values.end(), by_stack.data() + begin,
                           by_stack.data() + begin, fitting_add);
        }
    });
    made.samples = std::move(by_row.samples);
    // Profiles of what was sampled in time say how many samples there were.
    const std::vector<value_type>& all = index.types.sample_types;
    for (const char* const name : {"samples", "sample"}) {
        const auto events = std::ranges::find(all, value_type{name, "count"});
        if (events != all.end()) {
            const auto count = by_row.shown[static_cast<std::size_t>(events - all.begin())];
            std::ranges::fill(made.samples,
                              static_cast<std::size_t>(std::max<std::int64_t>(0, count)));
        }
    }
    for (std::size_t begin = 0; begin < by_row.flat.size(); begin += types) {
        const std::int64_t* const flat = by_row.flat.data() + begin;
        const std::int64_t* const cum = by_row.cum.data() + begin;
        of_rows.sums.insert(of_rows.sums.end(), flat, flat + types);
        std::transform(cum, cum + types, flat, std::back_inserter(of_rows.sums), wrapping_subtract);
    }
    for (std::size_t begin = 0; begin < by_stack.size(); begin += types) {
        const std::int64_t* const sums = by_stack.data() + begin;
        if (std::any_of(sums, sums + types, [](std::int64_t sum) { return sum != 0; })) {
            of_stacks.numbers.push_back(static_cast<std::uint32_t>(begin / types));
            of_stacks.sums.insert(of_stacks.sums.end(), sums, sums + types);
        }
    }
    if (std::ranges::any_of(m_limits, is_of_some)) {
        find_types(m_limits, index.types.sample_types);
        made.of_limits = measure(m_limits, index, m_selection);
    }
    m_names.add_folded(stacks);
    return made;
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
