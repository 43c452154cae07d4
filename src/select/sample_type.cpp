// SPDX-License-Identifier: Apache-2.0
#include "select/sample_type.hpp"

#include <algorithm>

#include <pprofdelta/error.hpp>

#include "delta/series.hpp"

namespace pprofdelta {

std::size_t find_type(const value_type_pattern& pattern, const std::vector<value_type>& types) {
    const auto matches = [&](const value_type& type) { return pattern.matches(type); };
    const auto found = std::find_if(types.begin(), types.end(), matches);
    if (found == types.end()) {
        fail_no_match(pattern, types);
    }
    if (std::any_of(found + 1, types.end(), matches)) {
        throw error{error_kind::incompatible, "several sample types match " + pattern.text() +
                                                  "; name one of: " + to_string(types)};
    }
    return static_cast<std::size_t>(found - types.begin());
}

std::size_t choose_type(const profile_index& index, const report_options& options) {
    const std::vector<value_type>& types = index.types.sample_types;
    if (types.empty()) {
        throw error{error_kind::incompatible, "there is no sample type to report on"};
    }
    if (options.sample_type) {
        return find_type(*options.sample_type, types);
    }
    const auto number = index.view.default_sample_type;
    const std::string_view name = number < index.strings.size()
                                      ? index.strings.text(static_cast<std::uint32_t>(number))
                                      : std::string_view{};
    const auto found = std::find_if(types.begin(), types.end(), [&](const value_type& type) {
        return !name.empty() && type.type == name;
    });
    return found == types.end() ? types.size() - 1
                                : static_cast<std::size_t>(found - types.begin());
}

std::size_t main_cumulative_type(const std::vector<type_treatment>& types) {
    std::size_t last = types.size();
    for (std::size_t i = 0; i < types.size(); ++i) {
        if (types[i].cumulative && (last == types.size() || types[i].type.unit == "bytes" ||
                                    types[last].type.unit != "bytes")) {
            last = i;
        }
    }
    return last;
}

std::size_t choose_type_of_one(const profile_index& index, const report_options& options) {
    const std::size_t usual = choose_type(index, options);
    if (options.sample_type || index.view.duration_nanos == 0) {
        return usual;
    }
    const std::vector<type_treatment> types =
        treatments(index.types, plan_subtraction(index.types, {}));
    const std::size_t cumulative = main_cumulative_type(types);
    return types[usual].cumulative || cumulative == types.size() ? usual : cumulative;
}

} // namespace pprofdelta
