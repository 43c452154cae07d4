// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_PROFILE_INDEX_HPP
#define PPROFDELTA_SRC_PROFILE_INDEX_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <pprofdelta/delta.hpp>

#include "profile/function_index.hpp"
#include "profile/location_index.hpp"
#include "profile/mapping_index.hpp"
#include "profile/string_index.hpp"
#include "profile/types.hpp"
#include "profile/view.hpp"

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
        build_types(bytes);
        mappings.build(view, strings);
        functions.build(view, strings);
        locations.build(view, strings, mappings, functions, match);
    }

    /// Only what is needed to read values: without mappings, functions and locations.
    void build_types(std::string_view bytes) {
        view.parse(bytes);
        strings.build(view);
        types.read(view, strings);
    }

    /// The place of a location that `sample` names.
    /// @throws error malformed if the profile does not have it.
    [[nodiscard]] std::uint32_t location_place(std::uint64_t id, std::string_view sample) const {
        const std::uint32_t place = locations.find(id);
        if (place == id_map::npos) {
            fail_location(id, sample);
        }
        return place;
    }

    /// @throws error malformed unless `sample` has as many values as there are sample types.
    void require_value_count(std::size_t count, std::string_view sample) const {
        if (count != types.sample_types.size()) {
            fail_value_count(count, sample);
        }
    }

private:
    [[noreturn]] void fail_location(std::uint64_t id, std::string_view sample) const;
    [[noreturn]] void fail_value_count(std::size_t count, std::string_view sample) const;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_PROFILE_INDEX_HPP
