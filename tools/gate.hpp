// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_GATE_HPP
#define PPROFDELTA_TOOLS_GATE_HPP

#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/limits.hpp>

#include "common_options.hpp"
#include "comparison.hpp"
#include "failure.hpp"

namespace pprofdelta::tool {

/// The limits that two profiles have to keep.
class gate {
public:
    /// @throws failure usage for what is no limit; io.
    gate(const limit_options& chosen, std::optional<normalization> by);

    /// Whether there are limits, so that both profiles are needed.
    [[nodiscard]] bool is_on() const noexcept { return !m_limits.empty(); }

    /// @throws failure incompatible for limits that do not fit the profiles.
    void judge(const comparison& profiles);

    [[nodiscard]] const std::vector<judgement>& judgements() const noexcept { return m_judgements; }

    /// Prints each limit that was crossed on standard error, unless it `is_said` there already.
    /// @returns limit_crossed if any was.
    /// @throws failure io if what is to be printed, but for warnings, is lost.
    [[nodiscard]] exit_status report(bool annotations, bool quiet, bool is_said) const;

private:
    void add(const std::string& text, const std::string& place);
    void add_file(const std::string& path);

    std::optional<normalization> m_normalize;
    std::vector<limit> m_limits;
    std::vector<judgement> m_judgements;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_GATE_HPP
