// SPDX-License-Identifier: Apache-2.0
#include "profile_reader.hpp"

#include <cstdint>

#include "message_fields.hpp"

namespace pprofdelta::test {

namespace {

class reader {
public:
    parsed_profile run(std::string_view bytes);

private:
    std::string text(std::uint64_t number) {
        const auto place = static_cast<std::size_t>(number);
        m_out.strings_used.insert(place);
        return m_out.strings.at(place);
    }

    // What a field says, by the type of the member that has it.
    void take(const wire_field& from, std::uint64_t& to) { to = from.value; }
    void take(const wire_field& from, std::int64_t& to) {
        to = static_cast<std::int64_t>(from.value);
    }
    void take(const wire_field& from, bool& to) { to = from.value != 0; }
    void take(const wire_field& from, std::string& to) { to = text(from.value); }
    void take(const wire_field& from, std::vector<std::uint64_t>& to) { append_numbers(from, to); }
    void take(const wire_field& from, std::vector<std::int64_t>& to) {
        std::vector<std::uint64_t> numbers;
        append_numbers(from, numbers);
        to.insert(to.end(), numbers.begin(), numbers.end());
    }
    void take(const wire_field& from, std::vector<std::string>& to) {
        std::vector<std::uint64_t> places;
        append_numbers(from, places);
        for (const std::uint64_t place : places) {
            to.push_back(text(place));
        }
    }
    template <typename Record>
    void take(const wire_field& from, std::vector<Record>& to) {
        take(from, to.emplace_back());
    }

    void take(const wire_field& from, value_type& to) {
        to = {};
        read(from, to, &value_type::type, &value_type::unit);
    }
    void take(const wire_field& from, label& to) {
        read(from, to, &label::key, &label::str, &label::num, &label::unit);
    }
    void take(const wire_field& from, sample& to) {
        read(from, to, &sample::stack, &sample::values, &sample::labels);
    }
    void take(const wire_field& from, mapping& to) {
        read(from, to, &mapping::id, &mapping::start, &mapping::limit, &mapping::offset,
             &mapping::file, &mapping::build_id, &mapping::has_functions);
    }
    void take(const wire_field& from, line& to) {
        read(from, to, &line::function, &line::number, &line::column);
    }
    void take(const wire_field& from, location& to) {
        read(from, to, &location::id, &location::mapping, &location::address, &location::lines,
             &location::folded);
    }
    void take(const wire_field& from, function& to) {
        read(from, to, &function::id, &function::name, &function::system_name, &function::file,
             &function::start_line);
    }

    // Takes a field as one of the members, of which the first has the number after `before`.
    template <typename Record, typename... Members>
    bool take_one(const wire_field& from, Record& to, std::uint32_t before,
                  Members Record::*... members) {
        return ((from.number == ++before && (take(from, to.*members), true)) || ...);
    }
    template <typename Record, typename... Members>
    void read(const wire_field& from, Record& to, Members Record::*... members) {
        for (const wire_field& field : read_fields(from.bytes)) {
            if (!take_one(field, to, 0, members...)) {
                if constexpr (requires { to.unknown; }) {
                    to.unknown += field.whole;
                }
            }
        }
    }

    parsed_profile m_out;
};

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
        if (field.number != 6 &&
            !take_one(field, out, 0, &profile::types, &profile::samples, &profile::mappings,
                      &profile::locations, &profile::functions) &&
            !take_one(field, out, 6, &profile::drop_frames, &profile::keep_frames, &profile::time,
                      &profile::duration, &profile::period_type, &profile::period,
                      &profile::comments, &profile::default_type, &profile::doc_url)) {
            out.unknown += field.whole;
        }
    }
    give_function_0_an_id(out);
    return m_out;
}

} // namespace

parsed_profile parse(std::string_view bytes) { return reader{}.run(bytes); }

} // namespace pprofdelta::test
