// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_BASE_ONE_LINE_HPP
#define PPROFDELTA_SRC_BASE_ONE_LINE_HPP

#include <string>
#include <string_view>

namespace pprofdelta {

/// `text` with its control characters written as escapes such as "\x00". What an exception says
/// ends at a zero byte, and is to be one line, whatever strings of the input it quotes.
[[nodiscard]] std::string one_line(std::string_view text);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_BASE_ONE_LINE_HPP
