// SPDX-License-Identifier: Apache-2.0
// Series of profiles that are chosen by the bytes, and sometimes damaged: every delta is the slow
// reference's, with all options and across a state, and a refused profile changes nothing.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fuzz.hpp"
#include "profile_builder.hpp"
#include "random_profile.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

constexpr int most_steps = 6;

template <typename Call>
std::optional<error_kind> refusal_of(Call&& call) {
    try {
        call();
        return std::nullopt;
    } catch (const error& e) {
        return e.kind();
    }
}

// A series in both implementations.
class pair {
public:
    explicit pair(const delta_options& options)
        : m_options{options}, m_fast{options}, m_slow{options} {}

    void prime(const std::string& bytes, const profile& content) {
        const auto refusal = refusal_of([&] { m_fast.prime(bytes); });
        require(refusal == refusal_of([&] { m_slow.prime(content); }),
                "what is refused the slow reference refuses");
        if (!refusal) {
            m_had_duration = content.duration != 0;
            m_had_large_values = m_had_large_values || has_large_values(content);
        }
    }

    void save_and_load() {
        if (m_fast.has_previous()) {
            delta_computer loaded{m_options};
            loaded.load(m_fast.save());
            m_fast = std::move(loaded);
        }
    }

    /// @param content what the bytes hold, if the reference can read them.
    /// @returns whether there is anything left to compare.
    bool compute(const std::string& bytes, const std::optional<profile>& content, bool is_damaged) {
        std::string delta = "left over";
        delta_summary summary;
        const auto refusal = refusal_of([&] { summary = m_fast.compute(bytes, delta); });
        if (refusal && is_damaged) {
            return true;
        }
        if (!content) {
            return false;
        }
        slow_result expected;
        const auto expected_refusal = refusal_of([&] { expected = m_slow.compute(*content); });
        const bool rounded = m_had_large_values || has_large_values(*content);
        if (rounded && (refusal != expected_refusal || expected.reset != summary.reset)) {
            return false;
        }
        require(refusal == expected_refusal, "what is refused the slow reference refuses");
        if (refusal) {
            return true;
        }
        require_same(delta, summary, expected, m_options.match, {&*content});
        require(summary.previous_has_duration == m_had_duration, "previous_has_duration is right");
        m_had_large_values = rounded;
        m_had_duration = content->duration != 0;
        return true;
    }

private:
    delta_options m_options;
    delta_computer m_fast;
    slow_delta m_slow;
    bool m_had_large_values = false;
    bool m_had_duration = false;
};

// Names some of the types, of which the first is subtracted then and the last is not.
void choose_types(delta_options& options, const std::vector<value_type>& types) {
    options.cumulative.emplace_back(to_string(types.front()));
    if (types.size() > 1) {
        options.gauge.emplace_back(types.back().type);
    }
}

} // namespace

FUZZ_TARGET(delta, data, size) {
    steering bytes{data, size};
    delta_options options = bytes.options();
    const std::uint32_t seed = bytes.byte();
    const std::string_view what = bytes.take(std::size_t{16} * most_steps);
    steering steps{reinterpret_cast<const std::uint8_t*>(what.data()), what.size()};
    const std::string_view choices = bytes.rest();
    if (seed % 4 == 3) {
        choose_types(options, random_series{seed, choices}.next().types);
    }
    pair computers{options};
    random_series series{seed, choices};
    for (int step = 0; step < most_steps && !steps.empty(); ++step) {
        const profile current = series.next();
        std::string serialized = serialize(current, series.next_layout());
        const unsigned kind = steps.byte() % 8;
        if (kind == 0) {
            computers.prime(serialized, current);
            continue;
        }
        if (kind == 1) {
            computers.save_and_load();
        }
        if (kind < 4) {
            for (unsigned i = kind; i < 4; ++i) {
                const std::size_t place = steps.word() % serialized.size();
                serialized[place] = static_cast<char>(steps.byte());
            }
        }
        const bool damaged = kind < 4;
        if (!computers.compute(serialized, damaged ? parse_if_valid(serialized) : current,
                               damaged)) {
            break;
        }
    }
    return 0;
}
