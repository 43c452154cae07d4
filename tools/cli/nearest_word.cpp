// SPDX-License-Identifier: Apache-2.0
#include "cli/nearest_word.hpp"

#include <algorithm>
#include <cstddef>

namespace pprofdelta::tool {

namespace {

bool is_slip(std::string_view typed, std::string_view word) {
    const auto different = std::mismatch(typed.begin(), typed.end(), word.begin(), word.end());
    const auto same = static_cast<std::size_t>(different.first - typed.begin());
    typed.remove_prefix(same);
    word.remove_prefix(same);
    const auto from = [](std::string_view text, std::size_t place) {
        return text.substr(std::min(place, text.size()));
    };
    const bool is_exchanged = typed.size() > 1 && word.size() > 1 && typed[0] == word[1] &&
                              typed[1] == word[0] && from(typed, 2) == from(word, 2);
    return is_exchanged || from(typed, 1) == from(word, 1) || from(typed, 1) == word ||
           typed == from(word, 1);
}

} // namespace

std::string_view nearest_word(std::string_view typed, const std::vector<std::string_view>& words) {
    const auto nearest = std::find_if(words.begin(), words.end(),
                                      [&](std::string_view word) { return is_slip(typed, word); });
    return nearest == words.end() ? std::string_view{} : *nearest;
}

} // namespace pprofdelta::tool
