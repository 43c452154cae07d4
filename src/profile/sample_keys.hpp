// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_PROFILE_SAMPLE_KEYS_HPP
#define PPROFDELTA_SRC_PROFILE_SAMPLE_KEYS_HPP

#include <cstddef>
#include <vector>

#include "base/hash128.hpp"
#include "profile/index.hpp"

namespace pprofdelta {

/// The keys of all samples of a profile, as sample_reader makes them, which takes more time than
/// all else that is done with a sample. They need no value_table, so they can be made while
/// something else has it.
/// @throws error as sample_reader::read() does, for the first sample that is wrong.
[[nodiscard]] std::vector<hash128> read_sample_keys(const profile_index& index,
                                                    std::size_t threads);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_PROFILE_SAMPLE_KEYS_HPP
