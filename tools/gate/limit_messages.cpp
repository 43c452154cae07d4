// SPDX-License-Identifier: Apache-2.0
#include "gate/limit_messages.hpp"

#include "base/short_names.hpp"
#include "document/annotations.hpp"
#include "files/file.hpp"

namespace pprofdelta::tool {

exit_status tell(const std::vector<limit_message>& limits, const message_options& how,
                 run_status& line) {
    std::vector<std::string> errors;
    std::vector<std::string> warnings;
    std::vector<std::string> annotated; // of these one for each limit
    std::string objects;
    std::string text;
    for (const limit_message& limit : limits) {
        objects += (objects.empty() ? "" : ", ") + limit.json;
        if (!limit.has_match) {
            const char* const what = limit.text.starts_with("label:") ? "label" : "function";
            warnings.push_back(limit.text + ": no " + what + " matches");
        }
        if (!limit.is_judged) {
            warnings.push_back(limit.in_words);
        }
        if (!limit.has_match || !limit.is_judged) {
            annotated.push_back(warnings.back());
        }
        if (limit.crossed) {
            errors.push_back("limit crossed: " + printable(limit.in_words));
            text += "pprofdelta: " + printable(errors.back()) + "\n";
        }
    }
    line.warn(warnings, how.quiet);
    line.add("limits", "[" + objects + "]");
    text = how.are_in_table ? "" : text;
    if (how.annotations) {
        text += github_annotations(errors, annotated);
    }
    write_standard_error(text);
    return errors.empty() ? exit_status::done : exit_status::limit_crossed;
}

} // namespace pprofdelta::tool
