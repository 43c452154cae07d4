// SPDX-License-Identifier: Apache-2.0
#include "cli/state_file.hpp"

#include <chrono>
#include <memory>
#include <utility>

#include <pprofdelta/codec.hpp>

#include "files/file.hpp"
#include "files/temporary_file.hpp"

namespace pprofdelta::tool {

namespace {

// Where the lock is to be. Looks at the state first: a pipe would keep the lock, and a device get
// one.
std::string lock_path(const std::string& state) {
    (void)regular_file_exists(state);
    return resolve_links(state) + ".lock";
}

} // namespace

state_file::state_file(const state_options& chosen)
    : m_chosen{chosen}, m_path{resolve_links(chosen.file)}, m_lock{lock_path(chosen.file),
                                                                   std::chrono::duration<double>{
                                                                       chosen.lock_timeout_seconds},
                                                                   "; see --lock-timeout"} {
    remove_abandoned_files(m_path);
}

read_profile state_file::load_beside(raw_file raw, const reading& how, match_mode match,
                                     unsigned threads, delta_computer& computer) const {
    auto read = read_ahead(std::move(raw), how, match, threads);
    if (!m_chosen.reset && regular_file_exists(m_path)) {
        const std::string saved = read_file(m_path, max_profile_size);
        about(m_chosen.file, [&] { computer.load(saved); });
    }
    return read.get();
}

void state_file::replace(const std::string& state) const {
    write_file(m_chosen.file, state, durability::synced);
}

} // namespace pprofdelta::tool
