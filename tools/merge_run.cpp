// SPDX-License-Identifier: Apache-2.0
#include "merge_command.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <numeric>
#include <utility>

#include <pprofdelta/error.hpp>
#include <pprofdelta/info.hpp>
#include <pprofdelta/processor.hpp>

#include "capture_files.hpp"
#include "common_options.hpp"
#include "figures.hpp"
#include "file.hpp"
#include "json.hpp"
#include "path_list.hpp"
#include "profile_file.hpp"
#include "progress.hpp"

namespace pprofdelta::tool {

namespace {

std::size_t size_of(const std::vector<std::string>& files) {
    return std::accumulate(
        files.begin(), files.end(), std::size_t{0},
        [](std::size_t sum, const std::string& file) { return sum + regular_file_size(file); });
}

} // namespace

exit_status merge_command::run() const {
    output.refuse_terminal();
    run_status told{name, status};
    return told.report_on([&] { return run(told); });
}

merge_command::inputs merge_command::find_inputs() const {
    inputs found;
    for (std::size_t i = 0; i < files.size(); ++i) {
        for (std::string& file : find_files({files[i]})) {
            found.files.push_back(std::move(file));
            found.weights.push_back(weights.empty() ? 1 : weights[i]);
        }
    }
    if (!list.empty()) {
        const std::string text = read_file(list, max_profile_size);
        for (listed_path& listed :
             list_has_nul ? paths_with_nul(text) : paths_of_lines(text, display_name(list))) {
            found.files.push_back(std::move(listed.path));
            found.weights.push_back(listed.weight);
        }
    }
    if (found.files.empty()) {
        throw failure{exit_status::usage, display_name(list) + ": there is no path in this list"};
    }
    check_paths(found.files);
    return found;
}

merge_command::sizes merge_command::add_all(const inputs& from, profile_sum& sum,
                                            process_list& processes, run_status& told) const {
    sizes read;
    std::string first; // the name of the first profile in the sum
    std::vector<std::string> bad;
    progress shown{from.files.size(), size_of(from.files), !quiet};
    const auto count = [&](std::size_t i) { shown.add(regular_file_size(from.files[i])); };
    const auto use = [&](std::size_t i, const shared_profile& profile) {
        const profile_file& file = *profile;
        try {
            sum.add(file.bytes(), from.weights[i]);
        } catch (const error& e) {
            throw to_failure(e, e.input() == error_input::both ? first + " and " + file.name()
                                                               : file.name());
        }
        processes.add(read_profile_info(file.bytes()));
        if (first.empty()) {
            first = file.name();
        }
        read.bytes += file.bytes().size();
        read.bytes_on_disk += file.size_on_disk();
        count(i);
    };
    std::function<void(std::size_t, const failure&)> pass_over;
    if (skip_bad) {
        pass_over = [&](std::size_t i, const failure& e) {
            bad.emplace_back(e.what());
            count(i);
        };
    }
    read_all(from.files, max_size, use, pass_over);
    shown.end();
    told.warn(bad, false);
    told.add("skipped", static_cast<std::int64_t>(bad.size()));
    if (sum.size() == 0) {
        throw failure{exit_status::malformed, "no profile is left to add up"};
    }
    return read;
}

exit_status merge_command::run(run_status& told) const {
    const auto start = std::chrono::steady_clock::now();
    const inputs from = find_inputs();
    told.add("inputs", json_strings(names_of(from.files)));
    profile_sum sum{merged};
    process_list processes;
    const sizes in = add_all(from, sum, processes, told);
    const std::string repeated = find_repeated(from.files);
    if (!repeated.empty()) {
        told.warn({display_name(repeated) + ": it is given twice, and counts twice"}, quiet);
    }
    std::string made;
    const merge_summary found =
        about("the sum", [&] { return mean ? sum.write_mean(made) : sum.write(made); });
    if (found.without_duration != 0) {
        told.warn({std::to_string(found.without_duration) + " of " +
                   std::to_string(found.profiles) +
                   " profiles have a duration of more than 31 years, which is not added"},
                  quiet);
    }
    if (repeated.empty()) {
        told.warn(processes.meaningless_sums(read_profile_info(made), !levels && !mean), quiet);
    }
    sizes out{.bytes = made.size()};
    made = output.encoded(std::move(made));
    out.bytes_on_disk = made.size();
    output.write(made, durability::cached);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    report(found, in, out, time.count(), told);
    return found.profiles == from.files.size() ? exit_status::done : exit_status::malformed;
}

void merge_command::report(const merge_summary& found, const sizes& in, const sizes& out,
                           double seconds, run_status& told) const {
    told.add("profiles", static_cast<std::int64_t>(found.profiles));
    told.add("time_nanos", found.time_nanos);
    told.add("duration_nanos", found.duration_nanos);
    told.add("samples_in", static_cast<std::int64_t>(found.samples_in));
    told.add("samples_out", static_cast<std::int64_t>(found.samples_out));
    told.add("bytes_in", static_cast<std::int64_t>(in.bytes));
    told.add("bytes_in_on_disk", static_cast<std::int64_t>(in.bytes_on_disk));
    told.add("bytes_out", static_cast<std::int64_t>(out.bytes));
    told.add("bytes_out_on_disk", static_cast<std::int64_t>(out.bytes_on_disk));
    if (verbose) {
        std::fprintf(stderr,
                     "pprofdelta: %zu %s, %zu samples in, %zu in the sum; %zu bytes in "
                     "(%zu on disk), %zu bytes out (%zu on disk); %s s, %s\n",
                     found.profiles, found.profiles == 1 ? "profile" : "profiles", found.samples_in,
                     found.samples_out, in.bytes, in.bytes_on_disk, out.bytes, out.bytes_on_disk,
                     fixed_text(seconds, 3).c_str(), std::string{processor_kind()}.c_str());
    }
}

} // namespace pprofdelta::tool
