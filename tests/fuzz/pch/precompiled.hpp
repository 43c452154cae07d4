// SPDX-License-Identifier: Apache-2.0
// Headers that most targets include, compiled once; they include what they use all the same. No
// header of the project is here: after a change of a comment ccache still has what the compiler
// makes of this, and for GCC #pragma once then names another file.
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
