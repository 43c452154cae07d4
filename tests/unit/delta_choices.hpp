// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TESTS_UNIT_DELTA_CHOICES_HPP
#define PPROFDELTA_TESTS_UNIT_DELTA_CHOICES_HPP

#include <cstdint>

#include <pprofdelta/delta.hpp>

namespace pprofdelta::test {

inline constexpr match_mode modes[] = {match_mode::exact, match_mode::line, match_mode::function};
inline constexpr reset_policy policies[] = {reset_policy::emit, reset_policy::drop,
                                            reset_policy::error, reset_policy::negative};

/// For 48 seeds in a row all that these options can be together.
inline delta_options choose_options(std::uint32_t seed) {
    delta_options options;
    options.match = modes[seed % 3];
    options.on_reset = policies[seed / 3 % 4];
    options.drop_negative = seed / 12 % 2 == 1;
    options.skip_first = seed / 24 % 2 == 1;
    return options;
}

} // namespace pprofdelta::test

#endif // PPROFDELTA_TESTS_UNIT_DELTA_CHOICES_HPP
