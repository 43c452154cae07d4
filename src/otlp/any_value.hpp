// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_OTLP_ANY_VALUE_HPP
#define PPROFDELTA_SRC_OTLP_ANY_VALUE_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "otlp/dictionary.hpp"
#include "otlp/room.hpp"

namespace pprofdelta {

/// The value of an attribute, of which lists are not read yet.
struct otlp_any_value {
    using kind = field::otlp::any_value;

    std::optional<kind> is;   ///< Without one it is empty.
    std::string_view bytes{}; ///< A string, bytes, or the message of a list.
    std::uint64_t number = 0; ///< A number, or the bits of one.
    std::uint32_t string = 0; ///< Of a string in the dictionary, its index.

    [[nodiscard]] bool is_text() const noexcept {
        return is == kind::string || is == kind::string_index;
    }
    [[nodiscard]] bool is_true() const noexcept { return is == kind::boolean && number != 0; }
};

/// An attribute of the dictionary, or of a resource.
struct otlp_attribute_value {
    std::uint32_t key_index = 0; ///< 0 if the key is a string of its own.
    std::string_view key{};
    otlp_any_value value{};
    std::uint32_t unit = 0; ///< An index of a string.
};

/// O(1): a message that has a field twice is refused.
/// @throws error malformed; also below.
[[nodiscard]] otlp_any_value read_any_value(const otlp_dictionary& dictionary,
                                            std::string_view message);

/// A KeyValueAndUnit of the dictionary. O(1)
/// @param index of the attribute, checked and not 0.
[[nodiscard]] otlp_attribute_value read_attribute(const otlp_dictionary& dictionary,
                                                  std::uint32_t index);

/// A KeyValue. O(1)
[[nodiscard]] otlp_attribute_value read_key_value(const otlp_dictionary& dictionary,
                                                  std::string_view message);

/// Calls `visit(const otlp_any_value&)` for each element of a value of the kind array.
template <typename Visit>
void for_each_element(const otlp_dictionary& dictionary, const otlp_any_value& array,
                      Visit&& visit) {
    otlp_reader fields = dictionary.read(otlp_array_value, array.bytes);
    while (fields.next()) {
        visit(read_any_value(dictionary, fields.bytes()));
    }
}

/// A value as text: a string as it is, "true", numbers with as many digits as they need, bytes in
/// hexadecimal digits, and lists as JSON.
/// @param room that the text may take.
/// @throws error malformed, also for lists that are nested deeper than 32; too_large.
[[nodiscard]] std::string print_any_value(const otlp_dictionary& dictionary,
                                          const otlp_any_value& value, otlp_room& room);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_OTLP_ANY_VALUE_HPP
