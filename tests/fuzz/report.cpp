// SPDX-License-Identifier: Apache-2.0
// The report on two profiles, whose names are the bytes: its totals are those of the reference's
// reader, and each form of it keeps its own rules whatever the names are.
#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/limits.hpp>
#include <pprofdelta/report.hpp>

#include "fuzz.hpp"
#include "json.hpp"
#include "profile_builder.hpp"
#include "report_format.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    require(text.empty() || text.back() == '\n', "a last line ends");
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size(); begin += lines.back().size() + 1) {
        lines.push_back(text.substr(begin, text.find('\n', begin) - begin));
    }
    return lines;
}

// What neither ends a line nor controls a terminal, or what reads it in CI.
bool is_printable(std::string_view line) {
    for (const std::string_view no :
         {"\u0085", "\u061c", "\u200e", "\u200f", "\u2028", "\u2029", "\u202a", "\u202d", "\u202e",
          "\u2066", "\u2069", "\ufeff", "##[", "##vso["}) {
        if (line.find(no) != std::string_view::npos) {
            return false;
        }
    }
    return is_utf8(line) && std::none_of(line.begin(), line.end(), [](char c) {
               return static_cast<unsigned char>(c) < 0x20U || c == '\x7f';
           });
}

bool is_command(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    return line.starts_with("::");
}

// A line of Markdown without its code spans.
std::string without_code(std::string_view line) {
    std::string rest;
    while (!line.empty()) {
        const std::size_t size = std::min(line.find_first_not_of('`'), line.size());
        if (size == 0) {
            rest += line.front();
            line.remove_prefix(1);
            continue;
        }
        const std::string_view fence = line.substr(0, size);
        line.remove_prefix(size);
        std::size_t run = 0;
        for (std::size_t at = line.find('`');; at = line.find('`', at + run)) {
            require(at != std::string_view::npos, "a code span ends");
            run = std::min(line.find_first_not_of('`', at), line.size()) - at;
            if (run == fence.size()) {
                line.remove_prefix(at + run);
                break;
            }
        }
    }
    return rest;
}

void require_json(const tool::report_view& view) {
    const json_value whole = parse_json(tool::report_as_json(view));
    require(whole.at("version").text == "1", "the version is 1");
    const std::string& previous = whole.at("previous").text;
    require(view.previous.empty() ? previous == "null" : name_of(previous) == view.previous,
            "names of files are exact");
    const json_value& rows = whole.at("rows");
    require(rows.members.size() == std::min(view.top, view.content.rows.size()),
            "as many rows as are asked for");
    require(std::stoull(whole.at("rows_left_out").text) ==
                view.content.rows.size() - rows.members.size(),
            "the rest is counted");
    for (std::size_t i = 0; i < rows.members.size(); ++i) {
        const json_value& flat = rows.members[i].value.at("flat");
        const value_pair& value = view.content.rows[i].flat;
        require(flat.at("previous").text == std::to_string(value.previous) &&
                    flat.at("current").text == std::to_string(value.current),
                "values are those of the report");
        require(name_of(rows.members[i].value.at("name").text) == view.content.rows[i].name,
                "names are exact");
        require((flat.at("change").text[0] == '-') == (value.current < value.previous),
                "a change has its sign");
    }
    require(whole.at("totals").members.size() == view.content.totals.size() &&
                whole.at("limits").members.size() == view.judgements.size(),
            "all totals and limits are there");
}

// Lines that begin with a bar are rows: of a table of totals, and then of one of names.
void require_markdown(const tool::report_view& view) {
    const std::string text = tool::report_as_markdown(view);
    require(text.size() < std::size_t{64} * 1024, "it fits into a comment");
    std::size_t columns = 0;
    for (const std::string& line : lines_of(text)) {
        require(is_printable(line), "Markdown is printable");
        require(!is_command(line), "a line of Markdown is no command");
        require(without_code(line).find_first_of("<&[]@#_\\~$/") == std::string::npos,
                "names are code");
        const bool is_row = line.starts_with('|');
        require(is_row ? line.ends_with(" |") : without_code(line).find('|') == std::string::npos,
                "bars are of rows");
        std::size_t bars = 0;
        for (std::size_t i = 0; i < line.size() && is_row; ++i) {
            bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\') ? 1 : 0;
        }
        require(bars == 0 || columns == 0 || bars == columns, "a row has its table's columns");
        columns = bars;
    }
}

void require_text(tool::report_view view) {
    view.has_colors = false;
    const std::vector<std::string> plain = lines_of(tool::report_as_text(view));
    const std::size_t rows = std::min(view.top, view.content.rows.size());
    const std::size_t others = (view.judgements.empty() ? 4 : 5) + (view.normalized_by ? 2 : 0);
    require(plain.size() == view.content.totals.size() + rows + view.judgements.size() + others,
            "each row has a line");
    require(std::all_of(plain.begin(), plain.end(), is_printable), "text is printable");
    require(std::none_of(plain.begin(), plain.end(), is_command), "a line of text is no command");
    view.has_colors = true;
    std::string colored = tool::report_as_text(view);
    std::string without;
    for (const std::string& line : plain) {
        without += line + "\n";
    }
    for (const std::string_view color : {"\x1b[31m", "\x1b[32m", "\x1b[0m"}) {
        for (auto at = colored.find(color); at != std::string::npos; at = colored.find(color)) {
            colored.erase(at, color.size());
        }
    }
    require(colored == without, "colours add nothing but themselves");
}

