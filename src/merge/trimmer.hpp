// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_MERGE_TRIMMER_HPP
#define PPROFDELTA_SRC_MERGE_TRIMMER_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/merge.hpp>

#include "profile/index.hpp"
#include "profile/samples.hpp"
#include "select/names.hpp"
#include "select/stacks.hpp"
#include "wire/reader.hpp"

namespace pprofdelta {

/// Copies what trim_options leave of a profile. Nothing is added up, and what nothing refers to any
/// more stays: the sum does not take it.
class trimmer {
public:
    /// @throws error invalid_argument for a regular expression that is none.
    explicit trimmer(trim_options options);

    [[nodiscard]] bool leaves_all() const noexcept { return m_options.are_empty(); }

    /// @param out     replaced.
    /// @returns how many samples the profile has.
    /// @throws error malformed, as the sum does without trimming; too_large; incompatible for a
    /// profile that has not what is to stay.
    std::size_t trim(std::string_view profile, std::string& out);

private:
    void check_samples();
    void choose_types();
    void keep_types(const value_type_pattern& pattern);
    void write_samples();
    void write_sample(record sample);
    void write_locations();
    void write_location(std::uint32_t place, std::uint64_t id, bool with_address);
    void write_functions();
    void write_headers();
    [[nodiscard]] bool is_dropped_label(std::string_view label);
    [[nodiscard]] bool is_dropped_key(std::string_view key) const;
    void encode_added_labels();
    void write_strings();
    [[nodiscard]] bool is_kept_type(std::uint64_t name) const;
    void copy(field::profile f, const std::vector<record>& records);

    trim_options m_options;
    stack_rules m_rules; // which samples stay
    std::vector<std::unique_ptr<const name_pattern>> m_dropped_keys;

    // The call at hand.
    profile_index m_index;
    sample_reader m_reader;
    std::string* m_out = nullptr;
    std::vector<std::uint32_t> m_types; // those that stay, by place
    std::vector<bool> m_has_address;    // by the place of a location, whether a stack needs it
    std::vector<bool> m_is_known_key;   // by string number
    std::vector<bool> m_is_dropped_key; // the same
    std::string m_added_labels;         // as each sample gets them
    std::vector<std::uint64_t> m_ids;   // of the locations of a sample, new ones
    std::vector<std::int64_t> m_values; // of a sample
    std::string m_message;              // being made
    std::string m_unknown;              // fields of a part of it
    std::string m_packed;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_MERGE_TRIMMER_HPP
