// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_GATE_TOLD_LIMITS_HPP
#define PPROFDELTA_TOOLS_GATE_TOLD_LIMITS_HPP

#include <string>
#include <vector>

#include "base/failure.hpp"
#include "cli/run_status.hpp"

namespace pprofdelta::tool {

/// A limit on many captures, for the messages about it.
struct told_limit {
    std::string text;
    std::string found;   ///< What was found, for people.
    std::string members; ///< Of its object of JSON.
    bool crossed = false;
    bool has_match = true; ///< Whether a function of any capture matches.
};

/// How messages are printed.
struct telling {
    bool annotations = false;  ///< As workflow commands of GitHub, too.
    bool are_in_table = false; ///< Those that were crossed can be read there already.
    bool quiet = false;        ///< No warnings.
};

/// Says on standard error, and in the status of the run, which limits were crossed.
/// @returns limit_crossed if one was.
[[nodiscard]] exit_status tell(const std::vector<told_limit>& limits, const telling& how,
                               run_status& told);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_GATE_TOLD_LIMITS_HPP
