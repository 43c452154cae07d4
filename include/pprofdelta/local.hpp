// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Marks a class that a header only declares: the shared library does not export its members. The
/// mark belongs on the first declaration, since compilers treat later marks differently.
#define PPROFDELTA_LOCAL __attribute__((visibility("hidden")))
