// SPDX-License-Identifier: Apache-2.0
// Writes what a text profile is converted to: convert < TEXT > PROFILE. The text may be compressed.
#include <exception>
#include <iostream>
#include <iterator>
#include <string>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/text_profile.hpp>

int main() try {
    const std::string input{std::istreambuf_iterator<char>{std::cin}, {}};
    std::string storage;
    std::string profile;
    pprofdelta::convert_text_profile(pprofdelta::decode(input, storage), profile);
    std::cout << profile << std::flush;
    return std::cout ? 0 : 1;
} catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
}
