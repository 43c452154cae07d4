// SPDX-License-Identifier: Apache-2.0
#include "cli/limit_input.hpp"

#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include <pprofdelta/error.hpp>

#include "base/failure.hpp"
#include "files/file.hpp"

namespace pprofdelta::tool {

namespace {

std::string read_file_of_limits(const std::string& path) {
    constexpr std::size_t most = std::size_t{1} << 20U; // more than anyone writes by hand
    try {
        return read_file(path, most);
    } catch (const failure& e) {
        // A wrong file of limits is not a damaged profile.
        throw failure{e.status() == exit_status::malformed ? exit_status::usage : e.status(),
                      e.what()};
    }
}

limit read_limit(const std::string& text, const std::string& place,
                 std::optional<normalization> by) {
    try {
        limit l = parse_limit(text);
        if (by == normalization::total && l.of == limit::scope::all &&
            l.on != limit::bound::value) {
            throw error{error_kind::invalid_argument,
                        "'" + l.text +
                            "': nothing can cross this, as --normalize total makes totals equal"};
        }
        return l;
    } catch (const error& e) {
        throw failure{exit_status::usage, place + e.what()};
    }
}

limit read_option(const std::string& text, std::optional<normalization> by) {
    if (text.find('>') == std::string::npos) {
        // Most likely a shell has taken it, and what follows, for a file to write to.
        throw failure{exit_status::usage, "--fail-on '" + text +
                                              "': a limit has a '>', and quotes for the shell, as "
                                              "in --fail-on 'alloc_space>+10%'"};
    }
    return read_limit(text, "--fail-on ", by);
}

// "4KiB" of "min-amount 4KiB"; empty for a line that is a limit.
std::string min_amount_of(std::string_view line) {
    constexpr std::string_view name = "min-amount";
    constexpr std::string_view blanks = " \t\r";
    line.remove_prefix(line.find_first_not_of(blanks));
    if (!line.starts_with(name) || line.find('>') != std::string_view::npos) {
        return {};
    }
    line.remove_prefix(std::min(line.find_first_not_of(blanks, name.size()), line.size()));
    return std::string{line.substr(0, line.find_last_not_of(blanks) + 1)};
}

void add_file(const std::string& path, std::optional<normalization> by, limit_input& to) {
    const std::size_t count_before = to.limits.size();
    std::istringstream lines{read_file_of_limits(path)};
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        const std::size_t start = line.find_first_not_of(" \t\r");
        if (start == std::string::npos || line[start] == '#') {
            continue;
        }
        const std::string place = display_name(path) + ":" + std::to_string(number);
        if (const std::string amount = min_amount_of(line); !amount.empty()) {
            (void)read_min_amount(amount, place + ": min-amount ");
            if (!to.min_amount.empty() && to.min_amount != amount) {
                throw failure{exit_status::usage,
                              place + ": min-amount is " + to.min_amount + " already"};
            }
            to.min_amount = amount;
            continue;
        }
        to.limits.push_back(read_limit(line, place + ": ", by));
        to.limits.back().place = place;
    }
    // Nothing can cross an empty file, which is probably one that was not written.
    if (to.limits.size() == count_before) {
        throw failure{exit_status::usage, display_name(path) + ": there is no limit in it"};
    }
}

} // namespace

limit_input read_limits(const limit_options& chosen, std::optional<normalization> by) {
    limit_input all;
    for (const std::string& text : chosen.limits) {
        all.limits.push_back(read_option(text, by));
    }
    for (const std::string& path : chosen.files) {
        add_file(path, by, all);
    }
    if (!chosen.min_amount.empty()) {
        all.min_amount = chosen.min_amount;
    }
    return all;
}

bool holds_limits(const std::string& path) {
    limit_input of_file;
    try {
        add_file(path, std::nullopt, of_file);
    } catch (const failure& e) {
        if (e.status() == exit_status::io) {
            throw;
        }
        return false;
    }
    return true;
}

std::optional<amount> read_min_amount(const std::string& min_amount, const std::string& place) {
    if (min_amount.empty()) {
        return std::nullopt;
    }
    try {
        return parse_amount(min_amount);
    } catch (const error& e) {
        throw failure{exit_status::usage, place + e.what()};
    }
}

} // namespace pprofdelta::tool
