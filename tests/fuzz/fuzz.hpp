// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/error.hpp>

#include "slow_delta.hpp"

/// Begins the function of a target. It is what libFuzzer calls in a program of its own, and in the
/// program that replays inputs, where all are compiled with FUZZ_REPLAY, an entry of a table.
#ifdef FUZZ_REPLAY
#define FUZZ_TARGET(name, data, size)                                                              \
    static int replay_##name(const std::uint8_t* data, std::size_t size);                          \
    static const pprofdelta::test::replayed_target entry_of_##name{#name, replay_##name};          \
    static int replay_##name(const std::uint8_t* data, std::size_t size)
#else
#define FUZZ_TARGET(name, data, size)                                                              \
    extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
#endif

namespace pprofdelta::test {

/// Enters a target in the table of replay_main.cpp.
struct replayed_target {
    replayed_target(const char* name, int (*run)(const std::uint8_t* data, std::size_t size));
};

/// Ends the program if a promise is broken, which a fuzzer takes for a find.
void require(bool holds, const std::string& promise);

/// Whether `call` returns. An error of the library is a refusal; anything else passes through.
template <typename Call>
bool is_accepted(Call&& call) {
    try {
        std::forward<Call>(call)();
        return true;
    } catch (const error&) {
        return false;
    }
}

/// A fuzzer's bytes, used from front to back; zeros once they are used up.
class steering {
public:
    steering(const std::uint8_t* data, std::size_t size)
        : m_rest{reinterpret_cast<const char*>(data), size} {}

    [[nodiscard]] bool empty() const noexcept { return m_rest.empty(); }
    std::uint8_t byte();
    std::uint32_t word();
    std::string_view take(std::size_t size);
    std::string_view rest() { return take(m_rest.size()); }

    /// Options that fit any profile.
    delta_options options();

private:
    std::string_view m_rest;
};

/// Two profiles: the bytes themselves, the first with its size in front, if `kind` is even; else
/// invented ones of one process, which the bytes choose.
struct profile_pair {
    std::string previous;
    std::string current;
};
[[nodiscard]] profile_pair choose_pair(steering& bytes, unsigned kind);

/// The profile, if the reference's reader takes it. It is stricter than protobuf is: it minds also
/// the values of a field that a later one replaces.
[[nodiscard]] std::optional<profile> parse_if_valid(std::string_view bytes);

/// Requires that `delta` is a compact profile that says what `expected` does, in stacks of the
/// inputs, of which the last one is the current profile.
void require_same(const std::string& delta, const delta_summary& summary,
                  const slow_result& expected, match_mode match,
                  const std::vector<const profile*>& inputs);

template <typename Rows>
void require_different_names(const Rows& rows) {
    std::set<std::string> names;
    for (const auto& row : rows) {
        require(names.insert(row.name).second, "a name has one row");
    }
}

/// Wraps around at 64 bits.
[[nodiscard]] inline std::int64_t wrapping_sum(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

/// The sum of each type over all samples; wraps around at 64 bits.
[[nodiscard]] std::vector<std::int64_t> sums(const profile& in);

/// Whether a value is so large that the sums which tell a reset may be rounded.
[[nodiscard]] bool has_large_values(const profile& in);

} // namespace pprofdelta::test
