// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <pprofdelta/error.hpp>

namespace pprofdelta::test {

/// The error that `call` throws, if any; every other exception passes through.
template <typename Call>
std::optional<error> error_from(Call&& call) {
    try {
        call();
    } catch (const error& e) {
        return e;
    }
    return std::nullopt;
}

/// True if `call` throws an error of that kind.
template <typename Call>
bool fails_as(error_kind kind, Call&& call) {
    const auto fault = error_from(call);
    return fault && fault->kind() == kind;
}

} // namespace pprofdelta::test
