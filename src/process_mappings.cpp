// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/process_mappings.hpp>

#include <fstream>
#include <iterator>
#include <string>

#include "memory_map.hpp"

namespace pprofdelta {

mapping_list process_mappings() {
    std::ifstream file{"/proc/self/maps", std::ios::binary};
    const std::string text{std::istreambuf_iterator<char>{file}, {}};
    return std::make_shared<const std::vector<mapping>>(parse_memory_map(text));
}

} // namespace pprofdelta
