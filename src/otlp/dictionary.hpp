// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_OTLP_DICTIONARY_HPP
#define PPROFDELTA_SRC_OTLP_DICTIONARY_HPP

#include <cstdint>
#include <string_view>
#include <vector>

#include "otlp/reader.hpp"
#include "profile/view.hpp"

namespace pprofdelta {

/// The tables that all profiles of a message share, as they lie there. The content of their
/// elements is not read here.
class otlp_dictionary {
public:
    /// @param bytes the whole message; has to outlive this.
    explicit otlp_dictionary(std::string_view bytes) noexcept : m_bytes{bytes} {}

    /// Appends what a ProfilesDictionary has: one that comes in several parts is their sum, as
    /// protobuf has it.
    /// @throws error malformed
    void add(std::string_view message);

    /// @throws error malformed for a table whose element 0 is not the zero value: then 0 means
    ///         something else than it should.
    void check_zeros() const;

    [[nodiscard]] std::string_view at(record r) const noexcept {
        return {m_bytes.data() + r.offset, r.size};
    }
    /// Where a part of the bytes lies.
    [[nodiscard]] record here(std::string_view part) const noexcept {
        return {static_cast<std::uint32_t>(part.data() - m_bytes.data()),
                static_cast<std::uint32_t>(part.size())};
    }
    /// The string of an index that was checked; "" for 0.
    [[nodiscard]] std::string_view text(std::uint32_t index) const noexcept {
        return index == 0 ? std::string_view{} : at(strings[index]);
    }
    /// A reader of a message that lies in the bytes.
    [[nodiscard]] otlp_reader read(const otlp_message& schema, std::string_view message) const {
        return {schema, message, m_bytes.data()};
    }
    [[nodiscard]] std::string_view bytes() const noexcept { return m_bytes; }

    std::vector<record> mappings;
    std::vector<record> locations;
    std::vector<record> functions;
    std::vector<record> links;
    std::vector<record> strings;
    std::vector<record> attributes;
    std::vector<record> stacks;

private:
    std::string_view m_bytes;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_OTLP_DICTIONARY_HPP
