// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_REPORT_FUNCTION_PLACES_HPP
#define PPROFDELTA_SRC_REPORT_FUNCTION_PLACES_HPP

#include <map>
#include <string>

#include <pprofdelta/overview.hpp>

#include "select/profile_stacks.hpp"

namespace pprofdelta {

/// Adds where the functions of a profile are in the source, as overview::places has it. Time is
/// linear in its locations.
/// @param of with frames.
void add_function_places(const profile_stacks& of, std::map<std::string, source_place>& places);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_REPORT_FUNCTION_PLACES_HPP
