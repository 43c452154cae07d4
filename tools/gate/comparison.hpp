// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_GATE_COMPARISON_HPP
#define PPROFDELTA_TOOLS_GATE_COMPARISON_HPP

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/error.hpp>
#include <pprofdelta/normalize.hpp>

#include "files/profile_file.hpp"

namespace pprofdelta::tool {

/// Two profiles as they are compared: the previous one scaled, if that is asked for.
class comparison {
public:
    /// @param by scales the previous one. Both files must outlive this.
    /// @throws failure malformed, incompatible.
    comparison(std::optional<normalization> by, const profile_file& previous,
               const profile_file& current);
    comparison(const comparison&) = delete;
    comparison& operator=(const comparison&) = delete;

    [[nodiscard]] const std::string& previous_name() const noexcept { return m_previous.name(); }
    [[nodiscard]] const std::string& current_name() const noexcept { return m_current.name(); }
    /// Uncompressed.
    [[nodiscard]] std::string_view previous() const noexcept {
        return m_by ? std::string_view{m_scaled.profile} : m_previous.bytes();
    }
    [[nodiscard]] std::string_view current() const noexcept { return m_current.bytes(); }

    /// Calls `work(std::string_view previous, std::string_view current)`, and turns an error of the
    /// library into a failure: about one file if that has the fault, else about both.
    template <typename Work>
    auto about_both(Work&& work) const {
        try {
            return std::forward<Work>(work)(previous(), current());
        } catch (const error& e) {
            throw to_failure(e, to_names(e.input(), previous_name(), current_name()));
        }
    }

    [[nodiscard]] std::optional<normalization> normalized_by() const noexcept { return m_by; }
    /// For each sample type; empty unless normalized.
    [[nodiscard]] const std::vector<double>& factors() const noexcept { return m_scaled.factors; }
    /// "previous values normalized by total: alloc_space/bytes x1.25, …"; empty unless normalized.
    [[nodiscard]] const std::string& normalization_text() const noexcept {
        return m_normalization_text;
    }

private:
    const profile_file& m_previous;
    const profile_file& m_current;
    std::optional<normalization> m_by;
    normalized_profile m_scaled;
    std::string m_normalization_text;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_GATE_COMPARISON_HPP
