// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pprofdelta::test {

/// A protobuf message under construction, field by field. Knows nothing of the library's own
/// reader or writer, so that a fault there is not repeated here.
class message_builder {
public:
    message_builder& number(std::uint32_t field, std::uint64_t value);
    message_builder& bytes(std::uint32_t field, std::string_view value);
    /// Appends whole fields as they stand; never shuffled.
    message_builder& raw(std::string_view fields);

    /// The fields in the order in which they were added.
    [[nodiscard]] std::string str() const;
    /// The fields in an order drawn from `seed`. Fields of one number keep their order among each
    /// other, so the message means the same.
    [[nodiscard]] std::string shuffled(std::uint32_t seed) const;

private:
    std::vector<std::pair<std::uint32_t, std::string>> m_fields;
    std::string m_raw;
};

[[nodiscard]] std::string varint(std::uint64_t value);

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
