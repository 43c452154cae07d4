// SPDX-License-Identifier: Apache-2.0
#include "profile/index.hpp"

#include <string>

namespace pprofdelta {

void profile_index::fail_location(std::uint64_t id, std::string_view sample) const {
    view.fail("location id " + std::to_string(id) + " is not in the profile", sample);
}

void profile_index::fail_value_count(std::size_t count, std::string_view sample) const {
    view.fail("a sample has " + std::to_string(count) + " values, but there are " +
                  std::to_string(types.sample_types.size()) + " sample types",
              sample);
}

} // namespace pprofdelta
