// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>

namespace pprofdelta::test {

/// Writes two heap profiles of one invented Go program, 30 seconds apart, of about `size` bytes
/// each. The same seed gives the same bytes on every machine.
///
/// They are like those that Go's runtime writes: records in its order, locations and functions
/// before the first sample that needs them, ids in the order of first use, the label "bytes". The
/// numbers of things are those of a real profile of 10 MB: stacks of 8 to 60 frames that share
/// roots and leaves, one location for about 8 samples, an eighth of the samples in use.
///
/// The second profile has changes in 3 % of the samples. New ones, 0.5 %, come first, as Go lists
/// its newest buckets first, so most locations have other ids.
///
/// Memory is in proportion to the code that is invented, the square root of `size`.
void generate_pair(std::size_t size, std::uint64_t seed, std::ostream& previous,
                   std::ostream& current);

using capture_taker = std::function<void(std::size_t number, const std::string& profile)>;

/// Hands on captures of one such program, 30 seconds apart, of about `size` bytes each, numbered
/// from 0. The next one has changes in 3 % of the samples, and there are no new ones.
///
/// Memory is in proportion to `size`.
void generate_series(std::size_t size, std::uint64_t seed, std::size_t captures,
                     const capture_taker& take);

} // namespace pprofdelta::test