void require_annotations(const tool::report_view& view) {
    const std::vector<std::string> lines =
        lines_of(tool::github_annotations(view.judgements, view.normalized_by));
    constexpr std::size_t most = 10;
    require(lines.size() <= most, "no more than are shown");
    for (const std::string& line : lines) {
        require(is_printable(line), "annotations are printable");
        require(line.starts_with("::error title=pprofdelta::") ||
                    line.starts_with("::warning title=pprofdelta::"),
                "each line is a command");
    }
}

void require_well_counted(const report& r, std::string_view previous, std::string_view current) {
    for (std::size_t i = 0; i < r.rows.size(); ++i) {
        const report::row& row = r.rows[i];
        require(row.flat.previous != row.flat.current ||
                    row.cumulative.previous != row.cumulative.current,
                "a row has changed");
        require(std::none_of(r.rows.begin(), r.rows.begin() + static_cast<std::ptrdiff_t>(i),
                             [&](const report::row& other) { return other.name == row.name; }),
                "a name has one row");
    }
    const auto before = parse_if_valid(previous);
    const auto now = parse_if_valid(current);
    if (before && now) {
        const auto old_sums = sums(*before);
        const auto new_sums = sums(*now);
        for (std::size_t i = 0; i < r.totals.size(); ++i) {
            require(r.totals[i].type == now->types[i] &&
                        r.totals[i].value.previous == old_sums[i] &&
                        r.totals[i].value.current == new_sums[i],
                    "a total is that of all samples");
        }
    }
}

void check(std::string_view previous, std::string_view current, steering& choices) {
    const unsigned bits = choices.byte();
    report_options options;
    options.by = static_cast<grouping>(bits % 4);
    options.order = static_cast<row_order>(bits % 3);
    report content;
    if (!is_accepted([&] { content = make_report(previous, current, options); })) {
        return;
    }
    require_well_counted(content, previous, current);
    std::vector<judgement> judgements;
    for (unsigned i = 0; i < bits / 4 % 16 && !content.totals.empty(); ++i) {
        const report::total& total = content.totals[i % content.totals.size()];
        judgement j;
        j.limit = content.rows.empty() ? "any>1" : content.rows[0].name;
        j.type = total.type;
        j.previous = total.value.previous;
        j.current = total.value.current;
        j.change = total.change;
        j.crossed = i % 2 == 0;
        j.has_match = i % 3 != 0;
        judgements.push_back(std::move(j));
    }
    const std::string name{choices.take(5)};
    const std::size_t width = bits % 2 == 0 ? 0 : 60;
    tool::report_view view{.content = content,
                           .judgements = judgements,
                           .previous = name,
                           .current = "current",
                           .reported = options,
                           .top = bits,
                           .width = width};
    if (bits % 5 == 0) {
        view.normalized_by = normalization::total;
        view.factors.assign(content.totals.size(), 0.5 * bits);
        view.normalization_text = name;
    }
    require_json(view);
    require_markdown(view);
    require_text(view);
    require_annotations(view);
}

// A profile of few functions, whose names and numbers are the bytes.
profile invent(const std::vector<std::string>& names, steering& choices) {
    const auto name = [&] { return names[choices.byte() % names.size()]; };
    profile p;
    p.types = {{names.front(), "bytes"}, {"delay", names.back()}, {names.front(), "count"}};
    const unsigned functions = 1 + choices.byte() % 8;
    for (unsigned i = 0; i < functions; ++i) {
        add_frame(p, name(), name(), choices.byte());
    }
    p.locations.push_back({functions + 1, 0, 0, {}, false, ""}); // a frame without a name
    const unsigned samples = choices.byte() % 8;
    for (unsigned i = 0; i < samples; ++i) {
        sample s;
        for (unsigned depth = choices.byte() % 4; depth > 0; --depth) {
            s.stack.push_back(1 + choices.byte() % (functions + 1));
        }
        for (std::size_t j = 0; j < p.types.size(); ++j) {
            const std::uint64_t number = choices.word();
            s.values.push_back(static_cast<std::int64_t>(number << choices.byte() % 64));
        }
        p.samples.push_back(std::move(s));
    }
    return p;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    steering bytes{data, size};
    if (bytes.byte() % 2 == 0) {
        steering choices{data, std::min<std::size_t>(size, 8)};
        const std::string_view previous = bytes.take(bytes.word() % 4096);
        check(previous, bytes.rest(), choices);
        return 0;
    }
    std::vector<std::string> names{""};
    for (unsigned count = bytes.byte() % 8; count > 0; --count) {
        const std::size_t repeats = bytes.byte() % 16 == 15 ? 100 : 1;
        const std::string_view part = bytes.take(bytes.byte() % 32);
        std::string& name = names.emplace_back();
        for (std::size_t i = 0; i < repeats; ++i) {
            name += part;
        }
    }
    const std::string previous = serialize(invent(names, bytes));
    const std::string current = serialize(invent(names, bytes));
    check(previous, current, bytes);
    return 0;
}
