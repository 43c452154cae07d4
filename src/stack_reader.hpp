// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_STACK_READER_HPP
#define PPROFDELTA_SRC_STACK_READER_HPP

#include <cstdint>
#include <vector>

#include "profile_index.hpp"

namespace pprofdelta {

/// Reads samples one by one, for who wants to know their stacks rather than their identity.
class stack_reader {
public:
    /// `index` must outlive the reader.
    explicit stack_reader(const profile_index& index) : m_index{index} {}

    /// @throws error malformed for a location that the profile does not have, or if there are more
    ///         or fewer values than sample types.
    void read(record sample);

    /// Places of the sample's locations, leaf first.
    [[nodiscard]] const std::vector<std::uint32_t>& locations() const noexcept {
        return m_locations;
    }
    /// One for each sample type.
    [[nodiscard]] const std::vector<std::int64_t>& values() const noexcept { return m_values; }

private:
    const profile_index& m_index;
    std::vector<std::uint32_t> m_locations;
    std::vector<std::int64_t> m_values;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_STACK_READER_HPP
