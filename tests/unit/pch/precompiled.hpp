// SPDX-License-Identifier: Apache-2.0
// Headers that most unit tests include and nobody edits, compiled once. Tests include what they use
// all the same, so that they build without this: meson setup -Db_pch=false.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../catch.hpp"
