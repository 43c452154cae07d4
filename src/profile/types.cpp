// SPDX-License-Identifier: Apache-2.0
#include "profile/types.hpp"

#include <algorithm>

#include <pprofdelta/error.hpp>

#include "profile/records.hpp"

namespace pprofdelta {

void profile_types::read(const profile_view& view, const string_index& strings) {
    if (view.sample_types.size() > max_sample_types) {
        throw error{error_kind::too_large, "the profile has " +
                                               std::to_string(view.sample_types.size()) +
                                               " sample types, and at most " +
                                               std::to_string(max_sample_types) + " are read"};
    }
    // A string is in the profile once, and each type has a copy of it.
    std::size_t room = max_type_names_size;
    const auto copy = [&](std::uint64_t number, std::string_view where, std::string& out) {
        const std::string_view text = strings.text(strings.check(number, where));
        if (text.size() > room) {
            throw error{error_kind::too_large, "the names of the sample types have more than " +
                                                   std::to_string(max_type_names_size) + " bytes"};
        }
        room -= text.size();
        out = text;
    };
    const auto read = [&](record r) {
        return read_value_type(view.at(r), view.bytes().data(), ignore_unknown);
    };
    const auto read_type = [&](record r, value_type& out) {
        const value_type_record type = read(r);
        copy(type.type, view.at(r), out.type);
        copy(type.unit, view.at(r), out.unit);
    };
    sample_types.resize(view.sample_types.size());
    for (std::size_t i = 0; i < sample_types.size(); ++i) {
        read_type(view.sample_types[i], sample_types[i]);
    }
    period_type.type.clear();
    period_type.unit.clear();
    for (const record r : view.period_types) {
        (void)read(r); // all must be valid, and the last one counts
    }
    if (!view.period_types.empty()) {
        read_type(view.period_types.back(), period_type);
    }
}

void profile_types::require_distinct(const char* reader) const {
    for (auto type = sample_types.begin(); type != sample_types.end(); ++type) {
        if (std::find(sample_types.begin(), type, *type) != type) {
            throw error{error_kind::incompatible, "several sample types are " + to_string(*type) +
                                                      ", which " + reader + " cannot tell apart"};
        }
    }
}

std::string to_string(const std::vector<value_type>& types) {
    constexpr std::size_t most = 20; // a message with more would be unreadable
    std::string text;
    for (std::size_t i = 0; i < std::min(types.size(), most); ++i) {
        text += i == 0 ? "" : ", ";
        text += to_string(types[i]);
    }
    if (types.size() > most) {
        text += " and " + std::to_string(types.size() - most) + " more";
    }
    return types.empty() ? "none" : text;
}

void fail_no_match(const value_type_pattern& pattern, const std::vector<value_type>& types,
                   const std::string& asker) {
    throw error{error_kind::incompatible,
                asker + "no sample type is " + pattern.text() + "; there are: " + to_string(types)};
}

void require_same(const profile_types& previous, const profile_types& current) {
    if (previous.sample_types != current.sample_types) {
        throw error{error_kind::incompatible,
                    "the sample types differ: " + to_string(previous.sample_types) +
                        " before, and now " + to_string(current.sample_types),
                    error_input::both};
    }
    if (previous.has_period_type() && current.has_period_type() &&
        !(previous.period_type == current.period_type)) {
        throw error{error_kind::incompatible,
                    "the period types differ: " + to_string(previous.period_type) +
                        " before, and now " + to_string(current.period_type),
                    error_input::both};
    }
}

} // namespace pprofdelta
