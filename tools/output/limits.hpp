// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/error.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/normalize.hpp>

#include "base/failure.hpp"

namespace pprofdelta::tool {

/// The limits on profiles.
struct limit_options {
    std::vector<std::string> limits; ///< The limits as given; see parse_limit().
    std::vector<std::string> files;
    /// The size of a function, for limits on each; see parse_amount().
    std::string min_amount;
    bool annotations = false;  ///< Print workflow commands of GitHub.
    bool are_strict = false;   ///< A value that varies too much for a limit is a failure.
    bool allows_empty = false; ///< The judged profile may have no samples, and limits no match.

    [[nodiscard]] bool has_limits() const noexcept { return !limits.empty() || !files.empty(); }
    /// Whether the judged profile has to pass require_samples().
    [[nodiscard]] bool need_samples() const noexcept { return has_limits() && !allows_empty; }
};

struct limit_input {
    std::vector<limit> limits; ///< Those of files after the others.
    /// The size of a function: the option's, or else a file's; empty for none.
    std::string min_amount;
};

/// @throws failure usage for what is no limit, or what nothing can cross once it is normalized;
///         io.
[[nodiscard]] limit_input read_limits(const limit_options& chosen,
                                      std::optional<normalization> normalize);

/// Makes what takes limits, such as a profile_trend, or a limit itself.
/// @param place is that of the limits, for the message.
/// @throws failure usage for limits that it refuses.
template <typename Make>
[[nodiscard]] auto with_limits(Make&& make, const std::string& place = "") {
    try {
        return std::forward<Make>(make)();
    } catch (const error& e) {
        throw failure{exit_status::usage, place + e.what()};
    }
}

/// Whether a file is one of limits: there are some, and nothing else but comments.
/// @throws failure io
[[nodiscard]] bool holds_limits(const std::string& path);

/// @param min_amount empty for none.
/// @param place      says where it was written, for the message.
/// @throws failure usage
[[nodiscard]] std::optional<amount> read_min_amount(const std::string& min_amount,
                                                    const std::string& place = "--min-amount ");

} // namespace pprofdelta::tool
