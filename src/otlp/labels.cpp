// SPDX-License-Identifier: Apache-2.0
#include "otlp/labels.hpp"

#include <algorithm>
#include <utility>

#include <pprofdelta/characters.hpp>

#include "base/hash128.hpp"
#include "otlp/attribute_names.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

namespace {

std::string_view id_of(otlp_reader& fields, std::size_t size) {
    const std::string_view id = fields.bytes();
    if (!id.empty() && id.size() != size) {
        fields.fail("has " + std::to_string(id.size()) + " bytes, not " + std::to_string(size));
    }
    return id.find_first_not_of('\0') == std::string_view::npos ? std::string_view{} : id;
}

} // namespace

void otlp_labels::append_label(const label_record& label) {
    number_fields<4> fields;
    fields.add(field::label::key, label.key);
    fields.add(field::label::str, label.text);
    fields.add(field::label::num, label.number);
    fields.add(field::label::num_unit, label.unit);
    const std::string_view message = fields.as_field(field::sample::label);
    m_room.take(message.size());
    m_fields += message;
}

void otlp_labels::append_one(std::uint32_t key, const otlp_any_value& value, std::uint32_t unit) {
    using kind = otlp_any_value::kind;
    label_record label{.key = key};
    if (value.is == kind::integer) {
        label.number = value.number;
        label.unit = unit;
    } else if (value.is == kind::string_index) {
        label.text = value.string;
    } else if (value.is == kind::string) {
        label.text = m_strings.number(value.bytes); // without a copy of what may be long
    } else {
        label.text = m_strings.number(print_any_value(m_dictionary, value, m_room));
    }
    append_label(label);
}

// A list of strings and integers is what pprof has as several labels of one key, some maybe with
// nothing but the key.
void otlp_labels::append(std::uint32_t key, const otlp_any_value& value, std::uint32_t unit) {
    using kind = otlp_any_value::kind;
    bool is_plain_list = false;
    if (value.is == kind::array) {
        bool is_plain = true;
        for_each_element(m_dictionary, value, [&](const otlp_any_value& element) {
            is_plain =
                is_plain && (!element.is || element.is_text() || element.is == kind::integer);
            is_plain_list = is_plain;
        });
    }
    if (is_plain_list) {
        for_each_element(m_dictionary, value,
                         [&](const otlp_any_value& element) { append_one(key, element, unit); });
    } else {
        append_one(key, value, unit);
    }
}

record otlp_labels::attribute(std::uint32_t index) {
    if (m_attributes.empty()) {
        m_attributes.resize(m_dictionary.attributes.size(), unknown);
    }
    if (m_attributes[index].offset == unknown.offset) {
        const otlp_attribute_value attribute = read_attribute(m_dictionary, index);
        const std::size_t begin = m_fields.size();
        append(attribute.key_index, attribute.value, attribute.unit);
        m_attributes[index] = since(begin);
    }
    return m_attributes[index];
}

// Most samples that have attributes have one.
std::uint32_t otlp_labels::set_of(otlp_reader& sample) {
    const std::string_view packed = sample.bytes();
    if (packed.empty()) {
        return 0;
    }
    const std::size_t index = only_index(packed);
    if (index >= m_dictionary.attributes.size()) {
        return find_set(packed, sample);
    }
    if (m_sets_of_one.empty()) {
        m_sets_of_one.resize(m_dictionary.attributes.size());
    }
    std::uint32_t& set = m_sets_of_one[index];
    if (set == 0) {
        set = find_set(packed, sample);
    }
    return set;
}

