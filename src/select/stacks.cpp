// SPDX-License-Identifier: Apache-2.0
#include "select/stacks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include <pprofdelta/error.hpp>

#include "base/errors.hpp"
#include "base/numbers.hpp"
#include "profile/producer_names.hpp"
#include "select/units.hpp"

namespace pprofdelta {

stack_rules::stack_rules(const stack_selection& selection, grouping rows,
                         const std::string& by_label)
    : by{rows}, focus{compiled_pattern(selection.focus)},
      ignore{compiled_pattern(selection.ignore)}, hide{compiled_pattern(selection.hide)},
      show_from{compiled_pattern(selection.show_from)}, labels{selection.labels.begin(),
                                                               selection.labels.end()},
      no_labels{selection.no_labels.begin(), selection.no_labels.end()},
      renames{selection.renames.begin(), selection.renames.end()},
      names_between_builds{selection.names_between_builds},
      without_capture{selection.without_capture}, folds_allocators{selection.folds_allocators} {
    for (const auto* const patterns : {&labels, &no_labels}) {
        for (const label_pattern& pattern : *patterns) {
            add_key(pattern.key());
        }
    }
    for (const std::string& key : selection.label_roots) {
        root_keys.push_back(add_key(key));
    }
    if (are_rows_of_labels()) {
        row_key = add_key(by == grouping::size ? "bytes" : by_label);
    }
}

std::uint32_t stack_rules::add_key(const std::string& key) {
    if (key.empty()) {
        refuse("the key of a label is empty");
    }
    const auto found = std::ranges::find(keys, key);
    const auto place = static_cast<std::uint32_t>(found - keys.begin());
    if (found == keys.end()) {
        keys.push_back(key);
    }
    return place;
}

void stack_rules::keep_only(label_text label) {
    add_key(label.key);
    only_label = std::move(label);
}

void check_selection(const stack_selection& selection) {
    static_cast<void>(stack_rules{selection});
}

profile_stacks::profile_stacks(const profile_index& index, const stack_rules& rules,
                               bool needs_frames)
    : m_index{index}, m_rules{rules}, m_names{index, rules.renames, rules.names_between_builds},
      m_labels{index, rules.keys} {
    if (needs_frames || rules.focus || rules.ignore || rules.hide || rules.show_from ||
        rules.without_capture) {
        m_frames.emplace(index); // which takes time
        find_capture();
        if (rules.folds_allocators) {
            find_dropped();
            find_allocators();
            m_was_folded.resize(m_has_folded_lines.empty() ? 0 : m_index.locations.size());
        }
    }
    if (rules.focus) {
        m_focus = matching_places(*rules.focus);
    }
    if (rules.ignore) {
        m_ignore = matching_places(*rules.ignore);
    }
    if (rules.hide) {
        hide();
    }
    if (rules.show_from) {
        show_from();
    }
    for (const label_pattern& pattern : rules.labels) {
        m_wanted.push_back(matching_values(pattern));
    }
    if (rules.only_label) {
        m_wanted.push_back(values_of(rules.only_label->key, [&](const label_index::value& value) {
            return value.is_text && value.text == rules.only_label->text;
        }));
    }
    for (const label_pattern& pattern : rules.no_labels) {
        m_unwanted.push_back(matching_values(pattern));
    }
    if (rules.by == grouping::size) {
        find_sizes();
    }
}

void profile_stacks::find_sizes() {
    const std::vector<value_type>& types = m_index.types.sample_types;
    for (std::size_t i = 0; i + 1 < types.size(); ++i) {
        if (types[i].unit == "count" && types[i + 1].unit == "bytes") {
            m_counts.push_back(i);
        }
    }
    const auto& values = m_labels.values();
    if (m_counts.empty() && std::ranges::none_of(values, [&](const auto& each) {
            return each.key == m_rules.row_key;
        })) {
        throw error{error_kind::incompatible,
                    "nothing tells the size of objects: there is no label bytes, and no sample "
                    "type in bytes after one that counts objects"};
    }
}

std::uint32_t profile_stacks::place_of_size(const std::vector<std::int64_t>& values) const {
    std::uint32_t size = 0;
    for (const std::size_t type : m_counts) {
        if (values[type] != 0) {
            const std::uint64_t objects = magnitude(values[type]);
            const std::uint64_t mean = magnitude(values[type + 1]) / objects +
                                       (magnitude(values[type + 1]) % objects != 0 ? 1 : 0);
            const auto width =
                static_cast<std::uint32_t>(std::bit_width(mean - (mean == 0 ? 0 : 1)));
            size = std::min(size_classes - 1, width + 1);
            break;
        }
    }
    return place_without(static_cast<std::uint32_t>(m_rules.keys.size()) + size);
}

const std::string& profile_stacks::key_of(std::uint32_t place) const {
    const std::uint32_t without = place_without(0);
    return m_rules.keys[place >= without ? place - without
                                         : m_labels.values()[place - place_of_value(0)].key];
}

std::string profile_stacks::name_of(std::uint32_t place) const {
    if (place >= place_without(0)) {
        return "(no " + key_of(place) + ")";
    }
    const label_index::value& value = m_labels.values()[place - place_of_value(0)];
    return !value.is_text       ? format_value(value.number, value.text)
           : value.text.empty() ? "(empty)"
                                : std::string{value.text};
}

// A match counts in the name of a frame's function, source file or binary, as in pprof.
std::vector<bool> profile_stacks::matches(const name_pattern& pattern) const {
    const std::size_t count = m_index.strings.size();
    matching_strings files{pattern, m_index.strings, count};
    matching_strings names{pattern, m_names, count};
    std::vector<bool> found;
    for (const frame_index::frame& frame : m_frames->frames()) {
        bool is_match = files.has(frame.mapping_file);
        if (!is_match && frame.function != id_map::npos) {
            const auto& function = m_index.functions.at(frame.function);
            is_match = names.has(function.name) || files.has(function.file);
        }
        found.push_back(is_match);
    }
    return found;
}

std::vector<bool> profile_stacks::matching_places(const name_pattern& pattern) const {
    const std::vector<bool> of_frames = matches(pattern);
    std::vector<bool> found;
    for (std::uint32_t place = 0; place < m_index.locations.size(); ++place) {
        const auto begin = of_frames.begin() + m_frames->begin(place);
        const auto end = of_frames.begin() + m_frames->begin(place + 1);
        found.push_back(std::find(begin, end, true) != end);
    }
    return found;
}

void profile_stacks::find_capture() {
    std::vector<bool> functions;
    for (std::uint32_t place = 0; place < m_index.view.functions.size(); ++place) {
        const function_index::function& function = m_index.functions.at(place);
        functions.push_back(pprofdelta::takes_profile(m_index.strings.text(function.name),
                                                      m_index.strings.text(function.file)));
    }
    if (std::ranges::find(functions, true) == functions.end()) {
        return;
    }
    m_takes_profile.resize(m_index.locations.size());
    for (std::uint32_t place = 0; place < m_index.locations.size(); ++place) {
        for (std::uint32_t i = m_frames->begin(place); i < m_frames->begin(place + 1); ++i) {
            const std::uint32_t function = m_frames->frames()[i].function;
            m_takes_profile[place] =
                m_takes_profile[place] || (function != id_map::npos && functions[function]);
        }
    }
}

// The part of a name that pprof matches (simplifyFunc in profile/prune.go): no '.' in front, as
// functions of PowerPC have it, and no arguments.
static std::string_view name_to_drop(std::string_view name) {
    constexpr std::array<std::string_view, 2> with_bracket{"(anonymous namespace)", "operator()"};
    name.remove_prefix(name.starts_with('.') ? 1 : 0);
    for (std::size_t i = 0; i < name.size(); ++i) {
        const auto* const part = std::ranges::find_if(
            with_bracket, [&](std::string_view each) { return name.substr(i).starts_with(each); });
        if (part != with_bracket.end()) {
            i += part->size() - 1;
        } else if (name[i] == '(') {
            return name.substr(0, i);
        }
    }
    return name;
}

// pprof's rule (profile/prune.go): the outermost frame that matches goes with all below it.
void profile_stacks::find_dropped() {
    const string_index& strings = m_index.strings;
    const auto pattern_of = [&](std::uint64_t number) -> std::unique_ptr<const name_pattern> {
        constexpr std::size_t longest = 4000; // pprof's own, for texts of heaps, has 1100
        if (number == 0 || number >= strings.size()) {
            return nullptr;
        }
        try {
            return std::make_unique<const name_pattern>(
                strings.text(static_cast<std::uint32_t>(number)), longest);
        } catch (const error&) { // only what is shown depends on it
            return nullptr;
        }
    };
    const auto drop = pattern_of(m_index.view.drop_frames);
    if (!drop) {
        return;
    }
    const auto keep = pattern_of(m_index.view.keep_frames);
    // The patterns are the profile's, whose time may not be more than seconds.
    constexpr std::uint64_t most_steps = std::uint64_t{1} << 29U;
    std::uint64_t bytes = 0;
    for (std::uint32_t place = 0; place < m_index.view.functions.size(); ++place) {
        bytes += strings.text(m_index.functions.at(place).name).size();
    }
    if (drop->steps_for(bytes) + (keep ? keep->steps_for(bytes) : 0) > most_steps) {
        return;
    }
    std::vector<bool> is_dropped;
    for (std::uint32_t place = 0; place < m_index.view.functions.size(); ++place) {
        const std::string_view name = name_to_drop(strings.text(m_index.functions.at(place).name));
        is_dropped.push_back(!name.empty() && drop->is_all_of(name) &&
                             !(keep && keep->is_all_of(name)));
    }
    std::vector<bool> is_kept(m_frames->frames().size(), true);
    m_dropped.resize(m_index.locations.size());
    for (std::uint32_t place = 0; place < m_index.locations.size(); ++place) {
        const std::uint32_t begin = m_frames->begin(place);
        std::uint32_t end = m_frames->begin(place + 1);
        const auto is_match = [&](std::uint32_t frame) {
            const std::uint32_t function = m_frames->frames()[frame].function;
            return function != id_map::npos && is_dropped[function];
        };
        while (end != begin && !is_match(end - 1)) {
            --end;
        }
        if (end != begin && end == m_frames->begin(place + 1)) {
            m_dropped[place] = dropping::all;
        } else if (end != begin) {
            m_dropped[place] = dropping::inner_lines;
            std::fill(is_kept.begin() + begin, is_kept.begin() + end, false);
        }
    }
    fold_lines(is_kept);
}

// The number of the name that a frame's row has.
static std::uint32_t name_number(const frame_index::frame& frame, const profile_index& index) {
    return frame.function == id_map::npos ? frame.mapping_file
                                          : index.functions.at(frame.function).name;
}

// Takes the inner lines of some locations out of these.
void profile_stacks::fold_lines(const std::vector<bool>& are_kept) {
    m_has_folded_lines.resize(m_index.strings.size());
    for (std::size_t frame = 0; frame < are_kept.size(); ++frame) {
        if (!are_kept[frame]) {
            m_has_folded_lines[name_number(m_frames->frames()[frame], m_index)] = true;
        }
    }
    m_frames->keep_if([&](std::uint32_t frame) { return are_kept[frame]; });
}

void profile_stacks::find_allocators() {
    bool has_bytes = false;
    for (const value_type& type : m_index.types.sample_types) {
        const auto unit = type_unit(type.unit);
        has_bytes = has_bytes || type.unit == "bytes";
        if (unit && unit->of == dimension::time) {
            return; // where time is spent in an allocator is news
        }
    }
    if (!has_bytes) {
        return;
    }
    const string_index& strings = m_index.strings;
    std::vector<bool> functions;
    for (std::uint32_t place = 0; place < m_index.view.functions.size(); ++place) {
        functions.push_back(is_allocator(strings.text(m_index.functions.at(place).name)));
    }
    const std::vector<frame_index::frame>& frames = m_frames->frames();
    std::vector<bool> is_kept(frames.size(), true);
    std::vector<bool> is_allocator(m_index.locations.size());
    bool has_any = false;
    for (std::uint32_t place = 0; place < m_index.locations.size(); ++place) {
        const std::uint32_t begin = m_frames->begin(place);
        const std::uint32_t end = m_frames->begin(place + 1);
        std::uint32_t left = begin;
        while (left != end && (frames[left].function == id_map::npos
                                   ? is_allocator_library(strings.text(frames[left].mapping_file))
                                   : functions[frames[left].function])) {
            ++left;
        }
        has_any = has_any || left != begin;
        is_allocator[place] = left == end && begin != end;
        if (left != end) {
            std::fill(is_kept.begin() + begin, is_kept.begin() + left, false);
        }
    }
    if (has_any) {
        fold_lines(is_kept);
        m_is_allocator = std::move(is_allocator);
    }
}

std::size_t profile_stacks::folded(std::span<const std::uint32_t> places) const {
    if (m_dropped.empty() && m_is_allocator.empty()) {
        return 0;
    }
    std::size_t begin = 0;
    bool has_user = false;
    for (std::size_t i = m_dropped.empty() ? 0 : places.size(); i-- > 0;) {
        const dropping found = m_dropped[places[i]];
        if (found != dropping::none && has_user) {
            begin = i + (found == dropping::all ? 1 : 0);
            break;
        }
        has_user = has_user || found == dropping::none;
    }
    std::size_t end = begin;
    while (!m_is_allocator.empty() && end != places.size() && m_is_allocator[places[end]]) {
        ++end;
    }
    end = end == places.size() ? begin : end;
    for (const std::uint32_t place : places.first(end)) {
        m_was_folded[place] = true;
    }
    return end;
}

void profile_stacks::add_folded(key_table& names) const {
    std::vector<bool> are_folded = m_has_folded_lines;
    for (std::uint32_t place = 0; place < m_was_folded.size(); ++place) {
        for (std::uint32_t i = m_frames->begin(place);
             m_was_folded[place] && i < m_frames->begin(place + 1); ++i) {
            are_folded[name_number(m_frames->frames()[i], m_index)] = true;
        }
    }
    for (std::uint32_t name = 0; name < are_folded.size(); ++name) {
        if (are_folded[name]) {
            names.find_or_add(hash_bytes(m_names.text(name)));
        }
    }
}

void profile_stacks::hide() {
    const std::vector<bool> is_match = matches(*m_rules.hide);
    m_frames->keep_if([&](std::uint32_t frame) { return !is_match[frame]; });
    for (std::uint32_t place = 0; place < m_index.locations.size(); ++place) {
        m_is_hidden.push_back(m_frames->begin(place) == m_frames->begin(place + 1));
    }
}

// Frames beyond the outermost match in a location go, wherever in a stack it is.
void profile_stacks::show_from() {
    const std::vector<bool> is_match = matches(*m_rules.show_from);
    std::vector<bool> is_shown(is_match.size(), true);
    for (std::uint32_t place = 0; place < m_index.locations.size(); ++place) {
        const std::uint32_t begin = m_frames->begin(place);
        std::uint32_t end = m_frames->begin(place + 1);
        while (end != begin && !is_match[end - 1]) {
            --end;
        }
        m_is_start.push_back(end != begin);
        if (end != begin) {
            std::fill(is_shown.begin() + end, is_shown.begin() + m_frames->begin(place + 1), false);
        }
    }
    m_frames->keep_if([&](std::uint32_t frame) { return is_shown[frame]; });
}

bool selected_reader::is_selected() {
    if (!has_labels() || !has_frames()) {
        return false;
    }
    if (!m_of.rules().change_stacks()) {
        return true;
    }
    if (!take_frames()) {
        return false;
    }
    add_labels();
    return true;
}

bool selected_reader::has_labels() const {
    const auto is_in = [&](const std::vector<bool>& matches) {
        return has_any(m_of.labels().of(m_sample), matches);
    };
    return std::ranges::all_of(m_of.m_wanted, is_in) &&
           std::ranges::none_of(m_of.m_unwanted, is_in);
}

bool selected_reader::has_frames() {
    const stack_rules& rules = m_of.rules();
    return (!rules.focus || has_any(locations(), m_of.m_focus)) &&
           (!rules.ignore || !has_any(locations(), m_of.m_ignore)) &&
           (!rules.without_capture || m_of.m_takes_profile.empty() ||
            !m_of.takes_profile(m_reader.locations()));
}

// False for a sample of which nothing is left.
bool selected_reader::take_frames() {
    const stack_rules& rules = m_of.rules();
    const std::span<const std::uint32_t> all = locations();
    m_stack.assign(all.begin(), all.end());
    if (rules.hide) {
        std::erase_if(m_stack, [this](std::uint32_t place) { return m_of.m_is_hidden[place]; });
    }
    if (rules.show_from) {
        while (!m_stack.empty() && !m_of.m_is_start[m_stack.back()]) {
            m_stack.pop_back();
        }
    }
    return !m_stack.empty() || (all.empty() && !rules.show_from);
}

void selected_reader::add_labels() {
    const stack_rules& rules = m_of.rules();
    const std::span<const std::uint32_t> values = m_of.labels().of(m_sample);
    const auto add = [&](std::uint32_t key) {
        bool has_value = false;
        for (const std::uint32_t value : values) {
            if (m_of.labels().values()[value].key == key) {
                m_stack.push_back(m_of.place_of_value(value));
                has_value = true;
            }
        }
        return has_value;
    };
    if (rules.are_rows_of_labels()) {
        m_stack.clear();
        if (!add(rules.row_key)) {
            m_stack.push_back(rules.by == grouping::size ? m_of.place_of_size(m_reader.values())
                                                         : m_of.place_without(rules.row_key));
        }
    }
    for (auto key = rules.root_keys.rbegin(); key != rules.root_keys.rend(); ++key) {
        if (!add(*key)) {
            m_stack.push_back(m_of.place_without(*key));
        }
    }
}

} // namespace pprofdelta
