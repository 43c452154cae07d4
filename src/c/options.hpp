// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_C_OPTIONS_HPP
#define PPROFDELTA_SRC_C_OPTIONS_HPP

#include <cstddef>
#include <optional>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/merge.hpp>
#include <pprofdelta/pprofdelta.h>
#include <pprofdelta/report.hpp>

struct pprofdelta_options {
    pprofdelta::delta_options delta{};
    pprofdelta::merge_options merge{}; ///< What others have as well is the same there.
    pprofdelta::report_options report{};
    bool diff = false;
    std::size_t top = 20;
    std::vector<pprofdelta::limit> limits{};
    std::optional<pprofdelta::amount> min_amount{};
};

namespace pprofdelta::c {

/// What is given, or the defaults if that is null.
[[nodiscard]] inline const pprofdelta_options&
options_or_defaults(const pprofdelta_options* options) {
    static const pprofdelta_options defaults{};
    return options == nullptr ? defaults : *options;
}

} // namespace pprofdelta::c

#endif // PPROFDELTA_SRC_C_OPTIONS_HPP
