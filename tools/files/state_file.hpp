// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <pprofdelta/delta.hpp>

#include "files/file.hpp"
#include "files/profile_file.hpp"

namespace pprofdelta::tool {

/// The place of a series' state, and its use.
struct state_options {
    std::string file;                 ///< Empty for none.
    bool reset = false;               ///< Go on as if there were no state yet.
    double lock_timeout_seconds = 30; ///< The time to wait for another run.
};

/// The file of the lock on a state.
[[nodiscard]] std::string lock_path(const state_options& chosen);

/// The file that holds the state of a series, locked as long as this lives.
class state_file {
public:
    /// Waits for the lock.
    /// @throws failure io
    explicit state_file(const state_options& chosen);

    /// Gives `computer` the state, unless there is none yet or it is not to be used. Meanwhile
    /// `raw` is read; see read_ahead(). The state knows profiles without the names of binaries,
    /// which may be others the next time; see result::put_names().
    /// @returns the profile in `raw`.
    /// @throws failure malformed, incompatible, io.
    read_profile load_beside(raw_file raw, const read_options& options, match_mode match,
                             unsigned threads, delta_computer& computer) const;

    /// Replaces the state, durably. Call this last: a crash before it repeats an interval but loses
    /// none.
    /// @param state see delta_computer::save().
    void replace(const std::string& state) const;

private:
    const state_options& m_chosen;
    std::string m_path; // with links followed
    lock_file m_lock;
};

} // namespace pprofdelta::tool
