// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/state.hpp>

#include "base/about_input.hpp"
#include "delta/state_format.hpp"

namespace pprofdelta {

state_info read_state_info(std::string_view state) {
    series kept;
    value_table table;
    state_info info;
    info.uncompressed_size =
        about_input(error_input::state, [&] { return decode_state(state, kept, table); });
    info.version = state_version;
    info.source = kept.source;
    info.match = kept.match;
    info.types = treatments(kept.types, kept.plan);
    info.period_type = kept.types.period_type;
    info.time_nanos = kept.time_nanos;
    for (std::uint32_t entry = 0; entry < table.size(); ++entry) {
        info.samples += table.is_previous(entry) ? 1 : 0;
    }
    info.vanished = table.size() - info.samples;
    info.size = state.size();
    return info;
}

} // namespace pprofdelta
