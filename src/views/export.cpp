// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/characters.hpp>
#include <pprofdelta/export.hpp>
#include <pprofdelta/json.hpp>

#include "base/budget.hpp"
#include "base/text.hpp"
#include "profile/index.hpp"
#include "profile/records.hpp"
#include "profile/stacks.hpp"
#include "select/rows.hpp"
#include "select/stacks.hpp"
#include "select/viewed_profiles.hpp"
#include "views/flame.hpp"

namespace pprofdelta {

namespace {

/// Passes a text on in parts, and refuses one that is out of proportion to the profiles.
class text_stream {
public:
    /// @param write        has to outlive this.
    /// @param profile_size is that of all profiles, in bytes.
    text_stream(const text_sink& write, std::size_t profile_size)
        : m_write{write}, m_budget{profile_size, 1000,
                                   "the text would be too long compared with the profiles"} {}

    /// @throws error too_large, and what the sink throws.
    text_stream& operator<<(std::string_view text) {
        m_budget.charge(text.size());
        m_part += text;
        if (m_part.size() >= part_size) {
            flush();
        }
        return *this;
    }
    text_stream& operator<<(std::int64_t number) { return *this << std::to_string(number); }

    /// Passes on what is left. The caller calls this last.
    void flush() {
        m_write(m_part);
        m_part.clear();
    }

private:
    static constexpr std::size_t part_size = std::size_t{64} << 10U;

    const text_sink& m_write;
    std::string m_part;
    budget m_budget;
};

// Takes out what has a meaning in a line. The replacement comes before printable(), as ";;error"
// would become a command.
std::string folded_name(std::string name) {
    std::ranges::replace(name, ';', ':');
    return printable(name);
}

// Whether a reader could take a name for something else: where it stands first in a text, for
// another format or a comment, and where it stands last in a line, for less, or for a number.
bool is_doubtful(std::string_view name) {
    constexpr std::array<std::string_view, 9> heads{
        "#", "--- ", "heap profile:", "heap_v2/", "{", "<!", "<?", "%warn", "\xef\xbb\xbf"};
    const std::size_t word = name.find_last_of(" \t") + 1;
    const std::string_view start =
        name.substr(std::min(name.find_first_not_of(" \t"), name.size()));
    return std::ranges::any_of(heads, [&](auto head) { return start.starts_with(head); }) ||
           name.find("</") != std::string_view::npos || name.starts_with(' ') ||
           word == name.size() ||
           (word != 0 && name.find_first_not_of("+-.0123456789eE", word) == std::string_view::npos);
}

// Writes the members that are of one profile, and then those of each sample.
class rows_of_profile {
public:
    rows_of_profile(const profile_index& index, std::string_view name, text_stream& out)
        : m_index{index}, m_stacks{index, m_rules, true}, m_frames{m_stacks.frames()},
          m_reader{index}, m_json(index.strings.size()), m_out{out} {
        m_start = "{\"schema\":\"pprofdelta/row/1\",\"profile\":" + json_string(name) +
                  ",\"time_nanos\":" + std::to_string(index.view.time_nanos) +
                  ",\"duration_nanos\":" + std::to_string(index.view.duration_nanos) +
                  ",\"value\":{";
        for (const value_type& type : index.types.sample_types) {
            std::string start{m_types.empty() ? "" : ","};
            m_types.push_back(start.append(json_string(to_string(type))) + ":");
        }
    }

    void write(record sample) {
        m_reader.read(sample);
        m_out << m_start;
        for (std::size_t i = 0; i < m_types.size(); ++i) {
            m_out << m_types[i] << m_reader.values()[i];
        }
        m_out << "},\"stack\":[";
        bool is_first = true;
        for (const std::uint32_t place : m_reader.locations()) {
            for (std::uint32_t i = m_frames.begin(place); i < m_frames.begin(place + 1); ++i) {
                m_out << (is_first ? "" : ",");
                is_first = false;
                write_frame(m_frames.frames()[i]);
            }
        }
        m_out << "]";
        read_labels(m_index.view.at(sample));
        write_lists(
            "labels", [](const label_record& label) { return label.text != 0; },
            [&](const label_record& label) { m_out << json_of(label.text); });
        const auto is_number = [](const label_record& label) {
            return label.text == 0 || label.number != 0;
        };
        write_lists("num_labels", is_number, [&](const label_record& label) {
            m_out << static_cast<std::int64_t>(label.number);
        });
        write_lists("num_units", is_number,
                    [&](const label_record& label) { m_out << json_of(label.unit); });
        m_out << "}\n";
    }

private:
    // The string is known to be there. Most are needed in many rows.
    const std::string& json_of(std::uint64_t number) {
        std::string& json = m_json[number];
        if (json.empty()) {
            json = json_string(m_index.strings.text(static_cast<std::uint32_t>(number)));
        }
        return json;
    }

