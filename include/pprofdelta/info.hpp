// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     const profile_info info = read_profile_info(current);
//     for (const type_treatment& each : info.types) {
//         std::cout << to_string(each.type) << " is a " << to_string(each.kind) << '\n';
//     }

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/value_type.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// The form of the counters of a heap of which only samples are known.
enum class counter_form : std::uint8_t {
    usual, ///< The usual form, or an unknown one.
    /// Sums of samples, scaled by their mean size: of jemalloc before 5.3, and with
    /// prof_unbias:false. They are subtracted first and scaled then.
    plain,
    /// Sums that are right once they are scaled: of jemalloc since 5.3. They are subtracted as they
    /// are.
    unbiased,
};

/// Returns "usual", "plain" or "unbiased".
[[nodiscard]] const char* to_string(counter_form form) noexcept;

/// The content of a profile, apart from its samples.
struct profile_info {
    std::vector<type_treatment> types;
    value_type period_type;  ///< The type of the period; both strings are empty if there is none.
    std::int64_t period = 0; ///< The distance between two samples, in that type.
    /// The form that the converter of a text has noted.
    counter_form counters = counter_form::usual;
    std::int64_t time_nanos = 0;     ///< Nanoseconds since 1970, or 0.
    std::int64_t duration_nanos = 0; ///< 0 if the profile has none.
    // The first mapping is the program's. The strings are empty if unknown.
    std::string binary;   ///< The program's file. Any bytes, as the build id.
    std::string build_id; ///< The build id of this file.
    /// A number that is the same for all profiles of a process, and differs between processes: a
    /// hash of the addresses of its mappings. 0 if these do not tell processes apart.
    std::uint64_t process = 0;
    // The numbers of records, with duplicates.
    std::size_t samples = 0;
    std::size_t locations = 0;
    std::size_t functions = 0;
    std::size_t mappings = 0;
    std::size_t strings = 0;
};

/// Describes `profile`, which is serialized and uncompressed, as for a delta_computer. The contents
/// of samples, locations and functions are neither read nor checked.
///
/// Cost: time linear in the profile; memory of 8 bytes for each record.
/// @param options define which types are subtracted; see list_types().
/// @throws error malformed, too_large; incompatible for options that do not fit the profile.
[[nodiscard]] profile_info read_profile_info(std::string_view profile,
                                             const delta_options& options = {});

/// Returns the total of each value type of `profile`, which is serialized and uncompressed, over
/// all samples, in their order. O(size of the profile)
/// @throws error malformed; too_large for a total that does not fit 64 bits.
[[nodiscard]] std::vector<std::int64_t> read_totals(std::string_view profile);

/// The labels of a profile with one key, either those with texts or those with numbers in one unit.
struct label_info {
    std::string key; ///< Any bytes, as the unit.
    bool is_text = true;
    std::string unit{};      ///< The unit of numbers; the one that pprof assumes if there is none.
    std::size_t values = 0;  ///< The number of distinct values.
    std::size_t samples = 0; ///< The number of samples with such a label.
};

struct label_list {
    std::vector<label_info> labels; ///< Those that most samples have come first.
    std::size_t left_out = 0;       ///< The number of others, if their names are very long.
};

/// Lists the labels of the samples of `profile`, which is serialized and uncompressed. A label with
/// neither a text nor a number does not count, as in google/pprof.
///
/// Cost: time linear in the profile, and for sorting the result; memory of 4 bytes for each sample
/// and label, and about 70 for each distinct value. Keys and units together are limited to 1 MiB.
/// @throws error malformed, also for the contents of samples; too_large.
[[nodiscard]] label_list list_labels(std::string_view profile);

} // namespace pprofdelta

#pragma GCC visibility pop
