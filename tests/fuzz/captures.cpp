// SPDX-License-Identifier: Apache-2.0
#include "captures.hpp"

#include <cstddef>
#include <string_view>
#include <utility>

#include "named_profile.hpp"
#include "profile_builder.hpp"
#include "random_profile.hpp"

namespace pprofdelta::test {

namespace {

given_capture given(std::string bytes, unsigned choice) {
    std::optional<profile> content = parse_if_valid(bytes);
    return {std::move(bytes), std::move(content), static_cast<std::uint8_t>(choice)};
}

std::vector<given_capture> cut(steering& bytes) {
    std::vector<given_capture> all;
    for (unsigned count = 1 + bytes.byte() % 4; count > 0; --count) {
        const unsigned choice = bytes.byte();
        const std::size_t size = bytes.byte() | std::size_t{bytes.byte()} << 8U;
        all.push_back(given(std::string{bytes.take(size)}, choice));
    }
    return all;
}

constexpr std::int64_t start = 1'700'000'000'000'000'000;
constexpr std::int64_t minute = 60'000'000'000;

std::vector<given_capture> named(steering& bytes) {
    const std::vector<std::string> names = choose_names(bytes);
    std::vector<given_capture> all;
    for (unsigned count = 2 + bytes.byte() % 3; count > 0; --count) {
        const unsigned choice = bytes.byte();
        profile p = invent(names, bytes);
        p.time = choice % 8 == 0 ? 0 : start + minute * count;
        all.push_back(given(serialize(p), choice));
    }
    return all;
}

void damage(std::string& bytes, std::uint32_t how) {
    if (how % 2 == 0) {
        bytes.resize(how / 2 % bytes.size());
    } else {
        bytes[how / 256 % bytes.size()] = static_cast<char>(how);
    }
}

std::vector<given_capture> of_process(unsigned kind, steering& bytes) {
    const std::string_view kinds = bytes.take(bytes.byte() % 10);
    const std::string_view faults = bytes.take(8);
    steering how{reinterpret_cast<const std::uint8_t*>(faults.data()), faults.size()};
    random_series series{kind, bytes.rest()};
    std::vector<given_capture> all;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        const auto choice = static_cast<std::uint8_t>(kinds[i]);
        profile p = choice % 16 == 15 ? random_series{kind + 1}.next() : series.next();
        if (choice % 16 < 12) {
            p.time = start + minute * static_cast<std::int64_t>(i);
            p.duration = kind % 8 == 0 ? minute : 0;
        }
        std::string written = serialize(p, series.next_layout());
        if (choice % 16 == 13 && !all.empty()) {
            written = all.back().bytes;
        } else if (choice % 16 == 14) {
            damage(written, how.word());
        }
        all.push_back(given(std::move(written), choice / 16U));
    }
    return all;
}

} // namespace

std::vector<given_capture> choose_captures(steering& bytes) {
    const unsigned kind = bytes.byte();
    switch (kind % 4) {
    case 0:
        return cut(bytes);
    case 1:
        return named(bytes);
    default:
        return of_process(kind / 4, bytes);
    }
}

} // namespace pprofdelta::test
