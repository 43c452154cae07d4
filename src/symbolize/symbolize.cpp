// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/symbolize.hpp>

#include <map>
#include <tuple>

#include <pprofdelta/codec.hpp>

#include "codec/codec.hpp"
#include "profile/index.hpp"
#include "profile/records.hpp"
#include "wire/reader.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

namespace {

// The functions and strings that are added to a profile, each once.
class new_records {
public:
    explicit new_records(const profile_index& index) : m_index{index} {}

    // The id of a function.
    std::uint64_t function(const code_frame& frame) {
        const function_key key{string(frame.function), string(frame.system_name),
                               string(frame.file)};
        const auto [place, is_new] = m_functions.try_emplace(key, 0);
        if (is_new) {
            do {
                ++m_last_id;
            } while (m_last_id == 0 || m_index.functions.find(m_last_id) != id_map::npos);
            place->second = m_last_id;
        }
        return place->second;
    }

    void append_to(std::string& out) const {
        std::string message;
        for (const auto& [key, id] : m_functions) {
            const auto& [name, system_name, file] = key;
            message.clear();
            append_number(message, field::function::id, id);
            append_number(message, field::function::name, name);
            append_number(message, field::function::system_name, system_name);
            append_number(message, field::function::filename, file);
            append_bytes(out, field::profile::function, message);
        }
        for (const std::string* text : m_texts) {
            append_bytes(out, field::profile::string_table, *text);
        }
    }

private:
    using function_key = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;

    std::uint64_t string(const std::string& text) {
        if (text.empty()) {
            return 0;
        }
        const auto [place, is_new] =
            m_strings.try_emplace(text, m_index.strings.size() + m_texts.size());
        if (is_new) {
            m_texts.push_back(&place->first);
        }
        return place->second;
    }

    const profile_index& m_index;
    std::map<std::string, std::uint64_t> m_strings; // to numbers
    std::vector<const std::string*> m_texts;        // by number, less those that were there
    std::map<function_key, std::uint64_t> m_functions;
    std::uint64_t m_last_id = 0;
};

// What the lines that were added to the locations of a mapping have.
struct kinds_of_lines {
    bool functions = false;
    bool files = false;
    bool numbers = false;
    bool inlined = false;
};

class name_adder {
public:
    name_adder(std::string_view profile, const frame_finder& find) : m_find{find} {
        m_index.build(profile, match_mode::exact);
        m_kinds.resize(m_index.view.mappings.size());
        for (const record r : m_index.view.mappings) {
            m_mappings.push_back(m_index.view.read<mapping_record>(r));
        }
    }

    std::string run() {
        std::vector<std::string> lines; // of each location
        bool is_changed = false;
        for (const record r : m_index.view.locations) {
            lines.push_back(find_lines(r));
            is_changed = is_changed || !lines.back().empty();
        }
        const std::string_view profile = m_index.view.bytes();
        return is_changed ? write(lines) : std::string{profile};
    }

private:
    // The new lines of a location, as they are written.
    std::string find_lines(record r) {
        const auto location = m_index.view.read<location_record>(r);
        const std::uint32_t place = m_index.mappings.find(location.mapping_id);
        std::string lines;
        if (!location.lines.empty() || place == id_map::npos) {
            return lines;
        }
        const mapping_record& mapping = m_mappings[place];
        const bool is_inside = location.address >= mapping.start &&
                               (location.address < mapping.limit || mapping.limit == 0);
        if (!is_inside || location.address == 0) {
            return lines;
        }
        const auto text = [&](std::uint64_t number) {
            return m_index.strings.text(static_cast<std::uint32_t>(number));
        };
        const std::vector<code_frame> frames =
            m_find({.file = text(mapping.file),
                    .build_id = text(mapping.build_id),
                    .offset = location.address - mapping.start + mapping.offset});
        kinds_of_lines& kinds = m_kinds[place];
        kinds.inlined = kinds.inlined || !frames.empty();
        std::string message;
        for (const code_frame& frame : frames) {
            kinds.functions = kinds.functions || !frame.function.empty();
            kinds.files = kinds.files || !frame.file.empty();
            kinds.numbers = kinds.numbers || frame.line != 0;
            message.clear();
            append_number(message, field::line::function_id, m_new.function(frame));
            append_number(message, field::line::line, static_cast<std::uint64_t>(frame.line));
            append_bytes(lines, field::location::line, message);
        }
        return lines;
    }

    // If a field is there twice, the last one counts.
    static std::string new_flags(const mapping_record& mapping, const kinds_of_lines& kinds) {
        std::string flags;
        const auto add = [&flags](field::mapping field, std::uint64_t before, bool now) {
            append_number(flags, field, before == 0 && now ? 1 : 0);
        };
        add(field::mapping::has_functions, mapping.has_functions, kinds.functions);
        add(field::mapping::has_filenames, mapping.has_filenames, kinds.files);
        add(field::mapping::has_line_numbers, mapping.has_line_numbers, kinds.numbers);
        add(field::mapping::has_inline_frames, mapping.has_inline_frames, kinds.inlined);
        return flags;
    }

    std::string write(const std::vector<std::string>& lines) {
        const std::string_view profile = m_index.view.bytes();
        std::string out;
        out.reserve(profile.size());
        std::size_t location = 0;
        std::size_t mapping = 0;
        message_reader reader{profile, profile.data()};
        while (reader.next()) {
            const auto f = reader.as<field::profile>();
            if (f == field::profile::location) {
                append_parts(out, f, reader.bytes(), lines[location]);
                ++location;
            } else if (f == field::profile::mapping) {
                append_parts(out, f, reader.bytes(),
                             new_flags(m_mappings[mapping], m_kinds[mapping]));
                ++mapping;
            } else {
                out += reader.raw();
            }
            require_written_size(out.size(), max_profile_size);
        }
        m_new.append_to(out);
        require_written_size(out.size(), max_profile_size);
        return out;
    }

    const frame_finder& m_find;
    profile_index m_index;
    std::vector<mapping_record> m_mappings; // by place
    std::vector<kinds_of_lines> m_kinds;    // the same
    new_records m_new{m_index};
};

} // namespace

std::string add_names(std::string_view profile, const frame_finder& find) {
    return name_adder{profile, find}.run();
}

} // namespace pprofdelta
