// SPDX-License-Identifier: Apache-2.0
#include "limits/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <pprofdelta/error.hpp>

#include "base/wrapping.hpp"
#include "select/units.hpp"

namespace pprofdelta {

namespace {

// How much of a type's unit a given unit is, as a fraction; empty if they do not fit.
std::optional<std::pair<std::int64_t, std::int64_t>> unit_ratio(const std::string& unit,
                                                                const value_type& type) {
    const auto wanted = number_unit(unit);
    if (!wanted) {
        return std::pair{std::int64_t{1}, std::int64_t{1}};
    }
    const auto own = type_unit(type.unit);
    if (!own || own->of != wanted->of) {
        return std::nullopt;
    }
    return std::pair{wanted->size, own->size};
}

std::pair<std::int64_t, std::int64_t> unit_ratio(const limit& l, const value_type& type) {
    const auto ratio = unit_ratio(l.most.unit, type);
    if (!ratio) {
        throw error{error_kind::incompatible, l.place + (l.place.empty() ? "" : ": ") +
                                                  "the unit of '" + l.text + "' does not fit " +
                                                  to_string(type)};
    }
    return *ratio;
}

// Numbers of up to 120 bits come up below.
__extension__ using wide = unsigned __int128;

constexpr wide power_of_ten(int exponent) {
    wide power = 1;
    while (exponent-- > 0) {
        power *= 10;
    }
    return power;
}

// Whether a / b is more than c / d, by their whole parts and then, upside down, by what is left of
// both: products would have more than 128 bits. A fraction over zero is more than any other.
bool is_more(wide a, wide b, wide c, wide d) {
    bool is_upright = true;
    while (b != 0 && d != 0) {
        if (a / b != c / d) {
            return (a / b > c / d) == is_upright;
        }
        a %= b;
        c %= d;
        std::swap(a, b);
        std::swap(c, d);
        is_upright = !is_upright;
    }
    return is_upright ? b == 0 && d != 0 : d == 0 && b != 0;
}

std::uint64_t above_zero(std::int64_t value) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0));
}

// A difference can need one bit more than it has, and has wrapped around then.
std::uint64_t growth(const value_pair& value, std::int64_t change) {
    const auto difference =
        static_cast<std::uint64_t>(value.current) - static_cast<std::uint64_t>(value.previous);
    if (difference != static_cast<std::uint64_t>(change)) {
        return above_zero(change); // what a delta has, as after a restart
    }
    return value.current > value.previous ? difference : 0;
}

} // namespace

bool is_crossed(const limit& l, const value_type& type, std::int64_t duration_nanos,
                const value_pair& value, std::int64_t change) {
    const auto [unit, own_unit] = unit_ratio(l, type);
    const std::uint64_t compared =
        l.on == limit::bound::value ? above_zero(value.current) : growth(value, change);
    if (compared == 0) {
        return false; // no bound is negative
    }
    constexpr wide nanoseconds = 1'000'000'000;
    const wide most = static_cast<wide>(l.most.digits) * static_cast<wide>(unit);
    const wide digits = power_of_ten(l.most.decimals);
    const wide size = static_cast<wide>(compared) * static_cast<wide>(own_unit);
    switch (l.on) {
    case limit::bound::percent:
        return is_more(size * 100, magnitude(value.previous), most, digits);
    case limit::bound::rate:
        return is_more(size * static_cast<wide>(l.seconds), static_cast<wide>(duration_nanos), most,
                       digits * nanoseconds);
    case limit::bound::value:
    case limit::bound::growth:
        break;
    }
    return is_more(size, 1, most, digits);
}

std::uint64_t most_allowed(const limit& l, const value_type& type, std::int64_t duration_nanos,
                           std::int64_t previous) {
    constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
    const auto [unit, own_unit] = unit_ratio(l, type);
    wide most = static_cast<wide>(l.most.digits) * static_cast<wide>(unit);
    wide parts = power_of_ten(l.most.decimals) * static_cast<wide>(own_unit);
    if (l.on == limit::bound::percent) {
        most *= magnitude(previous);
        parts *= 100;
    }
    if (l.on == limit::bound::rate) {
        // Only shown; products would have more than 128 bits.
        const double exact =
            static_cast<double>(most) / static_cast<double>(parts) *
            (static_cast<double>(duration_nanos) / (1e9 * static_cast<double>(l.seconds)));
        return exact < 0x1p63 ? static_cast<std::uint64_t>(std::max(exact, 0.0)) : largest;
    }
    return static_cast<std::uint64_t>(std::min<wide>(most / parts, largest));
}

std::optional<double> in_unit(const amount& value, const value_type& type) {
    const auto ratio = unit_ratio(value.unit, type);
    if (!ratio) {
        return std::nullopt;
    }
    return static_cast<double>(value.digits) / std::pow(10.0, value.decimals) *
           (static_cast<double>(ratio->first) / static_cast<double>(ratio->second));
}

bool is_large(const std::optional<amount>& least, const value_type& type, const value_pair& value) {
    if (!least) {
        return true;
    }
    const auto ratio = unit_ratio(least->unit, type);
    if (!ratio) {
        return true;
    }
    const auto [unit, own_unit] = *ratio;
    const std::uint64_t larger = std::max(magnitude(value.previous), magnitude(value.current));
    return !is_more(static_cast<wide>(least->digits) * static_cast<wide>(unit),
                    power_of_ten(least->decimals),
                    static_cast<wide>(larger) * static_cast<wide>(own_unit), 1);
}

} // namespace pprofdelta
