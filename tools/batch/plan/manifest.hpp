// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_PLAN_MANIFEST_HPP
#define PPROFDELTA_TOOLS_BATCH_PLAN_MANIFEST_HPP

#include <string>

#include "batch/plan/items.hpp"

namespace pprofdelta::tool {

/// Adds what a manifest lists: on each line a series, a TAB, and a path or URL, which may have TABs
/// itself. Empty lines and those that begin with '#' are passed over; a line may end as on Windows,
/// and the text may begin with a mark of byte order. With NUL at the ends, in place of line breaks,
/// all bytes stand for themselves. A manifest without any item is fine: a pipe may bring none.
/// @param name    of the manifest, for messages.
/// @param has_nul whether entries end with NUL rather than as lines do.
/// @throws failure usage, with the line, for one without TAB, a name that no series can have, or an
///         input that is none. What `items` has then is of no use.
void add_manifest(std::string text, const std::string& name, bool has_nul, batch_items& items);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_PLAN_MANIFEST_HPP
