// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_CLI_TEST_OPTIONS_HPP
#define PPROFDELTA_TOOLS_CLI_TEST_OPTIONS_HPP

#include <cstddef>
#include <cstdint>
#include <string>

#include <pprofdelta/compare.hpp>
#include <pprofdelta/limits.hpp>

#include "cli/command_options.hpp"

namespace pprofdelta::tool {

/// Which rows of many captures are shown, and how they are tested.
class test_options {
public:
    /// @param corrected, min_change are the defaults; the latter is a percentage.
    test_options(correction corrected, std::string min_change)
        : m_corrected{corrected}, m_min_change{std::move(min_change)} {}

    void add_rows(command_options& options);
    void add_test(command_options& options);

    /// Puts all into compare_options or trend_options.
    /// @throws usage_failure
    template <typename Options>
    void check(Options& into) const {
        check();
        into.rows = m_rows;
        into.alpha = m_alpha;
        into.corrected = m_corrected;
        into.min_change = percent("--min-change", m_min_change);
        put_min_amount(into);
    }

    /// These options with what a file of limits has for --min-amount, which the option goes before.
    /// @param min_amount empty for none.
    /// @param into       changed as check() does it.
    template <typename Options>
    [[nodiscard]] test_options with(const std::string& min_amount, Options& into) const {
        test_options all = *this;
        if (m_min_amount.empty()) {
            all.m_min_amount = min_amount;
        }
        all.put_min_amount(into);
        return all;
    }

    /// At most so many rows in each table.
    [[nodiscard]] std::size_t top() const noexcept { return static_cast<std::size_t>(m_top); }
    /// The least size of a row that is not left out, such as "1% of the total".
    [[nodiscard]] std::string least_size_text() const {
        return min_amount() + (has_share() ? " of the total" : "");
    }

    /// A percentage from 0, such as "5%", as a part of 1.
    /// @throws usage_failure
    [[nodiscard]] static double percent(const std::string& option, const std::string& text);

private:
    void check() const;
    template <typename Options>
    void put_min_amount(Options& into) const {
        if (has_share()) {
            into.min_share = percent("--min-amount", min_amount());
        } else {
            into.min_amount = parse_amount(min_amount());
        }
    }
    [[nodiscard]] std::string min_amount() const {
        return m_min_amount.empty() ? "1%" : m_min_amount;
    }
    [[nodiscard]] bool has_share() const { return min_amount().ends_with('%'); }

    std::string m_rows;
    std::string m_min_amount; // empty for the default
    std::int64_t m_top = 20;
    double m_alpha = 0.05;
    correction m_corrected;
    std::string m_min_change;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_CLI_TEST_OPTIONS_HPP
