// SPDX-License-Identifier: Apache-2.0
#include "commands/result.hpp"

#include <cstdio>
#include <string>
#include <utility>

#include <pprofdelta/comment.hpp>
#include <pprofdelta/processor.hpp>

#include "base/failure.hpp"
#include "base/names.hpp"
#include "base/value_text.hpp"
#include "document/report.hpp"
#include "files/file.hpp"

namespace pprofdelta::tool {

void result::count(const profile_file& profile) {
    m_bytes_in += profile.bytes().size();
    m_bytes_in_on_disk += profile.size_on_disk();
}

void result::compute(delta_computer& computer, read_profile& current, const std::string& previous) {
    profile_file& file = *current.file;
    m_current_name = file.name();
    try {
        try {
            m_summary = current.keyed ? computer.compute(*current.keyed, m_delta, file.source())
                                      : computer.compute(file.bytes(), m_delta, file.source());
        } catch (const error& e) {
            if (e.kind() != error_kind::incompatible) {
                throw;
            }
            // Only now, so that profiles with the same types cost nothing.
            const std::vector<type_treatment> before = computer.types();
            const std::vector<type_treatment> own = list_types(file.bytes());
            if (!types_without(before, own).empty() || !keep_types_of(before, own, file)) {
                throw;
            }
            note_types(m_current_name, types_without(own, before), previous);
            m_summary = computer.compute(file.bytes(), m_delta, file.source());
        }
        m_current = file.bytes();
        m_types = computer.types();
    } catch (const error& e) {
        throw to_failure(e, to_names(e.input(), previous, m_current_name), file);
    }
}

void result::put_names(const reading& how) {
    if (how.names) {
        about(m_current_name, [&] {
            m_delta = how.names->named(m_delta);
            m_named = how.names->named(m_current);
        });
        m_current = m_named;
    }
}

bool result::match_types(profile_file& previous, read_profile& current) {
    profile_file& now = *current.file;
    return about_two(previous.name(), now.name(), [&] {
        const std::vector<type_treatment> before = list_types(previous.bytes());
        const std::vector<type_treatment> own = list_types(now.bytes());
        const bool has_changed = keep_types_of(before, own, now);
        if (has_changed) {
            current.keyed.reset();
            keep_types_of(list_types(now.bytes()), before, previous);
            note_types(now.name(), types_without(own, before), previous.name());
            note_types(previous.name(), types_without(before, own), now.name());
        }
        return has_changed;
    });
}

void result::note_types(const std::string& name, const std::string& left_out,
                        const std::string& other) {
    if (!left_out.empty()) {
        m_left_out.push_back(name + ": sample types left out, because " + other +
                             " does not have them: " + left_out);
    }
}

computed_delta result::computed(const profile_file* previous) const {
    computed_delta of{.delta = m_delta,
                      .current = m_current,
                      .previous = {},
                      .types = m_types,
                      .summary = m_summary};
    if (previous != nullptr) {
        of.previous = previous->bytes();
    }
    return of;
}

void result::diff(const comparison& profiles, const delta_options& options,
                  std::optional<keyed_profile>& current_keys) {
    m_current_name = profiles.current_name();
    m_summary = profiles.about_both([&](std::string_view previous, std::string_view current) {
        return current_keys ? pprofdelta::diff(previous, *current_keys, options, m_delta)
                            : pprofdelta::diff(previous, current, options, m_delta);
    });
    m_summary.previous_has_duration = false; // which is no matter to a diff
    if (profiles.normalized_by()) {
        add_comment(m_delta, profiles.normalization_text());
    }
}

void result::compress(const profile_output& output, bool is_diff) {
    m_bytes_out = m_delta.size();
    m_delta = output.encoded(std::move(m_delta), !is_diff && !m_summary.first, m_lost);
}

void result::write(const profile_output& output, durability when) {
    m_bytes_out_on_disk = m_delta.size();
    write_output(output.file, m_delta, when);
}

std::vector<std::string> result::warnings(const std::string& previous,
                                          const std::string& after_reset, bool falls_count) const {
    std::vector<std::string> all;
    if (m_summary.other_program) {
        all.push_back(m_current_name + ": it is from a different program than " + previous +
                      "; to compare two programs, see --diff");
    }
    if (m_summary.reset) {
        all.push_back(m_current_name + ": the counters started over: " +
                      reset_text(m_summary.reason) + "; " + after_reset);
    } else if (m_summary.negative_samples != 0 && falls_count) {
        all.push_back(
            m_current_name + ": " + std::to_string(m_summary.negative_samples) +
            (m_summary.negative_samples == 1 ? " sample" : " samples") +
            " decreased, although counters of one process should not; see --drop-negative");
    }
    all.insert(all.end(), m_left_out.begin(), m_left_out.end());
    if (!m_lost.empty()) {
        all.push_back(m_current_name + ": " + m_lost);
    }
    for (const std::string& each : series_findings(m_summary)) {
        all.push_back(m_current_name + ": " + each);
    }
    if (m_summary.out_of_order) {
        all.push_back(m_current_name + ": it is older than the previous profile");
    }
    if (m_summary.previous_has_duration) {
        all.push_back(previous + ": it has a duration, so it may already be a delta");
    }
    return all;
}

void result::tell(const std::string& previous, const std::string& after_reset,
                  const delta_options& options, bool quiet, run_status& line) const {
    const bool falls_count = options.on_reset != reset_policy::negative && !options.drop_negative;
    line.warn(warnings(previous, after_reset, falls_count), quiet);
    line.add("time_nanos", m_summary.time_nanos);
    line.add("duration_nanos", m_summary.duration_nanos);
    line.add_flag("first", m_summary.first);
    line.add_flag("reset", m_summary.reset);
    line.add_or_null("reset_reason", m_summary.reset ? to_string(m_summary.reason) : "");
    line.add("negative_samples", static_cast<std::int64_t>(m_summary.negative_samples));
    line.add_flag("out_of_order", m_summary.out_of_order);
    line.add("samples_in", static_cast<std::int64_t>(m_summary.samples_in));
    line.add("samples_out", static_cast<std::int64_t>(m_summary.samples_kept));
    line.add("bytes_in", static_cast<std::int64_t>(m_bytes_in));
    line.add("bytes_in_on_disk", static_cast<std::int64_t>(m_bytes_in_on_disk));
}

void result::report(const std::string& previous, const delta_options& options, bool quiet,
                    bool is_verbose, run_status& line) const {
    tell(previous,
         options.on_reset == reset_policy::drop ? "no samples are written (see --on-reset)"
                                                : "counting from zero (see --on-reset)",
         options, quiet, line);
    line.add("bytes_out", static_cast<std::int64_t>(m_bytes_out));
    line.add("bytes_out_on_disk", static_cast<std::int64_t>(m_bytes_out_on_disk));
    if (is_verbose) {
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - m_start;
        std::fprintf(stderr,
                     "pprofdelta: %zu samples in, %zu kept; %zu bytes in (%zu on disk), "
                     "%zu bytes out (%zu on disk); %s s, %s\n",
                     m_summary.samples_in, m_summary.samples_kept, m_bytes_in, m_bytes_in_on_disk,
                     m_bytes_out, m_bytes_out_on_disk, fixed_text(time.count(), 3).c_str(),
                     std::string{processor_kind()}.c_str());
    }
}

} // namespace pprofdelta::tool
