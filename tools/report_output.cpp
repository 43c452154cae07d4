// SPDX-License-Identifier: Apache-2.0
#include "report_output.hpp"

#include <cstdlib>

#include "file.hpp"
#include "flame_svg.hpp"
#include "report_format.hpp"

namespace pprofdelta::tool {

std::string make_report_text(const options& chosen, const comparison& profiles,
                             const std::vector<judgement>& judgements) {
    const report content =
        profiles.about_both([&](std::string_view previous, std::string_view current) {
            return make_report(previous, current, chosen.reported);
        });
    report_view view{.content = content,
                     .judgements = judgements,
                     .previous = profiles.previous_name(),
                     .current = profiles.current_name(),
                     .normalized_by = profiles.normalized_by(),
                     .factors = profiles.factors(),
                     .normalization_text = profiles.normalization_text(),
                     .by = chosen.reported.by,
                     .top = static_cast<std::size_t>(chosen.top)};
    switch (chosen.report) {
    case options::report_form::none:
        break;
    case options::report_form::json:
        return report_as_json(view);
    case options::report_form::markdown:
        return report_as_markdown(view);
    case options::report_form::text:
        if (chosen.report_file.empty()) {
            view.width = standard_error_width();
            const char* const no_color = ::secure_getenv("NO_COLOR");
            view.has_colors = view.width != 0 && (no_color == nullptr || *no_color == '\0');
        }
        return report_as_text(view);
    }
    return {};
}

std::string draw_flame_graph(const options& chosen, const comparison& profiles) {
    const flame_graph content =
        profiles.about_both([&](std::string_view previous, std::string_view current) {
            return make_flame_graph(previous, current, chosen.reported);
        });
    return flame_graph_as_svg({.content = content,
                               .previous = profiles.previous_name(),
                               .current = profiles.current_name(),
                               .normalization_text = profiles.normalization_text()});
}

void write_reports(const options& chosen, const std::string& report, const std::string& picture) {
    if (!chosen.flame_graph.empty()) {
        write_file(chosen.flame_graph, picture, durability::cached);
    }
    if (chosen.report == options::report_form::none) {
        return;
    }
    if (!chosen.report_file.empty()) {
        write_file(chosen.report_file, report, durability::cached);
    } else if (chosen.report == options::report_form::text) {
        write_standard_error(report);
    } else {
        write_standard_output(report);
    }
}

} // namespace pprofdelta::tool
