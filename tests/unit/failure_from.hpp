// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/failure.hpp"

#include "catch.hpp"

namespace pprofdelta::test {

/// The message of the failure that `call` ends with, which has to have this status; "none" if it
/// does not fail.
template <typename Call>
std::string failure_from(Call&& call, tool::exit_status expected = tool::exit_status::usage) {
    try {
        call();
    } catch (const tool::failure& e) {
        CHECK(e.status() == expected);
        return e.what();
    }
    return "none";
}

} // namespace pprofdelta::test
