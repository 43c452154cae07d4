// SPDX-License-Identifier: Apache-2.0
#include "otlp/contents.hpp"

#include <limits>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/error.hpp>

namespace pprofdelta {

namespace {

// The times of pprof have a sign.
constexpr std::uint64_t latest = std::numeric_limits<std::int64_t>::max();

std::uint64_t nanoseconds(otlp_reader& fields, std::uint64_t number) {
    if (number > latest) {
        fields.fail("does not fit 63 bits");
    }
    return number;
}

} // namespace

otlp_contents::otlp_contents(std::string_view bytes) : dictionary{bytes} {
    if (bytes.size() > max_profile_size) {
        throw error{error_kind::too_large, "the profiles have 2 GiB or more"};
    }
    bool has_dictionary = false;
    otlp_reader fields = dictionary.read(otlp_profiles_data, bytes);
    while (fields.next()) {
        if (fields.as<field::otlp::profiles_data>() == field::otlp::profiles_data::dictionary) {
            has_dictionary = true;
            dictionary.add(fields.bytes());
        } else {
            add_resource(fields.bytes());
        }
    }
    if (!has_dictionary) {
        throw error{error_kind::malformed,
                    "ProfilesData.dictionary is missing, which OTLP profiles "
                    "of 1.10 and 1.11 have"};
    }
    dictionary.check_zeros();
    if (profiles.empty()) {
        throw error{error_kind::malformed, "the OTLP message holds no profile"};
    }
}

void otlp_contents::add_resource(std::string_view message) {
    using part = field::otlp::resource_profiles;
    resources.push_back({0, 0}); // it can come after its scopes
    otlp_reader fields = dictionary.read(otlp_resource_profiles, message);
    while (fields.next()) {
        switch (fields.as<part>()) {
        case part::resource:
            resources.back() = dictionary.here(fields.bytes());
            break;
        case part::scope_profiles:
            add_scope(fields.bytes());
            break;
        case part::schema_url:
            fields.skip();
            break;
        }
    }
}

void otlp_contents::add_scope(std::string_view message) {
    using part = field::otlp::scope_profiles;
    sources.push_back({static_cast<std::uint32_t>(resources.size() - 1), {0, 0}});
    otlp_reader fields = dictionary.read(otlp_scope_profiles, message);
    while (fields.next()) {
        switch (fields.as<part>()) {
        case part::scope:
            sources.back().scope = dictionary.here(fields.bytes());
            break;
        case part::profiles:
            add_profile(fields.bytes());
            break;
        case part::schema_url:
            fields.skip();
            break;
        }
    }
}

void otlp_contents::add_profile(std::string_view message) {
    using part = field::otlp::profile;
    otlp_profile_entry entry;
    entry.source = static_cast<std::uint32_t>(sources.size() - 1);
    entry.first_sample = static_cast<std::uint32_t>(samples.size());
    otlp_reader fields = dictionary.read(otlp_profile, message);
    while (fields.next()) {
        switch (fields.as<part>()) {
        case part::sample_type:
            entry.sample_type = dictionary.here(fields.bytes());
            break;
        case part::samples:
            fields.run_of_bytes(
                [&](std::string_view each) { samples.push_back(dictionary.here(each)); });
            break;
        case part::time_unix_nano:
            entry.time = nanoseconds(fields, fields.fixed64());
            break;
        case part::duration_nano:
            entry.duration = nanoseconds(fields, fields.varint());
            break;
        case part::period_type:
            entry.period_type = dictionary.here(fields.bytes());
            break;
        case part::period:
            entry.period = static_cast<std::int64_t>(fields.varint());
            break;
        case part::attribute_indices:
            if (entry.attribute_indices.size != 0) {
                fields.fail("is there twice");
            }
            entry.attribute_indices = dictionary.here(fields.bytes());
            break;
        case part::profile_id:
        case part::dropped_attributes_count:
        case part::original_payload_format:
        case part::original_payload:
            fields.skip();
            break;
        }
    }
    if (entry.duration > latest - entry.time) {
        throw error{error_kind::malformed, "Profile.duration_nano reaches beyond the year 2262",
                    dictionary.here(message).offset};
    }
    if (entry.sample_type.size == 0) {
        throw error{error_kind::malformed, "Profile.sample_type is missing",
                    dictionary.here(message).offset};
    }
    entry.last_sample = static_cast<std::uint32_t>(samples.size());
    profiles.push_back(entry);
}

} // namespace pprofdelta
