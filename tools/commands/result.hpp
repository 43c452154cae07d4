// SPDX-License-Identifier: Apache-2.0
// A delta as `delta` and `report` make it, and what is told of profiles that were read and written.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/delta.hpp>

#include "cli/options.hpp"
#include "files/profile_file.hpp"
#include "output/gate.hpp"
#include "output/status.hpp"

namespace pprofdelta::tool {

/// The amounts that a run has read and written. Constructed at its start, to measure the time.
struct traffic {
    std::size_t bytes_in = 0; ///< Uncompressed.
    std::size_t bytes_in_on_disk = 0;
    std::size_t bytes_out = 0;
    std::size_t bytes_out_on_disk = 0;
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();

    void read(const profile_file& profile);
    /// Writes a profile.
    /// @param is_delta, lost see profile_output::encoded().
    void write(const profile_output& output, std::string profile, bool is_delta, std::string& lost,
               durability when);
    void add_in(run_status& line) const;
    void add_out(run_status& line) const;
    /// "1000 bytes in (200 on disk), 300 bytes out (100 on disk); 0.010 s, avx2"
    [[nodiscard]] std::string text() const;
};

/// Whether it is worth a word that counters of one process fell, as nobody asked for it.
[[nodiscard]] bool do_falls_count(const delta_options& options) noexcept;

/// A delta, and the messages about it.
struct made_delta {
    std::string bytes{};
    delta_summary summary{};
    std::vector<type_treatment> types{};
    std::vector<std::string> left_out{}; ///< Messages about sample types.
    std::string lost{}; ///< The facts that the format of the delta has no place for.
    std::string current_name{};
    std::string_view current{}; ///< The profile, or what `named` has of it.
    std::string named{};        ///< The current profile with names.
    /// The loss of the samples that decreased, in the first type that did; empty if none did.
    std::string decrease{};

    /// @param previous the profile before; nullptr if there is but a state.
    [[nodiscard]] computed_delta computed(const profile_file* previous) const;

    /// Prints warnings on standard error, and says what is known of the delta.
    /// @param previous    names the profile that it was compared with.
    /// @param after_reset says what happens because the counters started over.
    /// @param options     are those that it was computed with.
    void report(const std::string& previous, const std::string& after_reset,
                const delta_options& options, const traffic& sizes, run_status& line) const;
};

/// A profile with the types of the series in another order, or with more, is taken with those.
/// @param previous names the profile to compare with, for messages.
/// @param current  outlives the use of computed().
[[nodiscard]] made_delta compute_delta(delta_computer& computer, read_profile& current,
                                       const std::string& previous);

/// Names the frames of a delta, which may keep those of the current profile.
void put_names(made_delta& made, const read_options& options);

/// Leaves the types that both profiles have, in the order of the previous one, where they differ.
/// @returns the messages about types that are left out; nothing if the profiles stay as they were.
std::optional<std::vector<std::string>> match_types(profile_file& previous, read_profile& current);

/// @param current_keys the keys of the current profile, if they were made ahead.
[[nodiscard]] made_delta subtract(const comparison& profiles, const delta_options& options,
                                  std::optional<keyed_profile>& current_keys);

} // namespace pprofdelta::tool
