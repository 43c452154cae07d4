// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <pprofdelta/report.hpp>

#include "base/key_table.hpp"
#include "profile/index.hpp"
#include "profile/records.hpp"
#include "profile/stacks.hpp"
#include "select/label_pattern.hpp"
#include "select/names.hpp"

namespace pprofdelta {

/// A label that is a text.
struct label_text {
    std::string key;
    std::string text;
};

/// Whether any of some numbers, such as places of a stack, is marked.
[[nodiscard]] inline bool has_any(std::span<const std::uint32_t> numbers,
                                  const std::vector<bool>& marks) {
    return std::ranges::any_of(numbers, [&](std::uint32_t number) { return marks[number]; });
}

/// A stack_selection and what rows are, with compiled patterns: for any number of profiles.
struct stack_rules {
    stack_rules() = default;
    /// @throws error invalid_argument
    explicit stack_rules(const stack_selection& selection, grouping rows = grouping::function,
                         const std::string& by_label = {});
    /// @tparam Options report_options, or others that have the same.
    template <typename Options>
    explicit stack_rules(const Options& options)
        : stack_rules{options.selection, options.by, options.by_label} {}

    /// The place of a key among `keys`, which gets it unless it is there.
    std::uint32_t add_key(const std::string& key);

    /// Leaves only samples that have the label.
    void keep_only(label_text label);

    /// Whether stacks can have other places than in the profile.
    [[nodiscard]] bool change_stacks() const noexcept {
        return hide || show_from || !root_keys.empty() || are_rows_of_labels();
    }
    /// Whether rows are of what a sample has, and not of its frames.
    [[nodiscard]] bool are_rows_of_labels() const noexcept {
        return by == grouping::label || by == grouping::size;
    }

    grouping by = grouping::function;
    std::unique_ptr<const name_pattern> focus; ///< nullptr if not given; likewise below.
    std::unique_ptr<const name_pattern> ignore;
    std::unique_ptr<const name_pattern> hide;
    std::unique_ptr<const name_pattern> show_from;
    std::vector<label_pattern> labels;
    std::vector<label_pattern> no_labels;
    std::optional<label_text> only_label;
    std::vector<name_rewriter> renames;
    bool names_between_builds = false;
    bool without_capture = false;
    bool folds_allocators = false;
    std::vector<std::string> keys; ///< The keys of all labels that matter, each once.
    /// The places of their keys among these, outermost first.
    std::vector<std::uint32_t> root_keys;
    /// The place of the label that rows are about; sizes have one, too.
    std::uint32_t row_key = 0;
};

/// The stacks of one profile as rules make them: the samples that count, and the places of their
/// stacks. A profile has here, beside the places of its locations, those of the values of labels:
/// one for each value, and then one for each key, for the samples without it. If rows are of sizes,
/// those of the classes of sizes are the last ones.
class profile_stacks {
public:
    /// Cost: without rules, time linear in the frames if they are needed, else none; with rules
    /// also in the labels, and for each pattern in the different names.
    /// @param index        must outlive this.
    /// @param rules        must outlive this.
    /// @param needs_frames whether frames() is called.
    /// @throws error malformed, too_large
    profile_stacks(const profile_index& index, const stack_rules& rules, bool needs_frames);

    [[nodiscard]] const profile_index& index() const noexcept { return m_index; }
    [[nodiscard]] const stack_rules& rules() const noexcept { return m_rules; }
    [[nodiscard]] const function_names& names() const noexcept { return m_names; }
    [[nodiscard]] const label_index& labels() const noexcept { return m_labels; }
    /// Those that are left of each location, maybe none.
    [[nodiscard]] const frame_index& frames() const { return *m_frames; }

    [[nodiscard]] std::uint32_t place_of_value(std::uint32_t value) const noexcept {
        return static_cast<std::uint32_t>(m_index.locations.size()) + value;
    }
    [[nodiscard]] std::uint32_t place_without(std::uint32_t key) const noexcept {
        return place_of_value(static_cast<std::uint32_t>(m_labels.values().size()) + key);
    }
    /// The number of places of locations and values of labels, which come before the classes of
    /// sizes.
    [[nodiscard]] std::uint32_t places() const noexcept {
        return place_without(static_cast<std::uint32_t>(m_rules.keys.size()));
    }
    /// The key of the label that a place stands for, which is none of a location.
    [[nodiscard]] const std::string& key_of(std::uint32_t place) const;
    /// The name of the frame there: the value, or that there is none.
    [[nodiscard]] std::string name_of(std::uint32_t place) const;

    /// Calls `visit(bytes)` for each line of a location that is left.
    /// @param location the record at `place`.
    template <typename Visit>
    void for_each_line_left(std::uint32_t place, const location_record& location,
                            Visit&& visit) const {
        const char* const profile = m_index.view.bytes().data();
        if (!m_rules.hide && !m_rules.show_from && !m_rules.folds_allocators) {
            for_each_line(location, profile, visit);
            return;
        }
        std::uint32_t frame = m_frames->begin(place);
        for_each_line(location, profile, [&](std::string_view bytes) {
            // A match of several lines with the same function and number takes all of them, or
            // those behind others.
            if (frame != m_frames->begin(place + 1) &&
                is_of(frame, m_index.view.read<line_record>(bytes))) {
                visit(bytes);
                ++frame;
            }
        });
    }
    /// The place for a sample with these values and without a label for the size. Class 0 is of
    /// what has no size, and class i of up to 2^(i - 1) bytes.
    [[nodiscard]] std::uint32_t place_of_size(const std::vector<std::int64_t>& values) const;
    static constexpr std::uint32_t size_classes = 64;

