// SPDX-License-Identifier: Apache-2.0
#define CATCH_CONFIG_RUNNER // Catch2 2 puts its implementation here; Catch2 3 links it
#include "catch.hpp"

int main(int argc, char** argv) { return Catch::Session().run(argc, argv); }
