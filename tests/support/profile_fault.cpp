// SPDX-License-Identifier: Apache-2.0
#include "profile_reader.hpp"

#include <cstdint>
#include <exception>
#include <map>

namespace pprofdelta::test {

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
