// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_TRACES_STACK_WORDS_HPP
#define PPROFDELTA_SRC_TRACES_STACK_WORDS_HPP

#include <cstdint>
#include <span>

namespace pprofdelta {

/// Folds a stack of addresses into words, as stack_key.hpp says. Uses what the processor has to
/// offer.
/// @param words receives words_per_block words for each of the blocks of the stack.
void fold_stack(std::span<const std::uint64_t> stack, std::uint64_t* words) noexcept;

/// What fold_stack() does, on any processor; tests compare the two.
void fold_stack_portably(std::span<const std::uint64_t> stack, std::uint64_t* words) noexcept;

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_TRACES_STACK_WORDS_HPP
