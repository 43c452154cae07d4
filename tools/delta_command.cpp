// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include <pprofdelta/delta.hpp>

#include "beside.hpp"
#include "commands.hpp"
#include "comparison.hpp"
#include "file.hpp"
#include "gate.hpp"
#include "profile_file.hpp"
#include "report_output.hpp"
#include "result.hpp"

namespace pprofdelta::tool {

namespace {

using loaded = std::unique_ptr<profile_file>;

// A file is read, and inflated, while something else goes on. Not a pipe: who has to wait for one
// could not end before it does.
std::future<loaded> load_ahead(const std::string& path, std::size_t max_size) {
    const auto load = [=] {
        return std::make_unique<profile_file>(raw_file{path, max_size}, max_size);
    };
    return is_regular_file(path) ? beside(load) : std::async(std::launch::deferred, load);
}

} // namespace

exit_status run_delta(const options& chosen) {
    if (!chosen.no_delta) {
        refuse_terminal(chosen);
    }
    gate limits{chosen};
    const bool has_report = chosen.report != options::report_form::none;
    const bool has_picture = !chosen.flame_graph.empty();
    const bool compares = limits.is_on() || has_report || has_picture;
    result r;
    std::future<loaded> ahead = load_ahead(chosen.files[1], chosen.max_size);
    auto previous =
        std::make_unique<profile_file>(raw_file{chosen.files[0], chosen.max_size}, chosen.max_size);
    const std::string previous_name = previous->name();
    r.count(*previous);
    delta_computer computer{chosen.delta};
    if (!chosen.diff) {
        about(previous_name, [&] { computer.prime(previous->bytes(), previous->source()); });
        if (!compares) {
            previous.reset(); // for its memory to be free again when the delta is made
        }
    }
    const loaded current = ahead.get();
    r.count(*current);
    std::optional<comparison> profiles;
    if (previous) {
        profiles.emplace(chosen, *previous, *current);
    }
    std::string report;
    std::string picture;
    std::future<void> compared;
    if (compares) {
        compared = beside([&] {
            if (limits.is_on()) {
                limits.judge(*profiles);
            }
            if (has_report) {
                report = make_report_text(chosen, *profiles, limits.judgements());
            }
            if (has_picture) {
                picture = draw_flame_graph(chosen, *profiles);
            }
        });
    }
    if (chosen.diff) {
        r.diff(*profiles, chosen.delta);
    } else {
        r.compute(computer, *current, previous_name);
    }
    if (!chosen.no_delta) {
        r.compress(chosen);
    }
    // Before anything is written: limits and reports that do not fit the profiles are an error.
    if (compares) {
        compared.get();
    }
    if (!chosen.no_delta) {
        r.write(chosen);
    }
    r.report(chosen, previous_name);
    write_reports(chosen, report, picture);
    return limits.report(chosen);
}

} // namespace pprofdelta::tool
