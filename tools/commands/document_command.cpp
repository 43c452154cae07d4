// SPDX-License-Identifier: Apache-2.0
#include "commands/document_command.hpp"

namespace pprofdelta::tool {

void document_command::add_outputs(command_options& options, const std::string& what,
                                   bool can_draw) {
    options.collect_given(given_options, {"--format", "--state"});
    options.add_heading("Output");
    form.add_output(options, what);
    add_page(options, page);
    if (can_draw) {
        add_flame_graph(options, flame_graph, flame_graph_width);
    }
    form.add_color(options);
    add_status(options, status);
    add_quiet(options, quiet);
    options.add_help();
    options.add_heading("Limits");
    add_limits(options, limits);
    add_annotations(options, limits);
}

void document_command::check_outputs() {
    if (form.file == "-") {
        form.file.clear();
    }
    check_flame_graph_width(flame_graph_width);
    check_limits(limits);
    check_status(status, form.file);
}

void document_command::check_paths(const std::vector<std::string>& inputs,
                                   const std::vector<output_path>& more) const {
    std::vector<output_path> outputs{{"-o", form.file, made_kind::document},
                                     {"--html", page, made_kind::document},
                                     {"--flamegraph", flame_graph, made_kind::document},
                                     status_output(status)};
    outputs.insert(outputs.end(), more.begin(), more.end());
    run_paths used{outputs};
    used.read(inputs);
    used.read(limits.files);
    used.check_kinds();
}

message_options document_command::how_to_print(bool have_table) const {
    return {.annotations = limits.annotations,
            .are_in_table = have_table && form.is_beside_errors(),
            .quiet = quiet};
}

} // namespace pprofdelta::tool
