// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/report_json.hpp>

#include "document/report_format.hpp"

namespace pprofdelta::tool {

std::string report_as_json(const report_view& view) {
    return pprofdelta::report_as_json(view.content, {.previous = view.previous,
                                                     .current = view.current,
                                                     .reported = view.reported,
                                                     .judgements = view.judgements,
                                                     .normalized_by = view.normalized_by,
                                                     .factors = view.factors,
                                                     .top = view.top});
}

} // namespace pprofdelta::tool
