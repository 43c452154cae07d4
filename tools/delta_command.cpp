// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <future>
#include <memory>
#include <string>

#include <pprofdelta/delta.hpp>

#include "beside.hpp"
#include "commands.hpp"
#include "file.hpp"
#include "profile_file.hpp"
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

void run_delta(const options& chosen) {
    refuse_terminal(chosen);
    result r;
    std::future<loaded> ahead = load_ahead(chosen.files[1], chosen.max_size);
    if (chosen.diff) {
        const profile_file previous{raw_file{chosen.files[0], chosen.max_size}, chosen.max_size};
        const loaded current = ahead.get();
        r.count(previous);
        r.count(*current);
        r.diff(previous, *current, chosen.delta);
        r.write(chosen);
        r.report(chosen, previous.name());
        return;
    }
    delta_computer computer{chosen.delta};
    std::string previous_name;
    {
        // In a scope of its own, for its memory to be free again when the delta is made.
        const profile_file previous{raw_file{chosen.files[0], chosen.max_size}, chosen.max_size};
        previous_name = previous.name();
        r.count(previous);
        about(previous.name(), [&] { computer.prime(previous.bytes()); });
    }
    const loaded current = ahead.get();
    r.count(*current);
    r.compute(computer, *current, previous_name);
    r.write(chosen);
    r.report(chosen, previous_name);
}

} // namespace pprofdelta::tool
