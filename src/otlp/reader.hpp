// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_OTLP_READER_HPP
#define PPROFDELTA_SRC_OTLP_READER_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "otlp/schema.hpp"
#include "wire/reader.hpp"

namespace pprofdelta {

/// Goes over the fields of a message of OTLP, each of which has to be one that the schema has, in
/// the way that it says. Other versions of the schema have other fields under the same numbers, so
/// what does not fit is refused by name. Repeated numbers have to be packed, as proto3 writes them:
/// that tells many fields of 1.9 from those that have their numbers now.
class otlp_reader {
public:
    /// @param start of the bytes that `message` lies in, for offsets in errors.
    otlp_reader(const otlp_message& schema, std::string_view message, const char* start) noexcept
        : m_schema{schema}, m_fields{message, start}, m_start{start} {}

    /// Goes to the next field. The current one must have been read.
    /// @throws error malformed for a field that the schema does not have.
    [[nodiscard]] bool next() { return m_fields.next() && (fits() || next_unusual()); }

    /// Where the current field begins, with its tag.
    [[nodiscard]] const char* start() const noexcept { return m_fields.start(); }

    template <typename Field>
    [[nodiscard]] Field as() const noexcept {
        return m_fields.as<Field>();
    }

    [[nodiscard]] std::uint64_t varint() { return m_fields.varint(); }
    [[nodiscard]] std::uint64_t fixed64() { return m_fields.fixed64(); }
    [[nodiscard]] std::string_view bytes() { return m_fields.bytes(); }
    void skip() { m_fields.skip(); }

    /// Calls `visit(std::string_view)` for bytes(), and for those of fields with the same number
    /// that follow at once, as the elements of tables and the samples of a profile do.
    template <typename Visit>
    void run_of_bytes(Visit&& visit) {
        visit(m_fields.bytes());
        m_fields.repeat(visit);
    }

    /// A varint that is a place in a table of the dictionary. 0 stands for nothing, whether or not
    /// the table has elements.
    /// @throws error malformed if the table has no such element.
    [[nodiscard]] std::uint32_t index(std::size_t table_size) {
        return checked(m_fields.varint(), table_size);
    }

    /// Calls `visit(std::uint32_t)` for each of packed places in a table.
    template <typename Visit>
    void indices(std::size_t table_size, Visit&& visit) {
        indices_of(m_fields.bytes(), table_size, visit);
    }
    /// The same where bytes() were read.
    template <typename Visit>
    void indices_of(std::string_view packed, std::size_t table_size, Visit&& visit) const {
        for_each_packed(packed, m_start,
                        [&](std::uint64_t index) { visit(checked(index, table_size)); });
    }

    /// Calls `visit(std::uint64_t)` for each of packed varints.
    template <typename Visit>
    void numbers(Visit&& visit) {
        for_each_packed(m_fields.bytes(), m_start, visit);
    }

    /// How many packed numbers of eight bytes there are.
    [[nodiscard]] std::size_t count_of_fixed64();

    /// Whether the value, which is read, is the default one or nothing but bytes of 0.
    [[nodiscard]] bool is_zero();

    /// Such as "Sample.link_index".
    [[nodiscard]] std::string name() const;

    /// Throws an error of kind malformed with the place of the current field, and `what` after its
    /// name.
    [[noreturn]] void fail(const std::string& what) const;

private:
    // Whether the schema has the current field, as it lies there.
    [[nodiscard]] bool fits() const noexcept {
        const std::size_t place = m_fields.number() - std::size_t{1};
        return place < m_schema.fields.size() && m_schema.fields[place].wire == m_fields.type();
    }
    [[nodiscard]] bool next_unusual();
    [[nodiscard]] std::uint32_t checked(std::uint64_t index, std::size_t table_size) const {
        if (index != 0 && index >= table_size) {
            fail_index(index, table_size);
        }
        return static_cast<std::uint32_t>(index);
    }
    [[noreturn]] void fail_index(std::uint64_t index, std::size_t table_size) const;
    [[noreturn]] void fail_unknown() const;

    const otlp_message& m_schema;
    message_reader m_fields;
    const char* m_start;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_OTLP_READER_HPP
