// SPDX-License-Identifier: Apache-2.0
#include "commands/report_next.hpp"

#include "commands/report.hpp"

namespace pprofdelta::tool {

command_list after_report(const past_report& past) {
    if (past.content.rows.empty() || !can_be_read_again(past.files)) {
        return {};
    }
    const std::vector<std::string> options = words_of(
        past.options, {"--top", "--callers", "--callees", "--tree", "--depth", "--paths"}, false);
    command_list all;
    const auto add = [&](std::vector<std::string> asked) {
        asked.insert(asked.begin(), {"--format", "json"});
        asked.insert(asked.end(), options.begin(), options.end());
        all.push_back(next_command(report_command::name, asked, past.files));
    };
    if (past.calls.callers.empty() && past.reported.by_label.empty()) {
        add({"--callers", just(past.content.rows.front().name)});
    }
    if (!past.calls.tree) {
        add({"--tree"});
    }
    if (past.calls.paths == 0) {
        add({"--paths", "5"});
    }
    return all;
}

} // namespace pprofdelta::tool