std::uint32_t otlp_labels::find_set(std::string_view packed, otlp_reader& sample) {
    const std::uint32_t place = m_indices.find_or_add(hash_bytes(packed), [&] {
        m_set.clear();
        sample.indices_of(packed, m_dictionary.attributes.size(), [&](std::uint32_t index) {
            if (index == 0) {
                sample.fail("names the attribute 0, which is none");
            }
            m_set.push_back(index);
        });
        for (const std::uint32_t index : m_set) {
            static_cast<void>(attribute(index)); // before the set, which has to be in one piece
        }
        m_keys.clear();
        const std::size_t begin = m_fields.size();
        for (const std::uint32_t index : m_set) {
            m_keys.push_back(read_attribute(m_dictionary, index).key_index);
            const record labels = m_attributes[index];
            m_room.take(labels.size);
            m_fields.append(m_fields, labels.offset, labels.size);
        }
        std::sort(m_keys.begin(), m_keys.end());
        const auto twice = std::adjacent_find(m_keys.begin(), m_keys.end());
        if (twice != m_keys.end()) {
            sample.fail("names two attributes with the key '" +
                        std::string{m_dictionary.text(*twice)} + "'");
        }
        m_sets.push_back(since(begin));
        return static_cast<std::uint32_t>(m_sets.size() - 1);
    });
    return m_indices[place];
}

record otlp_labels::of_resource(std::string_view resource) {
    std::vector<otlp_attribute_value> attributes;
    otlp_reader parts = m_dictionary.read(otlp_resource, resource);
    while (parts.next()) {
        if (parts.as<field::otlp::resource>() == field::otlp::resource::attributes) {
            m_room.take(sizeof(otlp_attribute_value)); // which an empty one takes as well
            attributes.push_back(read_key_value(m_dictionary, parts.bytes()));
        } else {
            parts.skip();
        }
    }
    std::stable_sort(attributes.begin(), attributes.end(),
                     [](const auto& a, const auto& b) { return a.key < b.key; });
    const std::size_t begin = m_fields.size();
    for (const otlp_attribute_value& each : attributes) {
        m_room.take(each.key.size());
        const std::uint32_t key =
            m_strings.number(std::string{otlp_names::resource_prefix} += each.key);
        otlp_any_value value = each.value;
        if (value.is == otlp_any_value::kind::string_index) {
            // Not the dictionary's number, so that one text has one number here.
            value.is = otlp_any_value::kind::string;
            value.bytes = m_dictionary.text(value.string);
        }
        append(key, value, 0);
    }
    return since(begin);
}

std::uint32_t otlp_labels::set_of_source(record resource, std::string_view scope) {
    const std::size_t begin = m_fields.size();
    m_room.take(resource.size);
    m_fields.append(m_fields, resource.offset, resource.size);
    std::string_view name;
    otlp_reader of_scope = m_dictionary.read(otlp_scope, scope);
    while (of_scope.next()) {
        if (of_scope.as<field::otlp::scope>() == field::otlp::scope::name) {
            name = of_scope.bytes();
        } else {
            of_scope.skip();
        }
    }
    if (!name.empty()) {
        append_label(
            {.key = m_strings.number(otlp_names::scope_name), .text = m_strings.number(name)});
    }
    const record made = since(begin);
    const std::uint32_t place = m_sources.find_or_add(hash_bytes(at(made)), [&] {
        m_sets.push_back(made);
        return static_cast<std::uint32_t>(m_sets.size() - 1);
    });
    if (m_sets[m_sources[place]].offset != made.offset) {
        m_fields.resize(begin); // it is there already
    }
    return m_sources[place];
}

record otlp_labels::read_link(std::uint32_t index) {
    if (m_links.empty()) {
        m_links.resize(m_dictionary.links.size(), unknown);
    }
    if (m_links[index].offset == unknown.offset) {
        using part = field::otlp::link;
        std::string_view trace;
        std::string_view span;
        otlp_reader fields =
            m_dictionary.read(otlp_link, m_dictionary.at(m_dictionary.links[index]));
        while (fields.next()) {
            const bool is_trace = fields.as<part>() == part::trace_id;
            (is_trace ? trace : span) =
                id_of(fields, is_trace ? otlp_names::trace_id_size : otlp_names::span_id_size);
        }
        const std::size_t begin = m_fields.size();
        for (const auto& [key, id] :
             {std::pair{otlp_names::trace_id, trace}, std::pair{otlp_names::span_id, span}}) {
            if (!id.empty()) {
                append_label(
                    {.key = m_strings.number(key), .text = m_strings.number(hexadecimal(id))});
            }
        }
        m_links[index] = since(begin);
    }
    return m_links[index];
}

} // namespace pprofdelta
