// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_DELTA_PASSES_HPP
#define PPROFDELTA_SRC_DELTA_PASSES_HPP

#include <cstdint>

#include "profile/writer.hpp"

namespace pprofdelta {

// The passes of delta.cpp that normalize() and a profile_sum go through as well.

/// Passes 4 to 6: what the samples that `writer` has written refer to, and the headers.
/// @throws error too_large
void write_locations_and_mappings(profile_writer& writer);
void write_functions(profile_writer& writer);
void write_headers_and_strings(profile_writer& writer, std::int64_t duration_nanos);
void write_strings(profile_writer& writer);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_DELTA_PASSES_HPP
