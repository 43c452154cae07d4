// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/info.hpp>
#include <pprofdelta/state.hpp>

#include "base/errors.hpp"
#include "delta/series.hpp"
#include "delta/state_format.hpp"
#include "profile/index.hpp"
#include "profile/producers.hpp"
#include "profile/records.hpp"

namespace pprofdelta {

profile_info info_of(const profile_index& index, const delta_options& options) {
    const profile_view& view = index.view;
    profile_info info;
    info.types = treatments(index.types, plan_subtraction(index.types, options));
    info.period_type = index.types.period_type;
    info.period = view.period;
    info.counters = form_of(index);
    info.time_nanos = view.time_nanos;
    info.duration_nanos = view.duration_nanos;
    process_sign process;
    for (std::size_t i = 0; i < view.mappings.size(); ++i) {
        const std::string_view bytes = view.at(view.mappings[i]);
        const auto mapping = view.read<mapping_record>(bytes);
        const std::string_view file = index.strings.text(index.strings.check(mapping.file, bytes));
        process.add(file, mapping.start, mapping.offset, i == 0);
        if (i == 0) {
            info.binary = file;
            info.build_id = index.strings.text(index.strings.check(mapping.build_id, bytes));
        }
    }
    info.process = process.id();
    info.samples = view.samples.size();
    info.locations = view.locations.size();
    info.functions = view.functions.size();
    info.mappings = view.mappings.size();
    info.strings = view.strings.size();
    return info;
}

profile_info read_profile_info(std::string_view profile, const delta_options& options) {
    profile_index index;
    index.build_types(profile);
    return info_of(index, options);
}

std::vector<type_treatment> list_types(std::string_view profile, const delta_options& options) {
    return read_profile_info(profile, options).types;
}

state_info read_state_info(std::string_view state) {
    series kept;
    value_table table;
    state_info info;
    const decoded_state decoded =
        about_input(error_input::state, [&] { return decode_state(state, kept, table); });
    info.version = decoded.version;
    info.uncompressed_size = decoded.body_size;
    info.source = kept.source;
    info.match = kept.match;
    info.types = treatments(kept.types, kept.plan);
    info.period_type = kept.types.period_type;
    info.time_nanos = kept.time_nanos;
    info.process = kept.processes.last.id();
    for (std::uint32_t entry = 0; entry < table.size(); ++entry) {
        info.samples += table.is_previous(entry) ? 1 : 0;
    }
    info.vanished = table.size() - info.samples;
    info.size = state.size();
    return info;
}

} // namespace pprofdelta
