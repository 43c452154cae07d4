// SPDX-License-Identifier: Apache-2.0
#include "traces/stacks.hpp"

#include <cstdint>
#include <random>
#include <vector>

#include "catch.hpp"
#include "profile/samples.hpp"

using namespace pprofdelta;

TEST_CASE("stacks fold to the same words on every processor") {
    std::mt19937_64 random{1};
    for (std::size_t depth = 0; depth < 200; ++depth) {
        CAPTURE(depth);
        // Just as large as it has to be, for sanitizers to see a read beyond it.
        std::vector<std::uint64_t> stack(depth);
        for (std::uint64_t& frame : stack) {
            frame = random();
        }
        const std::size_t count = blocks(depth) * words_per_block;
        std::vector<std::uint64_t> words(count, 1);
        std::vector<std::uint64_t> portable(count, 2);
        fold_stack(stack, words.data());
        fold_stack_portably(stack, portable.data());
        REQUIRE(words == portable);
        stack.resize(blocks(depth) * frames_per_block);
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t* const frame = stack.data() + i * frames_per_word;
            REQUIRE(words[i] == fold_frames(frame[0], frame[1], frame[2], frame[3]));
        }
    }
}
