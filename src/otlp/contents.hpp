// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_OTLP_CONTENTS_HPP
#define PPROFDELTA_SRC_OTLP_CONTENTS_HPP

#include <cstdint>
#include <string_view>
#include <vector>

#include "otlp/dictionary.hpp"
#include "profile/view.hpp"

namespace pprofdelta {

/// A Profile as it lies in the message. Nothing that it refers to is looked up here.
struct otlp_profile_entry {
    std::uint32_t source = 0; ///< Place of its resource and scope.
    std::uint32_t first_sample = 0;
    std::uint32_t last_sample = 0; ///< One after it.
    record sample_type{0, 0};
    record period_type{0, 0};
    record attribute_indices{0, 0}; ///< Packed.
    std::uint64_t time = 0;         ///< Nanoseconds since 1970, that fit 63 bits; so does the end.
    std::uint64_t duration = 0;     ///< Nanoseconds.
    std::int64_t period = 0;
};

/// A resource, and one of its scopes.
struct otlp_source {
    std::uint32_t resource = 0; ///< Its place.
    record scope{0, 0};
};

/// What a message of OTLP holds, found in one scan: the dictionary can come last, so profiles are
/// listed before anything that they refer to is known.
class otlp_contents {
public:
    /// @param bytes a ProfilesData or an ExportProfilesServiceRequest; has to outlive this.
    /// @throws error malformed, too_large.
    explicit otlp_contents(std::string_view bytes);

    otlp_dictionary dictionary;
    std::vector<record> resources;
    std::vector<otlp_source> sources;
    std::vector<otlp_profile_entry> profiles;
    std::vector<record> samples; ///< Of all profiles, one after the other.

private:
    void add_resource(std::string_view message);
    void add_scope(std::string_view message);
    void add_profile(std::string_view message);
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_OTLP_CONTENTS_HPP
