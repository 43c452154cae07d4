// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/delta.hpp>

#include "commands.hpp"
#include "file.hpp"
#include "profile_file.hpp"
#include "short_names.hpp"

namespace pprofdelta::tool {

void run_list_types(const options& chosen) {
    std::string text;
    for (const std::string& path : chosen.files) {
        const profile_file profile{raw_file{path, chosen.max_size}, chosen.max_size};
        if (chosen.files.size() > 1) {
            text += printable(profile.name()) + ":\n";
        }
        const auto types =
            about(profile.name(), [&] { return list_types(profile.bytes(), chosen.delta); });
        for (const auto& [type, is_cumulative] : types) {
            text += printable(to_string(type)) +
                    (is_cumulative || chosen.diff ? "\tcumulative\n" : "\tgauge\n");
        }
    }
    write_standard_output(text);
}

} // namespace pprofdelta::tool
