// SPDX-License-Identifier: Apache-2.0
#include "gate/gate.hpp"

#include <string>
#include <utility>

#include <pprofdelta/report_json.hpp>

#include "base/figures.hpp"
#include "base/short_names.hpp"
#include "cli/given_limits.hpp"
#include "document/report_format.hpp"
#include "files/file.hpp"

namespace pprofdelta::tool {

gate::gate(const limit_options& chosen, std::optional<normalization> by) : m_normalize{by} {
    given_limits given = read_limits(chosen, by);
    m_least = read_min_amount(given.min_amount);
    m_limits = std::move(given.limits);
}

void gate::judge(const comparison& profiles) {
    if (is_on()) {
        m_judgements =
            profiles.about_both([&](std::string_view previous, std::string_view current) {
                return pprofdelta::judge(m_limits, previous, current, m_least);
            });
    }
}

void gate::judge(const computed_delta& delta, const std::string& previous,
                 const std::string& current) {
    if (is_on()) {
        m_judgements = about_two(previous, current,
                                 [&] { return pprofdelta::judge(m_limits, delta, m_least); });
    }
}

std::vector<std::string> gate::warnings() const {
    std::vector<std::string> all;
    for (const judgement& j : m_judgements) {
        if (!j.has_match) {
            all.push_back(j.limit + ": no function matches");
        }
        if (!j.unknown.empty()) {
            all.push_back(describe(j, m_normalize));
        }
    }
    return all;
}

exit_status gate::report(bool annotations, bool quiet, bool is_said, run_status& told) const {
    told.warn(warnings(), quiet);
    exit_status status = exit_status::done;
    std::string text;
    std::string objects;
    for (const judgement& j : m_judgements) {
        objects += (objects.empty() ? "" : ", ") + limit_as_json(j);
        if (j.crossed) {
            status = exit_status::limit_crossed;
            text += is_said ? ""
                            : "pprofdelta: limit crossed: " + printable(describe(j, m_normalize)) +
                                  "\n";
        }
    }
    told.add("limits", "[" + objects + "]");
    if (annotations) {
        text += github_annotations(m_judgements, m_normalize);
    }
    write_standard_error(text);
    return status;
}

} // namespace pprofdelta::tool
