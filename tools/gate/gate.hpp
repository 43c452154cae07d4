// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_GATE_GATE_HPP
#define PPROFDELTA_TOOLS_GATE_GATE_HPP

#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/limits.hpp>

#include "base/failure.hpp"
#include "cli/common_options.hpp"
#include "cli/run_status.hpp"
#include "gate/comparison.hpp"

namespace pprofdelta::tool {

/// The limits that profiles have to keep.
class gate {
public:
    /// @throws failure usage for what is no limit; io.
    gate(const limit_options& chosen, std::optional<normalization> by);

    /// Whether there are limits.
    [[nodiscard]] bool is_on() const noexcept { return !m_limits.empty(); }

    /// Does nothing without limits.
    /// @throws failure incompatible for limits that do not fit the profiles.
    void judge(const comparison& profiles);
    /// @param previous name of the file, for messages; empty if there is but a state.
    void judge(const computed_delta& delta, const std::string& previous,
               const std::string& current);

    [[nodiscard]] const std::vector<judgement>& judgements() const noexcept { return m_judgements; }

    /// Prints on standard error each limit that was crossed, unless it `is_said` there already, or
    /// that could not be judged.
    /// @returns limit_crossed if any was.
    /// @throws failure io if what is to be printed, but for warnings, is lost.
    [[nodiscard]] exit_status report(bool annotations, bool quiet, bool is_said,
                                     run_status& told) const;

private:
    [[nodiscard]] std::vector<std::string> warnings() const;

    std::optional<normalization> m_normalize;
    std::optional<amount> m_least; // that a function has to have, for limits on each
    std::vector<limit> m_limits;
    std::vector<judgement> m_judgements;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_GATE_GATE_HPP
