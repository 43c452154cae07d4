// SPDX-License-Identifier: Apache-2.0
#include "profile/writer.hpp"

#include <pprofdelta/comment.hpp>

#include "base/memory.hpp"
#include "codec/codec.hpp"
#include "profile/records.hpp"
#include "profile/view.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

void profile_writer::commit() noexcept {
    for_each_kind([](renumbering& kind, records_of_kind) { kind.commit(); });
}

void profile_writer::roll_back() noexcept {
    for_each_kind([](renumbering& kind, records_of_kind) { kind.roll_back(); });
    m_mapping_starts.resize(m_mappings.first());
}

void profile_writer::use_first_mapping() {
    if (!index_of(side::current).view.mappings.empty()) {
        use_mapping_at(side::current, 0);
    }
}

std::uint32_t profile_writer::use_string(side from, std::uint64_t number, std::string_view where) {
    const string_index& strings = index_of(from).strings;
    const std::uint32_t place = strings.check(number, where);
    return m_strings.use(from, place, strings.hash(place));
}

void profile_writer::use_locations(side from, std::uint32_t* ordinals, std::size_t count) {
    const location_index& locations = index_of(from).locations;
    const std::uint32_t* const numbers = m_locations.numbers(from);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t place = ordinals[i] - 1;
        std::uint32_t number = numbers[place];
        if (number == renumbering::none) {
            number = m_locations.use(from, place, {locations.exact(place), 0});
        }
        ordinals[i] = number + 1;
    }
}

std::uint32_t profile_writer::use_mapping(side from, std::uint64_t id) {
    const mapping_index& mappings = index_of(from).mappings;
    const std::uint32_t place = mappings.find(id);
    return place == id_map::npos ? 0 : use_mapping_at(from, place) + 1;
}

std::uint32_t profile_writer::use_mapping_at(side from, std::uint32_t place) {
    const mapping_index::mapping& mapping = index_of(from).mappings.at(place);
    const std::uint32_t number = m_mappings.use(from, place, mapping.identity);
    if (number == m_mapping_starts.size()) {
        m_mapping_starts.push_back(mapping.start);
    }
    return number;
}

std::uint32_t profile_writer::use_function(side from, std::uint64_t id) {
    const function_index& functions = index_of(from).functions;
    const std::uint32_t place = functions.find(id);
    if (place == id_map::npos) {
        return 0;
    }
    return m_functions.use(from, place, functions.at(place).identity) + 1;
}

std::uint64_t profile_writer::rebase(side from, std::uint64_t mapping_id,
                                     std::uint64_t address) const {
    const mapping_index& mappings = index_of(from).mappings;
    const std::uint32_t place = mappings.find(mapping_id);
    if (place == id_map::npos || address == 0) {
        return address;
    }
    return address - mappings.at(place).start + m_mapping_starts[m_mappings.numbers(from)[place]];
}

namespace {

// Keeps fields that profile.proto does not have.
auto copy_to(std::string& out) {
    return [&out](std::string_view field) { out += field; };
}

} // namespace

void profile_writer::start(const profile_index& current, const profile_index* previous,
                           std::string& out, std::size_t max_size) {
    m_sides = {&current, previous};
    for_each_kind([&](renumbering& kind, records_of_kind records) {
        kind.start({(current.view.*records).size(),
                    previous == nullptr ? 0 : (previous->view.*records).size()});
    });
    m_mapping_starts.clear();
    m_strings.use(side::current, 0, current.strings.hash(0));
    use_first_mapping();
    m_out = &out;
    m_max_size = max_size;
    out.clear();
    m_known_labels[static_cast<std::size_t>(side::current)].clear();
    if (previous != nullptr) {
        m_known_labels[static_cast<std::size_t>(side::previous)].clear();
    }
    for (const record type : current.view.sample_types) {
        write_value_type(field::profile::sample_type, type);
    }
}

void profile_writer::begin_next(const profile_index& current) {
    m_sides = {&current, nullptr};
    for_each_kind([&](renumbering& kind, records_of_kind records) {
        kind.begin_next({(current.view.*records).size(), 0});
    });
    if (m_mapping_starts.empty()) {
        use_first_mapping();
    }
    m_known_labels[static_cast<std::size_t>(side::current)].clear();
}