    /// The number of the innermost places of a stack that folding leaves out, never all.
    [[nodiscard]] std::size_t folded(std::span<const std::uint32_t> places) const;
    /// Adds the hashes of the names of functions, or of binaries without any, that folding left out
    /// of the stacks that were read. O(places, names)
    void add_folded(key_table& names) const;

    /// Whether a stack has a frame of a profiler that takes a profile. Asked for after frames, or
    /// if rules leave such stacks out.
    [[nodiscard]] bool takes_profile(std::span<const std::uint32_t> places) const {
        return !m_takes_profile.empty() && std::ranges::any_of(places, [this](std::uint32_t place) {
            return place < m_takes_profile.size() && m_takes_profile[place];
        });
    }

    /// Says by the number of a value of labels whether the pattern has it.
    [[nodiscard]] std::vector<bool> matching_values(const label_pattern& pattern) const {
        return values_of(pattern.key(), [&](const label_index::value& value) {
            return value.is_text ? pattern.has(value.text) : pattern.has(value.number, value.text);
        });
    }

private:
    friend class selected_reader;

    [[nodiscard]] bool is_of(std::uint32_t frame, const line_record& line) const {
        const frame_index::frame& left = m_frames->frames()[frame];
        return left.line == static_cast<std::int64_t>(line.number) &&
               left.function == m_index.functions.find(line.function_id);
    }
    // Says by frame whether it matches.
    [[nodiscard]] std::vector<bool> matches(const name_pattern& pattern) const;
    // Says by place whether a frame of a location does.
    [[nodiscard]] std::vector<bool> matching_places(const name_pattern& pattern) const;
    // Says by the number of a value whether it is one of the key and `is_match(value)`.
    template <typename IsMatch>
    [[nodiscard]] std::vector<bool> values_of(const std::string& key, IsMatch&& is_match) const {
        std::vector<bool> found;
        for (const label_index::value& value : m_labels.values()) {
            found.push_back(m_rules.keys[value.key] == key && is_match(value));
        }
        return found;
    }
    void find_capture();
    void find_dropped();
    void find_allocators();
    void fold_lines(const std::vector<bool>& are_kept);
    void hide();
    void show_from();
    void find_sizes();

    enum class dropping : std::uint8_t { none, inner_lines, all };

    const profile_index& m_index;
    const stack_rules& m_rules;
    function_names m_names;
    label_index m_labels;
    std::optional<frame_index> m_frames;
    std::vector<std::size_t> m_counts; // types of objects, each before that of their bytes
    // The results by place; empty without a pattern.
    std::vector<bool> m_focus;
    std::vector<bool> m_ignore;
    std::vector<bool> m_takes_profile;       // empty if no frame does
    std::vector<dropping> m_dropped;         // by the profile's drop_frames; empty without
    std::vector<bool> m_is_allocator;        // all frames are; empty if none is folded
    std::vector<bool> m_has_folded_lines;    // by the number of a name
    mutable std::vector<bool> m_was_folded;  // in a stack that was read
    std::vector<bool> m_is_hidden;           // no frame is left
    std::vector<bool> m_is_start;            // of what is shown
    std::vector<std::vector<bool>> m_wanted; // by pattern and value
    std::vector<std::vector<bool>> m_unwanted;
};

/// Reads samples one by one, with their stacks as rules have them.
class selected_reader {
public:
    /// `stacks` must outlive the reader.
    explicit selected_reader(const profile_stacks& stacks)
        : m_of{stacks}, m_reader{stacks.index()} {}

    /// @param sample its place among the samples.
    /// @throws error malformed if there are more or fewer values than sample types.
    void read(std::size_t sample) {
        m_sample = sample;
        m_reader.read(m_of.index().view.samples[sample]);
    }

    /// One for each sample type.
    [[nodiscard]] const std::vector<std::int64_t>& values() const noexcept {
        return m_reader.values();
    }
    /// Whether the sample at hand counts.
    /// @throws error malformed for a location that the profile does not have.
    [[nodiscard]] bool is_selected();
    /// Places, leaf first, of a sample that counts, after that was asked; until the next read.
    /// @throws error malformed as is_selected().
    [[nodiscard]] std::span<const std::uint32_t> stack() {
        return m_of.rules().change_stacks() ? m_stack : locations();
    }

private:
    // Those that folding leaves.
    [[nodiscard]] std::span<const std::uint32_t> locations() {
        const std::span<const std::uint32_t> all = m_reader.locations();
        return all.subspan(m_of.folded(all));
    }
    [[nodiscard]] bool has_labels() const;
    [[nodiscard]] bool has_frames();
    [[nodiscard]] bool take_frames();
    void add_labels();

    const profile_stacks& m_of;
    stack_reader m_reader;
    std::size_t m_sample = 0;
    std::vector<std::uint32_t> m_stack; // if rules change it
};

} // namespace pprofdelta
