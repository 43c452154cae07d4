// SPDX-License-Identifier: Apache-2.0
#include "profile_types.hpp"

#include <pprofdelta/error.hpp>

#include "wire.hpp"

namespace pprofdelta {

namespace {

void read_value_type(std::string_view bytes, const profile_view& view, const string_index& strings,
                     value_type& out) {
    out.type.clear();
    out.unit.clear();
    message_reader reader{bytes, view.bytes().data()};
    while (reader.next()) {
        switch (reader.as<field::value_type>()) {
        case field::value_type::type:
            out.type = strings.text(strings.check(reader.varint(), bytes));
            break;
        case field::value_type::unit:
            out.unit = strings.text(strings.check(reader.varint(), bytes));
            break;
        default:
            reader.skip();
            break;
        }
    }
}

} // namespace

void profile_types::read(const profile_view& view, const string_index& strings) {
    sample_types.resize(view.sample_types.size());
    for (std::size_t i = 0; i < sample_types.size(); ++i) {
        read_value_type(view.at(view.sample_types[i]), view, strings, sample_types[i]);
    }
    period_type.type.clear();
    period_type.unit.clear();
    for (const record r : view.period_types) {
        read_value_type(view.at(r), view, strings, period_type);
    }
}

std::string to_string(const std::vector<value_type>& types) {
    std::string text;
    for (const value_type& type : types) {
        text += text.empty() ? "" : ", ";
        text += to_string(type);
    }
    return text.empty() ? "none" : text;
}

void fail_no_match(const value_type_pattern& pattern, const std::vector<value_type>& types) {
    throw error{error_kind::incompatible,
                "no sample type is " + pattern.text() + "; there are: " + to_string(types)};
}

void require_same(const profile_types& previous, const profile_types& current) {
    if (previous.sample_types != current.sample_types) {
        throw error{error_kind::incompatible,
                    "the sample types differ: " + to_string(previous.sample_types) +
                        " before, and now " + to_string(current.sample_types)};
    }
    if (previous.has_period_type() && current.has_period_type() &&
        !(previous.period_type == current.period_type)) {
        throw error{error_kind::incompatible,
                    "the period types differ: " + to_string(previous.period_type) +
                        " before, and now " + to_string(current.period_type)};
    }
}

} // namespace pprofdelta
