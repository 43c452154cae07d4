// SPDX-License-Identifier: Apache-2.0
#include "output/limits.hpp"

#include <string_view>

#include "base/value_text.hpp"
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
                 std::optional<normalization> normalize) {
    limit read = with_limits([&] { return parse_limit(text); }, place);
    if (normalize == normalization::total && read.of == limit::scope::all &&
        read.on != limit::bound::value) {
        wrong_usage(place + "'" + read.text +
                    "': no change can cross this limit, because "
                    "--normalize total makes totals equal");
    }
    return read;
}

limit read_option(const std::string& text, std::optional<normalization> normalize) {
    if (text.find('>') == std::string::npos) {
        // Most likely a shell has taken it, and what follows, for a file to write to.
        wrong_usage("--fail-on '" + text +
                    "': a limit has a '>', and quotes for the shell, as "
                    "in --fail-on 'alloc_space>+10%'");
    }
    return read_limit(text, "--fail-on ", normalize);
}

constexpr std::string_view blanks = " \t\r";

// "4KiB" of "min-amount 4KiB"; empty for a line that is a limit.
std::string min_amount_of(std::string_view line) {
    constexpr std::string_view name = "min-amount";
    if (!line.starts_with(name) || line.find('>') != std::string_view::npos) {
        return {};
    }
    return std::string{trimmed(line.substr(name.size()), blanks)};
}

void add_file(const std::string& path, std::optional<normalization> normalize, limit_input& to) {
    const std::size_t count_before = to.limits.size();
    for_each_line(read_file_of_limits(path), [&](std::string_view line, std::size_t number) {
        const std::string_view words = trimmed(line, blanks);
        if (words.empty() || words.starts_with('#')) {
            return;
        }
        const std::string place = display_name(path) + ":" + std::to_string(number);
        if (const std::string amount = min_amount_of(words); !amount.empty()) {
            (void)read_min_amount(amount, place + ": min-amount ");
            if (!to.min_amount.empty() && to.min_amount != amount) {
                wrong_usage(place + ": min-amount is already " + to.min_amount);
            }
            to.min_amount = amount;
            return;
        }
        to.limits.push_back(read_limit(std::string{line}, place + ": ", normalize));
        to.limits.back().place = place;
    });
    // Nothing can cross an empty file, which is probably one that was not written.
    if (to.limits.size() == count_before) {
        wrong_usage(display_name(path) + ": it contains no limit");
    }
}

} // namespace

limit_input read_limits(const limit_options& chosen, std::optional<normalization> normalize) {
    limit_input all;
    for (const std::string& text : chosen.limits) {
        all.limits.push_back(read_option(text, normalize));
    }
    for (const std::string& path : chosen.files) {
        add_file(path, normalize, all);
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
    return with_limits([&] { return parse_amount(min_amount); }, place);
}

} // namespace pprofdelta::tool
