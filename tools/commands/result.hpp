// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_COMMANDS_RESULT_HPP
#define PPROFDELTA_TOOLS_COMMANDS_RESULT_HPP

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/delta.hpp>

#include "cli/gate.hpp"
#include "cli/options.hpp"
#include "cli/status.hpp"
#include "files/profile_file.hpp"

namespace pprofdelta::tool {

/// A delta that will be written, and the messages about it. Constructed at the start, to measure
/// the time.
class result {
public:
    /// Counts what was read.
    void count(const profile_file& profile);

    /// A profile with the types of the series in another order, or with more, is taken with those.
    /// @param previous what the profile is compared with, for messages.
    /// @param current  must outlive the use of computed().
    void compute(delta_computer& computer, read_profile& current, const std::string& previous);
    /// Names the frames of what compute() has computed, which may keep those of the current
    /// profile.
    void put_names(const reading& how);
    /// What compute() has computed.
    /// @param previous the profile before; nullptr if there is but a state.
    [[nodiscard]] computed_delta computed(const profile_file* previous) const;
    /// Leaves the types that both profiles have, in the order of the previous one, where they
    /// differ.
    /// @returns whether that changed anything.
    bool match_types(profile_file& previous, read_profile& current);
    /// @param current_keys the keys of the current profile, if they were made ahead.
    void diff(const comparison& profiles, const delta_options& options,
              std::optional<keyed_profile>& current_keys);

    /// Must be called before write().
    void compress(const profile_output& output, bool is_diff);

    /// Writes the delta to its destination.
    void write(const profile_output& output, durability when);

    /// Prints warnings on standard error, and says what is known of the delta.
    /// @param after_reset what happens because the counters started over.
    /// @param options     what it was computed with.
    void tell(const std::string& previous, const std::string& after_reset,
              const delta_options& options, bool quiet, run_status& line) const;

    /// As tell() for a delta that was written.
    /// @param is_verbose whether its figures are printed, too.
    void report(const std::string& previous, const delta_options& options, bool quiet,
                bool is_verbose, run_status& line) const;

private:
    void note_types(const std::string& name, const std::string& left_out, const std::string& other);
    [[nodiscard]] std::vector<std::string>
    warnings(const std::string& previous, const std::string& after_reset, bool falls_count) const;

    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
    std::string m_delta;
    delta_summary m_summary;
    std::vector<type_treatment> m_types;
    std::vector<std::string> m_left_out; // types, for people
    std::string m_lost;                  // what the format of the delta has no place for
    std::string m_current_name;
    std::string m_named; // the current profile with names
    std::string_view m_current;
    std::size_t m_bytes_in = 0; // uncompressed
    std::size_t m_bytes_in_on_disk = 0;
    std::size_t m_bytes_out = 0;
    std::size_t m_bytes_out_on_disk = 0;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_COMMANDS_RESULT_HPP
