// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_CAPTURES_CALL_SUMS_HPP
#define PPROFDELTA_SRC_CAPTURES_CALL_SUMS_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/keyed_list.hpp"
#include "select/location_rows.hpp"
#include "select/name_pattern.hpp"
#include "select/profile_stacks.hpp"

namespace pprofdelta {

/// Who is asked for of a row.
enum class kin : std::uint8_t { callers, callees };

/// One row that calls another, by the numbers of their names; or all samples with a row of which
/// the callers are asked for, or the callees.
struct row_call {
    static constexpr std::uint32_t none = 0xffffffff;

    std::uint32_t caller = none;
    std::uint32_t callee = none;

    static constexpr row_call with_any(kin asked) noexcept {
        return {none, static_cast<std::uint32_t>(asked)};
    }
    [[nodiscard]] hash128 key() const noexcept {
        return {std::uint64_t{caller} << 32U | callee, 0};
    }
};

/// The rows whose calls are asked for.
class asked_calls {
public:
    asked_calls() = default;
    /// @param callers_of regular expressions; empty for none.
    /// @throws error invalid_argument
    asked_calls(const std::string& callers_of, const std::string& callees_of);

    [[nodiscard]] bool are_none() const noexcept { return !m_patterns[0] && !m_patterns[1]; }
    [[nodiscard]] bool has(kin asked, std::string_view name) const {
        const std::optional<name_pattern>& pattern = m_patterns[static_cast<std::size_t>(asked)];
        return pattern && pattern->is_in(name);
    }

private:
    std::array<std::optional<name_pattern>, 2> m_patterns; // by kin
};

/// What the samples of one profile add up to, by calls.
struct call_sums {
    std::vector<std::uint32_t> calls; ///< Their numbers, ascending.
    std::vector<std::int64_t> sums;   ///< All sample types of each of these.
};

/// Adds up the samples of calls that are asked for, of those that rules let through. A sample
/// counts once for a call, and a row that calls itself is no call, as in `go tool pprof -peek`.
/// @param rows  with numbers of their own.
/// @param asked two flags for each of these, by kin.
/// @param names the numbers of the rows' names.
/// @param calls gets those that it does not have yet.
/// @throws error malformed, too_large
[[nodiscard]] call_sums sum_calls(const profile_stacks& stacks, const location_rows& rows,
                                  const std::array<std::vector<bool>, 2>& asked,
                                  std::span<const std::uint32_t> names,
                                  keyed_list<row_call>& calls);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CAPTURES_CALL_SUMS_HPP
