// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_WORK_WORKERS_HPP
#define PPROFDELTA_TOOLS_BATCH_WORK_WORKERS_HPP

#include <functional>

#include "batch/work/worker.hpp"

namespace pprofdelta::tool {

/// Has workers do all there is, each on a thread of its own.
/// @param look is called now and then on this thread.
/// @throws what a worker throws; the others have ended then. failure io if no thread can be
///         started.
void work_side_by_side(const batch_work& work, unsigned workers, const std::function<void()>& look);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_WORK_WORKERS_HPP
