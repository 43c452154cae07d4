// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TESTS_SLOW_SUM_HPP
#define PPROFDELTA_TESTS_SLOW_SUM_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/merge.hpp>

#include "canonical.hpp"
#include "profile.hpp"

namespace pprofdelta::test {

/// profile_sum in the most obvious way, to compare it with: no ids, no hashes, no bytes.
class slow_sum {
public:
    /// @param options with regular expressions that POSIX reads as RE2 does.
    explicit slow_sum(merge_options options) : m_options{std::move(options)} {}

    /// @throws error incompatible or too_large; nothing has changed then.
    void add(const profile& next, double weight = 1);

    [[nodiscard]] std::size_t size() const noexcept { return m_count; }
    [[nodiscard]] canonical sum() const;
    /// @throws error too_large
    [[nodiscard]] canonical mean() const;
    /// What has to be the first mapping of the sum, if it has one.
    [[nodiscard]] const std::optional<mapping>& main() const noexcept { return m_main; }

private:
    void add_headers(const profile& next);

    merge_options m_options;
    struct added {
        sample_values samples; // multiplied by the weight
        std::int64_t time = 0;
    };
    [[nodiscard]] std::vector<bool> are_gauges() const;
    [[nodiscard]] std::int64_t level(const std::string& key, std::size_t type) const;
    [[nodiscard]] sample_values samples(double divisor) const;

    profile m_headers; // without records
    sample_values m_samples;
    std::vector<added> m_added;
    value_type m_first_period_type;
    std::optional<mapping> m_main;
    std::size_t m_count = 0;
    double m_weight = 0;
    std::vector<std::pair<std::int64_t, double>> m_durations; // and their weights
};

/// What trim_options leave of a profile.
/// @throws error incompatible
[[nodiscard]] profile slow_trim(profile from, const trim_options& options);

} // namespace pprofdelta::test

#endif // PPROFDELTA_TESTS_SLOW_SUM_HPP
