// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_CAPTURES_COMPARED_STACKS_HPP
#define PPROFDELTA_SRC_CAPTURES_COMPARED_STACKS_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <pprofdelta/compare.hpp>

#include "captures/capture_set.hpp"

namespace pprofdelta {

/// All that is large enough of the tree of both sides' stacks, of which a compared_tree shows some.
struct stack_tree {
    struct node {
        std::uint32_t parent = 0; ///< Stands before it. The first node is the root.
        /// Of its frames; none of the root, and of all that is too small below its parent.
        std::vector<std::uint32_t> rows{};
        compared_row cum{}; ///< With the name of the first frame.
    };

    std::vector<node> nodes{};
    std::size_t too_small = 0; ///< As compared_tree has it, as the next.
    std::size_t questions = 0;
    std::optional<too_few_captures> too_few{};

    /// Those of nodes with frames, to be tested.
    [[nodiscard]] std::vector<compared_row*> rows();
};

/// Nothing of the tree is tested.
/// @param least the size of what is large enough: the mean over all captures of both sides.
[[nodiscard]] stack_tree make_stack_tree(const capture_set& captures, std::size_t type,
                                         double least);

/// @param total of all samples.
[[nodiscard]] compared_tree cut_tree(const stack_tree& of, const compared_row& total,
                                     const capture_reader& names,
                                     const compared_tree_limits& limits);

/// All stacks that are large enough, of which compared_paths are some.
struct stack_list {
    struct stack {
        std::uint32_t number = 0;
        compared_row value{};
    };

    std::vector<stack> stacks{};
    std::size_t too_small = 0; ///< As compared_paths has it, as the next.
    std::size_t questions = 0;
    std::optional<too_few_captures> too_few{};

    /// To be tested.
    [[nodiscard]] std::vector<compared_row*> rows();
    /// Real changes first, and then the larger ones; equal ones as they came.
    void sort();
};

/// Nothing of the list is tested or sorted.
/// @param least as for the tree.
[[nodiscard]] stack_list make_stack_list(const capture_set& captures, std::size_t type,
                                         double least);

/// @param total of all samples.
[[nodiscard]] compared_paths cut_paths(const stack_list& of, const compared_row& total,
                                       const capture_reader& names, std::size_t most);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CAPTURES_COMPARED_STACKS_HPP
