// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <pprofdelta/delta.hpp>

#include "profile.hpp"

namespace pprofdelta::test {

/// The values of each sample by its identity, written out with all its strings. Ordered and whole,
/// so there is no hash that could collide.
using sample_values = std::map<std::string, std::vector<std::int64_t>>;

/// The content of a profile, whatever its ids and the order of its records: two profiles with the
/// same canonical form are the same to `match`.
struct canonical {
    sample_values samples{};
    std::vector<std::string> headers{}; ///< Every other top-level field, as text.

    bool operator==(const canonical&) const = default;
};

/// Samples of one identity are added up, modulo 2^64.
[[nodiscard]] sample_values add_up(const profile& from, match_mode match);
[[nodiscard]] std::vector<std::string> headers_of(const profile& from);
[[nodiscard]] canonical canonical_form(const profile& from, match_mode match);

/// The first few differences as text, or "none".
[[nodiscard]] std::string difference(const canonical& expected, const canonical& actual);

} // namespace pprofdelta::test
