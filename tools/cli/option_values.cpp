// SPDX-License-Identifier: Apache-2.0
#include "cli/option_values.hpp"

#include <charconv>
#include <cstdint>
#include <system_error>

#include "base/failure.hpp"

namespace pprofdelta::tool {

std::chrono::seconds parse_age(const char* option, const std::string& text) {
    constexpr std::chrono::hours day{24};
    constexpr std::uint64_t most = 1'000'000;
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, fault] = std::from_chars(text.data(), end, number);
    if (fault != std::errc{} || end - rest != 1 || number == 0 || number > most) {
        wrong_usage(std::string{option} + " " + text +
                    ": it is a time such as 30d, 12h, 90m or 3600s");
    }
    const auto count = static_cast<std::int64_t>(number);
    switch (*rest) {
    case 's':
        return std::chrono::seconds{count};
    case 'm':
        return std::chrono::minutes{count};
    case 'h':
        return std::chrono::hours{count};
    case 'd':
        return count * day;
    default:
        wrong_usage(std::string{option} + " " + text + ": its unit is s, m, h or d");
    }
}

double parse_share(const char* option, const std::string& text) {
    constexpr double all = 100;
    double share = -1;
    const char* const end = text.data() + text.size();
    const auto [rest, fault] = std::from_chars(text.data(), end, share, std::chars_format::fixed);
    const bool is_percent = fault == std::errc{} && end - rest == 1 && *rest == '%';
    if (!is_percent || !(share >= 0 && share <= all)) {
        wrong_usage(std::string{option} + " " + text + ": it is a part of all items, such as 5%");
    }
    return share;
}

double parse_seconds(const char* option, const std::string& text) {
    double seconds = 0;
    const char* const end = text.data() + text.size();
    if (const auto [rest, fault] = std::from_chars(text.data(), end, seconds);
        fault != std::errc{} || rest != end) {
        seconds = 0;
    }
    check_seconds(option, seconds);
    return seconds;
}

void check_seconds(const char* option, double seconds) {
    constexpr double longest = 86400;
    if (!(seconds > 0 && seconds <= longest)) {
        wrong_usage(std::string{option} + " is a number of seconds up to 86400");
    }
}

void check_count(const char* option, unsigned count, unsigned least, unsigned most) {
    if (count < least || count > most) {
        wrong_usage(std::string{option} + " is a number from " + std::to_string(least) + " to " +
                    std::to_string(most));
    }
}

} // namespace pprofdelta::tool
