// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_BASE_LOCAL_HPP
#define PPROFDELTA_BASE_LOCAL_HPP

/// Marks a class that a public header only names: the shared library does not export its members.
#define PPROFDELTA_LOCAL __attribute__((visibility("hidden")))

#endif // PPROFDELTA_BASE_LOCAL_HPP
