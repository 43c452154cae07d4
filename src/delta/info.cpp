// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/info.hpp>

#include "delta/subtraction_plan.hpp"
#include "profile/string_index.hpp"
#include "profile/types.hpp"
#include "profile/view.hpp"

namespace pprofdelta {

profile_info read_profile_info(std::string_view profile, const delta_options& options) {
    profile_view view;
    view.parse(profile);
    string_index strings;
    strings.build(view);
    profile_types types;
    types.read(view, strings);

    profile_info info;
    info.types = treatments(types, plan_subtraction(types, options));
    info.period_type = types.period_type;
    info.period = view.period;
    info.time_nanos = view.time_nanos;
    info.duration_nanos = view.duration_nanos;
    info.samples = view.samples.size();
    info.locations = view.locations.size();
    info.functions = view.functions.size();
    info.mappings = view.mappings.size();
    info.strings = view.strings.size();
    return info;
}

std::vector<type_treatment> list_types(std::string_view profile, const delta_options& options) {
    return read_profile_info(profile, options).types;
}

} // namespace pprofdelta
