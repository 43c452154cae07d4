// SPDX-License-Identifier: Apache-2.0
#include "base/characters.hpp"

#include <algorithm>

namespace pprofdelta::tool {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

std::size_t count_characters(std::string_view text) {
    return text.size() -
           static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_continuation));
}

} // namespace pprofdelta::tool
