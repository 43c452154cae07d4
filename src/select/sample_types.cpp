// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include <pprofdelta/sample_types.hpp>

#include "base/numbers.hpp"
#include "profile/index.hpp"
#include "profile/producer_names.hpp"
#include "profile/records.hpp"
#include "profile/stacks.hpp"
#include "select/units.hpp"
#include "wire/reader.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

namespace {

std::int64_t size_of_unit(const value_type& type) {
    const std::optional<unit> known = type_unit(type.unit);
    return known ? known->size : 1;
}

// A sample type of a profile as another one.
struct converted_type {
    std::size_t place = 0; // in the profile
    value_type as;
    std::int64_t factor = 1; // of the units
};

std::int64_t converted(std::int64_t value, const converted_type& to) {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(value, to.factor, &product)) {
        fail_overflow("value");
    }
    return product;
}

// Copies a profile with other sample types.
class type_writer {
public:
    explicit type_writer(const profile_index& index) : m_index{index} {}

    [[nodiscard]] std::string write(const std::vector<converted_type>& types) {
        for (const converted_type& type : types) {
            append_bytes(m_out, field::profile::sample_type,
                         numbers_of(value_type_record{.type = number_of(type.as.type),
                                                      .unit = number_of(type.as.unit)})
                             .bytes());
        }
        const profile_view& view = m_index.view;
        const bool keeps_values = have_only_other_names(types);
        m_out.reserve(view.bytes().size());
        message_reader reader{view.bytes(), view.bytes().data()};
        std::size_t sample = 0;
        while (reader.next()) {
            switch (reader.as<field::profile>()) {
            case field::profile::sample_type:
                reader.skip();
                break;
            case field::profile::sample:
                if (keeps_values) {
                    m_out += reader.raw();
                } else {
                    reader.skip();
                    write_sample(view.samples[sample++], types);
                }
                break;
            case field::profile::default_sample_type:
                reader.skip();
                write_default(types);
                break;
            case field::profile::period_type:
                reader.skip();
                break;
            default:
                m_out += reader.raw();
                break;
            }
        }
        if (const value_type& period = m_index.types.period_type; period != value_type{}) {
            append_bytes(m_out, field::profile::period_type,
                         numbers_of(value_type_record{.type = number_of(period_name(types)),
                                                      .unit = number_of(period.unit)})
                             .bytes());
        }
        for (const std::string& text : m_new_strings) {
            append_bytes(m_out, field::profile::string_table, text);
        }
        return std::move(m_out);
    }

private:
    // Whether the values of a sample are those of the profile.
    [[nodiscard]] bool have_only_other_names(const std::vector<converted_type>& types) const {
        std::size_t place = 0;
        return types.size() == m_index.types.sample_types.size() &&
               std::ranges::all_of(types, [&](const converted_type& type) {
                   return type.place == place++ && type.factor == 1;
               });
    }

    // The name that a type of the profile gets.
    [[nodiscard]] std::string_view name_of(std::string_view own,
                                           const std::vector<converted_type>& types) const {
        for (const converted_type& type : types) {
            if (m_index.types.sample_types[type.place].type == own) {
                return type.as.type;
            }
        }
        return {};
    }

    // A period is of one of the types, or of something else.
    [[nodiscard]] std::string_view period_name(const std::vector<converted_type>& types) const {
        const std::string_view own = m_index.types.period_type.type;
        const std::string_view name = name_of(own, types);
        return name.empty() ? own : name;
    }

    // A default that is gone would make pprof fail.
    void write_default(const std::vector<converted_type>& types) {
        const std::uint64_t own = m_index.view.default_sample_type;
        if (own < m_index.strings.size()) {
            append_number(
                m_out, field::profile::default_sample_type,
                number_of(name_of(m_index.strings.text(static_cast<std::uint32_t>(own)), types)));
        }
    }

    void write_sample(record sample, const std::vector<converted_type>& types) {
        m_reader.read(sample);
        m_values.clear();
        for (const converted_type& type : types) {
            m_values.push_back(converted(m_reader.values()[type.place], type));
        }
        m_message.clear();
        message_reader reader{m_index.view.at(sample), m_index.view.bytes().data()};
        while (reader.next()) {
            if (reader.as<field::sample>() == field::sample::value) {
                reader.skip();
            } else {
                m_message += reader.raw();
            }
        }
        append_numbers(m_message, field::sample::value, m_values.data(), m_values.size(), m_packed);
        append_bytes(m_out, field::profile::sample, m_message);
    }

    // The number of a string, which comes behind those of the profile unless it is empty.
    std::uint64_t number_of(std::string_view text) {
        if (text.empty()) {
            return 0;
        }
        const auto known = std::ranges::find(m_new_strings, text);
        const auto place = static_cast<std::uint64_t>(known - m_new_strings.begin());
        if (known == m_new_strings.end()) {
            m_new_strings.emplace_back(text);
        }
        return m_index.view.strings.size() + place;
    }

    const profile_index& m_index;
    stack_reader m_reader{m_index};
    std::string m_out;
    std::string m_message;
    std::string m_packed;
    std::vector<std::int64_t> m_values;
    std::vector<std::string> m_new_strings;
};

} // namespace

bool are_comparable(const value_type& a, const value_type& b) {
    if (!are_one_name(a.type, b.type)) {
        return false;
    }
    const std::optional<unit> of_a = type_unit(a.unit);
    const std::optional<unit> of_b = type_unit(b.unit);
    return a.unit == b.unit || (of_a && of_b && of_a->of == of_b->of);
}

const value_type& finer(const value_type& a, const value_type& b) {
    return size_of_unit(b) < size_of_unit(a) ? b : a;
}

std::optional<std::string> convert_types(std::string_view profile,
                                         const std::vector<value_type>& wanted) {
    profile_index index;
    index.build_types(profile);
    const std::vector<value_type>& own = index.types.sample_types;
    if (own == wanted) {
        return std::nullopt;
    }
    std::vector<converted_type> types;
    for (const value_type& type : wanted) {
        // The name itself comes before one that means the same.
        auto found = std::ranges::find(own, type);
        if (found == own.end()) {
            found = std::ranges::find_if(own, [&](const value_type& each) {
                return are_comparable(each, type) &&
                       std::ranges::find(wanted, each) == wanted.end();
            });
        }
        // A part of a larger unit would be lost.
        if (found == own.end() || size_of_unit(*found) % size_of_unit(type) != 0) {
            return std::nullopt;
        }
        types.push_back({.place = static_cast<std::size_t>(found - own.begin()),
                         .as = type,
                         .factor = size_of_unit(*found) / size_of_unit(type)});
    }
    return type_writer{index}.write(types);
}

std::string rename_types(std::string_view profile,
                         const std::vector<std::pair<std::string, std::string>>& renames) {
    profile_index index;
    index.build_types(profile);
    std::vector<converted_type> types;
    for (const value_type& own : index.types.sample_types) {
        const auto renamed =
            std::ranges::find(renames, own.type, &std::pair<std::string, std::string>::first);
        types.push_back({.place = types.size(),
                         .as = {renamed == renames.end() ? own.type : renamed->second, own.unit}});
    }
    return type_writer{index}.write(types);
}

} // namespace pprofdelta
