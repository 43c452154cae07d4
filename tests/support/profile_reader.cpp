// SPDX-License-Identifier: Apache-2.0
#include "profile_reader.hpp"

#include <cstdint>

#include "message_fields.hpp"

namespace pprofdelta::test {

namespace {

std::int64_t as_signed(std::uint64_t value) { return static_cast<std::int64_t>(value); }

class reader {
public:
    parsed_profile run(std::string_view bytes);

private:
    std::string text(std::uint64_t number) {
        const auto place = static_cast<std::size_t>(number);
        m_out.strings_used.insert(place);
        return m_out.strings.at(place);
    }

    value_type read_type(const std::string& bytes);
    label read_label(const std::string& bytes);
    sample read_sample(const std::string& bytes);
    mapping read_mapping(const std::string& bytes);
    static line read_line(const std::string& bytes);
    static location read_location(const std::string& bytes);
    function read_function(const std::string& bytes);
    void read_header(const wire_field& field);

    parsed_profile m_out;
};

value_type reader::read_type(const std::string& bytes) {
    value_type out;
    for (const auto& field : read_fields(bytes)) {
        if (field.number == 1 || field.number == 2) {
            (field.number == 1 ? out.type : out.unit) = text(field.value);
        }
    }
    return out;
}

label reader::read_label(const std::string& bytes) {
    label out;
    for (const auto& field : read_fields(bytes)) {
        switch (field.number) {
        case 1:
            out.key = text(field.value);
            break;
        case 2:
            out.str = text(field.value);
            break;
        case 3:
            out.num = as_signed(field.value);
            break;
        case 4:
            out.unit = text(field.value);
            break;
        default:
            out.unknown += field.whole;
            break;
        }
    }
    return out;
}

sample reader::read_sample(const std::string& bytes) {
    sample out;
    std::vector<std::uint64_t> values;
    for (const auto& field : read_fields(bytes)) {
        switch (field.number) {
        case 1:
            append_numbers(field, out.stack);
            break;
        case 2:
            append_numbers(field, values);
            break;
        case 3:
            out.labels.push_back(read_label(field.bytes));
            break;
        default:
            out.unknown += field.whole;
            break;
        }
    }
    for (const std::uint64_t value : values) {
        out.values.push_back(as_signed(value));
    }
    return out;
}

mapping reader::read_mapping(const std::string& bytes) {
    mapping out;
    for (const auto& field : read_fields(bytes)) {
        switch (field.number) {
        case 1:
            out.id = field.value;
            break;
        case 2:
            out.start = field.value;
            break;
        case 3:
            out.limit = field.value;
            break;
        case 4:
            out.offset = field.value;
            break;
        case 5:
            out.file = text(field.value);
            break;
        case 6:
            out.build_id = text(field.value);
            break;
        case 7:
            out.has_functions = field.value != 0;
            break;
        default:
            out.unknown += field.whole;
            break;
        }
    }
    return out;
}

line reader::read_line(const std::string& bytes) {
    line out;
    for (const auto& field : read_fields(bytes)) {
        switch (field.number) {
        case 1:
            out.function = field.value;
            break;
        case 2:
            out.number = as_signed(field.value);
            break;
        case 3:
            out.column = as_signed(field.value);
            break;
        default:
            out.unknown += field.whole;
            break;
        }
    }
    return out;
}

location reader::read_location(const std::string& bytes) {
    location out;
    for (const auto& field : read_fields(bytes)) {
        switch (field.number) {
        case 1:
            out.id = field.value;
            break;
        case 2:
            out.mapping = field.value;
            break;
        case 3:
            out.address = field.value;
            break;
        case 4:
            out.lines.push_back(read_line(field.bytes));
            break;
        case 5:
            out.folded = field.value != 0;
            break;
        default:
            out.unknown += field.whole;
            break;
        }
    }
    return out;
}

function reader::read_function(const std::string& bytes) {
    function out;
    for (const auto& field : read_fields(bytes)) {
        switch (field.number) {
        case 1:
            out.id = field.value;
            break;
        case 2:
            out.name = text(field.value);
            break;
        case 3:
            out.system_name = text(field.value);
            break;
        case 4:
            out.file = text(field.value);
            break;
        case 5:
            out.start_line = as_signed(field.value);
            break;
        default:
            out.unknown += field.whole;
            break;
        }
    }
    return out;
}

void reader::read_header(const wire_field& field) {
    profile& out = m_out.content;
    std::vector<std::uint64_t> comments;
    switch (field.number) {
    case 7:
        out.drop_frames = text(field.value);
        break;
    case 8:
        out.keep_frames = text(field.value);
        break;
    case 9:
        out.time = as_signed(field.value);
        break;
    case 10:
        out.duration = as_signed(field.value);
        break;
    case 11:
        out.period_type = read_type(field.bytes);
        break;
    case 12:
        out.period = as_signed(field.value);
        break;
    case 13:
        append_numbers(field, comments);
        break;
    case 14:
        out.default_type = text(field.value);
        break;
    case 15:
        out.doc_url = text(field.value);
        break;
    default:
        out.unknown += field.whole;
        break;
    }
    for (const std::uint64_t comment : comments) {
        out.comments.push_back(text(comment));
    }
}

// A line without a function has the id 0, unless a function has: here that one gets another.
void give_function_0_an_id(profile& out) {
    std::uint64_t unused = 1;
    bool has_0 = false;
    std::set<std::uint64_t> ids;
    for (const auto& each : out.functions) {
        ids.insert(each.id);
        has_0 = has_0 || each.id == 0;
    }
    while (ids.contains(unused)) {
        ++unused;
    }
    const auto replace = [&](std::uint64_t& id) { id = id == 0 && has_0 ? unused : id; };
    for (auto& each : out.functions) {
        replace(each.id);
    }
    for (auto& each : out.locations) {
        for (auto& l : each.lines) {
            replace(l.function);
        }
    }
}

parsed_profile reader::run(std::string_view bytes) {
    const auto fields = read_fields(bytes);
    for (const auto& field : fields) {
        if (field.number == 6) {
            m_out.strings.push_back(field.bytes);
        }
    }
    profile& out = m_out.content;
    for (const auto& field : fields) {
        switch (field.number) {
        case 1:
            out.types.push_back(read_type(field.bytes));
            break;
        case 2:
            out.samples.push_back(read_sample(field.bytes));
            break;
        case 3:
            out.mappings.push_back(read_mapping(field.bytes));
            break;
        case 4:
            out.locations.push_back(read_location(field.bytes));
            break;
        case 5:
            out.functions.push_back(read_function(field.bytes));
            break;
        case 6:
            break;
        default:
            read_header(field);
            break;
        }
    }
    give_function_0_an_id(out);
    return m_out;
}

} // namespace

parsed_profile parse(std::string_view bytes) { return reader{}.run(bytes); }

} // namespace pprofdelta::test