void profile_writer::end_record(field::profile f, std::string_view known) {
    append_parts(*m_out, f, known, m_copied);
    require_size();
}

void profile_writer::require_size() const { require_written_size(m_out->size(), m_max_size); }

void profile_writer::write_value_type(field::profile f, record type) {
    const profile_view& view = index_of(side::current).view;
    const std::string_view bytes = view.at(type);
    m_copied.clear();
    auto fields = view.read<value_type_record>(bytes, copy_to(m_copied));
    fields.type = use_string(side::current, fields.type, bytes);
    fields.unit = use_string(side::current, fields.unit, bytes);
    end_record(f, numbers_of(fields).bytes());
}

void profile_writer::write_sample(side from, record sample,
                                  const std::vector<std::int64_t>& values) {
    read_stack(from, sample);
    grow_to(m_packed, number_field_room<std::uint32_t>(m_id_count) +
                          number_field_room<std::int64_t>(values.size()));
    char* end = m_packed.data();
    end = encode_number_field(end, field::sample::location_id, m_ids.data(), m_id_count);
    end = encode_number_field(end, field::sample::value, values.data(), values.size());
    end_record(field::profile::sample,
               {m_packed.data(), static_cast<std::size_t>(end - m_packed.data())});
}

void profile_writer::append_stack(std::string& message, side from, record sample) {
    read_stack(from, sample);
    append_numbers(message, field::sample::location_id, m_ids.data(), m_id_count, m_packed);
    message += m_copied;
}

// Reads the stack into m_ids, and what follows the values into m_copied.
void profile_writer::read_stack(side from, record sample) {
    const profile_index& index = index_of(from);
    const std::string_view bytes = index.view.at(sample);
    m_id_count = 0;
    m_copied.clear();
    read_sample(
        bytes, index.view.bytes().data(),
        [&](std::string_view packed) {
            const std::size_t before = m_id_count;
            index.append_ordinals(packed, bytes, m_ids, m_id_count);
            use_locations(from, m_ids.data() + before, m_id_count - before);
        },
        ignore_unknown, [&](std::string_view label) { add_label(from, label); }, copy_to(m_copied));
}

void profile_writer::add_label(side from, std::string_view label) {
    known_labels& known = m_known_labels[static_cast<std::size_t>(from)];
    if (label.size() > known_labels::longest) {
        append_label(m_copied, from, label);
        return;
    }
    const written_label& written = known.find_or_make(label, [&](written_label& w) {
        const std::size_t before = m_copied.size();
        append_label(m_copied, from, label);
        w.size = m_copied.copy(w.bytes.data(), w.bytes.size(), before);
        m_copied.resize(before);
    });
    m_copied.append(written.bytes.data(), written.size);
}

void profile_writer::append_label(std::string& out, side from, std::string_view label) {
    m_unknown.clear();
    auto fields = index_of(from).view.read<label_record>(label, copy_to(m_unknown));
    fields.key = use_string(from, fields.key, label);
    fields.text = use_string(from, fields.text, label);
    fields.unit = use_string(from, fields.unit, label);
    append_parts(out, field::sample::label, numbers_of(fields).bytes(), m_unknown);
}

// Fetches records that follow a little later.
void profile_writer::write_all(const renumbering& kind, records_of_kind records,
                               write_record write) {
    const std::vector<renumbering::used>& order = kind.order();
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (const std::size_t later = i + profile_view::records_ahead; later < order.size()) {
            const profile_view& view = index_of(order[later].from).view;
            view.prefetch((view.*records)[order[later].place]);
        }
        const auto [from, place] = order[i];
        const profile_view& view = index_of(from).view;
        (this->*write)(from, kind.first() + i + 1, view.at((view.*records)[place]));
    }
}

// New ids are given in the order of first use, by samples and then by locations.
void profile_writer::write_records() {
    write_all(m_locations, &profile_view::locations, &profile_writer::write_location);
    write_all(m_mappings, &profile_view::mappings, &profile_writer::write_mapping);
    write_all(m_functions, &profile_view::functions, &profile_writer::write_function);
}

void profile_writer::write_strings() {
    for (const renumbering::used& used : m_strings.order()) {
        append_bytes(*m_out, field::profile::string_table,
                     index_of(used.from).strings.text(used.place));
        require_size();
    }
}

