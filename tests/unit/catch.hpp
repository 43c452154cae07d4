// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TESTS_UNIT_CATCH_HPP // not #pragma once, for what tests/fuzz/pch says
#define PPROFDELTA_TESTS_UNIT_CATCH_HPP

// Debian 12 has Catch2 2, most others have Catch2 3. Tests keep to what both know.
#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_session.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

using Catch::Approx;
#else
// Assertions take half as long to compile.
#define CATCH_CONFIG_FAST_COMPILE
#include <catch2/catch.hpp>
#endif

#endif
