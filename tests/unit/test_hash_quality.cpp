// SPDX-License-Identifier: Apache-2.0
// Stacks that are nearly the same are never taken for the same.
#include <pprofdelta/delta.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

#include "catch.hpp"
#include "message_builder.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

constexpr std::uint32_t frames = 100;
constexpr std::size_t stacks = std::size_t{frames} * frames * frames;

// Every stack of three of the frames, between others that all of them share. They differ in one
// frame, or in the order of the same frames; there are as many on the first four frames, which are
// folded into one word, as across two words.
std::string near_twins(std::size_t shared) {
    message_builder head;
    head.bytes(1, message_builder{}.number(1, 1).number(2, 2).str());
    for (const char* string : {"", "alloc_space", "bytes"}) {
        head.bytes(6, string);
    }
    for (std::uint32_t id = 1; id <= frames; ++id) {
        head.bytes(4, message_builder{}.number(1, id).number(3, id).str());
    }
    std::string bytes = head.str();
    // An id is one byte, so that all samples have the same size.
    std::string stack(3 + shared, '\1');
    for (std::uint32_t i = 0; i < stacks; ++i) {
        stack[shared / 2] = static_cast<char>(1 + i % frames);
        stack[shared / 2 + 1] = static_cast<char>(1 + i / frames % frames);
        stack[shared / 2 + 2] = static_cast<char>(1 + i / frames / frames);
        bytes += '\x12';
        bytes += static_cast<char>(stack.size() + 4);
        bytes += '\x0a';
        bytes += static_cast<char>(stack.size());
        bytes += stack;
        bytes += "\x10\x01";
    }
    return bytes;
}

} // namespace

TEST_CASE("a million stacks that are nearly the same are a million samples") {
    for (const std::size_t shared : {std::size_t{0}, std::size_t{5}}) {
        delta_computer computer;
        std::string delta;
        const auto summary = computer.compute(near_twins(shared), delta);
        CHECK(summary.samples_in == stacks);
        CHECK(summary.samples_kept == stacks);
    }
}
