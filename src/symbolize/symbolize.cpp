// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/symbolize.hpp>

#include <map>
#include <tuple>

#include <pprofdelta/codec.hpp>

#include "base/hash128.hpp"
#include "base/key_table.hpp"
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
        for (const auto& [key, id] : m_functions) {
            const auto& [name, system_name, file] = key;
            auto function = numbers_of(
                function_record{.id = id, .name = name, .system_name = system_name, .file = file});
            out += function.as_field(field::profile::function);
        }
        out += m_strings;
    }

private:
    using function_key = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;

    std::uint64_t string(std::string_view text) {
        if (text.empty()) {
            return 0;
        }
        const std::uint32_t known = m_texts.size();
        const std::uint32_t place = m_texts.find_or_add(hash_bytes(text));
        if (place == known) {
            append_bytes(m_strings, field::profile::string_table, text);
        }
        return m_index.strings.size() + place;
    }

    const profile_index& m_index;
    key_table m_texts;
    std::string m_strings; // the same, as fields
    std::map<function_key, std::uint64_t> m_functions;
    std::uint64_t m_last_id = 0;
};

class name_adder {
public:
    name_adder(std::string_view profile, const frame_finder& find) : m_find{find} {
        m_index.build(profile, match_mode::exact);
        m_found.resize(m_index.view.mappings.size());
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
                    .offset = location.address - mapping.start + mapping.offset,
                    .mapping_offset = mapping.offset,
                    .mapping_size = mapping.limit == 0 ? 0 : mapping.limit - mapping.start});
        mapping_record& found = m_found[place];
        found.has_inline_frames |= frames.empty() ? 0 : 1;
        for (const code_frame& frame : frames) {
            found.has_functions |= frame.function.empty() ? 0 : 1;
            found.has_filenames |= frame.file.empty() ? 0 : 1;
            found.has_line_numbers |= frame.line == 0 ? 0 : 1;
            auto line = numbers_of(line_record{.function_id = m_new.function(frame),
                                               .number = static_cast<std::uint64_t>(frame.line)});
            lines += line.as_field(field::location::line);
        }
        return lines;
    }

    // If a field is there twice, the last one counts.
    static std::string new_flags(const mapping_record& before, const mapping_record& found) {
        using r = mapping_record;
        r flags;
        for (const auto flag :
             {&r::has_functions, &r::has_filenames, &r::has_line_numbers, &r::has_inline_frames}) {
            flags.*flag = before.*flag == 0 ? found.*flag : 0;
        }
        return std::string{numbers_of(flags).bytes()};
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
                             new_flags(m_mappings[mapping], m_found[mapping]));
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
    std::vector<mapping_record> m_found;    // the same: what the lines that were added have
    new_records m_new{m_index};
};

} // namespace

std::string add_names(std::string_view profile, const frame_finder& find) {
    return name_adder{profile, find}.run();
}

} // namespace pprofdelta
