// SPDX-License-Identifier: Apache-2.0
#include "gate.hpp"

#include <cstdio>
#include <sstream>
#include <string>

#include "figures.hpp"
#include "file.hpp"
#include "report_format.hpp"
#include "short_names.hpp"

namespace pprofdelta::tool {

namespace {

std::string read_limits(const std::string& path) {
    constexpr std::size_t most = std::size_t{1} << 20U; // more than anyone writes by hand
    try {
        return read_file(path, most);
    } catch (const failure& e) {
        // A wrong file of limits is not a damaged profile.
        throw failure{e.status() == exit_status::malformed ? exit_status::usage : e.status(),
                      e.what()};
    }
}

} // namespace

gate::gate(const limit_options& chosen, std::optional<normalization> by) : m_normalize{by} {
    for (const std::string& text : chosen.limits) {
        add(text, "--fail-on ");
    }
    for (const std::string& path : chosen.files) {
        add_file(path);
    }
    if (!chosen.min_amount.empty()) {
        try {
            m_least = parse_amount(chosen.min_amount);
        } catch (const error& e) {
            throw failure{exit_status::usage, std::string{"--min-amount "} + e.what()};
        }
    }
}

void gate::add(const std::string& text, const std::string& place) {
    try {
        m_limits.push_back(parse_limit(text));
    } catch (const error& e) {
        throw failure{exit_status::usage, place + e.what()};
    }
    const limit& added = m_limits.back();
    if (m_normalize == normalization::total && added.of == limit::scope::all &&
        added.on != limit::bound::value) {
        throw failure{exit_status::usage,
                      place + "'" + added.text +
                          "': nothing can cross this, as --normalize total makes totals equal"};
    }
}

void gate::add_file(const std::string& path) {
    const std::size_t count_before = m_limits.size();
    std::istringstream lines{read_limits(path)};
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        const std::size_t start = line.find_first_not_of(" \t\r");
        if (start != std::string::npos && line[start] != '#') {
            add(line, display_name(path) + ":" + std::to_string(number) + ": ");
        }
    }
    // Nothing can cross an empty file, which is probably one that was not written.
    if (m_limits.size() == count_before) {
        throw failure{exit_status::usage, display_name(path) + ": there is no limit in it"};
    }
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
        objects += (objects.empty() ? "{" : ", {") + limit_members(j) + "}";
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
