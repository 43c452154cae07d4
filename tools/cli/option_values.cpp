// SPDX-License-Identifier: Apache-2.0
#include "cli/option_values.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <tuple>
#include <vector>

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

namespace {

// The numbers of a text in their places, such as those of "2026-11-21T10:00Z" in "Y-M-DTh:mZ",
// where each letter but T and Z stands for a number; nothing if the text is not of that form.
std::optional<std::vector<unsigned>> numbers_in(std::string_view text, std::string_view form) {
    std::vector<unsigned> numbers;
    for (const char part : form) {
        if (std::string_view{"YMDhms"}.find(part) == std::string_view::npos) {
            if (!text.starts_with(part)) {
                return std::nullopt;
            }
            text.remove_prefix(1);
            continue;
        }
        const std::size_t digits = part == 'Y' ? 4 : 2;
        unsigned& number = numbers.emplace_back();
        const char* const end = text.data() + std::min(digits, text.size());
        const auto [rest, fault] = std::from_chars(text.data(), end, number);
        if (fault != std::errc{} || rest != text.data() + digits) {
            return std::nullopt;
        }
        text.remove_prefix(digits);
    }
    return text.empty() ? std::optional{numbers} : std::nullopt;
}

} // namespace

std::int64_t parse_moment(const char* option, const std::string& text) {
    constexpr std::int64_t nanos_per_second = 1'000'000'000;
    constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max() / nanos_per_second;
    std::int64_t seconds = -1;
    const char* const end = text.data() + text.size();
    if (const auto [rest, fault] = std::from_chars(text.data(), end, seconds);
        fault == std::errc{} && rest == end && seconds > 0 && seconds < last) {
        return seconds * nanos_per_second;
    }
    for (const std::string_view form : {"Y-M-DTh:m:sZ", "Y-M-DTh:mZ", "Y-M-D"}) {
        std::optional<std::vector<unsigned>> parts = numbers_in(text, form);
        if (!parts) {
            continue;
        }
        parts->resize(6);
        const auto& [year, month, day] = std::tie((*parts)[0], (*parts)[1], (*parts)[2]);
        const std::chrono::year_month_day date{std::chrono::year{static_cast<int>(year)},
                                               std::chrono::month{month}, std::chrono::day{day}};
        const auto& [hours, minutes, rest] = std::tie((*parts)[3], (*parts)[4], (*parts)[5]);
        if (date.ok() && year > 1970 && year < 2262 && hours < 24 && minutes < 60 && rest < 61) {
            const std::chrono::seconds moment =
                std::chrono::sys_days{date}.time_since_epoch() + std::chrono::hours{hours} +
                std::chrono::minutes{minutes} + std::chrono::seconds{rest};
            return moment.count() * nanos_per_second;
        }
    }
    wrong_usage(std::string{option} + " " + text +
                ": it is a time such as 2026-11-21T10:00:00Z, or 1795255200");
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
