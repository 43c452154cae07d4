// SPDX-License-Identifier: Apache-2.0
#include "commands/result.hpp"

#include <utility>

#include <pprofdelta/comment.hpp>
#include <pprofdelta/processor.hpp>

#include "base/failure.hpp"
#include "base/value_text.hpp"
#include "commands/reading.hpp"
#include "document/document.hpp"
#include "document/report.hpp"

namespace pprofdelta::tool {

void traffic::read(const profile_file& profile) {
    bytes_in += profile.bytes().size();
    bytes_in_on_disk += profile.size_on_disk();
}

void traffic::write(const profile_output& output, std::string profile, bool is_delta,
                    std::string& lost, durability when) {
    bytes_out = profile.size();
    profile = output.encoded(std::move(profile), is_delta, lost);
    bytes_out_on_disk = profile.size();
    write_output(output.file, profile, when);
}

void traffic::add_in(run_status& line) const {
    line.add({{"bytes_in", bytes_in}, {"bytes_in_on_disk", bytes_in_on_disk}});
}

void traffic::add_out(run_status& line) const {
    line.add({{"bytes_out", bytes_out}, {"bytes_out_on_disk", bytes_out_on_disk}});
}

std::string traffic::text() const {
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    return std::to_string(bytes_in) + " bytes in (" + std::to_string(bytes_in_on_disk) +
           " on disk), " + std::to_string(bytes_out) + " bytes out (" +
           std::to_string(bytes_out_on_disk) + " on disk); " + fixed_text(time.count(), 3) +
           " s, " + std::string{processor_kind()};
}

static void add_left_out(std::vector<std::string>& to, const std::string& name,
                         const std::string& left_out, const std::string& other) {
    if (!left_out.empty()) {
        to.push_back(name + ": sample types left out, because " + other +
                     " does not have them: " + left_out);
    }
}

made_delta compute_delta(delta_computer& computer, read_profile& current,
                         const std::string& previous) {
    profile_file& file = *current.file;
    made_delta made{.current_name = file.name()};
    try {
        try {
            made.summary = current.keyed
                               ? computer.compute(*current.keyed, made.bytes, file.source())
                               : computer.compute(file.bytes(), made.bytes, file.source());
        } catch (const error& e) {
            if (e.kind() != error_kind::incompatible) {
                throw;
            }
            // This comes so late so that profiles with the same types cost nothing.
            const std::vector<type_treatment> before = computer.types();
            const std::vector<type_treatment> own = list_types(file.bytes());
            const bool has_all = types_without(before, own).empty();
            if (!has_all || !convert_types(file, mapped(before, &type_treatment::type))) {
                throw;
            }
            add_left_out(made.left_out, file.name(), types_without(own, before), previous);
            made.summary = computer.compute(file.bytes(), made.bytes, file.source());
        }
        made.current = file.bytes();
        made.types = computer.types();
        const std::vector<std::int64_t> negative = computer.negative_totals();
        for (std::size_t i = 0; i < negative.size() && made.decrease.empty(); ++i) {
            if (negative[i] != 0) {
                made.decrease = ", by " + format_value(-negative[i], made.types[i].type.unit) +
                                " of " + printable(to_string(made.types[i].type));
            }
        }
    } catch (const error& e) {
        throw to_failure(e, to_names(e.input(), previous, file.name()), file);
    }
    return made;
}

void put_names(made_delta& made, const read_options& options) {
    if (options.names) {
        with_file_context(made.current_name, [&] {
            made.bytes = options.names->named(made.bytes, 0);
            made.named = options.names->named(made.current, 0);
        });
        made.current = made.named;
    }
}

std::optional<std::vector<std::string>> match_types(profile_file& previous, read_profile& current) {
    profile_file& now = *current.file;
    return with_pair_context(
        previous.name(), now.name(), [&]() -> std::optional<std::vector<std::string>> {
            const std::vector<type_treatment> before = list_types(previous.bytes());
            const std::vector<type_treatment> own = list_types(now.bytes());
            const std::vector<value_type> common = common_types(before, own);
            const bool is_current_changed = convert_types(now, common);
            if (!convert_types(previous, common) && !is_current_changed) {
                return std::nullopt;
            }
            if (is_current_changed) {
                current.keyed.reset();
            }
            std::vector<std::string> left_out;
            add_left_out(left_out, now.name(), types_without(own, before), previous.name());
            add_left_out(left_out, previous.name(), types_without(before, own), now.name());
            return left_out;
        });
}

made_delta subtract(const comparison& profiles, const delta_options& options,
                    std::optional<keyed_profile>& current_keys) {
    made_delta made{.current_name = profiles.current.name(), .current = profiles.current.bytes()};
    made.summary =
        profiles.with_both_profiles([&](std::string_view previous, std::string_view current) {
            return current_keys ? diff(previous, *current_keys, options, made.bytes)
                                : diff(previous, current, options, made.bytes);
        });
    made.summary.previous_has_duration = false; // which is no matter to a diff
    if (profiles.normalized_by) {
        add_comment(made.bytes, profiles.normalization_text);
    }
    return made;
}

computed_delta made_delta::computed(const profile_file* previous) const {
    return {.delta = bytes,
            .current = current,
            .previous = previous == nullptr ? std::nullopt : std::optional{previous->bytes()},
            .types = types,
            .summary = summary};
}

bool do_falls_count(const delta_options& options) noexcept {
    return options.on_reset != reset_policy::negative && !options.drop_negative;
}

void made_delta::report(const std::string& previous, const std::string& after_reset,
                        const delta_options& options, const traffic& sizes,
                        run_status& line) const {
    const auto warn = [&](const std::string& what) { line.warn(current_name + ": " + what); };
    if (summary.other_program) {
        warn("it is from a different program than " + previous +
             "; to compare two programs, see --diff");
    }
    if (summary.reset) {
        const char* const reason =
            summary.is_in_turn ? "this is another process, one of several that answer in turn"
                               : reset_text(summary.reason);
        // In one process only this makes all counters of jemalloc fall.
        const bool may_be_forgotten =
            (summary.reason == reset_reason::sibling || summary.reason == reset_reason::samples) &&
            read_profile_info(current).counters != counter_form::usual;
        warn(reason +
             std::string{may_be_forgotten
                             ? "; or prof.reset of jemalloc ran, from which memory in use is "
                               "counted, too; "
                         : summary.reason == reset_reason::samples ? ", see --drop-label; "
                                                                   : "; "} +
             after_reset);
    } else if (summary.negative_samples != 0 && do_falls_count(options)) {
        warn(counted(summary.negative_samples, "sample") + " decreased" + decrease +
             ", although counters of one process should not; see --drop-negative");
    }
    if (summary.is_rescaled) {
        warn("the sampling period changed from " + format_value(summary.previous_period, "bytes") +
             " to " + format_value(summary.period, "bytes") +
             "; the counters before were scaled with the new one, and so was what was allocated "
             "until it changed, so the next delta is right; memory in use does not compare until "
             "what is older is freed");
    } else if (summary.previous_period != 0 && !summary.reset) {
        warn(different_periods_text(summary.previous_period, summary.period,
                                    read_profile_info(current).period_type.unit));
    }
    line.warn(left_out);
    if (!lost.empty()) {
        warn(lost);
    }
    std::ranges::for_each(series_findings(summary), warn);
    if (summary.is_unpublished) {
        warn(
            "no garbage collection seems to have ended since the previous profile, so Go published "
            "nothing; read heap?gc=1");
    }
    if (summary.out_of_order && !summary.clock_was_set) {
        const bool has_fallen =
            summary.reason == reset_reason::counters || summary.reason == reset_reason::sibling;
        warn(has_fallen ? "it is older than the previous profile; are the two swapped?"
                        : "it is older than the previous profile");
    }
    if (summary.previous_has_duration) {
        line.warn(previous + ": it has a duration, so it may already be a delta");
    }
    line.add("time_nanos", summary.time_nanos);
    line.add("duration_nanos", summary.duration_nanos);
    line.add_flag("first", summary.first);
    line.add_flag("reset", summary.reset);
    line.add_or_null("reset_reason", summary.reset ? to_string(summary.reason) : "");
    line.add({{"negative_samples", summary.negative_samples}});
    line.add_flag("out_of_order", summary.out_of_order);
    line.add({{"samples_in", summary.samples_in}, {"samples_out", summary.samples_kept}});
    sizes.add_in(line);
}

} // namespace pprofdelta::tool
