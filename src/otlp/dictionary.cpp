// SPDX-License-Identifier: Apache-2.0
#include "otlp/dictionary.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <pprofdelta/error.hpp>

namespace pprofdelta {

void otlp_dictionary::add(std::string_view message) {
    const std::array<std::vector<record>*, 7> tables{&mappings, &locations,  &functions, &links,
                                                     &strings,  &attributes, &stacks};
    otlp_reader fields = read(otlp_dictionary_message, message);
    while (fields.next()) {
        const auto table = static_cast<std::size_t>(fields.as<field::otlp::dictionary>()) - 1;
        std::vector<record>& elements = *tables.at(table);
        fields.run_of_bytes([&](std::string_view each) { elements.push_back(here(each)); });
    }
}

void otlp_dictionary::check_zeros() const {
    const auto check = [&](const std::vector<record>& table, const otlp_message& schema,
                           const char* name) {
        if (table.empty()) {
            return;
        }
        // A field may be there and have its default value, such as 16 bytes of zeros.
        otlp_reader fields = read(schema, at(table.front()));
        while (fields.next()) {
            if (!fields.is_zero()) {
                throw error{error_kind::malformed,
                            std::string{"ProfilesDictionary."} + name +
                                " does not begin with the zero value, which 0 stands for",
                            table.front().offset};
            }
        }
    };
    check(mappings, otlp_mapping, "mapping_table");
    check(locations, otlp_location, "location_table");
    check(functions, otlp_function, "function_table");
    check(links, otlp_link, "link_table");
    check(attributes, otlp_attribute, "attribute_table");
    check(stacks, otlp_stack, "stack_table");
    if (!strings.empty() && strings.front().size != 0) {
        throw error{error_kind::malformed,
                    "ProfilesDictionary.string_table does not begin with an empty string",
                    strings.front().offset};
    }
}

} // namespace pprofdelta
