// SPDX-License-Identifier: Apache-2.0
#include "generate.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "invented_code.hpp"
#include "invented_program.hpp"
#include "message_builder.hpp"

namespace pprofdelta::test {

namespace {

// Zero is left out, as Go does.
void add_number(std::string& out, std::uint32_t field, std::uint64_t value) {
    if (value != 0) {
        out += varint(std::uint64_t{field} << 3U) + varint(value);
    }
}

void add_bytes(std::string& out, std::uint32_t field, std::string_view bytes) {
    out += varint(std::uint64_t{field} << 3U | 2U) + varint(bytes.size());
    out += bytes;
}

/// Writes one profile as runtime/pprof does, record by record.
class go_profile {
public:
    go_profile(const invented_code& code, std::ostream& out)
        : m_code{code}, m_out{out}, m_location_ids(code.sites()), m_function_ids(code.functions()) {
        string_number("");
        add_type(11, "space", "bytes");
        add_number(m_buffer, 12, 524288);
        add_type(1, "alloc_objects", "count");
        add_type(1, "alloc_space", "bytes");
        add_type(1, "inuse_objects", "count");
        add_type(1, "inuse_space", "bytes");
    }

    void add_sample(const invented_sample& sample) {
        std::string stack;
        std::for_each(sample.stack.rbegin(), sample.stack.rend(),
                      [&](std::uint32_t site) { stack += varint(location_id(site)); });
        std::string values;
        for (const std::uint64_t count : {sample.allocated, sample.in_use}) {
            values += varint(count) + varint(count * sample.block_size);
        }
        std::string label;
        add_number(label, 1, string_number("bytes"));
        add_number(label, 3, sample.block_size);
        std::string message;
        add_bytes(message, 2, values);
        add_bytes(message, 1, stack);
        add_bytes(message, 3, label);
        add_bytes(m_buffer, 2, message);
        flush(std::size_t{1} << 20U);
    }

    void finish(std::uint64_t time_nanos) {
        add_number(m_buffer, 9, time_nanos);
        add_mapping(1, 0x400000, 0x400000 + std::uint64_t{m_code.sites()} * 80, "/usr/bin/server",
                    "5f1c0bd2a9e84c37b6d01f4e2a7793c8d5e60b14");
        add_mapping(2, 0x7fff8b9f2000, 0x7fff8b9f4000, "[vdso]", "");
        for (const std::string& text : m_strings) {
            add_bytes(m_buffer, 6, text);
        }
        flush(0);
    }

    /// How large the profile would be if it were finished now, about.
    [[nodiscard]] std::size_t size() const { return m_written + m_buffer.size() + m_string_bytes; }

private:
    std::uint64_t string_number(std::string_view text) {
        const auto [place, is_new] =
            m_string_numbers.try_emplace(std::string{text}, m_strings.size());
        if (is_new) {
            m_strings.emplace_back(text);
            m_string_bytes += text.size() + 2;
        }
        return place->second;
    }

    void add_type(std::uint32_t field, std::string_view type, std::string_view unit) {
        std::string message;
        add_number(message, 1, string_number(type));
        add_number(message, 2, string_number(unit));
        add_bytes(m_buffer, field, message);
    }

    void add_mapping(std::uint64_t id, std::uint64_t start, std::uint64_t limit,
                     std::string_view file, std::string_view build_id) {
        std::string message;
        add_number(message, 1, id);
        add_number(message, 2, start);
        add_number(message, 3, limit);
        add_number(message, 5, string_number(file));
        add_number(message, 6, string_number(build_id));
        add_number(message, 7, id == 1 ? 1 : 0);
        add_bytes(m_buffer, 3, message);
    }

    std::uint64_t location_id(std::uint32_t site) {
        std::uint32_t& id = m_location_ids[site];
        if (id == 0) {
            id = ++m_locations;
            add_location(site, id);
        }
        return id;
    }

    void add_location(std::uint32_t site, std::uint64_t id) {
        std::string location;
        std::string new_functions;
        add_number(location, 1, id);
        add_number(location, 3, invented_code::address(site));
        for (const std::uint32_t function : m_code.functions_at(site)) {
            if (m_function_ids[function] == 0) {
                m_function_ids[function] = ++m_functions;
                add_function(function, new_functions);
            }
            std::string line;
            add_number(line, 1, m_function_ids[function]);
            add_number(line, 2, invented_code::line(site));
            add_bytes(location, 4, line);
        }
        add_number(location, 2, 1);
        add_bytes(m_buffer, 4, location);
        m_buffer += new_functions;
    }

    void add_function(std::uint32_t function, std::string& out) {
        const std::uint64_t name = string_number(invented_code::name(function));
        std::string message;
        add_number(message, 1, m_function_ids[function]);
        add_number(message, 2, name);
        add_number(message, 3, name);
        add_number(message, 4, string_number(invented_code::file(function)));
        add_number(message, 5, invented_code::start_line(function));
        add_bytes(out, 5, message);
    }

    void flush(std::size_t above) {
        if (m_buffer.size() > above) {
            m_out.write(m_buffer.data(), static_cast<std::streamsize>(m_buffer.size()));
            m_written += m_buffer.size();
            m_buffer.clear();
        }
    }

    const invented_code& m_code;
    std::ostream& m_out;
    std::string m_buffer; // what is not written yet
    std::size_t m_written = 0;
    // The ids by site and by function; 0 if it has none yet.
    std::vector<std::uint32_t> m_location_ids;
    std::vector<std::uint32_t> m_function_ids;
    std::uint32_t m_locations = 0;
    std::uint32_t m_functions = 0;
    std::unordered_map<std::string, std::uint64_t> m_string_numbers;
    std::vector<std::string> m_strings;
    std::size_t m_string_bytes = 0;
};

constexpr std::uint64_t second = 1'000'000'000;
constexpr std::uint64_t start = 1'700'000'000 * second;

invented_code code_of(std::size_t size) {
    const double megabytes = static_cast<double>(size) / 1e6;
    return invented_code{200 + static_cast<std::uint32_t>(1200 * std::sqrt(megabytes))};
}

} // namespace

void generate_pair(std::size_t size, std::uint64_t seed, std::ostream& previous,
                   std::ostream& current) {
    const invented_code code = code_of(size);
    invented_program program{code, seed};
    go_profile before{code, previous};
    go_profile now{code, current};
    constexpr std::size_t usual_sample = 90; // bytes
    for (std::size_t i = 0; i < size / usual_sample / 200; ++i) {
        now.add_sample(program.next());
    }
    while (before.size() < size) {
        invented_sample sample = program.next();
        before.add_sample(sample);
        program.advance(sample);
        now.add_sample(sample);
    }
    before.finish(start);
    now.finish(start + 30 * second);
}

void generate_series(std::size_t size, std::uint64_t seed, std::size_t captures,
                     const capture_taker& take) {
    const invented_code code = code_of(size);
    invented_program program{code, seed};
    std::vector<invented_sample> samples;
    for (std::size_t number = 0; number < captures; ++number) {
        std::ostringstream out;
        go_profile capture{code, out};
        for (invented_sample& sample : samples) {
            program.advance(sample);
            capture.add_sample(sample);
        }
        // The first one decides how many there are.
        while (number == 0 && capture.size() < size) {
            samples.push_back(program.next());
            capture.add_sample(samples.back());
        }
        capture.finish(start + 30 * second * number);
        take(number, out.str());
    }
}

} // namespace pprofdelta::test
