// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TESTS_UNIT_SUMS_HPP
#define PPROFDELTA_TESTS_UNIT_SUMS_HPP

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/merge.hpp>

#include "catch.hpp"
#include "profile_builder.hpp"
#include "profile_reader.hpp"

namespace pprofdelta::test {

inline constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
inline constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
/// The longest duration that counts as one.
inline constexpr std::int64_t longest = 1'000'000'000'000'000'000;

using values = std::vector<std::vector<std::int64_t>>;

/// A sample for each row, of one function each: f0, f1 and so on.
inline profile with_values(const values& rows) {
    profile p;
    p.types = {{"objects", "count"}, {"space", "bytes"}};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto frame = add_frame(p, "f" + std::to_string(i));
        p.samples.push_back({{frame}, rows[i], {}, ""});
    }
    return p;
}

inline profile written(const profile_sum& sum) {
    std::string bytes;
    sum.write(bytes);
    CHECK(find_fault(bytes) == "none");
    return parse(bytes).content;
}

inline profile mean_of(const profile_sum& sum) {
    std::string bytes;
    sum.write_mean(bytes);
    CHECK(find_fault(bytes) == "none");
    return parse(bytes).content;
}

inline values values_of(const profile& p) {
    values all;
    for (const auto& sample : p.samples) {
        all.push_back(sample.values);
    }
    return all;
}

inline void add(profile_sum& sum, const profile& p, double weight = 1) {
    sum.add(serialize(p), weight);
}

inline profile sum_of(const std::vector<profile>& profiles, merge_options options = {}) {
    profile_sum sum{std::move(options)};
    for (const auto& each : profiles) {
        add(sum, each);
    }
    return written(sum);
}

/// A profile of a binary that the system loaded at `start`, with a frame that has no name at its
/// offset 0x10 and others behind it.
inline profile loaded_at(std::uint64_t start, std::size_t frames = 1) {
    profile p;
    p.types = {{"space", "bytes"}};
    p.mappings = {{7, start, start + 0x1000, 0, "/bin/server", "abc", false, ""}};
    for (std::size_t i = 0; i < frames; ++i) {
        p.locations.push_back({i + 1, 7, start + 0x10 * (i + 1), {}, false, ""});
        p.samples.push_back({{i + 1}, {10}, {}, ""});
    }
    return p;
}

} // namespace pprofdelta::test

#endif // PPROFDELTA_TESTS_UNIT_SUMS_HPP
