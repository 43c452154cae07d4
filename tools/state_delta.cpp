// SPDX-License-Identifier: Apache-2.0
#include "delta_command.hpp"

#include <memory>
#include <string>
#include <utility>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/delta.hpp>

#include "beside.hpp"
#include "file.hpp"
#include "lock_file.hpp"
#include "profile_file.hpp"
#include "result.hpp"
#include "temporary_file.hpp"

namespace pprofdelta::tool {

void delta_command::run_with_state() const {
    result r;
    // Before the lock is taken, as a pipe may be slow.
    raw_file raw{files[0], max_size};

    const std::string path = resolve_links(state);
    (void)regular_file_exists(state); // else a pipe would keep the lock, and a device would get one
    const lock_file lock{path + ".lock", std::chrono::duration<double>{lock_timeout_seconds}};
    remove_abandoned_files(path);
    // Inflated while the state is loaded.
    auto inflated =
        beside([&] { return std::make_unique<profile_file>(std::move(raw), max_size); });
    delta_computer computer{delta};
    if (!reset_state && regular_file_exists(path)) {
        const std::string saved = read_file(path, max_profile_size);
        about(state, [&] { computer.load(saved); });
    }
    const auto current = inflated.get();
    r.count(*current);
    r.compute(computer, *current, state);

    // In this order a crash in between repeats an interval, and never loses one.
    auto next = beside([&computer] { return computer.save(); });
    r.compress(*this);
    r.write(*this);
    write_file(state, next.get(), durability::synced);
    r.report(*this, state);
}

} // namespace pprofdelta::tool
