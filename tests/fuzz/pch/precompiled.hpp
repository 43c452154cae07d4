// SPDX-License-Identifier: Apache-2.0
// What most targets include, compiled once; they include what they use all the same.
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../fuzz.hpp"
