// SPDX-License-Identifier: Apache-2.0
#include "document/markup.hpp"

namespace pprofdelta::tool {

std::string as_markup(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
        case '&':
            result += "&amp;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        default:
            result += c;
            break;
        }
    }
    return result;
}

} // namespace pprofdelta::tool
