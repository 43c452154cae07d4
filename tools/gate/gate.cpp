// SPDX-License-Identifier: Apache-2.0
#include "gate/gate.hpp"

#include <utility>

#include <pprofdelta/report_json.hpp>

#include "base/value_text.hpp"
#include "cli/limit_input.hpp"

namespace pprofdelta::tool {

gate::gate(const limit_options& chosen, std::optional<normalization> by, stack_selection frames)
    : m_normalize{by}, m_frames{std::move(frames)} {
    limit_input options = read_limits(chosen, by);
    m_least = read_min_amount(options.min_amount);
    m_limits = std::move(options.limits);
}

void gate::judge(const comparison& profiles) {
    if (is_on()) {
        m_judgements =
            profiles.about_both([&](std::string_view previous, std::string_view current) {
                return pprofdelta::judge(m_limits, previous, current, m_least, m_frames);
            });
    }
}

void gate::judge(const computed_delta& delta, const std::string& previous,
                 const std::string& current) {
    if (is_on()) {
        m_judgements = about_two(previous, current, [&] {
            return pprofdelta::judge(m_limits, delta, m_least, m_frames);
        });
    }
}

exit_status gate::report(const message_options& how, run_status& line) const {
    std::vector<limit_message> all;
    for (const judgement& j : m_judgements) {
        all.emplace_back(j, describe(j, m_normalize), limit_as_json(j));
        all.back().is_judged = j.unknown.empty();
    }
    return tell(all, how, line);
}

} // namespace pprofdelta::tool
