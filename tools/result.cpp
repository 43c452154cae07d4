// SPDX-License-Identifier: Apache-2.0
#include "result.hpp"

#include <cstdio>
#include <string>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/comment.hpp>

#include "failure.hpp"
#include "figures.hpp"
#include "file.hpp"
#include "short_names.hpp"

namespace pprofdelta::tool {

namespace {

void print_warning(const std::string& name, const std::string& text) {
    std::fprintf(stderr, "pprofdelta: warning: %s: %s\n", printable(name).c_str(), text.c_str());
}

} // namespace

void refuse_terminal(const delta_command& chosen) {
    if (chosen.output.empty() && !chosen.force && standard_output_is_terminal()) {
        throw failure{exit_status::usage, "a profile is not for a terminal: redirect it, use "
                                          "-o FILE, or -f to have it there all the same"};
    }
}

void result::count(const profile_file& profile) {
    m_bytes_in += profile.bytes().size();
    m_bytes_in_on_disk += profile.size_on_disk();
}

void result::compute(delta_computer& computer, const profile_file& current,
                     const std::string& previous) {
    m_current_name = current.name();
    try {
        m_summary = computer.compute(current.bytes(), m_delta, current.source());
    } catch (const error& e) {
        if (e.kind() == error_kind::reset) {
            throw failure{exit_status::incompatible,
                          m_current_name + ": " + e.what() + "; see --on-reset"};
        }
        // A first profile can only be incompatible with the options.
        const bool is_both = e.kind() == error_kind::incompatible && computer.has_previous();
        throw to_failure(e, is_both ? previous + " and " + m_current_name : m_current_name);
    }
}

void result::diff(const comparison& profiles, const delta_options& options) {
    m_current_name = profiles.current_name();
    m_summary = profiles.about_both([&](std::string_view previous, std::string_view current) {
        return pprofdelta::diff(previous, current, options, m_delta);
    });
    m_summary.previous_has_duration = false; // which does not matter to a diff
    if (profiles.normalized_by()) {
        add_comment(m_delta, profiles.normalization_text());
    }
}

void result::compress(const delta_command& chosen) {
    m_bytes_out = m_delta.size();
    if (chosen.compress != codec::none) {
        m_delta = encode(m_delta, chosen.compress, chosen.level);
    }
}

void result::write(const delta_command& chosen) {
    m_bytes_out_on_disk = m_delta.size();
    // With a state, the delta must be safe on disk before the state moves on.
    const durability when = chosen.state.empty() ? durability::cached : durability::synced;
    if (chosen.output.empty()) {
        write_standard_output(m_delta, when);
    } else {
        write_file(chosen.output, m_delta, when);
    }
}

void result::warn(const std::string& previous, const std::string& after_reset) const {
    if (m_summary.reset) {
        print_warning(m_current_name,
                      "the counters started over, as after a restart; " + after_reset);
    }
    if (m_summary.out_of_order) {
        print_warning(m_current_name, "it is older than the profile before");
    }
    if (m_summary.previous_has_duration) {
        print_warning(previous,
                      "it has a duration, as deltas do; this may be the delta of a delta");
    }
}

void result::report(const delta_command& chosen, const std::string& previous) const {
    if (!chosen.quiet) {
        warn(previous, chosen.delta.on_reset == reset_policy::drop
                           ? "no samples are written (see --on-reset)"
                           : "its values are taken as the increase (see --on-reset)");
    }
    if (chosen.verbose) {
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - m_start;
        std::fprintf(stderr,
                     "pprofdelta: %zu samples in, %zu kept; %zu bytes in (%zu on disk), "
                     "%zu bytes out (%zu on disk); %s s\n",
                     m_summary.samples_in, m_summary.samples_kept, m_bytes_in, m_bytes_in_on_disk,
                     m_bytes_out, m_bytes_out_on_disk, fixed_text(time.count(), 3).c_str());
    }
}

} // namespace pprofdelta::tool
