// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TESTS_CATCH_HPP
#define PPROFDELTA_TESTS_CATCH_HPP

// Debian 12 has Catch2 2, most others have Catch2 3. Tests keep to the macros that both know.
#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_session.hpp>
#include <catch2/catch_test_macros.hpp>
#else
#include <catch2/catch.hpp>
#endif

#endif // PPROFDELTA_TESTS_CATCH_HPP
