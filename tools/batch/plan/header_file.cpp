// SPDX-License-Identifier: Apache-2.0
#include "batch/plan/header_file.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "base/failure.hpp"
#include "base/lines.hpp"
#include "files/file.hpp"

namespace pprofdelta::tool {

namespace {

constexpr std::size_t largest_file = std::size_t{1} << 20U;

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }

// What RFC 9110 calls a token.
bool is_token(std::string_view name) {
    constexpr std::string_view others = "!#$%&'*+-.^_`|~";
    const auto fits = [&](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
               others.find(c) != std::string_view::npos;
    };
    return !name.empty() && std::all_of(name.begin(), name.end(), fits);
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blank = " \t";
    text.remove_prefix(std::min(text.find_first_not_of(blank), text.size()));
    return text.substr(0, text.find_last_not_of(blank) + 1);
}

// Why a line is no header, or nothing.
const char* fault_in(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
        return "a header is \"Name: value\"";
    }
    if (!is_token(line.substr(0, colon))) {
        return "this is no name of a header";
    }
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (value.empty()) {
        return "the header has no value";
    }
    if (std::any_of(value.begin(), value.end(), is_control)) {
        return "the header has a control character";
    }
    return nullptr;
}

} // namespace

std::vector<std::string> read_header_file(const std::string& path) {
    const std::string text = read_file(path, largest_file);
    std::vector<std::string> headers;
    for_each_line(text, [&](std::string_view line, std::size_t number) {
        if (line.empty() || line.starts_with('#')) {
            return;
        }
        if (const char* const fault = fault_in(line)) {
            wrong_usage(display_name(path) + ": line " + std::to_string(number) + ": " + fault);
        }
        const std::size_t colon = line.find(':');
        headers.push_back(std::string{line.substr(0, colon)} + ": " +
                          std::string{trimmed(line.substr(colon + 1))});
    });
    return headers;
}

} // namespace pprofdelta::tool
