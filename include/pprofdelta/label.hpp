// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// A label of a sample, as in profile.proto: a key, and either a text or a number. The caller owns
/// the texts, which must outlive the call.
struct label {
    std::string_view key;
    std::string_view text;
    std::int64_t number = 0;
    std::string_view unit; ///< The unit of the number, such as "bytes"; may be empty.
};

} // namespace pprofdelta

#pragma GCC visibility pop
