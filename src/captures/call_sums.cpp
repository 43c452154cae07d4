// SPDX-License-Identifier: Apache-2.0
#include "captures/call_sums.hpp"

#include <algorithm>
#include <utility>

#include "base/fitting.hpp"

namespace pprofdelta {

namespace {

class call_reader {
public:
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

    [[nodiscard]] call_sums found(std::span<const std::uint32_t> names,
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
        call_sums result;
        for (const auto& [number, place] : in_order) {
            const std::vector<std::int64_t>& sums = m_calls[place].sums;
            result.calls.push_back(number);
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

call_sums sum_calls(const profile_stacks& stacks, const location_rows& rows,
                    const std::array<std::vector<bool>, 2>& asked,
                    std::span<const std::uint32_t> names, keyed_list<row_call>& calls) {
    call_reader reader{stacks, rows, asked};
    for (std::size_t sample = 0; sample < stacks.index().view.samples.size(); ++sample) {
        reader.read(sample);
    }
    return reader.found(names, calls);
}

} // namespace pprofdelta
