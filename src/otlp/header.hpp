// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_OTLP_HEADER_HPP
#define PPROFDELTA_SRC_OTLP_HEADER_HPP

#include <cstdint>
#include <string>
#include <string_view>

#include "base/key_table.hpp"
#include "base/keyed_list.hpp"
#include "otlp/any_value.hpp"
#include "otlp/contents.hpp"
#include "otlp/room.hpp"
#include "otlp/strings.hpp"

namespace pprofdelta {

/// The fields at the top level of the profile that is made, gathered from all profiles of a
/// message.
class otlp_header {
public:
    /// All have to outlive this.
    otlp_header(const otlp_dictionary& dictionary, otlp_strings& strings, otlp_room& room)
        : m_dictionary{dictionary}, m_strings{strings}, m_room{room} {}

    /// The place of a profile's type among those that are there.
    /// @throws error malformed; too_large for more than 1024 of them.
    std::size_t add_type(const otlp_profile_entry& profile);
    [[nodiscard]] std::size_t types() const noexcept { return m_types.size(); }

    /// Takes the times, the period and what attributes say.
    /// @throws error malformed, too_large; also below.
    void add_profile(const otlp_profile_entry& profile);

    /// Takes what attributes of an InstrumentationScope say.
    void add_scope(std::string_view scope);

    void append_types_to(std::string& profile) const;
    void append_to(std::string& profile) const;

private:
    // Indices of strings.
    struct type {
        std::uint32_t name = 0;
        std::uint32_t unit = 0;

        friend bool operator==(type, type) = default;
    };

    static void append_type(std::string& profile, field::profile f, type t);
    [[nodiscard]] type read_type(record message) const;
    void add_period(type period_type, std::int64_t period);
    void use(const otlp_attribute_value& attribute);
    void add_comments(const otlp_any_value& value);
    [[nodiscard]] std::uint32_t number_of(const otlp_any_value& text);
    [[nodiscard]] std::uint64_t duration() const noexcept;

    const otlp_dictionary& m_dictionary;
    otlp_strings& m_strings;
    otlp_room& m_room;
    keyed_list<type> m_types;
    type m_period_type;
    std::int64_t m_period = 0;
    bool m_has_period = false;
    bool m_has_several_periods = false;
    std::uint64_t m_first_time = 0; // 0 if none is known
    std::uint64_t m_last_time = 0;  // the end of the last one
    bool m_is_delta = false;        // so that the time is the end, as in pprof
    std::uint64_t m_longest = 0;
    key_table m_comments; // numbers of strings; also below
    std::uint32_t m_doc_url = 0;
    std::uint32_t m_drop_frames = 0;
    std::uint32_t m_keep_frames = 0;
    std::uint32_t m_default_type = 0;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_OTLP_HEADER_HPP
