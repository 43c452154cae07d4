// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_CLI_LIMIT_INPUT_HPP
#define PPROFDELTA_TOOLS_CLI_LIMIT_INPUT_HPP

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/error.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/normalize.hpp>

#include "base/failure.hpp"
#include "cli/common_options.hpp"

namespace pprofdelta::tool {

struct limit_input {
    std::vector<limit> limits; ///< Those of files after the others.
    std::string min_amount;    ///< Of a function: the option's, or else a file's; empty for none.
};

/// @throws failure usage for what is no limit, or what nothing can cross once it is normalized;
///         io.
[[nodiscard]] limit_input read_limits(const limit_options& chosen, std::optional<normalization> by);

/// Makes what takes limits, such as a profile_trend.
/// @throws failure usage for limits that it refuses.
template <typename Make>
[[nodiscard]] auto with_limits(Make&& make) {
    try {
        return std::forward<Make>(make)();
    } catch (const error& e) {
        throw failure{exit_status::usage, e.what()};
    }
}

/// Whether a file is one of limits: there are some, and nothing else but comments.
/// @throws failure io
[[nodiscard]] bool holds_limits(const std::string& path);

/// @param min_amount empty for none.
/// @param place      where it was written, for the message.
/// @throws failure usage
[[nodiscard]] std::optional<amount> read_min_amount(const std::string& min_amount,
                                                    const std::string& place = "--min-amount ");

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_CLI_LIMIT_INPUT_HPP
