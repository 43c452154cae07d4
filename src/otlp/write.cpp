// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/otlp_profile.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

#include <pprofdelta/error.hpp>

#include "base/utf8.hpp"
#include "codec/bounded_output.hpp"
#include "delta/subtraction_plan.hpp"
#include "otlp/any_value_writer.hpp"
#include "otlp/attribute_names.hpp"
#include "otlp/dictionary_writer.hpp"
#include "otlp/room.hpp"
#include "otlp/sample_writer.hpp"
#include "profile/index.hpp"
#include "profile/records.hpp"

namespace pprofdelta {

namespace {

// What all Profiles of a message have in common, and what they do not.
class otlp_profile_writer {
public:
    otlp_profile_writer(const profile_index& index, otlp_dictionary_writer& dictionary,
                        otlp_room& room, bool is_delta)
        : m_index{index}, m_dictionary{dictionary}, m_room{room} {
        const profile_view& view = index.view;
        auto time = static_cast<std::uint64_t>(std::max<std::int64_t>(view.time_nanos, 0));
        const auto duration =
            static_cast<std::uint64_t>(std::max<std::int64_t>(view.duration_nanos, 0));
        is_delta = is_delta || is_delta_by_name();
        if (is_delta && duration <= time) {
            time -= duration;
        }
        append_fixed64(m_header, field::otlp::profile::time_unix_nano, time);
        append_number(m_header, field::otlp::profile::duration_nano, duration);
        if (index.types.has_period_type()) {
            append_bytes(m_header, field::otlp::profile::period_type,
                         type_message(view.period_types.back()));
        }
        append_number(m_header, field::otlp::profile::period,
                      static_cast<std::uint64_t>(view.period));
        add_attributes(is_delta);
        for (const record type : view.sample_types) {
            m_types.push_back(type_message(type));
        }
    }

    void append_profile(std::string& scope, const otlp_sample_writer& samples,
                        const otlp_written_source& source, std::size_t type) const {
        std::string profile;
        append_bytes(profile, field::otlp::profile::sample_type, m_types[type]);
        m_room.take(profile.size() + m_header.size());
        samples.append_to(profile, source, type);
        append_parts(scope, field::otlp::scope_profiles::profiles, profile, m_header);
    }

    // An InstrumentationScope, with what pprof says of all types.
    [[nodiscard]] std::string scope_message(const std::string& name) const {
        std::string scope;
        if (!name.empty()) {
            append_bytes(scope, field::otlp::scope::name, name);
        }
        const std::string_view default_type = text_of(m_index.view.default_sample_type);
        m_room.take(default_type.size()); // as there can be many sources
        if (!default_type.empty()) {
            append_bytes(
                scope, field::otlp::scope::attributes,
                key_value_of(otlp_names::default_sample_type, text_any_value(default_type)));
        }
        std::vector<std::string> order;
        for (std::size_t i = 0; i < m_index.types.sample_types.size(); ++i) {
            order.push_back(integer_any_value(static_cast<std::int64_t>(i)));
        }
        append_bytes(scope, field::otlp::scope::attributes,
                     key_value_of(otlp_names::sample_type_order, list_any_value(order)));
        return scope;
    }

private:
    [[nodiscard]] std::string_view text_of(std::uint64_t string) const {
        return m_index.strings.text(m_index.strings.check(string, {}));
    }

    // Totals have no duration.
    [[nodiscard]] bool is_delta_by_name() const {
        return m_index.view.duration_nanos > 0 &&
               !plan_subtraction(m_index.types, {}).cumulative.empty();
    }

    [[nodiscard]] std::string type_message(record at) const {
        const value_type_record type =
            read_value_type(m_index.view.at(at), m_index.view.bytes().data(), ignore_unknown);
        std::string message;
        append_number(message, field::otlp::value_type::type, m_dictionary.string_of(type.type));
        append_number(message, field::otlp::value_type::unit, m_dictionary.string_of(type.unit));
        return message;
    }

