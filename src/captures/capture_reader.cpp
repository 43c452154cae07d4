// SPDX-License-Identifier: Apache-2.0
#include "captures/capture_reader.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <utility>

#include <pprofdelta/error.hpp>

#include "base/wrapping.hpp"
#include "captures/stack_sums.hpp"
#include "limits/measure.hpp"
#include "profile/process_sign.hpp"
#include "select/row_sums.hpp"

namespace pprofdelta {

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

void capture_reader::read(profile_index& index, std::size_t usual_type, std::string name,
                          capture_list& to) {
    const std::uint32_t names = m_names.size();
    const std::uint32_t calls = m_calls.size();
    const stack_set::mark stacks = m_stacks.end();
    const std::uint32_t captures = m_captures.size();
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
        m_types = std::move(index.types);
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
    call_sums sums = sum_calls(stacks, rows, asked, into.sums.numbers, m_calls);
    into.of_calls.numbers = std::move(sums.calls);
    into.of_calls.sums = std::move(sums.sums);
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
