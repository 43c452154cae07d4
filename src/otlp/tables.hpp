// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_OTLP_TABLES_HPP
#define PPROFDELTA_SRC_OTLP_TABLES_HPP

#include <string>

#include "otlp/dictionary.hpp"
#include "otlp/strings.hpp"

namespace pprofdelta {

/// Appends the mappings, locations and functions of the dictionary to a profile, with their indices
/// as ids, and without the zero values. The first of the mapping's build ids that is there counts:
/// of the GNU linker, of Go, or a hash.
/// @throws error malformed, too_large.
void append_otlp_tables(const otlp_dictionary& dictionary, otlp_strings& strings,
                        std::string& profile);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_OTLP_TABLES_HPP
