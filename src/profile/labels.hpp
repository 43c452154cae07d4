// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_PROFILE_LABELS_HPP
#define PPROFDELTA_SRC_PROFILE_LABELS_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/key_table.hpp"
#include "profile/index.hpp"

namespace pprofdelta {

/// The labels of one profile's samples, of some keys or of all. As in google/pprof one that has
/// neither a text nor a number is none.
class label_index {
public:
    struct value {
        std::uint32_t key = 0; ///< By its place among the keys.
        bool is_text = true;
        std::string_view text{}; ///< Of a number, its unit: by the key if the label names none.
        std::int64_t number = 0;
    };

    /// Samples are not looked at if there are no keys.
    ///
    /// Cost: time linear in the profile; 4 bytes for each sample and label, besides the values.
    /// @param index must outlive this, and so must `keys`, of which none is there twice.
    /// @throws error malformed
    label_index(const profile_index& index, const std::vector<std::string>& keys);
    /// An index of all keys, numbered in the order in which they come.
    explicit label_index(const profile_index& index);

    [[nodiscard]] const std::vector<std::string_view>& keys() const noexcept {
        return m_keys.values();
    }
    /// Distinct ones, numbered in the order in which they come.
    [[nodiscard]] const std::vector<value>& values() const noexcept { return m_values.values(); }
    /// The numbers of a sample's values, in its order.
    [[nodiscard]] std::span<const std::uint32_t> of(std::size_t sample) const {
        return m_begins.empty() ? std::span<const std::uint32_t>{}
                                : std::span{m_numbers.data() + m_begins[sample],
                                            m_begins[sample + 1] - m_begins[sample]};
    }

private:
    void read(const profile_index& index);
    void add(std::string_view label, const profile_index& index);

    keyed_list<std::string_view> m_keys;
    bool m_has_all_keys = false;
    keyed_list<value> m_values;
    std::vector<std::uint32_t> m_key_of_string; // by string number; see the source
    std::vector<std::uint32_t> m_begins;        // of samples, in m_numbers
    std::vector<std::uint32_t> m_numbers;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_PROFILE_LABELS_HPP
