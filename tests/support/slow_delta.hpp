// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/delta.hpp>

#include "canonical.hpp"
#include "profile.hpp"

namespace pprofdelta::test {

struct slow_result {
    canonical delta{};
    bool first = false;
    bool reset = false;
};

/// delta_computer in the most obvious way, to compare it with: no ids, no hashes, no bytes.
class slow_delta {
public:
    explicit slow_delta(delta_options options) : m_options{std::move(options)} {}

    /// @throws error incompatible or reset; nothing has changed then.
    slow_result compute(const profile& current);
    void prime(const profile& current);

private:
    struct remembered {
        std::vector<std::int64_t> values{};
        std::uint64_t seen = 0; // the number of the last profile that had it
    };

    [[nodiscard]] std::vector<bool> check(const profile& current) const;
    [[nodiscard]] bool is_reset(const profile& current, const sample_values& now,
                                const std::vector<bool>& cumulative) const;
    [[nodiscard]] bool was_clock_set(const profile& current, const sample_values& now,
                                     const std::vector<bool>& cumulative) const;
    void remember(const profile& current, const sample_values& now);

    delta_options m_options;
    std::map<std::string, remembered> m_before;
    std::optional<profile> m_last; // its headers
    std::uint64_t m_count = 0;
    std::int64_t m_first_duration = 0;
};

/// diff() in the most obvious way.
[[nodiscard]] slow_result slow_diff(const profile& previous, const profile& current,
                                    const delta_options& options);

/// The profile's values that are cumulative, by default and by the options.
/// @throws error incompatible for options that do not fit the profile.
[[nodiscard]] std::vector<bool> slow_treatment(const profile& from, const delta_options& options);

} // namespace pprofdelta::test
