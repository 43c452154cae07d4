// SPDX-License-Identifier: Apache-2.0
#include "profile/stacks.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include <pprofdelta/info.hpp>

#include "base/hash128.hpp"
#include "base/numbers.hpp"
#include "profile/producer_names.hpp"
#include "profile/records.hpp"
#include "profile/short_fields.hpp"
#include "wire/packed_numbers.hpp"

namespace pprofdelta {

void stack_reader::read(record sample) {
    m_location_count = 0;
    m_sample = m_index.view.at(sample);
    if (!read_usual()) {
        read_any();
    }
}

bool stack_reader::read_usual() {
    m_packed.clear();
    return read_short_sample(
        short_fields{m_sample},
        short_values{m_index.view.limit(), m_values.data(), m_values.size()},
        [this](std::string_view ids) {
            m_packed.push_back(ids);
            return true;
        },
        ignore_unknown);
}

void stack_reader::read_any() {
    std::size_t value_count = 0;
    const auto add_value = [&](std::uint64_t value) {
        if (value_count < m_values.size()) {
            m_values[value_count] = static_cast<std::int64_t>(value);
        }
        ++value_count;
    };
    const char* const profile = m_index.view.bytes().data();
    m_packed.clear();
    read_sample(
        m_sample, profile, [this](std::string_view ids) { m_packed.push_back(ids); },
        [&](std::string_view values) { for_each_packed(values, profile, add_value); },
        ignore_unknown, ignore_unknown);
    m_index.require_value_count(value_count, m_sample);
}

std::span<const std::uint32_t> stack_reader::locations() {
    for (const std::string_view packed : m_packed) {
        const std::size_t before = m_location_count;
        m_index.append_ordinals(packed, m_sample, m_locations, m_location_count);
        std::uint32_t* const ordinals = m_locations.data() + before;
        for (std::size_t i = 0, count = m_location_count - before; i < count; ++i) {
            --ordinals[i]; // they become places
        }
    }
    if (m_index.locations.has_padding() && !m_packed.empty()) {
        const auto begin = m_locations.begin();
        const auto end = std::remove_if(
            begin, begin + static_cast<std::ptrdiff_t>(m_location_count),
            [this](std::uint32_t place) { return m_index.locations.is_padding(place); });
        m_location_count = static_cast<std::size_t>(end - begin);
    }
    m_packed.clear();
    return {m_locations.data(), m_location_count};
}

namespace {

// The samples of a base that pprof subtracted; none if no sample has its label, as in nearly all.
std::vector<bool> samples_of_base(const profile_index& index) {
    const std::string_view key = "pprof::base";
    std::uint32_t string = 0;
    while (string < index.strings.size() && index.strings.text(string) != key) {
        ++string;
    }
    std::vector<bool> are_of_base;
    if (string < index.strings.size()) {
        const std::vector<std::string> keys{std::string{key}};
        const label_index labels{index, keys};
        for (std::size_t sample = 0; sample < index.view.samples.size(); ++sample) {
            are_of_base.push_back(std::ranges::any_of(labels.of(sample), [&](std::uint32_t number) {
                const label_index::value& value = labels.values()[number];
                return value.is_text && value.text == "true";
            }));
        }
    }
    return are_of_base;
}

void add_sizes(std::vector<std::int64_t>& sizes, std::span<const std::int64_t> values) {
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto room =
            static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max() - sizes[i]);
        sizes[i] += static_cast<std::int64_t>(std::min(magnitude(values[i]), room));
    }
}

} // namespace

