// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/error.hpp>

#include "base/one_line.hpp"

namespace pprofdelta {

error::error(error_kind kind, const std::string& message)
    : std::runtime_error{one_line(message)}, m_kind{kind} {}

error::error(error_kind kind, const std::string& message, std::uint64_t offset)
    : std::runtime_error{one_line(message) + " (at byte " + std::to_string(offset) + ")"},
      m_kind{kind}, m_offset{offset} {}

} // namespace pprofdelta
