// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_CLI_STATE_FILE_HPP
#define PPROFDELTA_TOOLS_CLI_STATE_FILE_HPP

#include <cstddef>
#include <string>

#include <pprofdelta/delta.hpp>

#include "cli/common_options.hpp"
#include "files/lock_file.hpp"
#include "files/profile_file.hpp"

namespace pprofdelta::tool {

/// The file that holds the state of a series, locked as long as this lives.
class state_file {
public:
    /// Waits for the lock.
    /// @throws failure io
    explicit state_file(const state_options& chosen);

    /// Gives `computer` the state, unless there is none yet or it is not to be used. Meanwhile
    /// `raw` is read; see read_ahead().
    /// @returns the profile in `raw`.
    /// @throws failure malformed, incompatible, io.
    read_profile load_beside(raw_file raw, const reading& how, match_mode match, unsigned threads,
                             delta_computer& computer) const;

    /// Replaces the state, durably. To be done last: a crash before it repeats an interval, and
    /// none is lost.
    /// @param state see delta_computer::save().
    void replace(const std::string& state) const;

private:
    const state_options& m_chosen;
    std::string m_path; // with links followed
    lock_file m_lock;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_CLI_STATE_FILE_HPP
