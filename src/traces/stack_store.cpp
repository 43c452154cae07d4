// SPDX-License-Identifier: Apache-2.0
#include "traces/stack_store.hpp"

#include <algorithm>

#include "base/grow.hpp"
#include "wire/packed_numbers.hpp"
#include "wire/reader.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

stack_store::stack stack_store::add(std::span<const std::uint64_t> addresses) {
    m_ids.clear();
    for (const std::uint64_t address : addresses) {
        m_ids.push_back(id(m_locations.find_or_add({address, 0}, [] { return 0U; })));
    }
    const std::size_t offset = m_fields.size();
    append_numbers(m_fields, field::sample::location_id, m_ids.data(), m_ids.size(), m_packed);
    const std::size_t size = m_fields.size() - offset;
    grow_to(m_decoded, packed_room(size));
    return {offset, static_cast<std::uint32_t>(size)};
}

template <typename Visit>
void stack_store::for_each_location(const stack& s, Visit&& visit) {
    const auto visit_id = [&](std::uint64_t number) {
        visit(static_cast<std::uint32_t>(number - 1));
    };
    message_reader reader{field(s), m_fields.data()};
    while (reader.next()) {
        if (!reader.is_bytes()) {
            visit_id(reader.varint());
            continue;
        }
        const std::string_view packed = reader.bytes();
        const std::size_t count = decode_ordinals(packed, m_fields.data() + m_fields.size(),
                                                  location_count(), m_decoded.data());
        if (count != not_decoded) {
            std::for_each_n(m_decoded.data(), count, visit_id);
        } else { // ids of more than three bytes
            for_each_packed(packed, m_fields.data(), visit_id);
        }
    }
}

void stack_store::count(const stack& s, std::uint32_t change) {
    for_each_location(s, [&](std::uint32_t location) { m_locations[location] += change; });
}

stack_store::stack stack_store::add_from(stack_store& other, const stack& s) {
    m_copied.clear();
    other.for_each_location(
        s, [&](std::uint32_t location) { m_copied.push_back(other.address(location)); });
    return add(m_copied);
}

} // namespace pprofdelta
