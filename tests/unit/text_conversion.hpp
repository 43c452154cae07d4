// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TESTS_UNIT_TEXT_CONVERSION_HPP
#define PPROFDELTA_TESTS_UNIT_TEXT_CONVERSION_HPP

#include <string>
#include <string_view>

#include <pprofdelta/text_profile.hpp>

#include "catch.hpp"
#include "error_from.hpp"
#include "profile_reader.hpp"

namespace pprofdelta::test {

/// The profile that a text is converted into, which has no fault.
inline profile convert(std::string_view text) {
    std::string bytes;
    convert_text_profile(text, bytes);
    CHECK(find_fault(bytes) == "none");
    return parse(bytes).content;
}

/// What is said of a text that is malformed somewhere.
inline std::string refusal(std::string_view text) {
    std::string bytes;
    const auto fault = error_from([&] { convert_text_profile(text, bytes); });
    REQUIRE(fault);
    CHECK(fault->kind() == error_kind::malformed);
    CHECK(fault->offset());
    return fault->what();
}

} // namespace pprofdelta::test

#endif // PPROFDELTA_TESTS_UNIT_TEXT_CONVERSION_HPP
