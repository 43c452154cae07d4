// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_CLI_ARGUMENTS_HPP
#define PPROFDELTA_TOOLS_CLI_ARGUMENTS_HPP

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace pprofdelta::tool {

/// An option with its value, if it takes one, or a file.
struct argument {
    std::string option; ///< Such as "--state" or "-o"; empty for a file.
    std::optional<std::string> value;
};

enum class option_kind {
    unknown,
    flag,
    with_value,
    with_optional_value, ///< After '=' only; empty if there is none.
};

/// Parses the words of a command line like getopt_long(3). Options and files may be mixed. A value
/// stands in the next word, after '=', or after a letter in the same word. Words after "--" are
/// files, and so is "-". Values and files are used as they are, whatever is in them.
/// @param kind_of is asked for each option; and before that, for it to throw, for several letters
///                after one dash as a whole, since some programs have long options of that form.
/// @throws failure usage
[[nodiscard]] std::vector<argument>
split_arguments(const std::vector<std::string>& words,
                const std::function<option_kind(const std::string& name)>& kind_of);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_CLI_ARGUMENTS_HPP
