// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_REPORT_FUNCTION_PLACES_HPP
#define PPROFDELTA_SRC_REPORT_FUNCTION_PLACES_HPP

#include <map>
#include <string>

#include <pprofdelta/overview.hpp>

#include "profile/index.hpp"

namespace pprofdelta {

/// Adds where the functions of a profile are in the source, as overview::places has it. Time is
/// linear in its locations.
void add_function_places(const profile_index& index, std::map<std::string, source_place>& places);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_REPORT_FUNCTION_PLACES_HPP
