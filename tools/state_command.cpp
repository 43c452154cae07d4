// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdio>
#include <ctime>
#include <memory>
#include <string>
#include <utility>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/state.hpp>

#include "beside.hpp"
#include "commands.hpp"
#include "file.hpp"
#include "lock_file.hpp"
#include "profile_file.hpp"
#include "result.hpp"
#include "short_names.hpp"
#include "temporary_file.hpp"

namespace pprofdelta::tool {

void run_state_delta(const options& chosen) {
    refuse_terminal(chosen);
    result r;
    // Before the lock is taken: what writes the profile may take its time.
    raw_file raw{chosen.files[0], chosen.max_size};

    const std::string path = resolve_links(chosen.state);
    (void)regular_file_exists(chosen.state); // or a pipe would keep the lock, and a device get one
    const lock_file lock{path + ".lock",
                         std::chrono::duration<double>{chosen.lock_timeout_seconds}};
    remove_abandoned_files(path);
    // Inflated while the state is loaded.
    auto inflated =
        beside([&] { return std::make_unique<profile_file>(std::move(raw), chosen.max_size); });
    delta_computer computer{chosen.delta};
    if (!chosen.reset_state && regular_file_exists(path)) {
        const std::string state = read_file(path, max_profile_size);
        about(chosen.state, [&] { computer.load(state); });
    }
    const auto current = inflated.get();
    r.count(*current);
    r.compute(computer, *current, chosen.state);

    // In this order a crash in between repeats an interval, and never loses one.
    auto saved = beside([&computer] { return computer.save(); });
    r.compress(chosen);
    r.write(chosen);
    write_file(chosen.state, saved.get(), durability::synced);
    r.report(chosen, chosen.state);
}

namespace {

std::string utc(std::int64_t nanos) {
    constexpr std::int64_t second = 1'000'000'000;
    const auto seconds = static_cast<std::time_t>(nanos / second);
    std::tm parts{};
    std::array<char, 64> text{};
    if (nanos == 0 || ::gmtime_r(&seconds, &parts) == nullptr ||
        std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts) == 0) {
        return "unknown";
    }
    return text.data();
}

} // namespace

void run_state_info(const options& chosen) {
    const std::string state = read_file(chosen.state, max_profile_size);
    const state_info info =
        about(display_name(chosen.state), [&] { return read_state_info(state); });
    std::string text = "version " + std::to_string(info.version) + "\n";
    text += std::string{"source "} + to_string(info.source) + "\n";
    text += std::string{"match "} + to_string(info.match) + "\n";
    for (const auto& [type, is_cumulative] : info.types) {
        text +=
            "type " + printable(to_string(type)) + (is_cumulative ? " cumulative\n" : " gauge\n");
    }
    text += "time " + utc(info.time_nanos) + "\n";
    text += "samples " + std::to_string(info.samples) + "\n";
    text += "vanished " + std::to_string(info.vanished) + "\n";
    text += "size " + std::to_string(info.size) + "\n";
    text += "uncompressed " + std::to_string(info.uncompressed_size) + "\n";
    write_standard_output(text);
}

} // namespace pprofdelta::tool
