// SPDX-License-Identifier: Apache-2.0
#include "files/state_file.hpp"

#include <chrono>
#include <utility>

namespace pprofdelta::tool {

std::string lock_path(const state_options& chosen) { return resolve_links(chosen.file) + ".lock"; }

// Looks at the state first: a pipe would keep the lock, and a device get one.
static lock_file lock_of(const state_options& chosen) {
    (void)regular_file_exists(chosen.file);
    return {lock_path(chosen), std::chrono::duration<double>{chosen.lock_timeout_seconds},
            "; see --lock-timeout"};
}

state_file::state_file(const state_options& chosen)
    : m_chosen{chosen}, m_path{resolve_links(chosen.file)}, m_lock{lock_of(chosen)} {
    remove_abandoned_files(m_path);
}

read_profile state_file::load_beside(raw_file raw, const read_options& options, match_mode match,
                                     unsigned threads, delta_computer& computer) const {
    auto read = read_ahead(std::move(raw), options.without_names(), match, threads);
    if (!m_chosen.reset && regular_file_exists(m_path)) {
        const std::string saved = read_file(m_path, max_profile_size);
        with_file_context(m_chosen.file, [&] { computer.load(saved); });
    }
    return read.get();
}

void state_file::replace(const std::string& state) const {
    write_file(m_path, state, durability::synced); // replaced, by whatever name
}

} // namespace pprofdelta::tool
