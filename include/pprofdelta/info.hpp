// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_INFO_HPP
#define PPROFDELTA_INFO_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/value_type.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// What a profile holds, apart from its samples.
struct profile_info {
    std::vector<type_treatment> types;
    value_type period_type;          ///< Both strings are empty if there is none.
    std::int64_t period = 0;         ///< The distance between two samples, in that type.
    std::int64_t time_nanos = 0;     ///< Nanoseconds since 1970, or 0.
    std::int64_t duration_nanos = 0; ///< 0 if the profile does not say.
    // The first mapping is that of the program. Both are empty if they are not known.
    std::string binary;   ///< Its file. Any bytes, as the build id.
    std::string build_id; ///< Of its file.
    /// A number that all profiles of one process have in common, and those of others do not: a hash
    /// of where its mappings lie. 0 if these do not tell processes apart.
    std::uint64_t process = 0;
    /// The numbers of records; duplicates count.
    std::size_t samples = 0;
    std::size_t locations = 0;
    std::size_t functions = 0;
    std::size_t mappings = 0;
    std::size_t strings = 0;
};

/// Describes `profile`, which is serialized and uncompressed, as for a delta_computer. What lies
/// within samples, locations, functions and all mappings but the first is neither read nor checked.
///
/// Cost: time linear in the profile; memory of 8 bytes for each record.
/// @param options say which types are subtracted; see list_types().
/// @throws error malformed, too_large; incompatible for options that do not fit the profile.
[[nodiscard]] profile_info read_profile_info(std::string_view profile,
                                             const delta_options& options = {});

/// The labels of a profile that have the same key and hold texts, or numbers in the same unit.
struct label_info {
    std::string key; ///< Any bytes, as the unit.
    bool is_text = true;
    std::string unit{};      ///< Of numbers, as pprof takes it where the labels name none.
    std::size_t values = 0;  ///< The number of different ones.
    std::size_t samples = 0; ///< The number of samples that have any.
};

struct label_list {
    std::vector<label_info> labels; ///< Those that most samples have come first.
    std::size_t left_out = 0;       ///< How many more there are, if their names are very long.
};

/// Lists the labels of the samples of `profile`, which is serialized and uncompressed. As in
/// google/pprof a label that has neither a text nor a number is none.
///
/// Cost: time linear in the profile, and for sorting what is returned; memory of 4 bytes for each
/// sample and label, and about 70 for each different value. Keys and units have 1 MiB together.
/// @throws error malformed, also for what lies within samples; too_large.
[[nodiscard]] label_list list_labels(std::string_view profile);

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_INFO_HPP
