// SPDX-License-Identifier: Apache-2.0
#include "delta/rules.hpp"

#include <pprofdelta/error.hpp>

namespace pprofdelta {

bool look_for_reset(const value_table& table, reset_policy policy) {
    if (policy == reset_policy::negative || !table.is_reset()) {
        return false;
    }
    if (policy == reset_policy::error) {
        throw error{error_kind::reset,
                    "the counters started over, as after a restart of the process"};
    }
    return true;
}

} // namespace pprofdelta
