// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_GATE_LIMIT_MESSAGES_HPP
#define PPROFDELTA_TOOLS_GATE_LIMIT_MESSAGES_HPP

#include <string>
#include <utility>
#include <vector>

#include "base/failure.hpp"
#include "cli/run_status.hpp"

namespace pprofdelta::tool {

/// A limit, for the messages about it.
struct limit_message {
    /// @param of a judgement, compared_limit or trend_limit.
    template <typename Limit>
    limit_message(const Limit& of, std::string for_people, std::string for_programs)
        : text{of.limit}, in_words{std::move(for_people)}, json{std::move(for_programs)},
          crossed{of.crossed}, has_match{of.has_match} {}

    std::string text;
    std::string in_words; ///< For people.
    std::string json;     ///< An object.
    bool crossed;
    bool has_match;        ///< Whether a function or label of any profile matches.
    bool is_judged = true; ///< Whether all was there that it takes.
};

/// How messages are printed.
struct message_options {
    bool annotations = false;  ///< As workflow commands of GitHub, too.
    bool are_in_table = false; ///< Those that were crossed can be read there already.
    bool quiet = false;        ///< No warnings.
};

/// Says on standard error, and in the status of the run, which limits were crossed, and warns of
/// those that could not be judged or match nothing.
/// @returns limit_crossed if one was.
/// @throws failure io if what is to be printed, but for warnings, is lost.
[[nodiscard]] exit_status tell(const std::vector<limit_message>& limits, const message_options& how,
                               run_status& line);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_GATE_LIMIT_MESSAGES_HPP
