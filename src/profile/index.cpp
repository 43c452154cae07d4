// SPDX-License-Identifier: Apache-2.0
#include "profile/index.hpp"

#include <algorithm>
#include <tuple>

#include <pprofdelta/error.hpp>

#include "base/memory.hpp"
#include "profile/producer_names.hpp"

namespace pprofdelta {

void string_index::build(const profile_view& view) {
    m_view = &view;
    m_hashes.clear();
    m_hashes.reserve(view.strings.size());
    for (const record string : view.strings) {
        m_hashes.push_back(hash_bytes(view.at(string)));
    }
}

void string_index::fail(std::uint64_t number, std::string_view where) const {
    const std::string what = "string " + std::to_string(static_cast<std::int64_t>(number)) +
                             " is not in the string table of " + std::to_string(m_hashes.size());
    if (where.data() == nullptr) {
        throw error{error_kind::malformed, what};
    }
    m_view->fail(what, where);
}

void profile_types::read(const profile_view& view, const string_index& strings) {
    if (view.sample_types.size() > max_sample_types) {
        throw error{error_kind::too_large, "the profile has " +
                                               std::to_string(view.sample_types.size()) +
                                               " sample types, and at most " +
                                               std::to_string(max_sample_types) + " are read"};
    }
    // A string is in the profile once, and each type has a copy of it.
    std::size_t room = max_type_names_size;
    const auto copy = [&](std::uint64_t number, std::string_view where, std::string& out) {
        const std::string_view text = strings.text(strings.check(number, where));
        if (text.size() > room) {
            throw error{error_kind::too_large, "the names of the sample types have more than " +
                                                   std::to_string(max_type_names_size) + " bytes"};
        }
        room -= text.size();
        out = text;
    };
    const auto read_type = [&](record r, value_type& out) {
        const auto type = view.read<value_type_record>(r);
        copy(type.type, view.at(r), out.type);
        copy(type.unit, view.at(r), out.unit);
    };
    sample_types.resize(view.sample_types.size());
    for (std::size_t i = 0; i < sample_types.size(); ++i) {
        read_type(view.sample_types[i], sample_types[i]);
    }
    period_type.type.clear();
    period_type.unit.clear();
    for (const record r : view.period_types) {
        (void)view.read<value_type_record>(r); // all must be valid, and the last one counts
    }
    if (!view.period_types.empty()) {
        read_type(view.period_types.back(), period_type);
    }
    has_duration = view.duration_nanos > 0;
}

void profile_types::require_distinct(const char* reader) const {
    for (auto type = sample_types.begin(); type != sample_types.end(); ++type) {
        if (std::find(sample_types.begin(), type, *type) != type) {
            throw error{error_kind::incompatible, "several sample types are " + to_string(*type) +
                                                      ", which " + reader + " cannot tell apart"};
        }
    }
}

std::string to_string(const std::vector<value_type>& types) {
    constexpr std::size_t max_named = 20; // a message with more would be unreadable
    std::string text;
    for (std::size_t i = 0; i < std::min(types.size(), max_named); ++i) {
        text += i == 0 ? "" : ", ";
        text += to_string(types[i]);
    }
    if (types.size() > max_named) {
        text += " and " + std::to_string(types.size() - max_named) + " more";
    }
    return types.empty() ? "none" : text;
}

void fail_no_match(const value_type_pattern& pattern, const std::vector<value_type>& types,
                   const std::string& asker) {
    throw error{error_kind::incompatible,
                asker + "no sample type is " + pattern.text() + "; there are: " + to_string(types)};
}

std::vector<std::size_t> matching_types(const value_type_pattern& pattern,
                                        const std::vector<value_type>& types,
                                        const std::string& asker) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < types.size(); ++i) {
        if (pattern.matches(types[i])) {
            places.push_back(i);
        }
    }
    if (places.empty()) {
        fail_no_match(pattern, types, asker);
    }
    return places;
}

void require_same(const profile_types& previous, const profile_types& current) {
    if (const std::vector<value_type>& before = previous.sample_types;
        before != current.sample_types) {
        throw error{error_kind::incompatible,
                    "the sample types differ: " + to_string(before) + " before, and now " +
                        to_string(current.sample_types),
                    error_input::both,
                    std::ranges::find_first_of(before, current.sample_types) != before.end()};
    }
    if (previous.has_period_type() && current.has_period_type() &&
        !(previous.period_type.unit == current.period_type.unit &&
          are_one_name(previous.period_type.type, current.period_type.type))) {
        throw error{error_kind::incompatible,
                    "the period types differ: " + to_string(previous.period_type) +
                        " before, and now " + to_string(current.period_type),
                    error_input::both};
    }
}

