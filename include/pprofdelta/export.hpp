// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_EXPORT_HPP
#define PPROFDELTA_EXPORT_HPP

/// What is declared in a namespace with this is what the shared library exports.
#define PPROFDELTA_EXPORT __attribute__((visibility("default")))

#endif // PPROFDELTA_EXPORT_HPP
