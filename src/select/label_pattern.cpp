// SPDX-License-Identifier: Apache-2.0
#include "select/label_pattern.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "base/errors.hpp"
#include "base/text.hpp"
#include "select/units.hpp"

namespace pprofdelta {

namespace {

__extension__ using wide = __int128;

// Reads pprof's names of units, and our own names of those that pprof does not know.
std::optional<unit> label_unit(std::string_view text) {
    const std::optional<unit> known = type_unit(text);
    return known ? known : number_unit(text);
}

} // namespace

label_pattern::label_pattern(std::string_view text) {
    const std::size_t sign = text.find('=');
    if (sign == std::string_view::npos || sign == 0) {
        refuse("'" + std::string{text} + "': expected KEY=REGEX, or KEY=RANGE for numbers");
    }
    m_key = text.substr(0, sign);
    const std::string_view values = text.substr(sign + 1);
    m_texts = std::make_unique<const name_pattern>(values);
    m_numbers = read_range(values);
}

std::optional<label_pattern::range> label_pattern::read_range(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) {
        const std::optional<bound> only = read_bound(text);
        return only ? std::optional{range{only, only}} : std::nullopt;
    }
    const std::string_view first = text.substr(0, colon);
    const std::string_view last = text.substr(colon + 1);
    const range read{read_bound(first), read_bound(last)};
    const bool is_range = (read.least || first.empty()) && (read.most || last.empty());
    return is_range && (read.least || read.most) ? std::optional{read} : std::nullopt;
}

std::optional<label_pattern::bound> label_pattern::read_bound(std::string_view text) {
    bound made;
    const char* const end = text.data() + text.size();
    const auto [rest, fault] = std::from_chars(text.data(), end, made.number);
    if (fault != std::errc{}) {
        return {};
    }
    made.unit.assign(rest, end);
    const bool is_number = std::ranges::all_of(made.unit, is_letter) || label_unit(made.unit);
    return is_number ? std::optional{made} : std::nullopt;
}

std::optional<int> label_pattern::compare(std::int64_t number, std::string_view unit,
                                          const bound& with) {
    std::int64_t size = 1;
    std::int64_t size_of_bound = 1;
    if (!with.unit.empty() && with.unit != unit) {
        const auto own = label_unit(unit);
        const auto given = label_unit(with.unit);
        if (!own || !given || own->of != given->of) {
            return {};
        }
        size = own->size;
        size_of_bound = given->size;
    }
    const auto a = static_cast<wide>(number) * size;
    const auto b = static_cast<wide>(with.number) * size_of_bound;
    return a < b ? -1 : a > b ? 1 : 0;
}

bool label_pattern::has(std::int64_t number, std::string_view unit) const {
    if (!m_numbers) {
        return false;
    }
    const auto is_on_side = [&](const std::optional<bound>& end, int wrong) {
        const std::optional<int> order = end ? compare(number, unit, *end) : 0;
        return order && *order != wrong;
    };
    return is_on_side(m_numbers->least, -1) && is_on_side(m_numbers->most, 1);
}

} // namespace pprofdelta
