// SPDX-License-Identifier: Apache-2.0
#include "commands/process_list.hpp"

#include <algorithm>
#include <utility>

namespace pprofdelta::tool {

namespace {

std::string totals_of(const profile_info& capture) {
    std::string names;
    for (const type_treatment& each : capture.types) {
        if (each.cumulative) {
            names += (names.empty() ? "" : ", ") + each.type.type;
        }
    }
    return names;
}

// What is true at one moment. Other types that are not subtracted can be of an interval, as the CPU
// time of a profile is.
bool is_level(const type_treatment& each) {
    return each.type.type.starts_with("inuse_") || each.type.type == "goroutine" ||
           each.type.type == "threadcreate";
}

} // namespace

void process_list::add(const profile_info& capture) {
    ++m_captures;
    if (capture.process == 0) {
        return;
    }
    m_repeated += m_all.insert(capture.process).second ? 0 : 1;
    // A delta has a duration, unless its profiles had no times.
    const bool has_totals = capture.time_nanos != 0 && capture.duration_nanos == 0;
    if (std::string totals = totals_of(capture); has_totals && !totals.empty()) {
        m_totals = std::move(totals);
        m_repeated_totals += m_all_with_totals.insert(capture.process).second ? 0 : 1;
    }
}

// Why there is a warning; empty if there is none.
std::string process_list::are_many(std::size_t repeated) const {
    return repeated * 100 <= m_captures
               ? ""
               : " (" + std::to_string(repeated) + " of " + std::to_string(m_captures) +
                     " captures are of a process that an earlier one is of)";
}

std::string process_list::not_independent() const {
    const std::string reason = are_many(m_repeated_totals);
    return reason.empty() ? ""
                          : "captures of one process are not independent in what they count from "
                            "its start, " +
                                m_totals + reason + "; take each of a process of its own";
}

std::vector<std::string> process_list::meaningless_sums(const profile_info& sum,
                                                        bool is_summed) const {
    std::vector<std::string> all;
    if (const std::string reason = are_many(m_repeated);
        is_summed && !reason.empty() && std::any_of(sum.types.begin(), sum.types.end(), is_level)) {
        all.push_back("what one process had in use at several times is added up" + reason +
                      "; see --levels");
    }
    if (const std::string reason = are_many(m_repeated_totals);
        !reason.empty() && !totals_of(sum).empty()) {
        all.push_back("totals since the start of one process are added to each other" + reason +
                      "; add up its deltas");
    }
    return all;
}

} // namespace pprofdelta::tool