namespace {

bool is_known(std::uint64_t address) { return address != 0 && address != process_sign::several; }

void set(std::uint64_t& address, std::uint64_t value) {
    address = address == 0 || address == value ? value : process_sign::several;
}

constexpr std::string_view vdso_file{"[vdso]"};

bool is_library(std::string_view name) { return name.find(".so") != std::string_view::npos; }

// Names are ld-linux-x86-64.so.2, ld-2.31.so, ld-musl-aarch64.so.1, ld64.so.2 and the like.
bool is_linker(std::string_view name) {
    return is_library(name) &&
           (name.starts_with("ld-") || name.starts_with("ld.") || name.starts_with("ld64."));
}

// Below lies what the linker has put there, wherever a program is started. Windows draws the place
// of a program once for all its processes, until it is started itself.
bool is_drawn(std::string_view file, std::uint64_t start) {
    constexpr std::uint64_t lowest = std::uint64_t{1} << 32U;
    return start >= lowest && file.starts_with('/');
}

} // namespace

std::string_view file_name_of(std::string_view file) {
    constexpr std::string_view note{" (deleted)"};
    if (file.ends_with(note)) {
        file.remove_suffix(note.size());
    }
    return file.substr(file.find_last_of("/\\") + 1); // npos + 1 is 0
}

void process_sign::add(std::string_view file, std::uint64_t start, std::uint64_t offset,
                       bool is_first) {
    if (file == vdso_file) {
        set(vdso, start);
        return;
    }
    const std::string_view name = file_name_of(file);
    if (is_linker(name)) {
        set(linker, start - offset);
    } else if (is_first && !name.empty() && name.front() != '[' && !is_library(name)) {
        program_name = hash_bytes(name).low;
        program = is_drawn(file, start) ? start - offset : 0;
    }
}

bool tells_process(std::string_view file) {
    return file == vdso_file || is_linker(file_name_of(file));
}

std::uint64_t process_sign::id() const {
    std::uint64_t kind = 0;
    for (const std::uint64_t address : {vdso, program, linker}) {
        ++kind;
        if (is_known(address)) {
            return hash_words(kind, address).low;
        }
    }
    return 0;
}

process_relation relation_of(const process_sign& before, const process_sign& now) {
    const auto both_know = [](std::uint64_t a, std::uint64_t b) {
        return is_known(a) && is_known(b);
    };
    if (both_know(before.vdso, now.vdso)) {
        return before.vdso == now.vdso ? process_relation::same : process_relation::another;
    }
    auto relation = process_relation::unknown;
    // Lists with mappings in the order of their use can begin with any.
    if (before.program_name == now.program_name && both_know(before.program, now.program)) {
        relation =
            before.program == now.program ? process_relation::same : process_relation::another;
    }
    if (relation != process_relation::another && both_know(before.linker, now.linker)) {
        relation = before.linker == now.linker ? process_relation::same : process_relation::another;
    }
    return relation;
}

bool are_other_programs(const process_sign& before, const process_sign& now) {
    return before.program_name != 0 && now.program_name != 0 &&
           before.program_name != now.program_name;
}

void id_map::clear() noexcept {
    m_size = 0;
    m_sequential = 0;
    m_others.clear();
}

bool id_map::add(std::uint64_t id) {
    if (find(id) != npos) {
        return false;
    }
    if (id == m_sequential + 1 && m_others.size() == 0) {
        ++m_sequential;
    } else {
        m_others.find_or_add({id, 0});
    }
    ++m_size;
    return true;
}

std::uint32_t id_map::find_other(std::uint64_t id) const {
    const std::uint32_t number = m_others.find({id, 0});
    return number == npos ? npos : static_cast<std::uint32_t>(m_sequential) + number;
}

