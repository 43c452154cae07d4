// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TESTS_MESSAGE_FIELDS_HPP
#define PPROFDELTA_TESTS_MESSAGE_FIELDS_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pprofdelta::test {

/// A field of a protobuf message, read without the library's reader.
struct wire_field {
    std::uint32_t number = 0;
    bool is_bytes = false;
    std::uint64_t value = 0;
    std::string bytes{};
    std::string whole{}; ///< Tag and length included.
};

/// @throws std::runtime_error if `message` is not a valid one.
[[nodiscard]] std::vector<wire_field> read_fields(std::string_view message);

/// Appends the numbers of a repeated field, packed or not.
void append_numbers(const wire_field& field, std::vector<std::uint64_t>& to);

} // namespace pprofdelta::test

#endif // PPROFDELTA_TESTS_MESSAGE_FIELDS_HPP
