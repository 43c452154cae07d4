// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/compare.hpp>
#include <pprofdelta/limits.hpp>

#include "fuzz.hpp"
#include "profile.hpp"

namespace pprofdelta::test {

/// A profile among several of which something is computed together.
struct given_capture {
    std::string bytes{};
    std::optional<profile> content{}; ///< If the reference can read them.
    /// The byte from which a target chooses what to do with it.
    std::uint8_t choice = 0;
};

/// Up to nine captures: parts of the bytes, profiles with names that are the bytes, or profiles of
/// an invented process with times apart. Some of these are damaged, cut off, or copies, and some
/// are of another process. Captures that have to be refused thus come between those that can be
/// added.
[[nodiscard]] std::vector<given_capture> choose_captures(steering& bytes);

/// The questions of a target about captures.
template <typename Options>
struct asked_of_captures {
    unsigned bits = 0; ///< What is chosen by these or by `more` is not all chosen here.
    unsigned more = 0;
    Options options{};
    std::vector<limit> limits{};
    std::size_t top = 0;
    std::string name{}; ///< The name of a file.

    asked_of_captures(steering& bytes, const std::array<const char*, 6>& known_limits)
        : bits{bytes.byte()}, more{bytes.byte()} {
        options.by = static_cast<grouping>(bits % 4);
        options.min_share = bits / 8 % 2 == 0 ? 0 : 0.1;
        options.corrected = static_cast<correction>(more % 3);
        if (bits / 16 % 4 == 3) {
            limits = {parse_limit(known_limits[more / 32 % 6U])};
        }
        top = bytes.byte() % 32;
        name = bytes.take(5);
    }
};

template <typename Row>
void require_chances(const Row& row) {
    constexpr double rounding = 1e-12; // of what is multiplied and divided again by the same
    require(row.p >= 0 && row.p <= 1 && row.corrected_p >= row.p * (1 - rounding) &&
                row.corrected_p <= 1,
            "p is a chance, and corrected no smaller");
}

/// Requires that the values of all rows, which are `values(row)`, have the sum that is the total in
/// each capture, unless there are numbers so large that doubles round them.
template <typename Rows, typename Values>
void require_sum(const Rows& rows, const std::vector<double>& totals, Values&& values) {
    constexpr double exact = 9007199254740992.0;
    for (std::size_t i = 0; i < totals.size(); ++i) {
        double sum = 0;
        double size = 0;
        for (const auto& row : rows) {
            const double value = values(row)[i];
            sum += value;
            size += value < 0 ? -value : value;
        }
        require(size >= exact || sum == totals[i], "the rows of a capture add up to its total");
    }
}

} // namespace pprofdelta::test
