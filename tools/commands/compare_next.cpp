// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "cli/next_commands.hpp"
#include "commands/compare.hpp"

namespace pprofdelta::tool {

// How the first row came about, and who calls it.
command_list compare_command::next_of(const compare_view& view,
                                      const std::vector<std::string>& base_files,
                                      const std::vector<std::string>& head_files) const {
    const compared_type& first = view.shown.front();
    const std::vector<compared_row>& rows =
        first.rows.flat.rows.empty() ? first.rows.cum.rows : first.rows.flat.rows;
    if (rows.empty() || !can_be_read_again(base_files) || !can_be_read_again(head_files)) {
        return {};
    }
    const std::string& row = rows.front().name;
    const std::string type = to_string(view.types[first.type]);
    const auto command = [&](const std::vector<std::string>& question) {
        std::vector<std::string> options =
            words_of(given_options,
                     {"--top", "--explain", "--sample-type", "--callers", "--callees", "--tree",
                      "--depth", "--paths", "--func"},
                     false);
        options.insert(options.end(), {"--sample-type", type});
        options.insert(options.end(), question.begin(), question.end());
        options.emplace_back("--base");
        options.insert(options.end(), base.begin(), base.end());
        options.emplace_back("--head");
        return next_command(name, options, head);
    };
    command_list all{command({"--explain", row})};
    if (compared.by_label.empty()) {
        all.push_back(command({"--format", "json", "--callers", just(row)}));
    }
    return all;
}

} // namespace pprofdelta::tool