// The headers are the last to refer to strings.
void profile_writer::finish(std::int64_t duration_nanos) {
    write_records();
    write_headers(duration_nanos);
    write_strings();
}

void profile_writer::write_location(side from, std::uint64_t id, std::string_view bytes) {
    const profile_view& view = index_of(from).view;
    m_copied.clear();
    auto location = view.read<location_record>(bytes, copy_to(m_copied));
    for_each_line(location, view.bytes().data(),
                  [&](std::string_view line) { add_line(from, line); });
    const std::uint64_t mapping_id = location.mapping_id;
    location.id = id;
    location.mapping_id = use_mapping(from, mapping_id);
    location.address = rebase(from, mapping_id, location.address);
    end_record(field::profile::location, numbers_of(location).bytes());
}

void profile_writer::add_line(side from, std::string_view line) {
    m_unknown.clear();
    auto fields = index_of(from).view.read<line_record>(line, copy_to(m_unknown));
    fields.function_id = use_function(from, fields.function_id);
    append_parts(m_copied, field::location::line, numbers_of(fields).bytes(), m_unknown);
}

void profile_writer::write_mapping(side from, std::uint64_t id, std::string_view bytes) {
    m_copied.clear();
    auto mapping = index_of(from).view.read<mapping_record>(bytes, copy_to(m_copied));
    mapping.id = id;
    mapping.file = use_string(from, mapping.file, bytes);
    mapping.build_id = use_string(from, mapping.build_id, bytes);
    end_record(field::profile::mapping, numbers_of(mapping).bytes());
}

void profile_writer::write_function(side from, std::uint64_t id, std::string_view bytes) {
    m_copied.clear();
    auto function = index_of(from).view.read<function_record>(bytes, copy_to(m_copied));
    function.id = id;
    function.name = use_string(from, function.name, bytes);
    function.system_name = use_string(from, function.system_name, bytes);
    function.file = use_string(from, function.file, bytes);
    end_record(field::profile::function, numbers_of(function).bytes());
}

void profile_writer::write_headers(std::int64_t duration_nanos) {
    const profile_view& view = index_of(side::current).view;
    const auto add_string = [&](field::profile f, std::uint64_t number) {
        append_number(*m_out, f, use_header(number));
    };
    add_string(field::profile::drop_frames, view.drop_frames);
    add_string(field::profile::keep_frames, view.keep_frames);
    append_number(*m_out, field::profile::time_nanos, static_cast<std::uint64_t>(view.time_nanos));
    append_number(*m_out, field::profile::duration_nanos,
                  static_cast<std::uint64_t>(duration_nanos));
    if (!view.period_types.empty()) {
        write_value_type(field::profile::period_type, view.period_types.back());
    }
    append_number(*m_out, field::profile::period, static_cast<std::uint64_t>(view.period));
    write_comments();
    add_string(field::profile::default_sample_type, view.default_sample_type);
    add_string(field::profile::doc_url, view.doc_url);
    for (const record field : view.unknown_fields) {
        *m_out += view.at(field);
        require_size();
    }
}

// Packed as they come: a byte can be a comment, and a list of them would take more.
void profile_writer::write_comments() {
    const profile_view& view = index_of(side::current).view;
    std::uint32_t last = 0;
    std::size_t count = 0;
    m_message.clear();
    for (const record numbers : view.comments) {
        for_each_packed(view.at(numbers), view.bytes().data(), [&](std::uint64_t number) {
            last = use_header(number);
            append_varint(m_message, last);
            ++count;
        });
    }
    if (count == 1) { // shorter without the packing
        append_numbers(*m_out, field::profile::comment, &last, count, m_packed);
    } else if (count != 0) {
        append_bytes(*m_out, field::profile::comment, m_message);
    }
}

// Fields can come in any order, and a repeated one in several places.
void add_comment(std::string& profile, std::string_view text) {
    profile_view view;
    view.parse(profile);
    const std::size_t number = view.strings.size();
    append_bytes(profile, field::profile::string_table, text);
    append_number(profile, field::profile::comment, number);
    require_written_size(profile.size(), max_profile_size);
}

} // namespace pprofdelta
