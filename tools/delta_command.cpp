// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstdio>
#include <iostream>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/delta.hpp>

#include "commands.hpp"
#include "failure.hpp"
#include "file.hpp"
#include "profile_file.hpp"

namespace pprofdelta::tool {

namespace {

struct result {
    std::string delta;
    delta_summary summary;
    std::size_t bytes_in = 0; // uncompressed
    std::size_t bytes_in_on_disk = 0;
};

void count(result& r, const profile_file& profile) {
    r.bytes_in += profile.bytes().size();
    r.bytes_in_on_disk += profile.size_on_disk();
}

result subtract(const options& chosen) {
    const std::string& previous_path = chosen.files[0];
    const std::string& current_path = chosen.files[1];
    const std::string both = display_name(previous_path) + " and " + display_name(current_path);
    result r;
    if (chosen.diff) {
        const profile_file previous{previous_path};
        const profile_file current{current_path};
        count(r, previous);
        count(r, current);
        r.summary = about(
            both, [&] { return diff(previous.bytes(), current.bytes(), chosen.delta, r.delta); });
        return r;
    }
    delta_computer computer{chosen.delta};
    {
        // In a scope of its own, so that the two are not in memory at the same time.
        const profile_file previous{previous_path};
        count(r, previous);
        about(previous.name(), [&] { computer.prime(previous.bytes()); });
    }
    const profile_file current{current_path};
    count(r, current);
    r.summary = about(both, [&] { return computer.compute(current.bytes(), r.delta); });
    return r;
}

void warn(const options& chosen, const delta_summary& summary) {
    if (chosen.quiet) {
        return;
    }
    const std::string prefix = "pprofdelta: warning: ";
    if (summary.reset) {
        const bool drop = chosen.delta.on_reset == reset_policy::drop;
        std::cerr << prefix << display_name(chosen.files[1])
                  << ": the counters started over, as after a restart; "
                  << (drop ? "no samples are written" : "its values are taken as the increase")
                  << " (see --on-reset)\n";
    }
    if (summary.previous_has_duration && !chosen.diff) {
        std::cerr << prefix << display_name(chosen.files[0])
                  << ": it has a duration, as deltas do; this may be the delta of a delta\n";
    }
}

} // namespace

void run_delta(const options& chosen) {
    const auto start = std::chrono::steady_clock::now();
    if (chosen.output.empty() && !chosen.force && standard_output_is_terminal()) {
        throw failure{exit_status::usage, "a profile is not for a terminal: redirect it, use "
                                          "-o FILE, or -f to have it there all the same"};
    }
    result r = subtract(chosen);
    const std::size_t size = r.delta.size();
    const std::string bytes = chosen.compress == codec::none
                                  ? std::move(r.delta)
                                  : encode(r.delta, chosen.compress, chosen.level);
    if (chosen.output.empty()) {
        write_standard_output(bytes);
    } else {
        write_file(chosen.output, bytes);
    }
    warn(chosen, r.summary);
    if (chosen.verbose) {
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        std::fprintf(stderr,
                     "pprofdelta: %zu samples in, %zu kept; %zu bytes in (%zu on disk), "
                     "%zu bytes out (%zu on disk); %.3f s\n",
                     r.summary.samples_in, r.summary.samples_kept, r.bytes_in, r.bytes_in_on_disk,
                     size, bytes.size(), time.count());
    }
}

} // namespace pprofdelta::tool