std::vector<std::int64_t> totals(const profile_index& index, std::vector<sample_size>* sizes) {
    std::vector<std::int64_t> sums(index.types.sample_types.size());
    std::vector<std::int64_t> sizes_of_all(sizes == nullptr ? 0 : sums.size());
    std::vector<std::int64_t> sizes_of_base(sizes_of_all.size());
    const std::vector<bool> are_of_base =
        sizes == nullptr ? std::vector<bool>{} : samples_of_base(index);
    stack_reader reader{index};
    for (std::size_t i = 0; i < index.view.samples.size(); ++i) {
        reader.read(index.view.samples[i]);
        std::ranges::transform(sums, reader.values(), sums.begin(), fitting_add);
        add_sizes(sizes_of_all, reader.values());
        if (!are_of_base.empty() && are_of_base[i]) {
            add_sizes(sizes_of_base, reader.values());
        }
    }
    for (std::size_t i = 0; i < sizes_of_all.size(); ++i) {
        const bool is_of_base = sizes_of_base[i] > 0;
        sizes->push_back({is_of_base ? sizes_of_base[i] : sizes_of_all[i], is_of_base});
    }
    return sums;
}

// References to records that do not exist were refused when the index was built.
frame_index::frame_index(const profile_index& index) {
    for (const record r : index.view.locations) {
        m_begins.push_back(static_cast<std::uint32_t>(m_frames.size()));
        const auto location = index.view.read<location_record>(r);
        const std::uint32_t mapping = index.mappings.find(location.mapping_id);
        const std::uint32_t file = mapping == id_map::npos ? 0 : index.mappings.at(mapping).file;
        if (location.lines.empty()) {
            m_frames.push_back({.mapping_file = file});
        }
        for_each_line(location, index.view.bytes().data(), [&](std::string_view bytes) {
            const auto line = index.view.read<line_record>(bytes);
            m_frames.push_back({index.functions.find(line.function_id),
                                static_cast<std::int64_t>(line.number), file});
        });
    }
    m_begins.push_back(static_cast<std::uint32_t>(m_frames.size()));
}

namespace {

constexpr std::uint32_t unknown = 0xfffffffe; // npos is none of the keys

// The unit that pprof takes numbers for that have none: what profilers have always meant.
std::string_view usual_unit(std::string_view key) {
    return key == "alignment" || key == "request" ? "bytes" : key;
}

// Labels of one key and kind. Names are not copied, as any number of kinds can share a long one.
struct label_kind {
    label_index::value named; // one of its values
    std::size_t values = 0;
    std::size_t samples = 0;
    std::size_t last_sample = 0; // that has any, counted from 1
};

hash128 kind_of(const label_index::value& value) {
    return hash_words(std::uint64_t{value.key}, std::uint64_t{value.is_text},
                      value.is_text ? hash128{} : hash_bytes(value.text));
}

} // namespace

cut_stacks find_cut_stacks(const profile_index& index) {
    const std::vector<value_type>& types = index.types.sample_types;
    if (!is_heap_of_go(types, index.types.period_type) &&
        std::ranges::find(types, value_type{"contentions", "count"}) == types.end()) {
        return {};
    }
    constexpr std::size_t most_kept = 128;
    const frame_index frames{index};
    std::vector<std::uint32_t> frame_counts(index.locations.size()); // in one look
    for (std::uint32_t place = 0; place < frame_counts.size(); ++place) {
        frame_counts[place] = frames.begin(place + 1) - frames.begin(place);
    }
    cut_stacks cut;
    std::vector<std::size_t> lengths; // by sample
    std::vector<std::uint32_t> roots; // the string of the outermost function's name
    stack_reader reader{index};
    for (const record sample : index.view.samples) {
        reader.read(sample);
        std::size_t length = 0;
        for (const std::uint32_t place : reader.locations()) {
            length += frame_counts[place];
        }
        if (length > most_kept) {
            return {};
        }
        const std::uint32_t root =
            length == 0 ? id_map::npos
                        : frames.frames()[frames.begin(reader.locations().back() + 1) - 1].function;
        lengths.push_back(length);
        roots.push_back(root == id_map::npos ? 0 : index.functions.at(root).name);
        cut.frames = std::max(cut.frames, length);
    }
    if (cut.frames != 32 && cut.frames != most_kept) {
        return {};
    }
    std::vector<bool> is_root(index.strings.size());
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        is_root[roots[i]] = is_root[roots[i]] || lengths[i] < cut.frames;
    }
    for (std::uint32_t i = 0; i < lengths.size(); ++i) {
        if (lengths[i] == cut.frames && !is_root[roots[i]]) {
            cut.samples.push_back(i);
        }
    }
    cut.frames = cut.samples.empty() ? 0 : cut.frames;
    return cut;
}

