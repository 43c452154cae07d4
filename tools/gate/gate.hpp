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
#include "gate/limit_messages.hpp"

namespace pprofdelta::tool {

/// The limits that profiles have to keep.
class gate {
public:
    /// @param frames that stacks are of; see pprofdelta::judge().
    /// @throws failure usage for what is no limit; io.
    gate(const limit_options& chosen, std::optional<normalization> by, stack_selection frames = {});

    /// Whether there are limits.
    [[nodiscard]] bool is_on() const noexcept { return !m_limits.empty(); }

    /// Does nothing without limits.
    /// @throws failure incompatible for limits that do not fit the profiles.
    void judge(const comparison& profiles);
    /// @param previous name of the file, for messages; empty if there is but a state.
    void judge(const computed_delta& delta, const std::string& previous,
               const std::string& current);

    [[nodiscard]] const std::vector<judgement>& judgements() const noexcept { return m_judgements; }

    /// Says what was found, as tell() does.
    [[nodiscard]] exit_status report(const message_options& how, run_status& line) const;

private:
    std::optional<normalization> m_normalize;
    stack_selection m_frames;
    std::optional<amount> m_least; // that a function has to have, for limits on each
    std::vector<limit> m_limits;
    std::vector<judgement> m_judgements;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_GATE_GATE_HPP
