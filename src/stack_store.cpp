// SPDX-License-Identifier: Apache-2.0
#include "stack_store.hpp"

#include "wire.hpp"
#include "wire_writer.hpp"

namespace pprofdelta {

stack_store::stack stack_store::add(std::span<const std::uint64_t> addresses) {
    m_ids.clear();
    for (const std::uint64_t address : addresses) {
        m_ids.push_back(id(m_addresses.find_or_add({address, 0})));
    }
    m_uses.resize(m_addresses.size());
    const std::size_t offset = m_fields.size();
    append_numbers(m_fields, field::sample::location_id, m_ids.data(), m_ids.size(), m_packed);
    return {offset, static_cast<std::uint32_t>(m_fields.size() - offset)};
}

template <typename Visit>
void stack_store::for_each_location(const stack& s, Visit&& visit) const {
    message_reader reader{field(s), m_fields.data()};
    while (reader.next()) {
        for_each_number(reader, m_fields.data(), [&](std::uint64_t number) {
            visit(static_cast<std::uint32_t>(number - 1));
        });
    }
}

void stack_store::use(const stack& s) {
    for_each_location(s, [this](std::uint32_t location) { ++m_uses[location]; });
}

void stack_store::drop(const stack& s) {
    for_each_location(s, [this](std::uint32_t location) { --m_uses[location]; });
}

stack_store::stack stack_store::add_from(const stack_store& other, const stack& s) {
    m_copied.clear();
    other.for_each_location(
        s, [&](std::uint32_t location) { m_copied.push_back(other.address(location)); });
    return add(m_copied);
}

} // namespace pprofdelta
