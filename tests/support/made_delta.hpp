// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include <pprofdelta/delta.hpp>

namespace pprofdelta::test {

/// The delta of two profiles, with what is needed to report on it.
struct made_delta {
    made_delta(std::string before, std::string now)
        : previous{std::move(before)}, current{std::move(now)} {
        delta_computer computer;
        computer.prime(previous);
        of.summary = computer.compute(current, delta);
        of.types = computer.types();
        of.delta = delta;
        of.current = current;
        of.previous = previous;
    }
    made_delta(const made_delta&) = delete; // `of` looks at its own texts
    made_delta& operator=(const made_delta&) = delete;

    std::string previous;
    std::string current;
    std::string delta;
    computed_delta of;
};

} // namespace pprofdelta::test
