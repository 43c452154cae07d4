// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_BASE_JSON_PARTS_HPP
#define PPROFDELTA_SRC_BASE_JSON_PARTS_HPP

#include <algorithm>
#include <cstddef>
#include <string_view>

#include <pprofdelta/characters.hpp>

namespace pprofdelta {

/// Calls `append(std::string_view)` for what json_string() returns, part by part: a byte can become
/// six, so the whole may be more than there is room for.
template <typename Append>
void for_each_json_part(std::string_view text, Append&& append) {
    append("\"");
    bool is_after_hash = false;
    while (!text.empty()) {
        const character c = first_character(text);
        const std::string_view bytes = text.substr(0, std::max<std::size_t>(c.size, 1));
        text.remove_prefix(bytes.size());
        const bool is_escaped = !is_shown(c.code) || (c.code == '#' && is_after_hash);
        is_after_hash = c.code == '#' && !is_escaped;
        if (c.size == 0 || c.code == 0xfffd) {
            for (const char byte : bytes) {
                append("\xef\xbf\xbd");
                append(hexadecimal(static_cast<unsigned char>(byte), 2));
            }
        } else if (is_escaped) {
            append("\\u");
            append(hexadecimal(c.code, 4));
        } else {
            append(bytes == "\"" || bytes == "\\" ? "\\" : "");
            append(bytes);
        }
    }
    append("\"");
}

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_BASE_JSON_PARTS_HPP
