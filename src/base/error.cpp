// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/error.hpp>

#include <string_view>

#include <pprofdelta/characters.hpp>

namespace pprofdelta {

namespace {

// `text` with its control characters as escapes: what() ends at a zero byte, and is one line.
std::string one_line(std::string_view text) {
    std::string line;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20U || byte == 0x7fU) {
            line += "\\x" + hexadecimal(byte, 2);
        } else {
            line += c;
        }
    }
    return line;
}

} // namespace

error::error(error_kind kind, const std::string& message)
    : std::runtime_error{one_line(message)}, m_kind{kind} {}

error::error(error_kind kind, const std::string& message, std::uint64_t offset)
    : std::runtime_error{one_line(message) + " (at byte " + std::to_string(offset) + ")"},
      m_kind{kind}, m_offset{offset} {}

error::error(error_kind kind, const std::string& message, error_input input, bool has_common_types)
    : std::runtime_error{one_line(message)}, m_kind{kind}, m_input{input}, m_has_common_types{
                                                                               has_common_types} {}

void error::set_input(error_input input) noexcept {
    if (m_input == error_input::unspecified && m_kind != error_kind::invalid_argument) {
        m_input = input;
    }
}

} // namespace pprofdelta
