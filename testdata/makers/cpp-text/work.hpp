// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TESTDATA_CPP_TEXT_WORK_HPP
#define PPROFDELTA_TESTDATA_CPP_TEXT_WORK_HPP

#include <string>

/// Starts the allocator's profiler, if it does not run by itself.
void start_profiler();

/// Writes the profiles that the allocator has so far, to files whose names begin with `stem` and
/// end with `moment`.
void dump(const std::string& stem, const std::string& moment);

#endif // PPROFDELTA_TESTDATA_CPP_TEXT_WORK_HPP
