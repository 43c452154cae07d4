// SPDX-License-Identifier: Apache-2.0
#include "document/base64.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace pprofdelta::tool {

std::string base64(std::string_view bytes) {
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    constexpr std::size_t group = 3; // bytes, which are four digits
    std::string result;
    result.reserve((bytes.size() + group - 1) / group * 4);
    for (std::size_t begin = 0; begin < bytes.size(); begin += group) {
        const std::size_t count = std::min(group, bytes.size() - begin);
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < group; ++i) {
            const auto byte = i < count ? static_cast<unsigned char>(bytes[begin + i]) : 0U;
            bits = bits << 8U | byte;
        }
        for (std::size_t i = 0; i <= group; ++i) {
            const std::size_t digit = bits >> (6 * (group - i)) & 0x3FU;
            result += i <= count ? digits[digit] : '=';
        }
    }
    return result;
}

} // namespace pprofdelta::tool
