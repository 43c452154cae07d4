// SPDX-License-Identifier: Apache-2.0
#include "profile_builder.hpp"

#include <algorithm>
#include <map>
#include <random>

namespace pprofdelta::test {

namespace {

std::uint64_t as_unsigned(std::int64_t value) { return static_cast<std::uint64_t>(value); }

// The string table, filled while records are written.
class string_table {
public:
    explicit string_table(const layout& how) : m_copies{std::max(how.copies, 1U)} {
        place("");
        for (const auto& text : how.unused) {
            place(text);
        }
    }

    std::uint64_t place(const std::string& text) {
        auto& places = m_places[text];
        if (places.empty()) {
            for (std::uint32_t i = 0; i < m_copies; ++i) {
                places.push_back(m_strings.size());
                m_strings.push_back(text);
            }
        }
        return places[m_uses++ % places.size()];
    }

    void shuffle(std::uint32_t seed) {
        std::mt19937 random{seed};
        std::shuffle(m_strings.begin() + 1, m_strings.end(), random);
        m_places.clear();
        for (std::size_t i = 0; i < m_strings.size(); ++i) {
            m_places[m_strings[i]].push_back(i);
        }
    }

    [[nodiscard]] const std::vector<std::string>& strings() const { return m_strings; }

private:
    std::uint32_t m_copies;
    std::size_t m_uses = 0;
    std::vector<std::string> m_strings;
    std::map<std::string, std::vector<std::size_t>> m_places;
};

class serializer {
public:
    serializer(const layout& how, string_table& strings) : m_how{how}, m_strings{strings} {}

    std::string run(const profile& from);

private:
    [[nodiscard]] std::uint64_t id(std::uint64_t own) const {
        constexpr std::uint64_t odd = 0x9e3779b97f4a7c15; // times an odd number is one to one
        return m_how.sparse_ids ? own * odd : own;
    }
    void number(message_builder& to, std::uint32_t field, std::uint64_t value) const {
        if (value != 0 || m_how.explicit_zeros) {
            to.number(field, value);
        }
    }
    void text(message_builder& to, std::uint32_t field, const std::string& value) {
        number(to, field, m_strings.place(value));
    }
    void numbers(message_builder& to, std::uint32_t field,
                 const std::vector<std::uint64_t>& values) const;
    [[nodiscard]] std::string finish(const message_builder& message) {
        return m_how.shuffle ? message.shuffled(*m_how.shuffle + m_messages++) : message.str();
    }

    std::string write(const value_type& from);
    std::string write(const label& from);
    std::string write(const sample& from);
    std::string write(const mapping& from);
    std::string write(const line& from);
    std::string write(const location& from);
    std::string write(const function& from);

