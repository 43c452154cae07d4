// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fuzz.hpp"
#include "profile.hpp"

namespace pprofdelta::test {

/// Names that are any bytes, some of them long. The first is empty.
[[nodiscard]] std::vector<std::string> choose_names(steering& choices);

/// A profile of few functions, whose names and numbers are the bytes.
[[nodiscard]] profile invent(const std::vector<std::string>& names, steering& choices);

/// The same, with labels that have the names as keys, values and units.
[[nodiscard]] profile invent_labelled(const std::vector<std::string>& names, steering& choices);

} // namespace pprofdelta::test
