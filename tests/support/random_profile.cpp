// SPDX-License-Identifier: Apache-2.0
#include "random_profile.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace pprofdelta::test {

namespace {

const std::vector<std::string>& names() {
    static const std::vector<std::string> list{"", "f", "g", "main", "f.inlined"};
    return list;
}

const std::vector<std::string>& files() {
    static const std::vector<std::string> list{"", "a.c", "b.c"};
    return list;
}

const std::vector<std::vector<value_type>>& type_lists() {
    static const std::vector<std::vector<value_type>> list{
        heap_types(),
        {{"alloc_space", "bytes"}},
        {{"inuse_space", "bytes"}, {"alloc_space", "bytes"}},
        {{"contentions", "count"}, {"delay", "nanoseconds"}},
        {{"delay", "nanoseconds"}, {"contentions", "lost"}, {"alloc_objects", "count"}},
        // More values than any profiler of today has.
        {{"alloc_objects", "count"},
         {"alloc_space", "bytes"},
         {"a", "count"},
         {"b", "count"},
         {"contentions", "count"},
         {"c", "count"},
         {"delay", "nanoseconds"}},
    };
    return list;
}

// A field that profile.proto does not have, in one of the wire types.
std::string unknown_field(std::size_t choice) {
    message_builder to;
    switch (choice) {
    case 0:
        return to.number(100, 7).str();
    case 1:
        return to.bytes(2000, "later").str();
    case 2:
        return varint(17U << 3U | 5U) + "1234";
    default:
        return varint(18U << 3U | 1U) + "12345678";
    }
}

} // namespace

random_series::random_series(std::uint32_t seed, std::string_view choices)
    : m_random{seed, choices} {
    m_types = any_of(type_lists());
    if (chance(50)) {
        m_period_type = {"space", "bytes"};
    }
    m_time = chance(80) ? 1'700'000'000'000'000'000 : 0;
    invent_code();
    invent_samples();
}

std::size_t random_series::pick(std::size_t below) { return m_random() % below; }

void random_series::invent_code() {
    for (std::size_t i = 0, count = pick(4); i < count; ++i) {
        mapping m;
        m.id = i + 1;
        m.limit = any_of(std::vector<std::uint64_t>{0, 1, 4096, 4097, 8192});
        m.offset = chance(20) ? 4096 : 0;
        m.file = any_of(files());
        // An id of one character makes pprof of Go 1.24 take the first two, and end.
        m.build_id = chance(30) ? "id " + any_of(files()) : "";
        m.has_functions = chance(50);
        m.unknown = chance(10) ? unknown_field(pick(4)) : "";
        m_mappings.push_back(m);
    }
    for (std::size_t i = 0, count = 1 + pick(7); i < count; ++i) {
        function f;
        f.id = i + 1;
        f.name = any_of(names());
        f.system_name = chance(70) ? f.name : any_of(names());
        f.file = any_of(files());
        f.start_line = chance(20) ? 1 : 0;
        f.unknown = chance(5) ? unknown_field(pick(4)) : "";
        m_functions.push_back(f);
    }
    for (std::size_t i = 0, count = 1 + pick(9); i < count; ++i) {
        location l;
        l.id = i + 1;
        l.mapping = pick(m_mappings.size() + 1);
        l.address = chance(60) ? 0x10 * pick(3) : pick(2);
        l.folded = chance(10);
        l.unknown = chance(5) ? unknown_field(pick(4)) : "";
        for (std::size_t j = 0, lines = pick(3); j < lines; ++j) {
            const std::uint64_t id = chance(90) ? 1 + pick(m_functions.size()) : 0;
            l.lines.push_back({id, static_cast<std::int64_t>(pick(3)),
                               static_cast<std::int64_t>(chance(20) ? 1 : 0), ""});
        }
        m_locations.push_back(l);
    }
}

label random_series::invent_label() {
    label out;
    out.key = any_of(names());
    switch (pick(4)) {
    case 0:
        break; // a key alone is a label, too
    case 1:
        out.str = any_of(names());
        break;
    case 2:
        out.num = static_cast<std::int64_t>(pick(3)) - 1;
        break;
    default:
        out.num = static_cast<std::int64_t>(pick(2));
        out.unit = any_of(names());
        break;
    }
    return out;
}

std::int64_t random_series::invent_value() {
    if (chance(1)) {
        return any_of(std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min(),
                                                std::numeric_limits<std::int64_t>::max(),
                                                std::int64_t{1} << 62, -1});
    }
    return chance(30) ? 0 : static_cast<std::int64_t>(pick(chance(50) ? 4 : 100'000));
}

void random_series::invent_samples() {
    for (std::size_t i = 0, count = pick(12); i < count; ++i) {
        process_sample s;
        for (std::size_t j = 0, depth = pick(5); j < depth; ++j) {
            s.stack.push_back(pick(m_locations.size()));
        }
        for (std::size_t j = 0, labels = chance(50) ? 0 : pick(4); j < labels; ++j) {
            s.labels.push_back(invent_label());
        }
        for (std::size_t j = 0; j < m_types.size(); ++j) {
            s.values.push_back(invent_value());
        }
        m_samples.push_back(s);
    }
}

// The changes of a process between two profiles.
void random_series::advance() {
    const bool restart = chance(10);
    for (auto& s : m_samples) {
        if (chance(20)) {
            continue;
        }
        for (auto& value : s.values) {
            if (restart || chance(4)) {
                value = invent_value() / 2;
            } else if (chance(60)) {
                value = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) +
                                                  static_cast<std::uint64_t>(invent_value()));
            }
        }
    }
    if (chance(30)) {
        invent_samples();
    }
    m_time += m_time == 0 ? 0 : static_cast<std::int64_t>(pick(20)) - 2;
}

