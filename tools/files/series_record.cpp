// SPDX-License-Identifier: Apache-2.0
#include "files/series_record.hpp"

#include <cstddef>
#include <optional>
#include <stdexcept>

#include <pprofdelta/characters.hpp>

#include "base/failure.hpp"
#include "base/value_text.hpp"
#include "files/file.hpp"

namespace pprofdelta::tool {

namespace {

// The fault of a file, for the message about it.
struct damage : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Reads a file of parts that end with the same character: lines, or strings with NUL.
class record_reader {
public:
    record_reader(std::string_view bytes, char end) : m_parts{bytes}, m_end{end} {}

    // The rest of the next part, which begins with `word`.
    std::string_view text(std::string_view word = {}) {
        const auto part = m_parts.next(m_end);
        if (!part || !part->starts_with(word)) {
            throw damage{"its header has no line '" + std::string{word} + "'"};
        }
        return part->substr(word.size());
    }

    template <typename Number>
    Number number(std::string_view word = {}, int base = 10) {
        const std::optional<Number> found = number_in<Number>(text(word), base);
        if (!found) {
            throw damage{"its header has no number after '" + std::string{word} + "'"};
        }
        return *found;
    }

    [[nodiscard]] std::string_view rest() const noexcept { return m_parts.rest(); }

private:
    part_reader m_parts;
    char m_end;
};

constexpr std::string_view magic = "pprofdelta series ";
constexpr std::string_view record_version = "1";
constexpr std::string_view unsent_magic = "pprofdelta unsent 2";

// A text of a line, in which a path may have any bytes.
std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < ' ' || c == '%') {
            result += '%' + hexadecimal(byte, 2);
        } else {
            result += c;
        }
    }
    return result;
}

std::string unescaped(record_reader& header, std::string_view word) {
    const std::string_view text = header.text(word);
    std::string value;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            value += text[i];
            continue;
        }
        const std::string_view digits = text.substr(i + 1, 2);
        const auto byte = number_in<unsigned char>(digits, 16);
        if (!byte || digits.size() != 2) {
            throw damage{"its header has a damaged '" + std::string{word} + "'"};
        }
        value += static_cast<char>(*byte);
        i += 2;
    }
    return value;
}

series_record read_record(std::string_view bytes, record_reader& header) {
    series_record record;
    record.series = unescaped(header, "series ");
    record.deltas = header.number<std::uint64_t>("deltas ");
    record.time_nanos = header.number<std::int64_t>("time ");
    record.input = unescaped(header, "input ");
    record.input_hash = header.number<std::uint64_t>("content ", 16);
    const std::string_view checked = bytes.substr(0, bytes.size() - header.rest().size());
    if (header.number<std::uint64_t>("header ", 16) != content_hash(checked)) {
        throw damage{"its header is damaged"};
    }
    record.state = header.rest();
    return record;
}

} // namespace

std::string to_bytes(const series_record& record) {
    std::string bytes{magic};
    bytes.append(record_version).append("\n");
    bytes += "series " + escaped(record.series) + "\n";
    bytes += "deltas " + std::to_string(record.deltas) + "\n";
    bytes += "time " + std::to_string(record.time_nanos) + "\n";
    bytes += "input " + escaped(record.input) + "\n";
    bytes += "content " + hash_text(record.input_hash) + "\n";
    bytes += "header " + hash_text(content_hash(bytes)) + "\n";
    return bytes += record.state;
}

bool is_record(std::string_view bytes) noexcept { return bytes.starts_with(magic); }

series_record parse_record(std::string_view bytes, const std::string& name) {
    constexpr const char* advice = "; if you remove it, the series begins anew";
    try {
        record_reader header{bytes, '\n'};
        const std::string_view found = header.text(magic);
        if (found == record_version) {
            return read_record(bytes, header);
        }
        if (found.find_first_not_of("0123456789") != std::string_view::npos) {
            throw damage{"its version is not a number"};
        }
        throw failure{exit_status::incompatible, name + ": version " + std::string{found} +
                                                     " of the state of a series is not supported" +
                                                     advice};
    } catch (const damage& found) {
        throw failure{exit_status::malformed,
                      name + ": not the state of a series: " + found.what() + advice};
    }
}

std::string to_bytes(const unsent_note& note) {
    std::string bytes;
    const auto add = [&bytes](std::string_view text) {
        bytes += text;
        bytes += '\0';
    };
    add(note.series);
    add(std::to_string(note.labels.size()));
    for (const auto& [name, value] : note.labels) {
        add(name);
        add(value);
    }
    for (const unsent_delta& each : note.deltas) {
        add(each.path);
        add(each.id);
        add(std::to_string(each.time_nanos));
        add(std::to_string(each.duration_nanos));
        add(std::to_string(each.number));
        add(each.type);
    }
    const std::string content = std::exchange(bytes, {});
    add(unsent_magic);
    add(hash_text(content_hash(content)));
    return bytes += content;
}

unsent_note parse_unsent(std::string_view bytes, const std::string& name) {
    try {
        record_reader from{bytes, '\0'};
        const bool is_note = from.text() == unsent_magic;
        const std::string_view checksum = from.text();
        if (!is_note || checksum != hash_text(content_hash(from.rest()))) {
            throw damage{""};
        }
        unsent_note note;
        note.series = from.text();
        for (auto left = from.number<std::size_t>(); left > 0; --left) {
            std::string label{from.text()};
            note.labels.emplace_back(std::move(label), from.text());
        }
        while (!from.rest().empty()) {
            unsent_delta& next = note.deltas.emplace_back();
            next.path = from.text();
            next.id = from.text();
            next.time_nanos = from.number<std::int64_t>();
            next.duration_nanos = from.number<std::int64_t>();
            next.number = from.number<std::uint64_t>();
            next.type = from.text();
        }
        return note;
    } catch (const damage&) {
        throw failure{exit_status::malformed,
                      name + ": not a note of unsent deltas, or damaged; if you remove it, its "
                             "deltas stay in place, unsent"};
    }
}

} // namespace pprofdelta::tool
