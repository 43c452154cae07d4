// SPDX-License-Identifier: Apache-2.0
//
// What a batch has to do.
#include "commands/batch.hpp"

#include <cstddef>

#include "batch/plan/manifest.hpp"
#include "batch/plan/tree.hpp"
#include "batch/states/unsent.hpp"
#include "files/file.hpp"

namespace pprofdelta::tool {

namespace {

void add_input(std::string_view input, run_paths& used) {
    try {
        used.read(path_of_input(input));
    } catch (const failure& e) {
        if (e.status() != exit_status::io) {
            throw;
        }
        // It stops its series, not those of others.
    }
}

} // namespace

batch_items batch_command::find_items() const {
    batch_items items;
    if (!targets.empty()) {
        add_targets(read_file(targets, max_profile_size), display_name(targets),
                    {.paths = paths, .series = parse_series_labels(series_labels)}, items);
    } else if (!root.empty()) {
        add_tree(root, items);
    } else {
        add_manifest(read_file(files.front(), max_profile_size), display_name(files.front()),
                     manifest_has_nul, items);
    }
    return items;
}

// A label that nothing has is most likely a slip.
std::vector<std::string> batch_command::warnings_about(const batch_items& items) const {
    std::vector<std::string> warnings;
    for (const std::string& label : plan.output.labels()) {
        bool is_known = false;
        for (std::size_t i = 0; i < items.series().size() && !is_known; ++i) {
            is_known = !items.labels(i).value(label).empty();
        }
        if (!is_known) {
            warnings.push_back("no target has the label " + label + ", which -o names");
        }
    }
    return warnings;
}

// Nobody else would send what is left of series that are gone.
void batch_command::add_unsent(const tool::state_folder& states, batch_results& lines,
                               batch_items& items) const {
    if (plan.exec.command.is_empty()) {
        return;
    }
    for (const std::string& path : states.unsent_paths()) {
        try {
            const unsent_note note = parse_unsent(read_file(path, max_profile_size), path);
            if (!items.find(note.series) && part.has(note.series)) {
                items.add_without_input(items.keep(note.series));
            }
        } catch (const failure& e) {
            if (regular_file_exists(path)) { // or another run has sent them meanwhile
                lines.warn(e.what());
            }
        }
    }
}

run_paths batch_command::find_paths(const batch_items& items) const {
    run_paths used = named_paths();
    if (plan.from_scratch) {
        used.keep_inputs(); // which deltas may replace, as they do what is there
    }
    for (const series_items& each : items.series()) {
        for (const std::string_view input : each.inputs) {
            if (!is_url(input)) {
                add_input(input, used);
            }
        }
    }
    return used;
}

} // namespace pprofdelta::tool