void mapping_index::build(const profile_view& view, const string_index& strings) {
    m_ids.clear();
    m_mappings.clear();
    m_process = {};
    for (const record r : view.mappings) {
        const std::string_view bytes = view.at(r);
        const auto fields = view.read<mapping_record>(bytes);
        // Locations without a mapping have the mapping id 0, so no mapping can.
        if (fields.id == 0 || !m_ids.add(fields.id)) {
            view.fail("mapping id " + std::to_string(fields.id) + " is 0 or given twice", bytes);
        }
        mapping m;
        m.start = fields.start;
        m.file = strings.check(fields.file, bytes);
        const std::uint32_t build_id = strings.check(fields.build_id, bytes);
        constexpr std::uint64_t page = 4096;
        m.pages = (fields.limit - fields.start + page - 1) / page;
        m.offset = fields.offset;
        // Strings other than string 0 can be empty too.
        const bool has_build_id = !strings.text(build_id).empty();
        m.build_id = has_build_id ? strings.hash(build_id).low : 0;
        const std::string_view file_name = file_name_of(strings.text(m.file));
        m.file_name = file_name.empty() ? 0 : hash_bytes(file_name).low;
        const hash128& name = strings.hash(has_build_id ? build_id : m.file);
        m.identity = hash_words(name, m.pages, m.offset);
        m_process.add(strings.text(m.file), fields.start, fields.offset, m_mappings.empty());
        m_mappings.push_back(m);
    }
}

bool mapping_index::identify_by(std::span<const mapping> earlier) {
    const auto place = [](const mapping& m) { return std::tuple{m.start, m.pages, m.offset}; };
    const auto are_others = [](std::uint64_t a, std::uint64_t b) {
        return a != 0 && b != 0 && a != b;
    };
    std::vector<mapping> sorted;
    bool is_changed = false;
    for (std::size_t i = 0; i < m_mappings.size(); ++i) {
        mapping& m = m_mappings[i];
        if (i < earlier.size() && earlier[i].identity == m.identity) {
            continue; // as nearly always
        }
        if (sorted.empty()) {
            sorted.assign(earlier.begin(), earlier.end());
            std::ranges::stable_sort(sorted, {}, place);
        }
        const auto same = std::ranges::lower_bound(sorted, place(m), {}, place);
        if (same != sorted.end() && place(*same) == place(m) && same->identity != m.identity &&
            !(are_others(same->build_id, m.build_id) && are_others(same->file_name, m.file_name))) {
            m.identity = same->identity;
            is_changed = true;
        }
    }
    return is_changed;
}

void function_index::build(const profile_view& view, const string_index& strings) {
    m_ids.clear();
    m_functions.clear();
    for (const record r : view.functions) {
        const std::string_view bytes = view.at(r);
        const auto fields = view.read<function_record>(bytes);
        if (!m_ids.add(fields.id)) {
            view.fail("function id " + std::to_string(fields.id) + " is given twice", bytes);
        }
        function f;
        f.name = strings.check(fields.name, bytes);
        f.file = strings.check(fields.file, bytes);
        const std::uint32_t system_name = strings.check(fields.system_name, bytes);
        f.identity = hash_words(strings.hash(f.name), strings.hash(system_name),
                                strings.hash(f.file), fields.start_line);
        m_functions.push_back(f);
    }
}

