// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_COMMON_OPTIONS_HPP
#define PPROFDELTA_TOOLS_COMMON_OPTIONS_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/normalize.hpp>

#include "command_options.hpp"

// Options that several commands have.
namespace pprofdelta::tool {

void add_types(command_options& options, delta_options& chosen);
void add_match(command_options& options, match_mode& match);
/// Takes `--diff`, which has to be there.
void add_normalize(command_options& options, std::optional<normalization>& by);
void add_max_size(command_options& options, std::size_t& size);
void add_quiet(command_options& options, bool& quiet);

/// The limits that two profiles have to keep.
struct limit_options {
    std::vector<std::string> limits; ///< As given; see parse_limit().
    std::vector<std::string> files;
    bool annotations = false; ///< Print workflow commands of GitHub.

    [[nodiscard]] bool are_given() const noexcept { return !limits.empty() || !files.empty(); }
};
void add_limits(command_options& options, limit_options& chosen);
/// @throws usage_failure
void check_limits(const limit_options& chosen);

/// PREV and CUR.
/// @throws usage_failure
void check_pair(const std::string& what, const std::vector<std::string>& files);
/// An input that is written to would be lost, also under another name.
/// @param output "" for none.
/// @throws usage_failure if it is one of the files.
void check_output(const std::string& output, const std::vector<std::string>& files);
/// @throws usage_failure if standard input is to be read more than once.
void check_standard_input(const std::vector<std::string>& files);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_COMMON_OPTIONS_HPP
