// SPDX-License-Identifier: Apache-2.0
#include "commands/report_rate.hpp"

#include <string>

#include "base/failure.hpp"

namespace pprofdelta::tool {

void refuse_rate(const report& content) {
    std::string others;
    for (const report::total& total : content.totals) {
        if (total.per_second) {
            others += (others.empty() ? "" : ", ") + to_string(total.type);
        }
    }
    throw failure{exit_status::incompatible,
                  content.duration_nanos <= 0
                      ? "--per: no duration is known"
                      : "--per: " + to_string(content.totals[content.type].type) +
                            " is a gauge, which has no rate" +
                            (others.empty() ? "" : "; --sample-type has others: " + others)};
}

} // namespace pprofdelta::tool
