// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/characters.hpp>
#include <pprofdelta/export.hpp>

#include "base/about_input.hpp"
#include "export/text_stream.hpp"
#include "flame/paired_stacks.hpp"
#include "profile/index.hpp"
#include "select/location_rows.hpp"
#include "select/profile_stacks.hpp"
#include "select/sample_type.hpp"

namespace pprofdelta {

namespace {

constexpr std::uint32_t deepest = std::numeric_limits<std::uint32_t>::max(); // all frames

// Without what has a meaning in a line. That comes first, as ";;error" would become a command.
std::string folded_name(std::string name) {
    std::replace(name.begin(), name.end(), ';', ':');
    return printable(name);
}

void write_lines(const paired_stacks& stacks, const row_names& names, std::string_view no_stack,
                 bool has_previous, text_stream& out) {
    std::vector<std::string> folded;
    for (std::uint32_t i = 0; i < names.size(); ++i) {
        folded.push_back(folded_name(names.name(i)));
    }
    for (std::uint32_t i = 0; i < stacks.stacks().size(); ++i) {
        const value_pair& value = stacks.value_of(i);
        if (value.previous == 0 && value.current == 0) {
            continue;
        }
        stack_set::cursor frames{stacks.stacks(), i};
        std::uint32_t frame = frames.take(stacks.stacks());
        out << (frame == stack_set::cursor::none ? no_stack : std::string_view{folded[frame]});
        while (frame != stack_set::cursor::none &&
               (frame = frames.take(stacks.stacks())) != stack_set::cursor::none) {
            out << ";" << folded[frame];
        }
        if (has_previous) {
            out << " " << value.previous;
        }
        out << " " << value.current << "\n";
    }
    out.flush();
}

} // namespace

void write_folded(std::string_view profile, const report_options& options, const text_sink& write) {
    profile_index index;
    index.build(profile, match_mode::exact);
    row_names names;
    const stack_rules rules{options};
    const profile_stacks from{index, rules, true};
    const location_rows rows{from, names};
    paired_stacks stacks{{choose_type_of_one(index, options)}, deepest};
    stacks.read(from, rows, &value_pair::current);
    text_stream out{write, profile.size()};
    write_lines(stacks, names, names.name(rows.of_no_stack()), false, out);
}

void write_folded(std::string_view previous, std::string_view current,
                  const report_options& options, const text_sink& write) {
    const compared_profiles profiles{previous, current};
    row_names names;
    paired_stacks stacks{{choose_type_of_two(profiles, options)}, deepest};
    std::uint32_t no_stack = 0;
    const stack_rules rules{options};
    const auto read = [&](const profile_index& index, side_of_pair which) {
        const profile_stacks from{index, rules, true};
        const location_rows rows{from, names};
        no_stack = rows.of_no_stack();
        stacks.read(from, rows, which);
    };
    about_input(error_input::previous, [&] { read(profiles.before, &value_pair::previous); });
    about_input(error_input::current, [&] { read(profiles.now, &value_pair::current); });
    text_stream out{write, previous.size() + current.size()};
    write_lines(stacks, names, names.name(no_stack), true, out);
}

} // namespace pprofdelta
