// SPDX-License-Identifier: Apache-2.0
#include "batch/states/unsent.hpp"

#include <charconv>
#include <cstddef>
#include <system_error>
#include <utility>

#include "base/failure.hpp"
#include "files/content_hash.hpp"

namespace pprofdelta::tool {

namespace {

constexpr std::string_view unsent_magic = "pprofdelta unsent 2";

// Strings that end with NUL, one after the other.
class string_reader {
public:
    string_reader(std::string_view bytes, const std::string& name) : m_rest{bytes}, m_name{name} {}

    std::string_view next() {
        const std::size_t end = m_rest.find('\0');
        if (end == std::string_view::npos) {
            fail();
        }
        const std::string_view text = m_rest.substr(0, end);
        m_rest.remove_prefix(end + 1);
        return text;
    }

    template <typename Number>
    Number number() {
        const std::string_view text = next();
        Number value{};
        const char* const end = text.data() + text.size();
        if (const auto [rest, fault] = std::from_chars(text.data(), end, value);
            fault != std::errc{} || rest != end) {
            fail();
        }
        return value;
    }

    [[nodiscard]] std::string_view rest() const noexcept { return m_rest; }

    [[noreturn]] void fail() const {
        throw failure{exit_status::malformed,
                      m_name +
                          ": no note of deltas that were not taken, or damaged; without it they "
                          "are in place, and nobody sends them"};
    }

private:
    std::string_view m_rest;
    const std::string& m_name;
};

} // namespace

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
    string_reader from{bytes, name};
    if (from.next() != unsent_magic) {
        from.fail();
    }
    if (const std::string_view checksum = from.next();
        checksum != hash_text(content_hash(from.rest()))) {
        from.fail();
    }
    unsent_note note;
    note.series = from.next();
    for (auto left = from.number<std::size_t>(); left > 0; --left) {
        std::string label{from.next()};
        note.labels.emplace_back(std::move(label), from.next());
    }
    while (!from.rest().empty()) {
        unsent_delta next;
        next.path = from.next();
        next.id = from.next();
        next.time_nanos = from.number<std::int64_t>();
        next.duration_nanos = from.number<std::int64_t>();
        next.number = from.number<std::uint64_t>();
        next.type = from.next();
        note.deltas.push_back(std::move(next));
    }
    return note;
}

} // namespace pprofdelta::tool
