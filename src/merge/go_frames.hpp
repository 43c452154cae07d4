// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_MERGE_GO_FRAMES_HPP
#define PPROFDELTA_SRC_MERGE_GO_FRAMES_HPP

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "profile/index.hpp"

namespace pprofdelta {

/// The frames of a profile as the compiler of Go has them: a name, a start line, a line and an
/// address (nodeInfo() in internal/profile/graph.go). Two that are the same count once in a stack.
class go_frames {
public:
    /// `index` must outlive this.
    /// @throws error incompatible if there are samples and no function has a start line, which the
    ///         compiler refuses.
    explicit go_frames(const profile_index& index);

    /// Whether two frames of a stack would be the same if they had no addresses, and are not.
    /// @param stack places of locations.
    [[nodiscard]] bool need_addresses(std::span<const std::uint32_t> stack);

private:
    // By the place of a location.
    std::vector<std::uint64_t> m_addresses;
    std::vector<std::uint32_t> m_begins; // of its frames; one more than there are locations
    std::vector<std::uint64_t> m_frames; // hashes of frames without their addresses

    std::vector<std::pair<std::uint64_t, std::uint64_t>> m_seen; // frames, and their addresses
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_MERGE_GO_FRAMES_HPP
