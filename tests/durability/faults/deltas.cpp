// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <pprofdelta/comment.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/normalize.hpp>
#include <pprofdelta/state.hpp>

#include "sweep.hpp"

namespace pprofdelta::test {

namespace {

// One call on a computer that has seen `before`, or nothing if that is empty.
void sweep_compute(const std::string& name, const std::string& before, const std::string& now,
                   const delta_options& options = {}) {
    sweep("delta_computer::compute: " + name, [&](fault& f) {
        delta_computer computer{options};
        std::string state;
        if (!before.empty()) {
            computer.prime(before);
            state = computer.save();
        }
        std::string delta;
        const bool is_done = f.allows([&] { computer.compute(now, delta); });
        if (!is_done) {
            require(computer.has_previous() == !before.empty(), "there is another state");
            require(before.empty() || computer.save() == state, "the state has changed");
            computer.compute(now, delta);
        }
        return delta + computer.save();
    });
}

void sweep_computer(const std::string& small, const std::string& before, const std::string& now) {
    sweep("delta_computer::delta_computer", [](fault& f) {
        std::unique_ptr<delta_computer> computer;
        f.allows_in_the_end([&] { computer = std::make_unique<delta_computer>(); });
        return std::string{};
    });
    sweep_compute("the first profile", "", now);
    sweep_compute("the second profile", before, now);
    delta_options by_function;
    by_function.match = match_mode::function;
    sweep_compute("by function", before, now, by_function);
    // More samples than the process before had, and fewer.
    for (const int count : {50, 105, 110, 150, 300}) {
        const std::string after_restart = heap(0, count, 1);
        sweep_compute("a restart with " + std::to_string(count) + " samples", small, after_restart);
    }
    delta_options drop;
    drop.on_reset = reset_policy::drop;
    sweep_compute("a restart without a delta", small, heap(50, 250, 1), drop);
}

void sweep_states(const std::string& small, const std::string& before, const std::string& now) {
    sweep("delta_computer::prime", [&](fault& f) {
        delta_computer computer;
        computer.prime(before);
        const std::string state = computer.save();
        if (!f.allows([&] { computer.prime(now); })) {
            require(computer.save() == state, "the state has changed");
            computer.prime(now);
        }
        return computer.save();
    });
    sweep("delta_computer::save", [&](fault& f) {
        delta_computer computer;
        computer.prime(before);
        std::string state;
        f.allows_in_the_end([&] { state = computer.save(); });
        return state;
    });
    delta_computer saved;
    saved.prime(now);
    const std::string state = saved.save();
    sweep("delta_computer::load", [&](fault& f) {
        delta_computer computer;
        computer.prime(small);
        const std::string own = computer.save();
        if (!f.allows([&] { computer.load(state); })) {
            require(computer.save() == own, "the state has changed");
            computer.load(state);
        }
        return computer.save();
    });
    sweep("read_state_info", [&](fault& f) {
        std::size_t samples = 0;
        f.allows_in_the_end([&] { samples = read_state_info(state).samples; });
        return std::to_string(samples);
    });
}

// Functions that need no delta_computer.
void sweep_functions(const std::string& before, const std::string& now) {
    sweep("list_types", [&](fault& f) {
        std::size_t types = 0;
        f.allows_in_the_end([&] { types = list_types(now).size(); });
        return std::to_string(types);
    });
    for (const match_mode match : {match_mode::exact, match_mode::line}) {
        sweep(std::string{"diff: "} + to_string(match), [&](fault& f) {
            delta_options options;
            options.match = match;
            std::string delta;
            f.allows_in_the_end([&] { diff(before, now, options, delta); });
            return delta;
        });
    }
    sweep("normalize", [&](fault& f) {
        normalized_profile scaled;
        f.allows_in_the_end([&] { scaled = normalize(before, now, normalization::total); });
        return scaled.profile;
    });
    sweep("add_comment", [&](fault& f) {
        std::string profile = now;
        f.allows_in_the_end([&] {
            profile = now;
            add_comment(profile, "a comment that is longer than a short string");
        });
        return profile;
    });
}

} // namespace

void sweep_deltas(const std::string& before, const std::string& now) {
    const std::string small = heap(0, 100, 1000);
    sweep_computer(small, before, now);
    sweep_states(small, before, now);
    sweep_functions(before, now);
}

} // namespace pprofdelta::test
