// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_PROFILE_STRING_INDEX_HPP
#define PPROFDELTA_SRC_PROFILE_STRING_INDEX_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/hash128.hpp"
#include "profile/view.hpp"

namespace pprofdelta {

/// The string table of one profile: the text of each string number, and its hash.
class string_index {
public:
    /// Replaces the content; memory is reused. `view` must outlive the index.
    void build(const profile_view& view);

    [[nodiscard]] std::size_t size() const noexcept { return m_hashes.size(); }

    /// The place of string `number` in the table, with the number's range checked.
    /// @param where the record that holds the number, for errors; empty for a header field.
    /// @throws error malformed
    [[nodiscard]] std::uint32_t check(std::uint64_t number, std::string_view where) const {
        if (number >= m_hashes.size()) {
            fail(number, where);
        }
        return static_cast<std::uint32_t>(number);
    }

    [[nodiscard]] std::string_view text(std::uint32_t index) const noexcept {
        return m_view->at(m_view->strings[index]);
    }
    [[nodiscard]] const hash128& hash(std::uint32_t index) const noexcept {
        return m_hashes[index];
    }

private:
    [[noreturn]] void fail(std::uint64_t number, std::string_view where) const;

    const profile_view* m_view = nullptr;
    std::vector<hash128> m_hashes;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_PROFILE_STRING_INDEX_HPP
