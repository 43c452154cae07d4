// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TESTS_PASSES_HPP
#define PPROFDELTA_TESTS_PASSES_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "stopwatch.hpp"

namespace pprofdelta::test {

struct timed_pass {
    std::string name;
    times taken;
};

/// Does with the library's parts what delta_computer::compute() does with `current` after
/// `previous`, `rounds` times, with a watch in hand.
///
/// @param delta the result, for a comparison with compute(): what is timed here has to be the same.
[[nodiscard]] std::vector<timed_pass> time_passes(std::string_view previous,
                                                  std::string_view current, std::size_t rounds,
                                                  std::string& delta);

} // namespace pprofdelta::test

#endif // PPROFDELTA_TESTS_PASSES_HPP
