// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_STATES_RECOVERY_HPP
#define PPROFDELTA_TOOLS_BATCH_STATES_RECOVERY_HPP

#include <functional>
#include <string>

namespace pprofdelta::tool {

/// Called with what people should know of.
using warn_function = std::function<void(const std::string& text)>;

/// Finishes what runs that were killed had committed, and removes what they had not. Journals of
/// runs that live are left alone.
///
/// If no run can put a group of files into place, as a folder has the path of one or one is lost,
/// none of it is: its series goes on from where it was before, so that the next delta has the
/// interval. The journal is set aside, in the folder `aside` beside that of the journals. One that
/// cannot be finished for another reason, such as a full disk, is left to the next run.
/// @param folder of the journals.
/// @param own    how the names of this run's journals begin.
/// @param warn   is told of each journal that could not be finished.
/// @throws failure io if the folder cannot be read.
void recover(const std::string& folder, const std::string& own, const warn_function& warn);

/// Recovers before the file `record` of a series is read that is locked by now. Waits while another
/// run recovers what concerns that file.
/// @throws failure io if something that concerns that file is left to the next run, too.
void recover_before(const std::string& record, const std::string& folder, const std::string& own,
                    const warn_function& warn);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_STATES_RECOVERY_HPP
