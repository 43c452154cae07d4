// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_RECOVERY_HPP
#define PPROFDELTA_TOOLS_BATCH_RECOVERY_HPP

#include <string>

namespace pprofdelta::tool {

/// Finishes what runs that were killed had committed, and removes what they had not. Journals of
/// runs that live are left alone.
/// @param folder of the journals.
/// @param own    how the names of this run's journals begin.
/// @throws failure io
void recover(const std::string& folder, const std::string& own);

/// The same before the file `record` of a series is read that is locked by now. Waits while another
/// run recovers what concerns that file.
/// @throws failure io
void recover_before(const std::string& record, const std::string& folder, const std::string& own);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_RECOVERY_HPP
