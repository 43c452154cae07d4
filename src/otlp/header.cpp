// SPDX-License-Identifier: Apache-2.0
#include "otlp/header.hpp"

#include <algorithm>
#include <string>

#include <pprofdelta/error.hpp>
#include <pprofdelta/value_type.hpp>

#include "base/hash128.hpp"
#include "otlp/attribute_names.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

otlp_header::type otlp_header::read_type(record message) const {
    type result;
    otlp_reader fields = m_dictionary.read(otlp_value_type, m_dictionary.at(message));
    while (fields.next()) {
        const std::uint32_t index = fields.index(m_dictionary.strings.size());
        const bool is_name = fields.as<field::otlp::value_type>() == field::otlp::value_type::type;
        (is_name ? result.name : result.unit) = index;
    }
    return result;
}

std::size_t otlp_header::add_type(const otlp_profile_entry& profile) {
    const type wanted = read_type(profile.sample_type);
    const std::string_view name = m_dictionary.text(wanted.name);
    const std::string_view unit = m_dictionary.text(wanted.unit);
    if (name.empty()) {
        throw error{error_kind::malformed, "ValueType.type_strindex of a sample type names nothing",
                    profile.sample_type.offset};
    }
    m_room.take(name.size() + unit.size()); // as many profiles can have one name, which is hashed
    word_hasher key;
    key.add(hash_bytes(name));
    key.add(hash_bytes(unit));
    const std::uint32_t place = m_types.find_or_add(key.finish(), [&] { return wanted; });
    if (m_types.size() > max_sample_types) {
        throw error{error_kind::too_large, "the profiles have more than " +
                                               std::to_string(max_sample_types) + " sample types"};
    }
    return place;
}

void otlp_header::add_profile(const otlp_profile_entry& profile) {
    if (profile.time != 0) {
        m_first_time = m_first_time == 0 ? profile.time : std::min(m_first_time, profile.time);
        m_last_time = std::max(m_last_time, profile.time + profile.duration);
    }
    m_longest = std::max(m_longest, profile.duration);
    add_period(read_type(profile.period_type), profile.period);
    for_each_packed(m_dictionary.at(profile.attribute_indices), m_dictionary.bytes().data(),
                    [&](std::uint64_t index) {
                        if (index == 0 || index >= m_dictionary.attributes.size()) {
                            throw error{error_kind::malformed,
                                        "Profile.attribute_indices names no attribute",
                                        profile.attribute_indices.offset};
                        }
                        use(read_attribute(m_dictionary, static_cast<std::uint32_t>(index)));
                    });
}

// pprof has one period. One that is not that of all types would be wrong, so there is none then.
void otlp_header::add_period(type period_type, std::int64_t period) {
    if (period == 0 && period_type == type{}) {
        return;
    }
    m_has_several_periods = m_has_several_periods ||
                            (m_has_period && !(m_period == period && m_period_type == period_type));
    m_has_period = true;
    m_period = period;
    m_period_type = period_type;
}

void otlp_header::use(const otlp_attribute_value& attribute) {
    const auto keep = [&](std::uint32_t& string) {
        if (attribute.value.is_text()) {
            string = number_of(attribute.value);
        }
    };
    if (attribute.key == otlp_names::comment) {
        add_comments(attribute.value);
    } else if (attribute.key == otlp_names::doc_url) {
        keep(m_doc_url);
    } else if (attribute.key == otlp_names::drop_frames) {
        keep(m_drop_frames);
    } else if (attribute.key == otlp_names::keep_frames) {
        keep(m_keep_frames);
    } else if (attribute.key == otlp_names::default_sample_type) {
        keep(m_default_type);
    } else if (attribute.key == otlp_names::temporality && attribute.value.is_text()) {
        const std::string_view text = attribute.value.is == otlp_any_value::kind::string
                                          ? attribute.value.bytes
                                          : m_dictionary.text(attribute.value.string);
        m_is_delta = m_is_delta || text == otlp_names::is_a_delta;
    }
}

std::uint32_t otlp_header::number_of(const otlp_any_value& text) {
    return text.is == otlp_any_value::kind::string ? m_strings.number(text.bytes) : text.string;
}

// Each profile of a message has those that all have in common.
void otlp_header::add_comments(const otlp_any_value& value) {
    const auto add = [&](const otlp_any_value& text) {
        m_room.take(sizeof(text)); // as many profiles can have one list, which is read each time
        if (text.is_text()) {
            const std::uint32_t number = number_of(text);
            m_comments.find_or_add({number, 0});
        }
    };
    if (value.is == otlp_any_value::kind::array) {
        for_each_element(m_dictionary, value, add);
    } else {
        add(value);
    }
}

void otlp_header::add_scope(std::string_view scope) {
    otlp_reader fields = m_dictionary.read(otlp_scope, scope);
    while (fields.next()) {
        if (fields.as<field::otlp::scope>() == field::otlp::scope::attributes) {
            use(read_key_value(m_dictionary, fields.bytes()));
        } else {
            fields.skip();
        }
    }
}

void otlp_header::append_type(std::string& profile, field::profile f, type t) {
    number_fields<2> message;
    message.add(field::value_type::type, t.name);
    message.add(field::value_type::unit, t.unit);
    append_bytes(profile, f, message.bytes());
}

void otlp_header::append_types_to(std::string& profile) const {
    for (const type t : m_types.values()) {
        append_type(profile, field::profile::sample_type, t);
    }
}

void otlp_header::append_to(std::string& profile) const {
    append_number(profile, field::profile::drop_frames, m_drop_frames);
    append_number(profile, field::profile::keep_frames, m_keep_frames);
    append_number(profile, field::profile::time_nanos, m_is_delta ? m_last_time : m_first_time);
    append_number(profile, field::profile::duration_nanos, duration());
    if (m_has_period && !m_has_several_periods) {
        append_type(profile, field::profile::period_type, m_period_type);
        append_number(profile, field::profile::period, static_cast<std::uint64_t>(m_period));
    }
    for (std::uint32_t i = 0; i < m_comments.size(); ++i) {
        append_number(profile, field::profile::comment, m_comments[i].low);
    }
    append_number(profile, field::profile::default_sample_type, m_default_type);
    append_number(profile, field::profile::doc_url, m_doc_url);
}

// From the start of the first profile to the end of the last one. Totals have none, and a duration
// would make them look like deltas, so there is none unless a profile has one.
std::uint64_t otlp_header::duration() const noexcept {
    if (m_longest == 0) {
        return 0;
    }
    return m_first_time == 0 ? m_longest : m_last_time - m_first_time;
}

} // namespace pprofdelta
