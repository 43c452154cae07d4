// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_OTLP_ANY_VALUE_WRITER_HPP
#define PPROFDELTA_SRC_OTLP_ANY_VALUE_WRITER_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "otlp/schema.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

// Messages AnyValue.

[[nodiscard]] inline std::string text_any_value(std::string_view text) {
    std::string message;
    append_bytes(message, field::otlp::any_value::string, text);
    return message;
}

[[nodiscard]] inline std::string true_any_value() {
    std::string message;
    append_number(message, field::otlp::any_value::boolean, 1);
    return message;
}

/// Also of 0, which has to be there to be an integer.
[[nodiscard]] inline std::string integer_any_value(std::int64_t number) {
    std::string message;
    append_varint(message, static_cast<std::uint64_t>(field::otlp::any_value::integer) << 3U);
    append_varint(message, static_cast<std::uint64_t>(number));
    return message;
}

/// @param elements messages AnyValue.
[[nodiscard]] inline std::string list_any_value(const std::vector<std::string>& elements) {
    std::string array;
    for (const std::string& element : elements) {
        append_bytes(array, field::otlp::list::values, element);
    }
    std::string message;
    append_bytes(message, field::otlp::any_value::array, array);
    return message;
}

/// A KeyValue.
[[nodiscard]] inline std::string key_value_of(std::string_view key, std::string_view value) {
    std::string message;
    append_bytes(message, field::otlp::key_value::key, key);
    append_bytes(message, field::otlp::key_value::value, value);
    return message;
}

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_OTLP_ANY_VALUE_WRITER_HPP