    void add_attributes(bool is_delta) {
        const profile_view& view = m_index.view;
        std::string packed;
        const auto add = [&](std::string_view key, std::string_view value) {
            append_varint(packed, m_dictionary.attribute(m_dictionary.string(key), value));
        };
        const auto add_text = [&](std::string_view key, std::uint64_t string) {
            if (const std::string_view text = text_of(string); !text.empty()) {
                add(key, text_any_value(text));
            }
        };
        std::vector<std::string> comments;
        for (const record each : view.comments) {
            for_each_packed(view.at(each), view.bytes().data(), [&](std::uint64_t string) {
                const std::string_view text = text_of(string);
                m_room.take(text.size()); // as many can be one
                comments.push_back(text_any_value(text));
            });
        }
        if (!comments.empty()) {
            add(otlp_names::comment, list_any_value(comments));
        }
        add_text(otlp_names::doc_url, view.doc_url);
        add_text(otlp_names::drop_frames, view.drop_frames);
        add_text(otlp_names::keep_frames, view.keep_frames);
        if (is_delta) {
            add(otlp_names::temporality, text_any_value(otlp_names::is_a_delta));
        }
        if (!packed.empty()) {
            append_bytes(m_header, field::otlp::profile::attribute_indices, packed);
        }
    }

    const profile_index& m_index;
    otlp_dictionary_writer& m_dictionary;
    otlp_room& m_room;
    std::vector<std::string> m_types; // ValueTypes
    std::string m_header;             // fields of each Profile, behind its samples
};

// Readers of OTLP, ours too, take a type without a name for one of another version.
void require_names(const profile_types& types) {
    for (const value_type& type : types.sample_types) {
        if (type.type.empty()) {
            throw error{error_kind::incompatible, "a sample type has no name, which OTLP asks for"};
        }
    }
}

// Strings of protobuf are UTF-8, and who receives a message refuses all of it for one that is not.
// A byte that is part of no character becomes a question mark, so all stays where it is.
// @param copy of the profile, if a string had to be changed.
// @return how many were.
std::size_t make_utf8(const profile_view& view, std::string& copy) {
    std::size_t changed = 0;
    for (const record string : view.strings) {
        const std::string_view text = view.at(string);
        std::size_t good = utf8_prefix(text);
        if (good == text.size()) {
            continue;
        }
        ++changed;
        if (copy.empty()) {
            copy = view.bytes();
        }
        for (; good < text.size(); good += 1 + utf8_prefix(text.substr(good + 1))) {
            copy[string.offset + good] = '?';
        }
    }
    return changed;
}

} // namespace

otlp_losses write_otlp_profile(std::string_view profile, std::string& otlp, bool is_delta) {
    profile_index index;
    index.build(profile, match_mode::exact);
    std::string readable;
    const std::size_t changed_strings = make_utf8(index.view, readable);
    if (changed_strings > 0) {
        index.build(readable, match_mode::exact);
    }
    index.types.require_distinct("OTLP");
    require_names(index.types);
    otlp_room room{profile.size(), max_profile_size};
    otlp_dictionary_writer dictionary{index, room};
    otlp_sample_writer samples{index, dictionary, room};
    samples.add_all();
    const otlp_profile_writer profiles{index, dictionary, room, is_delta};

    otlp.clear();
    otlp.reserve(profile.size());
    for (const otlp_written_source& source : samples.sources()) {
        std::string scope;
        append_bytes(scope, field::otlp::scope_profiles::scope,
                     profiles.scope_message(source.scope_name));
        for (std::size_t type = 0; type < index.types.sample_types.size(); ++type) {
            profiles.append_profile(scope, samples, source, type);
        }
        std::string resource;
        append_bytes(resource, field::otlp::resource_profiles::resource, source.resource);
        append_bytes(resource, field::otlp::resource_profiles::scope_profiles, scope);
        append_bytes(otlp, field::otlp::profiles_data::resource_profiles, resource);
    }
    dictionary.append_to(otlp);
    require_written_size(otlp.size(), max_profile_size);
    return {index.view.unknown_fields.size(), samples.changed_labels(), changed_strings};
}

} // namespace pprofdelta
