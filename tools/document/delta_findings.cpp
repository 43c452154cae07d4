// SPDX-License-Identifier: Apache-2.0
#include "document/delta_findings.hpp"

namespace pprofdelta::tool {

const char* reset_text(reset_reason reason) noexcept {
    return reason == reset_reason::process ? "as the process is another one than before"
                                           : "as after a restart: values fell";
}

std::vector<std::string> series_findings(const delta_summary& of) {
    std::vector<std::string> all;
    if (of.process_returned) {
        all.emplace_back("a process is back that another one had taken the place of, so several "
                         "answer in turn, as behind a load balancer; each needs a series of its "
                         "own");
    }
    if (of.starts_over_each_time) {
        all.emplace_back("the counters started over for the third time in a row, so most likely "
                         "each profile covers an interval of its own; such profiles are deltas "
                         "already");
    }
    return all;
}

} // namespace pprofdelta::tool
