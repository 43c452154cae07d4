// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_REPORT_PROFILES_HPP
#define PPROFDELTA_SRC_REPORT_PROFILES_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <pprofdelta/report.hpp>

#include "profile/index.hpp"

namespace pprofdelta {

/// Which of the two profiles a value is of.
using side_of_pair = std::int64_t value_pair::*;

/// The two profiles that a report or a flame graph is made of.
struct report_profiles {
    /// The bytes must outlive this.
    /// @throws error malformed, too_large; incompatible for profiles that do not go together, or
    ///         unless there is one type to report on, and one alone.
    report_profiles(std::string_view previous, std::string_view current,
                    const report_options& options);

    profile_index before;
    profile_index now;
    /// The place of the sample type to report on: the one asked for, else the default one of the
    /// current profile, else the last one.
    std::size_t type = 0;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_REPORT_PROFILES_HPP