std::vector<std::uint64_t> random_series::shuffled_ids(std::size_t count) {
    std::vector<std::uint64_t> ids(count);
    std::iota(ids.begin(), ids.end(), std::uint64_t{1});
    if (chance(60)) {
        std::shuffle(ids.begin(), ids.end(), m_random);
    }
    return ids;
}

// Copies the code under new ids and, like ASLR, at new addresses; a location may get several ids.
void random_series::add_code(profile& to, std::vector<std::vector<std::uint64_t>>& ids) {
    const auto function_ids = shuffled_ids(m_functions.size());
    const auto mapping_ids = shuffled_ids(m_mappings.size());
    const bool move = chance(60);
    for (std::size_t i = 0; i < m_mappings.size(); ++i) {
        mapping m = m_mappings[i];
        m.id = mapping_ids[i];
        m.start = move ? 0x1000 * (1 + pick(8)) : 0;
        m.limit += m.start;
        to.mappings.push_back(m);
    }
    for (std::size_t i = 0; i < m_functions.size(); ++i) {
        to.functions.push_back(m_functions[i]);
        to.functions.back().id = function_ids[i];
    }
    const auto location_ids = shuffled_ids(m_locations.size() * 2);
    std::size_t taken = 0;
    for (const auto& from : m_locations) {
        auto& own_ids = ids.emplace_back();
        for (std::size_t copies = chance(15) ? 2 : 1; copies > 0; --copies) {
            location l = from;
            l.id = location_ids[taken++];
            own_ids.push_back(l.id);
            if (from.mapping != 0) {
                const mapping& m = to.mappings[from.mapping - 1];
                l.mapping = m.id;
                l.address = from.address == 0 ? 0 : from.address + m.start;
            }
            for (auto& each : l.lines) {
                each.function = each.function == 0 ? 0 : function_ids[each.function - 1];
            }
            to.locations.push_back(l);
        }
    }
    std::shuffle(to.locations.begin(), to.locations.end(), m_random);
    std::shuffle(to.functions.begin(), to.functions.end(), m_random);
}

void random_series::add_headers(profile& to) {
    to.types = m_types;
    to.period_type = chance(90) ? m_period_type : value_type{};
    // The slow reference does not rescale, so all profiles have the first one's.
    const auto period = static_cast<std::int64_t>(pick(3));
    m_period = m_period.value_or(period);
    to.period = *m_period;
    to.time = chance(90) ? m_time : 0;
    to.duration = chance(20) ? 5 : 0;
    for (std::size_t i = 0, count = pick(3); i < count; ++i) {
        to.comments.push_back(any_of(names()));
    }
    to.default_type = chance(30) ? any_of(m_types).type : "";
    to.doc_url = chance(30) ? "https://example.org/doc" : "";
    to.drop_frames = chance(20) ? any_of(names()) : "";
    to.keep_frames = chance(20) ? any_of(names()) : "";
    to.unknown = chance(20) ? unknown_field(pick(4)) + unknown_field(pick(4)) : "";
}

profile random_series::next() {
    profile out;
    add_headers(out);
    std::vector<std::vector<std::uint64_t>> ids;
    add_code(out, ids);
    const unsigned absent = chance(50) ? 0 : 15;
    for (const auto& from : m_samples) {
        if (chance(absent)) {
            continue;
        }
        sample s;
        for (const std::size_t place : from.stack) {
            s.stack.push_back(any_of(ids[place]));
        }
        s.labels = from.labels;
        std::shuffle(s.labels.begin(), s.labels.end(), m_random);
        s.values = from.values;
        out.samples.push_back(s);
        if (chance(15)) {
            // The sample has two parts, which have to be added up again.
            std::fill(out.samples.back().values.begin(), out.samples.back().values.end(), 1);
            for (auto& value : s.values) {
                value = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) - 1);
            }
            out.samples.push_back(s);
        }
    }
    if (chance(50)) {
        std::shuffle(out.samples.begin(), out.samples.end(), m_random);
    }
    advance();
    return out;
}

layout random_series::next_layout() {
    layout out;
    out.numbers = any_of(std::vector<packing>{packing::packed, packing::unpacked, packing::mixed});
    out.sparse_ids = chance(30);
    out.explicit_zeros = chance(30);
    out.copies = chance(30) ? 2 : 1;
    if (chance(30)) {
        out.unused = {"unused", "f"};
    }
    if (chance(50)) {
        out.shuffle = static_cast<std::uint32_t>(pick(1000));
    }
    return out;
}

} // namespace pprofdelta::test
