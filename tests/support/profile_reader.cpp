// SPDX-License-Identifier: Apache-2.0
#include "profile_reader.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <map>

#include "message_builder.hpp"

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

    // The value of a field, by the type of the member that has it.
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

namespace {

// The ids of one kind of record, and whether something refers to each.
class id_uses {
public:
    bool add(std::uint64_t id) { return id != 0 && m_used.emplace(id, false).second; }
    bool use(std::uint64_t id) {
        const auto found = m_used.find(id);
        if (found != m_used.end()) {
            found->second = true;
        }
        return found != m_used.end();
    }
    [[nodiscard]] bool all_used() const {
        for (const auto& [id, used] : m_used) {
            if (!used) {
                return false;
            }
        }
        return true;
    }

private:
    std::map<std::uint64_t, bool> m_used;
};

std::string fault_in_records(const profile& content, bool (*stands_alone)(const mapping&)) {
    id_uses mappings;
    id_uses locations;
    id_uses functions;
    for (const auto& each : content.mappings) {
        if (!mappings.add(each.id)) {
            return "bad or repeated mapping id " + std::to_string(each.id);
        }
        if (stands_alone(each)) {
            mappings.use(each.id);
        }
    }
    for (const auto& each : content.functions) {
        if (!functions.add(each.id)) {
            return "bad or repeated function id " + std::to_string(each.id);
        }
    }
    for (const auto& each : content.locations) {
        if (!locations.add(each.id)) {
            return "bad or repeated location id " + std::to_string(each.id);
        }
        if (each.mapping != 0 && !mappings.use(each.mapping)) {
            return "unknown mapping " + std::to_string(each.mapping);
        }
        for (const auto& line : each.lines) {
            if (line.function != 0 && !functions.use(line.function)) {
                return "unknown function " + std::to_string(line.function);
            }
        }
    }
    for (const auto& each : content.samples) {
        if (each.values.size() != content.types.size()) {
            return "a sample with " + std::to_string(each.values.size()) + " values";
        }
        for (const std::uint64_t frame : each.stack) {
            if (!locations.use(frame)) {
                return "unknown location " + std::to_string(frame);
            }
        }
    }
    if (!content.mappings.empty()) {
        mappings.use(content.mappings.front().id); // kept as the main binary
    }
    if (!mappings.all_used() || !locations.all_used() || !functions.all_used()) {
        return "a mapping, location or function that nothing refers to";
    }
    return "";
}

std::string fault_in_strings(const parsed_profile& parsed) {
    if (parsed.strings.empty() || !parsed.strings.front().empty()) {
        return "the string table does not start with an empty string";
    }
    if (parsed.strings_used.size() != parsed.strings.size()) {
        return "a string that nothing refers to";
    }
    const std::set<std::string> distinct{parsed.strings.begin(), parsed.strings.end()};
    return distinct.size() == parsed.strings.size() ? "" : "a string that is there twice";
}

} // namespace

bool has_doubles(std::string_view bytes) {
    const profile content = parse(bytes).content;
    const auto has_double = [](auto records) {
        for (auto& each : records) {
            each.id = 0;
            each.unknown.clear();
        }
        for (auto i = records.begin(); i != records.end(); ++i) {
            if (std::find(i + 1, records.end(), *i) != records.end()) {
                return true;
            }
        }
        return false;
    };
    return has_double(content.mappings) || has_double(content.functions) ||
           has_double(content.locations);
}

std::string find_fault(std::string_view bytes, const mapping* main,
                       bool (*stands_alone)(const mapping&)) {
    parsed_profile parsed;
    try {
        parsed = parse(bytes);
    } catch (const std::exception& e) {
        return e.what();
    }
    const auto& mappings = parsed.content.mappings;
    if (main != nullptr &&
        (mappings.empty() || mappings.front().file != main->file ||
         mappings.front().build_id != main->build_id || mappings.front().start != main->start)) {
        return "the main binary's mapping is not the first one";
    }
    std::string fault = fault_in_records(parsed.content, stands_alone);
    if (fault.empty()) {
        fault = fault_in_strings(parsed);
    }
    return fault.empty() ? "none" : fault;
}

} // namespace pprofdelta::test
