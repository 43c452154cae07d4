// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_LOCAL_HPP
#define PPROFDELTA_LOCAL_HPP

/// Marks a class that a header only names: the shared library does not export its members. It has
/// to stand where the class is named first, as compilers do not agree on later marks.
#define PPROFDELTA_LOCAL __attribute__((visibility("hidden")))

#endif // PPROFDELTA_LOCAL_HPP
