// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/limits.hpp>

#include <array>
#include <utility>

#include <pprofdelta/error.hpp>

#include "limits/measure.hpp"
#include "select/label_pattern.hpp"
#include "select/name_pattern.hpp"
#include "select/units.hpp"

namespace pprofdelta {

namespace {

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r";
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) {
        return {};
    }
    return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

[[noreturn]] void fail(std::string_view text, const std::string& what) {
    throw error{error_kind::invalid_argument, "'" + std::string{text} + "': " + what};
}

bool take(std::string_view& text, std::string_view start) {
    if (text.substr(0, start.size()) != start) {
        return false;
    }
    text.remove_prefix(start.size());
    return true;
}

// Takes the digits, with at most one point among them, off the start of `number`.
void read_digits(std::string_view text, std::string_view& number, amount& out) {
    constexpr int most_digits = 18; // which fit into 64 bits
    int count = 0;
    bool has_point = false;
    while (!number.empty()) {
        const char c = number.front();
        if (c == '.' && !has_point) {
            has_point = true;
        } else if (c >= '0' && c <= '9') {
            if (++count > most_digits) {
                fail(text, "a number has at most 18 digits");
            }
            out.digits = out.digits * 10 + (c - '0');
            out.decimals += has_point ? 1 : 0;
        } else {
            break;
        }
        number.remove_prefix(1);
    }
    if (count == 0) {
        fail(text, text.find('>') == std::string_view::npos ? "it is not a number"
                                                            : "what follows '>' is not a number");
    }
}

void read_unit(std::string_view text, std::string_view unit, amount& out) {
    if (!unit.empty() && !number_unit(unit)) {
        fail(text, "'" + std::string{unit} +
                       "' is no unit; there are: B, kB, KiB, MB, MiB, GB, GiB, TB, TiB, ns, us, "
                       "ms, s" +
                       (text.find('>') == std::string_view::npos ? "" : ", and %"));
    }
    out.unit = unit;
}

bool take_end(std::string_view& text, std::string_view end) {
    if (text.size() < end.size() || text.substr(text.size() - end.size()) != end) {
        return false;
    }
    text = trimmed(text.substr(0, text.size() - end.size()));
    return true;
}

// That a rate can be for, in seconds.
constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> times{
    {{"/s", 1}, {"/min", 60}, {"/h", 3600}, {"/d", 86400}}};

void read_bound(std::string_view number, limit& out) {
    const bool is_growth = take(number, "+");
    out.on = is_growth ? limit::bound::growth : limit::bound::value;
    number = trimmed(number);
    read_digits(out.text, number, out.most);
    std::string_view unit = trimmed(number);
    if (unit == "%") {
        if (!is_growth) {
            fail(out.text, "a percentage needs a '+', as in >+10%");
        }
        out.on = limit::bound::percent;
        return;
    }
    for (const auto& [end, seconds] : times) {
        if (take_end(unit, end)) {
            if (!is_growth) {
                fail(out.text, "a rate needs a '+', as in >+1MiB/s");
            }
            out.on = limit::bound::rate;
            out.seconds = seconds;
            break;
        }
    }
    read_unit(out.text, unit, out.most);
}

void read_subject(std::string_view subject, limit& out) {
    if (take(subject, "each:")) {
        out.of = limit::scope::each_leaf;
        if (take(subject, "cum:")) {
            out.of = limit::scope::each_through;
        }
    } else if (take(subject, "func:")) {
        out.of = limit::scope::through;
    } else if (take(subject, "flat:")) {
        out.of = limit::scope::leaf;
    } else if (take(subject, "label:")) {
        out.of = limit::scope::label;
    }
    if (is_of_some(out)) {
        const bool is_of_label = out.of == limit::scope::label;
        const std::size_t colon = subject.rfind(':');
        if (colon == std::string_view::npos) {
            fail(out.text, std::string{"a sample type has to follow, as in "} +
                               (is_of_label ? "label:KEY=REGEX" : "func:REGEX") + ":TYPE>NUMBER");
        }
        std::string& samples = is_of_label ? out.label : out.functions;
        samples = subject.substr(0, colon);
        subject.remove_prefix(colon + 1);
        try {
            if (is_of_label) {
                const label_pattern check{samples};
            } else {
                const name_pattern check{samples};
            }
        } catch (const error& e) {
            fail(out.text, e.what());
        }
    }
    subject = trimmed(subject);
    if (subject.empty()) {
        fail(out.text, "there is no sample type before '>'");
    }
    out.type = value_type_pattern{subject};
}

} // namespace

limit parse_limit(std::string_view text) {
    text = trimmed(text);
    limit out{
        .text = std::string{text}, .functions = {}, .type = value_type_pattern{""}, .most = {}};
    const std::size_t sign = text.rfind('>');
    if (sign == std::string_view::npos) {
        fail(text, "a limit has a '>', as in alloc_space>+10%");
    }
    read_bound(trimmed(text.substr(sign + 1)), out);
    read_subject(trimmed(text.substr(0, sign)), out);
    return out;
}

amount parse_amount(std::string_view text) {
    text = trimmed(text);
    std::string_view number = text;
    amount out;
    read_digits(text, number, out);
    read_unit(text, trimmed(number), out);
    return out;
}

} // namespace pprofdelta
