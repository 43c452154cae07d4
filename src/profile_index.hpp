// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_PROFILE_INDEX_HPP
#define PPROFDELTA_SRC_PROFILE_INDEX_HPP

#include <string_view>

#include <pprofdelta/delta.hpp>

#include "function_index.hpp"
#include "location_index.hpp"
#include "mapping_index.hpp"
#include "profile_types.hpp"
#include "profile_view.hpp"
#include "string_index.hpp"

namespace pprofdelta {

/// All that is known of one profile before its samples are read.
struct profile_index {
    profile_view view;
    string_index strings;
    profile_types types;
    mapping_index mappings;
    function_index functions;
    location_index locations;

    /// Replaces the content; memory is reused. `bytes` must outlive the use of the index.
    /// @throws error malformed, too_large.
    void build(std::string_view bytes, match_mode match) {
        view.parse(bytes);
        strings.build(view);
        types.read(view, strings);
        mappings.build(view, strings);
        functions.build(view, strings);
        locations.build(view, strings, mappings, functions, match);
    }
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_PROFILE_INDEX_HPP
