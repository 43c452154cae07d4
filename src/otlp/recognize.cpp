// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/otlp_profile.hpp>

#include <cstdint>

#include "otlp/schema.hpp"
#include "wire/packed_numbers.hpp"

namespace pprofdelta {

namespace {

// Takes fields off the start of a message. Unlike message_reader it has no words for what is wrong,
// as it is asked about bytes that need not be a message at all.
class field_scanner {
public:
    explicit field_scanner(std::string_view rest) noexcept : m_rest{rest} {}

    [[nodiscard]] bool at_end() const noexcept { return m_rest.empty(); }

    // False for a varint that is cut short, or longer than it may be.
    bool take_varint(std::uint64_t& number) noexcept {
        number = 0;
        for (std::size_t i = 0; i < m_rest.size() && i < longest_varint; ++i) {
            const auto byte = static_cast<unsigned char>(m_rest[i]);
            number |= std::uint64_t{byte & 0x7fU} << (7 * i);
            if ((byte & 0x80U) == 0) {
                m_rest.remove_prefix(i + 1);
                return true;
            }
        }
        return false;
    }

    bool take_bytes(std::string_view& bytes) noexcept {
        std::uint64_t size = 0;
        if (!take_varint(size) || size > m_rest.size()) {
            return false;
        }
        bytes = m_rest.substr(0, static_cast<std::size_t>(size));
        m_rest.remove_prefix(bytes.size());
        return true;
    }

private:
    std::string_view m_rest;
};

// Tags of length-delimited fields.
constexpr std::uint64_t tag_of(std::uint32_t number) noexcept { return number << 3U | 2U; }

} // namespace

// pprof's profile has more than the fields 1 and 2, without exception: a string table is required,
// in field 6, and readers refuse a profile that has none. OTLP's message has these two only. So
// neither can be the other, however hostile, and this looks at the numbers of all fields up to the
// first that decides. The content of field 1 spares the way past a million samples: pprof's is a
// ValueType, which begins with a varint, and OTLP's a ResourceProfiles, which has none.
bool is_otlp_profile(std::string_view bytes) noexcept {
    field_scanner fields{bytes};
    bool has_resource = false;
    while (!fields.at_end()) {
        std::uint64_t tag = 0;
        std::string_view content;
        if (!fields.take_varint(tag) ||
            (tag != tag_of(static_cast<std::uint32_t>(
                        field::otlp::profiles_data::resource_profiles)) &&
             tag != tag_of(static_cast<std::uint32_t>(field::otlp::profiles_data::dictionary))) ||
            !fields.take_bytes(content)) {
            return false;
        }
        if (has_resource || content.empty() ||
            tag == tag_of(static_cast<std::uint32_t>(field::otlp::profiles_data::dictionary))) {
            continue;
        }
        field_scanner resource{content};
        if (!resource.take_varint(tag) || (tag & 7U) != 2) {
            return false;
        }
        has_resource = true;
    }
    return has_resource;
}

} // namespace pprofdelta
