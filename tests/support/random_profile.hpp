// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "profile.hpp"
#include "profile_builder.hpp"

namespace pprofdelta::test {

/// Random numbers of which the first ones can be chosen, as a fuzzer does.
class word_source {
public:
    using result_type = std::mt19937::result_type;
    static constexpr result_type min() { return std::mt19937::min(); }
    static constexpr result_type max() { return std::mt19937::max(); }

    /// @param choices a byte for each number; once they are used up, numbers are drawn from `seed`.
    word_source(std::uint32_t seed, std::string_view choices)
        : m_random{seed}, m_choices{choices} {}

    result_type operator()() {
        if (m_choices.empty()) {
            return m_random();
        }
        const auto byte = static_cast<unsigned char>(m_choices.front());
        m_choices.remove_prefix(1);
        return byte * std::uint32_t{0x01010101};
    }

private:
    std::mt19937 m_random;
    std::string_view m_choices;
};

/// A series of small profiles of one invented process, made to confuse: few names for many things,
/// so that frames are nearly the same; addresses that are zero, or shared by several functions;
/// mappings that move between profiles; recursion, empty stacks and locations without lines;
/// samples that come twice, vanish, come back, shrink or start over; labels in any order.
///
/// The same seed and choices give the same series.
class random_series {
public:
    /// @param choices see word_source; must outlive the series.
    explicit random_series(std::uint32_t seed, std::string_view choices = {});

    [[nodiscard]] profile next();

    /// A way to serialize, drawn as well. It does not change what a profile says.
    [[nodiscard]] layout next_layout();

private:
    struct process_sample {
        std::vector<std::size_t> stack{}; // places in m_locations
        std::vector<label> labels{};
        std::vector<std::int64_t> values{};
    };

    // A number from 0 to `below` - 1.
    std::size_t pick(std::size_t below);
    bool chance(unsigned percent) { return pick(100) < percent; }
    template <typename List>
    const auto& any_of(const List& list) {
        return list[pick(list.size())];
    }

    void invent_code();
    void invent_samples();
    void advance();
    label invent_label();
    std::int64_t invent_value();
    void add_headers(profile& to);
    void add_code(profile& to, std::vector<std::vector<std::uint64_t>>& ids);
    std::vector<std::uint64_t> shuffled_ids(std::size_t count);

    word_source m_random;
    std::vector<value_type> m_types;
    value_type m_period_type;
    std::optional<std::int64_t> m_period;
    // Ids in these are places, plus 1; addresses are relative to the mapping.
    std::vector<mapping> m_mappings;
    std::vector<function> m_functions;
    std::vector<location> m_locations;
    std::vector<process_sample> m_samples;
    std::int64_t m_time = 0;
};

} // namespace pprofdelta::test