label_index::label_index(const profile_index& index, const std::vector<std::string>& keys) {
    for (const std::string& key : keys) {
        m_keys.find_or_add(hash_bytes(key), [&] { return std::string_view{key}; });
    }
    if (!keys.empty()) {
        read(index);
    }
}

label_index::label_index(const profile_index& index) : m_has_all_keys{true} { read(index); }

void label_index::read(const profile_index& index) {
    m_key_of_string.assign(index.strings.size(), unknown);
    for (const record sample : index.view.samples) {
        m_begins.push_back(static_cast<std::uint32_t>(m_numbers.size()));
        read_sample(
            index.view.at(sample), index.view.bytes().data(), ignore_unknown, ignore_unknown,
            [&](std::string_view label) { add(label, index); }, ignore_unknown);
    }
    m_begins.push_back(static_cast<std::uint32_t>(m_numbers.size()));
}

void label_index::add(std::string_view label, const profile_index& index) {
    const string_index& strings = index.strings;
    const auto fields = index.view.read<label_record>(label);
    const std::uint32_t key_string = strings.check(fields.key, label);
    const bool is_text = fields.text != 0;
    if (!is_text && fields.number == 0 && fields.unit == 0) {
        return;
    }
    std::uint32_t& key = m_key_of_string[key_string];
    if (key == unknown) {
        const hash128& hash = strings.hash(key_string);
        key = m_has_all_keys ? m_keys.find_or_add(hash, [&] { return strings.text(key_string); })
                             : m_keys.find(hash);
    }
    if (key == keyed_list<value>::npos) {
        return;
    }
    const std::uint32_t text = strings.check(is_text ? fields.text : fields.unit, label);
    const std::uint64_t number = is_text ? 0 : fields.number;
    const hash128 hash =
        hash_words(std::uint64_t{key}, std::uint64_t{is_text}, strings.hash(text), number);
    m_numbers.push_back(m_values.find_or_add(hash, [&] {
        const bool has_text = is_text || fields.unit != 0;
        return value{key, is_text, has_text ? strings.text(text) : usual_unit(m_keys[key]),
                     static_cast<std::int64_t>(number)};
    }));
}

std::vector<std::int64_t> read_totals(std::string_view profile) {
    profile_index index;
    index.build_types(profile);
    return totals(index);
}

label_list list_labels(std::string_view profile) {
    profile_index index;
    index.build_types(profile);
    const label_index labels{index};
    keyed_list<label_kind> kinds;
    std::vector<std::uint32_t> kind_of_value;
    for (const label_index::value& value : labels.values()) {
        const std::uint32_t kind =
            kinds.find_or_add(kind_of(value), [&] { return label_kind{.named = value}; });
        ++kinds[kind].values;
        kind_of_value.push_back(kind);
    }
    for (std::size_t sample = 0; sample < index.view.samples.size(); ++sample) {
        for (const std::uint32_t value : labels.of(sample)) {
            label_kind& kind = kinds[kind_of_value[value]];
            kind.samples += kind.last_sample == sample + 1 ? 0 : 1;
            kind.last_sample = sample + 1;
        }
    }
    std::vector<label_kind> sorted = kinds.values();
    std::ranges::stable_sort(sorted, std::greater{}, &label_kind::samples);
    label_list list;
    std::size_t left = max_type_names_size;
    for (const label_kind& kind : sorted) {
        const std::string_view key = labels.keys()[kind.named.key];
        const std::string_view unit = kind.named.is_text ? std::string_view{} : kind.named.text;
        if (key.size() + unit.size() > left) {
            ++list.left_out;
            continue;
        }
        left -= key.size() + unit.size();
        list.labels.push_back(
            {std::string{key}, kind.named.is_text, std::string{unit}, kind.values, kind.samples});
    }
    return list;
}

} // namespace pprofdelta
