// SPDX-License-Identifier: Apache-2.0
#include "otlp_builder.hpp"

#include <algorithm>

namespace pprofdelta::test {

std::uint64_t otlp_builder::string(std::string_view text) {
    const auto found = std::find(strings.begin(), strings.end(), text);
    const auto index = static_cast<std::uint64_t>(found - strings.begin());
    if (found == strings.end()) {
        strings.emplace_back(text);
    }
    return index;
}

std::uint64_t otlp_builder::stack_of(std::string_view function) {
    functions.push_back(message_builder{}.number(1, string(function)).str());
    locations.push_back(
        message_builder{}
            .bytes(3, message_builder{}.number(1, functions.size() - 1).number(2, 7).str())
            .str());
    stacks.push_back(message_builder{}.bytes(1, packed({locations.size() - 1})).str());
    return stacks.size() - 1;
}

std::uint64_t otlp_builder::attribute(std::string_view key, const message_builder& any_value,
                                      std::string_view unit) {
    attributes.push_back(message_builder{}
                             .number(1, string(key))
                             .bytes(2, any_value.str())
                             .number(3, string(unit))
                             .str());
    return attributes.size() - 1;
}

std::string otlp_builder::type(std::string_view name, std::string_view unit) {
    return message_builder{}.number(1, string(name)).number(2, string(unit)).str();
}

void otlp_builder::add(const std::vector<std::string>& profiles, std::string_view resource,
                       std::string_view scope) {
    message_builder of_scope;
    of_scope.bytes(1, scope);
    for (const std::string& each : profiles) {
        of_scope.bytes(2, each);
    }
    resources.push_back(message_builder{}.bytes(1, resource).bytes(2, of_scope.str()).str());
}

std::string otlp_builder::dictionary() const {
    message_builder message;
    std::uint32_t number = 0;
    for (const auto* table :
         {&mappings, &locations, &functions, &links, &strings, &attributes, &stacks}) {
        ++number;
        for (const std::string& element : *table) {
            message.bytes(number, element);
        }
    }
    return message.str();
}

std::string otlp_builder::str() const {
    message_builder message;
    for (const std::string& each : resources) {
        message.bytes(1, each);
    }
    return message.bytes(2, dictionary()).str();
}

std::string packed(const std::vector<std::uint64_t>& numbers) {
    std::string bytes;
    for (const std::uint64_t number : numbers) {
        bytes += varint(number);
    }
    return bytes;
}

std::string fixed64(std::uint32_t field, std::uint64_t value) {
    constexpr std::uint64_t wire_type = 1;
    std::string bytes = varint(std::uint64_t{field} << 3U | wire_type);
    for (unsigned i = 0; i < sizeof value; ++i) {
        bytes += static_cast<char>(value >> (8 * i) & 0xffU);
    }
    return bytes;
}

message_builder text_value(std::string_view text) { return message_builder{}.bytes(1, text); }

std::string otlp_sample_of(std::uint64_t stack, const std::vector<std::uint64_t>& attributes,
                           const std::vector<std::uint64_t>& values, std::uint64_t link) {
    return message_builder{}
        .number(1, stack)
        .bytes(2, packed(attributes))
        .number(3, link)
        .bytes(4, packed(values))
        .str();
}

} // namespace pprofdelta::test
