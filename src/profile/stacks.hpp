// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/key_table.hpp"
#include "profile/index.hpp"

namespace pprofdelta {

/// Reads samples one by one, where their stacks are wanted rather than their identity.
class stack_reader {
public:
    /// `index` must outlive the reader. Unless locations() is called, it needs only types.
    explicit stack_reader(const profile_index& index)
        : m_index{index}, m_values(index.types.sample_types.size()) {}

    /// @throws error malformed if there are more or fewer values than sample types.
    void read(record sample);

    /// Places of the sample's locations, leaf first; until the next read. They are decoded only
    /// when they are asked for: many samples turn out not to count.
    /// @throws error malformed for a location that the profile does not have.
    [[nodiscard]] std::span<const std::uint32_t> locations();
    /// One for each sample type.
    [[nodiscard]] const std::vector<std::int64_t>& values() const noexcept { return m_values; }

private:
    // False if some field is unusual. What was read of the sample is unspecified then.
    [[nodiscard]] bool read_usual();
    void read_any();

    const profile_index& m_index;
    std::string_view m_sample;
    std::vector<std::string_view> m_packed; // locations that are not decoded yet, by field
    std::vector<std::uint32_t> m_locations; // with room for more
    std::size_t m_location_count = 0;
    std::vector<std::int64_t> m_values;
};

/// The sum of the values of a sample type without their signs, or the largest number of 64 bits.
struct sample_size {
    std::int64_t sum = 0;
    /// Whether the sum is over those samples alone that are a base's, which were subtracted: they
    /// have the label that `pprof -diff_base` gives them. pprof's shares are of these (computeTotal
    /// of google/pprof's internal/report/report.go).
    bool is_of_base = false;
};

/// The total of each sample type over all samples. Stacks are not looked at.
/// @param sizes gets the size of each type.
/// @throws error malformed, as read() does; too_large if one would not fit 64 bits.
[[nodiscard]] std::vector<std::int64_t> totals(const profile_index& index,
                                               std::vector<sample_size>* sizes = nullptr);

/// The frames of each location of one profile, innermost first: one for each line, as an inlined
/// function is a frame too, or one without a function if there is no line.
class frame_index {
public:
    struct frame {
        std::uint32_t function = id_map::npos; ///< The place of the function; npos for none.
        std::int64_t line = 0;
        std::uint32_t mapping_file = 0; ///< String number.
    };

    /// @throws error malformed
    explicit frame_index(const profile_index& index);

    /// The beginnings of the frames of each location. The location at place p has begin(p) to
    /// begin(p + 1).
    [[nodiscard]] std::uint32_t begin(std::uint32_t place) const noexcept {
        return m_begins[place];
    }
    [[nodiscard]] const std::vector<frame>& frames() const noexcept { return m_frames; }

    /// Takes frames away: those for which `keep(frame number)` is not true, which is asked for each
    /// once, in their order.
    template <typename Keep>
    void keep_if(Keep&& keep) {
        std::uint32_t left = 0;
        std::uint32_t number = 0;
        for (std::size_t place = 0; place + 1 < m_begins.size(); ++place) {
            for (const std::uint32_t end = m_begins[place + 1]; number < end; ++number) {
                if (keep(number)) {
                    m_frames[left++] = m_frames[number];
                }
            }
            m_begins[place + 1] = left;
        }
        m_frames.resize(left);
    }

private:
    std::vector<std::uint32_t> m_begins;
    std::vector<frame> m_frames;
};

/// The stacks of a profile that Go has cut off at their outer end: those with the most frames that
/// it keeps, 32 and since Go 1.23 128, whose outermost function is that of no shorter stack.
struct cut_stacks {
    std::size_t frames = 0;               ///< The number in each; 0 if there are none.
    std::vector<std::uint32_t> samples{}; ///< Their places.
};

/// There are none in profiles whose types are not Go's.
/// Cost: time linear in the frames of all samples.
/// @throws error malformed
[[nodiscard]] cut_stacks find_cut_stacks(const profile_index& index);

/// The labels of one profile's samples, of some keys or of all. A label that has neither a text nor
/// a number is none, as in google/pprof.
class label_index {
public:
    struct value {
        std::uint32_t key = 0; ///< The place of the key among the keys.
        bool is_text = true;
        /// The text or, for a number, its unit: by the key if the label names none.
        std::string_view text{};
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
