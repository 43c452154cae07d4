// SPDX-License-Identifier: Apache-2.0
// Series of profiles that are chosen by the bytes, and sometimes damaged: every delta is the slow
// reference's, and a refused profile changes nothing.
#include <optional>
#include <string>
#include <utility>

#include "fuzz.hpp"
#include "profile_builder.hpp"
#include "random_profile.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

constexpr int most_steps = 6;

// A series in both implementations.
class pair {
public:
    explicit pair(const delta_options& options)
        : m_options{options}, m_fast{options}, m_slow{options} {}

    void prime(const std::string& bytes, const profile& content) {
        if (is_accepted([&] { m_fast.prime(bytes); })) {
            m_slow.prime(content);
        }
    }

    void save_and_load() {
        if (m_fast.has_previous()) {
            delta_computer loaded{m_options};
            loaded.load(m_fast.save());
            m_fast = std::move(loaded);
        }
    }

    /// @param content of the bytes, if the reference can read them.
    /// @returns whether there is anything left to compare.
    bool compute(const std::string& bytes, const std::optional<profile>& content) {
        std::string delta;
        delta_summary summary;
        if (!is_accepted([&] { summary = m_fast.compute(bytes, delta); })) {
            return true;
        }
        if (!content) {
            return false;
        }
        slow_result expected;
        const bool expects = is_accepted([&] { expected = m_slow.compute(*content); });
        const bool rounded = m_had_large_values || has_large_values(*content);
        if (rounded && (!expects || expected.reset != summary.reset)) {
            return false;
        }
        require(expects, "what is accepted is accepted by the slow reference");
        require_same(delta, summary, expected, m_options.match);
        m_had_large_values = rounded;
        return true;
    }

private:
    delta_options m_options;
    delta_computer m_fast;
    slow_delta m_slow;
    bool m_had_large_values = false;
};

} // namespace

FUZZ_TARGET(delta, data, size) {
    steering bytes{data, size};
    pair computers{bytes.options()};
    const std::uint32_t seed = bytes.byte();
    const std::string_view what = bytes.take(std::size_t{16} * most_steps);
    steering steps{reinterpret_cast<const std::uint8_t*>(what.data()), what.size()};
    random_series series{seed, bytes.rest()};
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
        if (!computers.compute(serialized, damaged ? parse_if_valid(serialized) : current)) {
            break;
        }
    }
    return 0;
}
