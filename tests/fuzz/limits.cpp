// SPDX-License-Identifier: Apache-2.0
// Bytes taken for limits, a line each, of two small profiles: refused, or read whole and judged as
// arithmetic on decimal digits does.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/limits.hpp>

#include "fuzz.hpp"
#include "profile_builder.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

// Two of them have the same text, and units that fit bounds in several ways or not at all.
const std::vector<value_type> types{
    {"space", "bytes"}, {"space", "kilobytes"}, {"delay", "microseconds"},
    {"a/b", "c"},       {"a", "b/c"},           {"n", "count"}};

// The named functions and labels have all of the values.
std::string profile_of(std::int64_t value) {
    profile p;
    p.types = types;
    const std::uint64_t f = add_frame(p, "main.f");
    const std::uint64_t g = add_frame(p, "main.g");
    p.samples.push_back({{f, g, f}, std::vector<std::int64_t>(types.size(), value), {}, ""});
    p.samples[0].labels = {{"tenant", "acme", 0, "", ""}, {"size", "", 4096, "bytes", ""}};
    return serialize(p);
}

// Natural numbers of any size as decimal digits, so that this shares no arithmetic with what it
// checks. Zeros in front change nothing.
std::string without_zeros_in_front(const std::string& digits) {
    return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
}

std::string product(const std::string& a, const std::string& b) {
    std::string result(a.size() + b.size(), '0');
    for (std::size_t i = a.size(); i-- > 0;) {
        int carry = 0;
        for (std::size_t j = b.size(); j-- > 0;) {
            const int sum = (a[i] - '0') * (b[j] - '0') + (result[i + j + 1] - '0') + carry;
            result[i + j + 1] = static_cast<char>('0' + sum % 10);
            carry = sum / 10;
        }
        result[i] = static_cast<char>('0' + carry);
    }
    return result;
}

bool is_more(const std::string& a, const std::string& b) {
    const std::string more = without_zeros_in_front(a);
    const std::string less = without_zeros_in_front(b);
    return more.size() != less.size() ? more.size() > less.size() : more > less;
}

std::string without_blanks(std::string_view text) {
    std::string result;
    std::copy_if(text.begin(), text.end(), std::back_inserter(result),
                 [](char c) { return c != ' ' && c != '\t' && c != '\r'; });
    return result;
}

// How much of the type's unit one of the bound's is, as two numbers to multiply the sides with.
struct ratio {
    std::string of_bound;
    std::string of_value;
};

ratio ratio_of(const std::string& unit, const std::string& own) {
    const std::string kibi = "1024";
    const std::string mebi = "1048576";
    const std::string gibi = "1073741824";
    const std::vector<std::pair<std::string, std::string>> sizes{{"", "1"},
                                                                 {"%", "1"},
                                                                 {"B", "1"},
                                                                 {"kB", "1000"},
                                                                 {"KiB", kibi},
                                                                 {"MB", "1000000"},
                                                                 {"MiB", mebi},
                                                                 {"GiB", gibi},
                                                                 {"ns", "1"},
                                                                 {"us", "1000"},
                                                                 {"ms", "1000000"},
                                                                 {"GB", "1000000000"},
                                                                 {"s", "1000000000"},
                                                                 {"TB", "1000000000000"},
                                                                 {"TiB", "1099511627776"}};
    const auto found = std::find_if(sizes.begin(), sizes.end(),
                                    [&](const auto& each) { return each.first == unit; });
    require(found != sizes.end(), "an accepted unit is known");
    if (unit.empty() || unit == "%") {
        return {"1", "1"};
    }
    return {found->second, own == "kilobytes" ? kibi : own == "microseconds" ? "1000" : "1"};
}

std::string magnitude(std::int64_t number) {
    const std::string text = std::to_string(number);
    return text[0] == '-' ? text.substr(1) : text;
}

std::string distance(std::int64_t low, std::int64_t high) {
    return std::to_string(static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low));
}

// From the text alone, whether the limit is crossed.
bool is_crossed(const std::string& text, const value_type& type, std::int64_t previous,
                std::int64_t current, std::int64_t whole) {
    std::string number = without_blanks(text.substr(text.rfind('>') + 1));
    const bool is_growth = number[0] == '+';
    number.erase(0, is_growth ? 1 : 0);
    const std::size_t end = std::min(number.find_first_not_of("0123456789."), number.size());
    const std::string unit = number.substr(end);
    std::string digits = number.substr(0, end);
    std::string scale = "1";
    if (const std::size_t point = digits.find('.'); point != std::string::npos) {
        scale += std::string(digits.size() - point - 1, '0');
        digits.erase(point, 1);
    }
    if (is_growth ? current <= previous : current <= 0) {
        return false;
    }
    const ratio units = ratio_of(unit, type.unit);
    std::string value = is_growth ? distance(previous, current) : magnitude(current);
    value = product(product(value, scale), units.of_value);
    std::string bound = product(digits, units.of_bound);
    if (unit == "%") {
        value = product(value, "100");
        bound = product(bound, magnitude(is_growth ? previous : whole));
    }
    return is_more(value, bound);
}

