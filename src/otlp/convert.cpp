// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/otlp_profile.hpp>

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include <pprofdelta/error.hpp>

#include "codec/bounded_output.hpp"
#include "otlp/contents.hpp"
#include "otlp/header.hpp"
#include "otlp/labels.hpp"
#include "otlp/room.hpp"
#include "otlp/samples.hpp"
#include "otlp/strings.hpp"
#include "otlp/tables.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

namespace {

// What a profile of OTLP is of: a series of observations has one at a time.
struct otlp_span {
    std::uint32_t source;
    std::size_t type;
    std::uint64_t begin;
    std::uint64_t end;
    std::uint32_t profile;
};

// Intervals that do not overlap can be added up. Two moments cannot: what they have are totals, or
// what is in use.
void require_apart(std::vector<otlp_span>& spans, const otlp_contents& contents) {
    std::sort(spans.begin(), spans.end(), [](const otlp_span& a, const otlp_span& b) {
        return std::tie(a.source, a.type, a.begin, a.end, a.profile) <
               std::tie(b.source, b.type, b.begin, b.end, b.profile);
    });
    const auto clash =
        std::adjacent_find(spans.begin(), spans.end(), [](const otlp_span& a, const otlp_span& b) {
            return a.source == b.source && a.type == b.type &&
                   (a.begin == a.end || b.begin == b.end || b.begin < a.end);
        });
    if (clash != spans.end()) {
        const otlp_profile_entry& profile = contents.profiles[(clash + 1)->profile];
        throw error{error_kind::incompatible,
                    "two profiles of one resource, scope and type are of the same time or of "
                    "moments, and have no sum; they are to be read one by one",
                    profile.sample_type.offset};
    }
}

} // namespace

void convert_otlp_profile(std::string_view bytes, std::string& profile, std::size_t max_size) {
    const otlp_contents contents{bytes};
    const otlp_dictionary& dictionary = contents.dictionary;
    otlp_room room{bytes.size(), max_size};
    otlp_strings strings{dictionary, room};
    otlp_labels labels{dictionary, strings, room};
    otlp_header header{dictionary, strings, room};

    std::vector<record> resources;
    for (const record resource : contents.resources) {
        resources.push_back(labels.of_resource(dictionary.at(resource)));
    }
    std::vector<std::uint32_t> sources;
    for (const otlp_source& source : contents.sources) {
        const std::string_view scope = dictionary.at(source.scope);
        sources.push_back(labels.set_of_source(resources[source.resource], scope));
        header.add_scope(scope);
    }
    std::vector<otlp_span> spans;
    for (const otlp_profile_entry& each : contents.profiles) {
        spans.push_back({sources[each.source], header.add_type(each), each.time,
                         each.time + each.duration, static_cast<std::uint32_t>(spans.size())});
        header.add_profile(each);
    }
    otlp_samples samples{dictionary, labels, room, header.types()};
    for (const otlp_span& span : spans) {
        const otlp_profile_entry& each = contents.profiles[span.profile];
        samples.begin(each.last_sample - each.first_sample);
        for (std::uint32_t i = each.first_sample; i < each.last_sample; ++i) {
            samples.add(dictionary.at(contents.samples[i]), span.source, span.type);
        }
    }
    require_apart(spans, contents);

    profile.clear();
    profile.reserve(std::min(bytes.size() + bytes.size() / 8, max_size)); // which most have
    header.append_types_to(profile);
    samples.append_to(profile);
    append_otlp_tables(dictionary, strings, profile);
    if (samples.uses_zero()) {
        number_fields<1> unknown;
        unknown.add(field::location::id, samples.id_of_zero());
        append_bytes(profile, field::profile::location, unknown.bytes());
    }
    header.append_to(profile);
    strings.append_to(profile);
    require_within(profile.size(), max_size);
}

} // namespace pprofdelta
