// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_C_SOURCE_HPP
#define PPROFDELTA_SRC_C_SOURCE_HPP

#include <pprofdelta/delta.hpp>

#include "c/guard.hpp"

namespace pprofdelta::c {

/// @param given a pprofdelta_source.
[[nodiscard]] inline profile_source source_of(int source) {
    return chosen<profile_source>(source, "source", profile_source::protobuf, profile_source::text,
                                  profile_source::otlp);
}

} // namespace pprofdelta::c

#endif // PPROFDELTA_SRC_C_SOURCE_HPP
