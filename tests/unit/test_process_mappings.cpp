// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/process_mappings.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "catch.hpp"

using namespace pprofdelta;

namespace {

const mapping* mapping_of(const mapping_list& list, const void* address) {
    const auto number = reinterpret_cast<std::uintptr_t>(address);
    const auto found = std::find_if(list->begin(), list->end(), [number](const mapping& m) {
        return number >= m.start && number < m.limit;
    });
    return found == list->end() ? nullptr : &*found;
}

void code_of_the_program() {}

} // namespace

TEST_CASE("the mappings of this process have its code and that of its libraries") {
    const mapping_list list = process_mappings();
    REQUIRE(list != nullptr);
    REQUIRE(!list->empty());

    const mapping* const program =
        mapping_of(list, reinterpret_cast<const void*>(&code_of_the_program));
    REQUIRE(program != nullptr);
    CHECK(program == list->data());
    CHECK(program->file.find("unit-tests") != std::string::npos);

    const mapping* const libc = mapping_of(list, reinterpret_cast<const void*>(&std::getenv));
    REQUIRE(libc != nullptr);
    // Debian's C library has a build id, of 20 bytes.
    CHECK(libc->build_id.size() == 40);
    CHECK(libc->build_id.find_first_not_of("0123456789abcdef") == std::string::npos);
    CHECK(mapping_of(list, nullptr) == nullptr);
}