std::optional<limit> parse_if_valid_limit(std::string_view text) {
    try {
        return parse_limit(text);
    } catch (const error& e) {
        require(e.kind() == error_kind::invalid_argument, "a limit is refused as an argument is");
        require(*e.what() != '\0', "a refusal has a reason");
        return std::nullopt;
    }
}

void require_well_read(const limit& l) {
    const limit again = parse_limit(" \t" + l.text + " \r");
    require(again.text == l.text && again.of == l.of && again.functions == l.functions &&
                again.label == l.label && again.type.text() == l.type.text() && again.on == l.on &&
                again.threshold.digits == l.threshold.digits &&
                again.threshold.decimals == l.threshold.decimals &&
                again.threshold.unit == l.threshold.unit && again.seconds == l.seconds,
            "a limit's text is read as the limit was");
    require(l.threshold.digits >= 0 && l.threshold.decimals >= 0 && l.threshold.decimals <= 18,
            "a number is within its range");
    require((l.of == limit::scope::through || l.of == limit::scope::leaf) == !l.functions.empty(),
            "functions come with their scope");
    require((l.of == limit::scope::label) == !l.label.empty(), "a label comes with its scope");
    require(!l.type.text().empty(), "a limit has a type");
}

void require_well_judged(const limit& l, std::int64_t previous, std::int64_t current) {
    std::vector<judgement> found;
    const bool is_judged = is_accepted([&] {
        found = judge({l}, {profile_of(previous), profile_of(current)});
    });
    std::vector<value_type> named;
    for (const value_type& type : types) {
        if (l.type.text() == type.type || l.type.text() == type.type + "/" + type.unit) {
            named.push_back(type);
        }
    }
    if (!is_judged) {
        require(named.empty() || !l.threshold.unit.empty(),
                "a limit of a type that is there is judged");
        return;
    }
    require(found.size() == named.size() && !named.empty(), "each type that is named is judged");
    for (std::size_t i = 0; i < named.size(); ++i) {
        const judgement& j = found[i];
        require(j.type == named[i] && j.limit == l.text, "a judgement says of what it is");
        require((j.previous == previous && j.current == current) ||
                    (j.previous == 0 && j.current == 0 && l.of != limit::scope::all),
                "a value is that of all matching samples");
        require(j.has_match || (j.previous == 0 && j.current == 0), "what matches not has nothing");
        if (l.on == limit::bound::rate) {
            require(!j.crossed && !j.unknown.empty(), "two profiles tell nothing of rates");
            continue;
        }
        require(l.on != limit::bound::share || j.whole == current, "a share is of all samples");
        require(j.crossed == is_crossed(l.text, j.type, j.previous, j.current, current),
                "a limit is judged as its digits are: " + l.text);
        // Each function has all of the total, and one of the two is never the innermost.
        const std::size_t most = l.of == limit::scope::each_leaf      ? 1
                                 : l.of == limit::scope::each_through ? 2
                                                                      : 0;
        require(j.functions.size() == (j.crossed ? most : 0), "the functions beyond are named");
    }
}

std::int64_t number_from(steering& bytes) {
    const std::uint64_t high = bytes.word();
    return static_cast<std::int64_t>(high << 32U | bytes.word());
}

// Near the bound, where rounding would show.
std::int64_t value_near(const limit& l, std::int64_t previous, std::uint8_t offset) {
    long double bound = static_cast<long double>(l.threshold.digits);
    for (int i = 0; i < l.threshold.decimals + (l.on == limit::bound::percent ? 2 : 0); ++i) {
        bound /= 10;
    }
    const auto before = static_cast<long double>(previous);
    bound = l.on == limit::bound::value    ? bound
            : l.on == limit::bound::growth ? before + bound
                                           : before + bound * (before < 0 ? -before : before);
    constexpr long double most = 9.2e18L;
    bound = std::clamp(bound, -most, most);
    return static_cast<std::int64_t>(bound) + offset % 5 - 2;
}

} // namespace

FUZZ_TARGET(limits, data, size) {
    steering bytes{data, size};
    const std::int64_t previous = number_from(bytes);
    const std::int64_t current = number_from(bytes);
    const std::uint8_t offset = bytes.byte();
    std::string_view rest = bytes.rest();
    for (int line = 0; line < 4 && !rest.empty(); ++line) {
        const std::string_view text = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(text.size() + 1, rest.size()));
        if (const auto l = parse_if_valid_limit(text)) {
            require_well_read(*l);
            require_well_judged(*l, previous, current);
            require_well_judged(*l, previous, value_near(*l, previous, offset));
        }
    }
    return 0;
}
