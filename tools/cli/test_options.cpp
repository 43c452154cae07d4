// SPDX-License-Identifier: Apache-2.0
#include "cli/test_options.hpp"

#include <charconv>
#include <system_error>

#include <pprofdelta/error.hpp>

#include "cli/common_options.hpp"

namespace pprofdelta::tool {

void test_options::add_rows(command_options& options) {
    options.add_value("--func", "REGEX", m_rows, "Only rows with a match in their name");
    options.add_value("--min-amount", "SIZE", m_min_amount,
                      "Leave out rows with a smaller mean: 64KiB, or 1% of the total (default)");
    options.add_number("--top", "N", m_top, "How many rows of each table (default: 20)");
}

void test_options::add_test(command_options& options) {
    options.add_number("--alpha", "P", m_alpha,
                       "The chance to take noise for a change (default: 0.05)");
    options.add_choice<correction>("--correct", "HOW", m_corrected,
                                   {{"holm", correction::holm},
                                    {"bh", correction::benjamini_hochberg},
                                    {"none", correction::none}},
                                   std::string{"For many rows: holm, bh or none (default: "} +
                                       to_string(m_corrected) + ")");
    options.add_value("--min-change", "PERCENT", m_min_change,
                      "Less is no change, whatever the test says (default: " + m_min_change + ")");
}

// "2%" as 0.02.
double test_options::percent(const std::string& option, const std::string& text) {
    double value = 0;
    const char* const end = text.data() + text.size() - (text.ends_with('%') ? 1 : 0);
    const auto [rest, fault] = std::from_chars(text.data(), end, value);
    if (!text.ends_with('%') || fault != std::errc{} || rest != end ||
        !(value >= 0 && value <= 1e6)) {
        wrong_usage(option + " " + text + ": it is a percentage, as in 2%");
    }
    return value / 100;
}

void test_options::check() const {
    if (!(m_alpha > 0 && m_alpha < 1)) {
        wrong_usage("--alpha is a number between 0 and 1");
    }
    if (!has_share()) {
        try {
            static_cast<void>(parse_amount(min_amount()));
        } catch (const error& e) {
            wrong_usage(std::string{"--min-amount "} + e.what());
        }
    }
    check_regex("--func", m_rows);
    if (m_top < 0) {
        wrong_usage("--top is a number of rows, from 0");
    }
}

} // namespace pprofdelta::tool