    const layout& m_how;
    string_table& m_strings;
    std::uint32_t m_messages = 0;
};

void serializer::numbers(message_builder& to, std::uint32_t field,
                         const std::vector<std::uint64_t>& values) const {
    std::string packed;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool alone = m_how.numbers == packing::unpacked ||
                           (m_how.numbers == packing::mixed && i < values.size() / 2);
        if (alone) {
            to.number(field, values[i]);
        } else {
            packed += varint(values[i]);
        }
    }
    if (!packed.empty()) {
        to.bytes(field, packed);
    }
}

std::string serializer::write(const value_type& from) {
    message_builder to;
    text(to, 1, from.type);
    text(to, 2, from.unit);
    return finish(to);
}

std::string serializer::write(const label& from) {
    message_builder to;
    text(to, 1, from.key);
    text(to, 2, from.str);
    number(to, 3, as_unsigned(from.num));
    text(to, 4, from.unit);
    to.raw(from.unknown);
    return finish(to);
}

std::string serializer::write(const sample& from) {
    message_builder to;
    std::vector<std::uint64_t> stack;
    for (const std::uint64_t frame : from.stack) {
        stack.push_back(id(frame));
    }
    numbers(to, 1, stack);
    std::vector<std::uint64_t> values;
    for (const std::int64_t value : from.values) {
        values.push_back(as_unsigned(value));
    }
    numbers(to, 2, values);
    for (const auto& each : from.labels) {
        to.bytes(3, write(each));
    }
    to.raw(from.unknown);
    return finish(to);
}

std::string serializer::write(const mapping& from) {
    message_builder to;
    number(to, 1, id(from.id));
    number(to, 2, from.start);
    number(to, 3, from.limit);
    number(to, 4, from.offset);
    text(to, 5, from.file);
    text(to, 6, from.build_id);
    number(to, 7, from.has_functions ? 1 : 0);
    to.raw(from.unknown);
    return finish(to);
}

std::string serializer::write(const line& from) {
    message_builder to;
    number(to, 1, id(from.function));
    number(to, 2, as_unsigned(from.number));
    number(to, 3, as_unsigned(from.column));
    to.raw(from.unknown);
    return finish(to);
}

std::string serializer::write(const location& from) {
    message_builder to;
    number(to, 1, id(from.id));
    number(to, 2, id(from.mapping));
    number(to, 3, from.address);
    for (const auto& each : from.lines) {
        to.bytes(4, write(each));
    }
    number(to, 5, from.folded ? 1 : 0);
    to.raw(from.unknown);
    return finish(to);
}

std::string serializer::write(const function& from) {
    message_builder to;
    number(to, 1, id(from.id));
    text(to, 2, from.name);
    text(to, 3, from.system_name);
    text(to, 4, from.file);
    number(to, 5, as_unsigned(from.start_line));
    to.raw(from.unknown);
    return finish(to);
}

std::string serializer::run(const profile& from) {
    message_builder to;
    const auto records = [&](std::uint32_t field, const auto& list) {
        for (const auto& each : list) {
            to.bytes(field, write(each));
        }
    };
    records(1, from.types);
    records(2, from.samples);
    records(3, from.mappings);
    records(4, from.locations);
    records(5, from.functions);
    text(to, 7, from.drop_frames);
    text(to, 8, from.keep_frames);
    number(to, 9, as_unsigned(from.time));
    number(to, 10, as_unsigned(from.duration));
    if (!(from.period_type == value_type{})) {
        to.bytes(11, write(from.period_type));
    }
    number(to, 12, as_unsigned(from.period));
    std::vector<std::uint64_t> comments;
    for (const auto& comment : from.comments) {
        comments.push_back(m_strings.place(comment));
    }
    numbers(to, 13, comments);
    text(to, 14, from.default_type);
    text(to, 15, from.doc_url);
    for (const auto& each : m_strings.strings()) {
        to.bytes(6, each);
    }
    to.raw(from.unknown);
    return finish(to);
}

} // namespace

std::string serialize(const profile& from, const layout& how) {
    string_table strings{how};
    std::string bytes = serializer{how, strings}.run(from);
    if (how.shuffle) {
        // The first run only found out which strings there are.
        strings.shuffle(*how.shuffle);
        bytes = serializer{how, strings}.run(from);
    }
    return bytes;
}

std::uint64_t add_frame(profile& to, const std::string& name, const std::string& file,
                        std::int64_t line_number) {
    const std::uint64_t function_id = to.functions.size() + 1;
    const std::uint64_t location_id = to.locations.size() + 1;
    to.functions.push_back({function_id, name, name, file, 0, ""});
    to.locations.push_back({location_id, 0, 0, {{function_id, line_number, 0, ""}}, false, ""});
    return location_id;
}

profile with_values(const rows_of_values& rows) {
    profile p;
    p.types = {{"objects", "count"}, {"space", "bytes"}};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        p.samples.push_back({{add_frame(p, "f" + std::to_string(i))}, rows[i]});
    }
    return p;
}

rows_of_values values_of(const profile& p) {
    rows_of_values all;
    for (const auto& sample : p.samples) {
        all.push_back(sample.values);
    }
    return all;
}

std::vector<value_type> heap_types() {
    return {{"alloc_objects", "count"},
            {"alloc_space", "bytes"},
            {"inuse_objects", "count"},
            {"inuse_space", "bytes"}};
}

} // namespace pprofdelta::test