namespace {

// The first word of an identity: bits for the kind of the frame.
constexpr std::uint64_t lines_only = 1;
constexpr std::uint64_t folded = 2;
constexpr std::uint64_t no_address = 4; // else address 0 would be the start of the mapping
constexpr std::uint64_t no_mapping = 8;

struct located_line {
    std::uint32_t function = id_map::npos; // by place; npos for none
    std::uint64_t number = 0;
    std::uint64_t column = 0;
};

located_line find_line(std::string_view bytes, const profile_view& view,
                       const function_index& functions) {
    const auto line = view.read<line_record>(bytes);
    const std::uint32_t function = functions.find(line.function_id);
    if (function == id_map::npos && line.function_id != 0) {
        view.fail("function id " + std::to_string(line.function_id) + " is not in the profile",
                  bytes);
    }
    return {function, line.number, line.column};
}

hash128 exact_identity(const location_record& location, const profile_view& view,
                       const mapping_index& mappings, const function_index& functions,
                       word_hasher& hasher) {
    std::uint64_t address = location.address;
    std::uint64_t bits = location.is_folded != 0 ? folded : 0;
    bits |= address == 0 ? no_address : 0;
    // An unknown mapping counts as none, as in google/pprof.
    const std::uint32_t place = mappings.find(location.mapping_id);
    if (place == id_map::npos) {
        hasher.add(bits | no_mapping);
    } else {
        const mapping_index::mapping& mapping = mappings.at(place);
        hasher.add(bits);
        hasher.add(mapping.identity);
        address = address == 0 ? 0 : address - mapping.start;
    }
    hasher.add(address);
    for_each_line(location, view.bytes().data(), [&](std::string_view bytes) {
        const located_line l = find_line(bytes, view, functions);
        hasher.add(l.function == id_map::npos ? hash128{} : functions.at(l.function).identity);
        hasher.add(l.number);
        hasher.add(l.column);
    });
    return hasher.finish();
}

// Hashes of functions' names, for frames that are not matched exactly.
std::vector<hash128> matched_names(const profile_view& view, const string_index& strings,
                                   const function_index& functions, match_mode match) {
    std::vector<hash128> names;
    std::string room;
    for (std::uint32_t place = 0; place < view.functions.size(); ++place) {
        const std::uint32_t number = functions.at(place).name;
        const std::string_view whole = strings.text(number);
        const std::string_view name =
            match == match_mode::function ? name_between_builds(whole, room) : whole;
        names.push_back(name.data() == whole.data() ? strings.hash(number) : hash_bytes(name));
    }
    return names;
}

hash128 lines_identity(const location_record& location, const profile_view& view,
                       const string_index& strings, const function_index& functions,
                       std::span<const hash128> names, match_mode match, word_hasher& hasher) {
    hasher.add(lines_only);
    for_each_line(location, view.bytes().data(), [&](std::string_view bytes) {
        const located_line l = find_line(bytes, view, functions);
        if (l.function == id_map::npos) {
            hasher.add(hash128{});
            hasher.add(hash128{});
        } else {
            hasher.add(names[l.function]);
            hasher.add(strings.hash(functions.at(l.function).file));
        }
        if (match == match_mode::line) {
            hasher.add(l.number);
        }
    });
    return hasher.finish();
}

} // namespace

void location_index::build(const profile_view& view, const string_index& strings,
                           const mapping_index& mappings, const function_index& functions,
                           match_mode match) {
    m_ids.clear();
    m_is_padding.clear();
    m_is_exact = match == match_mode::exact;
    m_exact.resize(1);
    m_exact.reserve(view.locations.size() + 1);
    m_matched.resize(1);
    m_matched.reserve(m_is_exact ? 1 : view.locations.size() + 1);
    const std::vector<hash128> names =
        m_is_exact ? std::vector<hash128>{} : matched_names(view, strings, functions, match);
    word_hasher hasher;
    for (const record r : view.locations) {
        const auto location = view.read<location_record>(r);
        if (!m_ids.add(location.id)) {
            view.fail("location id " + std::to_string(location.id) + " is given twice", view.at(r));
        }
        if (location.address == ~std::uint64_t{0}) {
            m_is_padding.resize(m_exact.size());
            m_is_padding.back() = true;
        }
        const hash128 exact = exact_identity(location, view, mappings, functions, hasher);
        m_exact.push_back(little_endian(exact.low));
        if (!m_is_exact) {
            const hash128 matched =
                location.lines.empty()
                    ? exact
                    : lines_identity(location, view, strings, functions, names, match, hasher);
            m_matched.push_back(little_endian(matched.low));
        }
    }
}

void profile_index::append_ordinals(std::string_view packed, std::string_view sample,
                                    std::vector<std::uint32_t>& ordinals,
                                    std::size_t& count) const {
    grow_to(ordinals, count + packed_room(packed.size()));
    const std::size_t decoded = locations.decode(packed, view.limit(), ordinals.data() + count);
    if (decoded != not_decoded) {
        count += decoded;
        return;
    }
    for_each_packed(packed, view.bytes().data(),
                    [&](std::uint64_t id) { ordinals[count++] = location_place(id, sample) + 1; });
}

void profile_index::fail_location(std::uint64_t id, std::string_view sample) const {
    view.fail("location id " + std::to_string(id) + " is not in the profile", sample);
}

void profile_index::fail_value_count(std::size_t count, std::string_view sample) const {
    view.fail("a sample has " + std::to_string(count) + " values, but there are " +
                  std::to_string(types.sample_types.size()) + " sample types",
              sample);
}

} // namespace pprofdelta
