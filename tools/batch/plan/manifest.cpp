// SPDX-License-Identifier: Apache-2.0
#include "batch/plan/manifest.hpp"

#include <cstddef>
#include <string_view>
#include <utility>

#include "base/failure.hpp"
#include "base/lines.hpp"
#include "batch/plan/series_name.hpp"

namespace pprofdelta::tool {

namespace {

// Why `input` is none, as the end of a message; empty if it is one.
std::string fault_in_input(std::string_view input) {
    if (input.empty()) {
        return "there is no path or URL after the TAB";
    }
    if (input == "-") {
        return "standard input cannot be one of many; a file of that name is ./-";
    }
    if (has_credentials(input)) {
        return "a URL must not have a user's name or a password; see --header-file";
    }
    return {};
}

std::string fault_in_entry(std::string_view entry) {
    // As a path it would end there, and name another file.
    if (entry.find('\0') != std::string_view::npos) {
        return "there is a NUL in it; entries that end with NUL need --null";
    }
    const std::size_t tab = entry.find('\t');
    if (tab == std::string_view::npos) {
        return "there is no TAB between a series and a path or URL";
    }
    const std::string_view series = entry.substr(0, tab);
    if (const std::string fault = fault_in_series_name(series); !fault.empty()) {
        return "the name of the series " + fault;
    }
    return fault_in_input(entry.substr(tab + 1));
}

[[noreturn]] void refuse(const std::string& name, const char* kind, std::size_t number,
                         const std::string& fault) {
    throw failure{exit_status::usage, name + kind + std::to_string(number) + ": " + fault};
}

} // namespace

void add_manifest(std::string text, const std::string& name, bool has_nul, batch_items& items) {
    std::string_view rest = items.keep(std::move(text));
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (!has_nul && rest.starts_with(byte_order_mark)) {
        rest.remove_prefix(byte_order_mark.size());
    }
    const auto add = [&](std::string_view entry, std::size_t number) {
        if (entry.empty() || (!has_nul && entry.starts_with('#'))) {
            return;
        }
        if (const std::string fault = fault_in_entry(entry); !fault.empty()) {
            refuse(name, has_nul ? ": entry " : ": line ", number, fault);
        }
        const std::size_t tab = entry.find('\t');
        items.add(entry.substr(0, tab), entry.substr(tab + 1));
    };
    if (has_nul) {
        for_each_part(rest, '\0', add);
    } else {
        for_each_line(rest, add);
    }
}

} // namespace pprofdelta::tool
