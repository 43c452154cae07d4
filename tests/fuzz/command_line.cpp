// SPDX-License-Identifier: Apache-2.0
// Lines taken for the arguments of a command, which are accepted, or refused as wrong usage.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/failure.hpp"
#include "commands/commands.hpp"
#include "fuzz.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

void parse(std::vector<std::string> words) {
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    try {
        (void)tool::parse_command_line(static_cast<int>(words.size()), arguments.data());
    } catch (const tool::failure& e) {
        require(e.status() == tool::exit_status::usage || e.status() == tool::exit_status::io,
                "what is refused is wrong usage, or a path that cannot be followed");
        require(*e.what() != '\0', "a refusal has a reason");
    }
}

} // namespace

FUZZ_TARGET(command_line, data, size) {
    // The output of --help and --version goes nowhere.
    static const bool is_silent = std::freopen("/dev/null", "w", stdout) != nullptr;
    require(is_silent, "standard output is out of the way");
    std::vector<std::string> words{"pprofdelta"};
    std::string_view rest{reinterpret_cast<const char*>(data), size};
    constexpr std::size_t most_words = 64;
    while (!rest.empty() && words.size() < most_words) {
        // No argument can have a zero byte.
        const std::size_t end =
            std::min(rest.find_first_of(std::string_view{"\n\0", 2}), rest.size());
        words.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    parse(std::move(words));
    return 0;
}
