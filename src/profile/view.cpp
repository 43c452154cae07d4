// SPDX-License-Identifier: Apache-2.0
#include "profile/view.hpp"

#include <pprofdelta/codec.hpp>
#include <pprofdelta/error.hpp>

#include "wire/reader.hpp"

namespace pprofdelta {

namespace {

constexpr std::int64_t longest_duration = 1'000'000'000'000'000'000; // 31 years

} // namespace

void profile_view::clear() {
    for (auto* records : {&sample_types, &samples, &mappings, &locations, &functions, &strings,
                          &comments, &period_types, &unknown_fields}) {
        records->clear();
    }
    drop_frames = keep_frames = default_sample_type = doc_url = 0;
    time_nanos = duration_nanos = false_duration_nanos = period = 0;
}

void profile_view::fail(const std::string& what, std::string_view where) const {
    throw error{error_kind::malformed, what,
                static_cast<std::uint64_t>(where.data() - m_bytes.data())};
}

void profile_view::parse(std::string_view bytes) {
    clear();
    m_bytes = bytes;
    if (bytes.empty()) {
        throw error{error_kind::malformed, "empty input"};
    }
    if (detect_codec(bytes) != codec::none) { // no field of a profile begins so
        throw error{error_kind::malformed, "this is still compressed"};
    }
    if (bytes.size() > max_profile_size) {
        throw error{error_kind::too_large, "the profile has 2 GiB or more"};
    }
    const auto here = [bytes](std::string_view part) {
        return record{static_cast<std::uint32_t>(part.data() - bytes.data()),
                      static_cast<std::uint32_t>(part.size())};
    };

    message_reader reader{bytes, bytes.data()};
    while (reader.next()) {
        switch (reader.as<field::profile>()) {
        case field::profile::sample_type:
            sample_types.push_back(here(reader.bytes()));
            break;
        case field::profile::sample:
            samples.push_back(here(reader.bytes()));
            break;
        case field::profile::mapping:
            mappings.push_back(here(reader.bytes()));
            break;
        case field::profile::location:
            locations.push_back(here(reader.bytes()));
            break;
        case field::profile::function:
            functions.push_back(here(reader.bytes()));
            break;
        case field::profile::string_table:
            strings.push_back(here(reader.bytes()));
            if (strings.front().size != 0) {
                reader.fail("the first string of the string table is not empty");
            }
            break;
        case field::profile::drop_frames:
            drop_frames = reader.varint();
            break;
        case field::profile::keep_frames:
            keep_frames = reader.varint();
            break;
        case field::profile::time_nanos:
            // google/pprof's sign of two profiles written one after the other. protobuf would read
            // them as one profile, with the records of both under clashing ids.
            if (time_nanos != 0) {
                reader.fail("it has several profiles, one after the other");
            }
            time_nanos = static_cast<std::int64_t>(reader.varint());
            break;
        case field::profile::duration_nanos:
            duration_nanos = static_cast<std::int64_t>(reader.varint());
            false_duration_nanos = duration_nanos > longest_duration ? duration_nanos : 0;
            duration_nanos -= false_duration_nanos;
            break;
        case field::profile::period_type:
            period_types.push_back(here(reader.bytes()));
            break;
        case field::profile::period:
            period = static_cast<std::int64_t>(reader.varint());
            break;
        case field::profile::comment:
            comments.push_back(here(reader.packed()));
            for_each_packed(at(comments.back()), bytes.data(), [](std::uint64_t) {});
            break;
        case field::profile::default_sample_type:
            default_sample_type = reader.varint();
            break;
        case field::profile::doc_url:
            doc_url = reader.varint();
            break;
        default:
            unknown_fields.push_back(here(reader.raw()));
            break;
        }
    }
    if (strings.empty()) {
        throw error{error_kind::malformed, "the string table is missing; every profile has one"};
    }
}

} // namespace pprofdelta
