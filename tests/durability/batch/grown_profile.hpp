// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TESTS_GROWN_PROFILE_HPP
#define PPROFDELTA_TESTS_GROWN_PROFILE_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pprofdelta::test {

/// Which of the captures that one real profile stands for is wanted.
struct capture_choice {
    std::uint64_t series = 0; ///< Each has samples and values of its own.
    std::uint64_t number = 0; ///< From 0. Later ones have larger counters.
    double share = 1;         ///< How many of the real profile's samples the series has, at most.
};

/// A real profile, and the captures that many processes of the same program might have had.
///
/// From one capture to the next 3 % of the samples grow. Each adds 0.5 % new ones, for the first
/// 60, which stand in front, as Go lists its newest buckets first; ids count locations in the
/// order in which samples meet them, so nearly all differ. Captures are a minute apart.
class grown_profile {
public:
    /// @throws std::runtime_error if `bytes` is not a valid, uncompressed profile.
    explicit grown_profile(std::string_view bytes);

    /// The same choice gives the same bytes on every machine.
    [[nodiscard]] std::string capture(const capture_choice& choice) const;

private:
    struct sample {
        std::vector<std::size_t> stack{}; ///< Places in m_locations.
        std::vector<std::int64_t> values{};
        std::string rest{}; ///< Its other fields as they stand.
    };
    struct chosen {
        const sample* what;
        std::uint64_t born;
        std::int64_t growth;
    };

    [[nodiscard]] std::vector<chosen> choose(const capture_choice& choice) const;
    [[nodiscard]] std::string values_of(const chosen& one, std::int64_t factor) const;

    std::vector<sample> m_samples;
    std::vector<std::string> m_locations; ///< Without their ids.
    std::vector<bool> m_is_gauge;         ///< One for each value.
    std::string m_rest;                   ///< All other fields but the time.
};

} // namespace pprofdelta::test

#endif // PPROFDELTA_TESTS_GROWN_PROFILE_HPP