    void write_frame(const frame_index::frame& frame) {
        std::uint32_t name = 0;
        std::uint32_t file = 0;
        if (frame.function != id_map::npos) {
            name = m_index.functions.at(frame.function).name;
            file = m_index.functions.at(frame.function).file;
        }
        m_out << "{\"function\":";
        if (m_index.strings.text(name).empty()) {
            m_out << json_string(frame_name(frame, m_stacks));
        } else {
            m_out << json_of(name);
        }
        m_out << ",\"file\":" << json_of(file) << ",\"line\":" << frame.line << "}";
    }

    void read_labels(std::string_view sample) {
        m_labels.clear();
        for_each_label(m_index, sample, [&](const label_record& label) {
            m_labels[m_index.strings.text(static_cast<std::uint32_t>(label.key))].push_back(label);
        });
    }

    // An object of lists, as a sample can have several labels of a key.
    template <typename IsMeant, typename Write>
    void write_lists(std::string_view name, IsMeant is_meant, Write write) {
        m_out << ",\"" << name << "\":{";
        bool is_first_key = true;
        for (const auto& [key, labels] : m_labels) {
            bool is_first = true;
            for (const label_record& label : labels) {
                if (is_meant(label)) {
                    if (is_first) {
                        m_out << (is_first_key ? "" : ",") << json_of(labels.front().key) << ":[";
                        is_first_key = false;
                    } else {
                        m_out << ",";
                    }
                    is_first = false;
                    write(label);
                }
            }
            m_out << (is_first ? "" : "]");
        }
        m_out << "}";
    }

    const profile_index& m_index;
    stack_rules m_rules; // none: frames are called by their functions
    profile_stacks m_stacks;
    const frame_index& m_frames;
    stack_reader m_reader;
    std::vector<std::string> m_json; // by string number; empty for what was not needed yet
    text_stream& m_out;
    std::string m_start;
    std::vector<std::string> m_types;
    std::map<std::string_view, std::vector<label_record>> m_labels; // of the sample at hand, by key
};

// Whether there are fewer than two stacks, or none with two frames: then the text says by nothing
// that its lines are stacks.
bool is_one_frame_or_line(const viewed_stacks& stacks) {
    std::size_t lines = 0;
    bool has_callers = false;
    for (std::uint32_t i = 0; i < stacks.stacks.stacks().size(); ++i) {
        if (!is_nothing(stacks.stacks.value_of(i))) {
            stack_frames frames = stacks.frames(i);
            has_callers |=
                frames.take() != stack_frames::none && frames.take() != stack_frames::none;
            ++lines;
            if (lines > 1 && has_callers) {
                return false;
            }
        }
    }
    return true;
}

} // namespace

void write_folded(const viewed_profiles& profiles, const report_options& options,
                  const text_sink& write) {
    viewed_profiles::impl& views = viewed_profiles::impl::of(profiles);
    const std::size_t type = choose_type(views, options);
    const viewed_stacks stacks = read_stacks(views, type, options);
    const bool has_previous = views.content_of(type) == report::content::comparison;
    text_stream out{write, views.size_of(type)};
    std::vector<std::string> folded;
    for (std::uint32_t i = 0; i < stacks.names.size(); ++i) {
        folded.push_back(folded_name(stacks.names.name(i)));
    }
    if (!has_previous &&
        (is_one_frame_or_line(stacks) || std::ranges::any_of(folded, is_doubtful))) {
        out << exact_folded_text << "\n";
    }
    for (std::uint32_t i = 0; i < stacks.stacks.stacks().size(); ++i) {
        const value_pair& value = stacks.stacks.value_of(i);
        if (is_nothing(value)) {
            continue;
        }
        bool is_first = true;
        stack_frames frames = stacks.frames(i);
        for (std::uint32_t row = frames.take(); row != stack_frames::none; row = frames.take()) {
            out << (std::exchange(is_first, false) ? "" : ";") << folded[row];
        }
        if (has_previous) {
            out << " " << value.previous;
        }
        out << " " << value.current << "\n";
    }
    out.flush();
}

void write_ndjson(std::string_view profile, std::string_view name, const text_sink& write) {
    profile_index index;
    index.build(profile, match_mode::exact);
    index.types.require_distinct("a row");
    text_stream out{write, profile.size() + name.size()};
    rows_of_profile rows{index, name, out};
    for (const record sample : index.view.samples) {
        rows.write(sample);
    }
    out.flush();
}

} // namespace pprofdelta
