// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_DELTA_SUBTRACTION_PLAN_HPP
#define PPROFDELTA_SRC_DELTA_SUBTRACTION_PLAN_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include <pprofdelta/delta.hpp>

#include "profile/types.hpp"

namespace pprofdelta {

/// Which values of a sample are subtracted.
struct subtraction_plan {
    std::vector<bool> is_cumulative;       ///< Per sample type.
    std::vector<std::uint32_t> cumulative; ///< The places of those that are, ascending.
};

/// Chooses by the known types, then by `options`.
/// @throws error incompatible for a pattern that matches no type, or a type that both lists name.
[[nodiscard]] subtraction_plan plan_subtraction(const profile_types& types,
                                                const delta_options& options);

/// The types of which `plan` says that they are subtracted.
[[nodiscard]] std::vector<value_type> cumulative_types(const profile_types& types,
                                                       const subtraction_plan& plan);

/// Each type with what `plan` says of it.
[[nodiscard]] std::vector<type_treatment> treatments(const profile_types& types,
                                                     const subtraction_plan& plan);

/// @throws error no_cumulative_type if nothing is to be subtracted: silently copying a profile
///         would look like a delta.
void require_cumulative(const subtraction_plan& plan, const profile_types& types);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_DELTA_SUBTRACTION_PLAN_HPP
