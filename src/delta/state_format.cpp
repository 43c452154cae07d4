// SPDX-License-Identifier: Apache-2.0
#include "delta/state_format.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <vector>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/error.hpp>
#include <pprofdelta/state.hpp>
#include <pprofdelta/value_type.hpp>

#include "base/hash128.hpp"
#include "profile/index.hpp"

namespace pprofdelta {

namespace {

// A state consists of numbers as little-endian bytes, whatever the machine's order, and of texts
// behind their lengths. Each part is declared once, as what it passes to one of these two: the one
// writes it, the other one reads it.

[[noreturn]] void fail_state(const std::string& what) { throw error{error_kind::malformed, what}; }

class state_writer {
public:
    explicit state_writer(std::string& out) : m_out{out} {}

    template <typename... Parts>
    void pass(const Parts&... parts) {
        (put(parts), ...);
    }

private:
    template <typename Number>
    void put(Number number) {
        const std::uint64_t word = little_endian(static_cast<std::uint64_t>(number));
        std::array<char, sizeof word> bytes{};
        std::memcpy(bytes.data(), &word, sizeof word);
        m_out.append(bytes.data(), sizeof number);
    }
    // A hash is in memory as it is in a state.
    void put(const hash128& hash) { pass(little_endian(hash.low), little_endian(hash.high)); }
    void put(const std::string& text) {
        put(static_cast<std::uint32_t>(text.size()));
        m_out += text;
    }

    std::string& m_out;
};

// Reads from front to back. All functions throw an error, malformed, if there are too few bytes.
class state_reader {
public:
    explicit state_reader(std::string_view bytes) : m_rest{bytes} {}

    template <typename... Parts>
    void pass(Parts&... parts) {
        (get(parts), ...);
    }

    template <typename Number>
    [[nodiscard]] Number number() {
        const std::string_view bytes = take(sizeof(Number));
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), bytes.size());
        return static_cast<Number>(little_endian(word));
    }

    [[nodiscard]] std::string_view take(std::size_t size) {
        if (size > m_rest.size()) {
            fail_state("damaged state: it ends too early");
        }
        const std::string_view taken = m_rest.substr(0, size);
        m_rest.remove_prefix(size);
        return taken;
    }

    // The part that was not read yet.
    [[nodiscard]] std::string_view rest() const noexcept { return m_rest; }

private:
    template <typename Number>
    void get(Number& to) {
        to = number<Number>();
    }
    void get(hash128& to) {
        to = {little_endian(number<std::uint64_t>()), little_endian(number<std::uint64_t>())};
    }
    void get(std::string& to) { to = take(number<std::uint32_t>()); }

    std::string_view m_rest;
};

// The entries of a table from number `begin` to before number `end`.
struct entry_range {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

constexpr std::size_t block_size = 64;                  // in values
constexpr std::size_t max_width = sizeof(std::int64_t); // of a value, in bytes

// Calls `visit(const std::int64_t* values, std::size_t count)` for each block.
template <typename Visit>
void for_each_block(value_column<const std::int64_t> values, const std::vector<entry_range>& order,
                    Visit&& visit) {
    std::array<std::int64_t, block_size> block{};
    std::size_t filled = 0;
    for (const entry_range range : order) {
        for (std::size_t entry = range.begin; entry < range.end;) {
            const std::size_t taken = std::min(block_size - filled, range.end - entry);
            for (std::size_t i = 0; i < taken; ++i) {
                block[filled + i] = values[entry + i];
            }
            filled += taken;
            entry += taken;
            if (filled == block_size) {
                visit(block.data(), filled);
                filled = 0;
            }
        }
    }
    if (filled != 0) {
        visit(block.data(), filled);
    }
}

// How many bytes the values take as numbers with a sign.
std::uint8_t width_of(const std::int64_t* values, std::size_t count) noexcept {
    std::int64_t used = 0; // bits that are not as the sign is
    for (std::size_t i = 0; i < count; ++i) {
        used |= values[i] ^ values[i] >> 63;
    }
    return static_cast<std::uint8_t>(std::bit_width(static_cast<std::uint64_t>(used)) / 8 + 1);
}

// Writes whole words, of which the next one overwrites what is too much.
char* put_values(char* out, const std::int64_t* values, std::size_t count, std::uint8_t width) {
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t word = little_endian(static_cast<std::uint64_t>(values[i]));
        std::memcpy(out, &word, sizeof word);
        out += width;
    }
    return out;
}

std::int64_t with_sign(std::uint64_t word, std::uint8_t width) noexcept {
    const unsigned unused = 64U - 8U * width;
    return static_cast<std::int64_t>(word << unused) >> unused;
}

// Reads whole words, of which the next one has what is too much.
// @param bytes the values, and perhaps more bytes.
// @param start the entry of the first one.
void get_values(std::string_view bytes, std::uint8_t width, value_column<std::int64_t> out,
                std::size_t start, std::size_t count) {
    std::array<char, block_size * max_width + max_width> padded{};
    const char* position = bytes.data();
    if (bytes.size() < count * width + max_width) {
        std::memcpy(padded.data(), position, count * width);
        position = padded.data();
    }
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t word = 0;
        std::memcpy(&word, position, sizeof word);
        out[start + i] = with_sign(little_endian(word), width);
        position += width;
    }
}

// The values of one cumulative type as a state has them: in blocks, of which each has values of one
// width. Neither reading nor writing these takes a branch that depends on a value.
class column_writer {
public:
    // @param order all entries, as they are to be written. It and the values must outlive this,
    //              unchanged.
    column_writer(value_column<const std::int64_t> values, const std::vector<entry_range>& order)
        : m_values{values}, m_order{order} {
        std::size_t count = 0;
        for (const entry_range range : order) {
            count += range.end - range.begin;
        }
        m_widths.reserve(count / block_size + 1);
        for_each_block(m_values, m_order, [this](const auto* block, std::size_t taken) {
            const std::uint8_t width = width_of(block, taken);
            m_widths.push_back(width);
            m_size += sizeof width + taken * width;
        });
    }

    // The size in bytes.
    [[nodiscard]] std::size_t size() const noexcept { return m_size; }

    // The number of bytes that the last value may overwrite behind the column.
    static constexpr std::size_t spare_room = max_width;

    // Needs no memory if there is room for the column and spare_room bytes.
    void append_to(std::string& out) const {
        const std::size_t start = out.size();
        out.resize(start + m_size + spare_room);
        char* position = out.data() + start;
        auto width = m_widths.begin();
        for_each_block(m_values, m_order, [&](const auto* block, std::size_t taken) {
            *position = static_cast<char>(*width);
            position = put_values(position + 1, block, taken, *width);
            ++width;
        });
        out.resize(start + m_size);
    }

private:
    value_column<const std::int64_t> m_values;
    const std::vector<entry_range>& m_order;
    std::vector<std::uint8_t> m_widths; // of the blocks
    std::size_t m_size = 0;
};

// Reads the values of `count` entries.
void read_column(state_reader& bytes, value_column<std::int64_t> values, std::uint32_t count) {
    for (std::size_t start = 0; start < count; start += block_size) {
        const std::size_t taken = std::min(block_size, count - start);
        const auto width = bytes.number<std::uint8_t>();
        if (width < 1 || width > max_width) {
            fail_state("damaged state: its values have an unknown width");
        }
        const std::string_view rest = bytes.rest();
        static_cast<void>(bytes.take(taken * width));
        get_values(rest, width, values, start, taken);
    }
}

// The magic resembles PNG's: the first byte shows a channel of seven bits, the rest one that
// changes line ends.
constexpr std::string_view magic{"\x89PPDS\r\n\x1a"};
constexpr std::uint32_t version_without_mappings = 3;
constexpr std::uint32_t version_without_periods = 4;
constexpr std::size_t head_size = 24;
constexpr std::size_t checksum_size = 16;

// The reports about a series' processes, as bits.
constexpr std::uint8_t reported_return = 1;
constexpr std::uint8_t reported_windows = 2;

// The entries in the order in which they are written: those of the last profile come first.
struct saved_order {
    std::vector<entry_range> ranges;
    std::uint32_t previous = 0; // how many the last profile had
};

saved_order order_of(const value_table& table) {
    saved_order order;
    for (const bool wanted : {true, false}) {
        for (std::uint32_t begin = 0, end = 0; begin < table.size(); begin = end) {
            const bool is_previous = table.is_previous(begin);
            for (end = begin + 1; end < table.size() && table.is_previous(end) == is_previous;) {
                ++end;
            }
            if (is_previous == wanted) {
                order.ranges.push_back({begin, end});
                order.previous += wanted ? end - begin : 0;
            }
        }
    }
    return order;
}

// The parts that are written and read alike; the second argument is const when it is written.

template <typename Bytes, typename Type>
void pass_type(Bytes& bytes, Type& type) {
    bytes.pass(type.type, type.unit);
}

template <typename Bytes, typename Sign>
void pass_process(Bytes& bytes, Sign& process) {
    bytes.pass(process.vdso, process.program, process.linker, process.program_name);
}

template <typename Bytes, typename History>
void pass_processes(Bytes& bytes, History& processes, std::uint8_t& flags) {
    pass_process(bytes, processes.last);
    for (auto& each : processes.earlier) {
        pass_process(bytes, each);
    }
    bytes.pass(processes.counter_resets, flags);
}

template <typename Bytes, typename Mapping>
void pass_mapping(Bytes& bytes, Mapping& m) {
    bytes.pass(m.identity, m.start, m.pages, m.offset, m.file_name, m.build_id);
}

void read_types(state_reader& body, std::uint32_t version, series& kept) {
    kept.types.sample_types.clear();
    kept.plan = {};
    const auto count = body.number<std::uint32_t>();
    if (count > max_sample_types) {
        fail_state("damaged state: it has more sample types than a profile may have");
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto kind = body.number<std::uint8_t>();
        const value_kind last =
            version > version_without_periods ? value_kind::interval : value_kind::cumulative;
        if (kind > static_cast<std::uint8_t>(last)) {
            fail_state("damaged state: a type is of an unknown kind");
        }
        pass_type(body, kept.types.sample_types.emplace_back());
        kept.plan.kinds.push_back(static_cast<value_kind>(kind));
        if (kept.plan.kinds.back() == value_kind::cumulative) {
            kept.plan.cumulative.push_back(i);
        }
    }
    pass_type(body, kept.types.period_type);
}

void read_processes(state_reader& body, std::uint32_t version, process_history& processes) {
    std::uint8_t flags = 0;
    pass_processes(body, processes, flags);
    processes.siblings = 0;
    if (version > version_without_periods) {
        body.pass(processes.siblings);
    }
    if (flags > (reported_return | reported_windows)) {
        fail_state("damaged state: its processes have unknown flags");
    }
    processes.has_reported_return = (flags & reported_return) != 0;
    processes.has_reported_windows = (flags & reported_windows) != 0;
}

void read_mappings(state_reader& body, std::vector<mapping_index::mapping>& mappings) {
    constexpr std::size_t size = 7 * sizeof(std::uint64_t);
    const auto count = body.number<std::uint32_t>();
    if (count > body.rest().size() / size) {
        fail_state("damaged state: it has fewer mappings than it says");
    }
    mappings.resize(count);
    for (mapping_index::mapping& each : mappings) {
        pass_mapping(body, each);
    }
}

void read_entries(state_reader& body, const series& kept, value_table& table) {
    const auto previous = body.number<std::uint32_t>();
    const std::uint64_t count = std::uint64_t{previous} + body.number<std::uint32_t>();
    const std::size_t columns = kept.plan.cumulative.size();
    // A value takes at least one byte. Hence memory is taken only for what is there.
    if (count > body.rest().size() / (sizeof(hash128) + columns) ||
        count >= std::numeric_limits<std::uint32_t>::max()) {
        fail_state("damaged state: it has fewer samples than it says");
    }
    table.configure(kept.types.sample_types.size(), kept.plan.cumulative);
    const auto keys_size = static_cast<std::size_t>(count * sizeof(hash128));
    if (!table.restore(body.take(keys_size), previous)) {
        fail_state("damaged state: it has a sample twice");
    }
    for (std::size_t column = 0; column < columns; ++column) {
        read_column(body, table.previous_column(column), table.size());
    }
}

void read_body(std::string_view bytes, std::uint32_t version, series& kept, value_table& table) {
    state_reader body{bytes};
    body.pass(kept.match, kept.time_nanos, kept.duration_nanos);
    if (kept.match > match_mode::function) {
        fail_state("damaged state: unknown match mode");
    }
    kept.period = 0;
    kept.has_plain_counters = false;
    if (version > version_without_periods) {
        body.pass(kept.period);
        const auto is_plain = body.number<std::uint8_t>();
        if (is_plain > 1) {
            fail_state("damaged state: its counters are of an unknown form");
        }
        kept.has_plain_counters = is_plain == 1;
    }
    read_types(body, version, kept);
    read_processes(body, version, kept.processes);
    kept.mappings.clear();
    if (version > version_without_mappings) {
        read_mappings(body, kept.mappings);
    }
    read_entries(body, kept, table);
    if (!body.rest().empty()) {
        fail_state("damaged state: data follows its end");
    }
}

// Throws unless this is a state, of a version that is known. Returns that.
std::uint32_t check_version(std::string_view state) {
    if (!is_state(state)) {
        fail_state(state.empty() ? "an empty file is not a state"
                                 : "this is not a state of pprofdelta");
    }
    if (state.size() < head_size + checksum_size) {
        fail_state("damaged state: it ends too early");
    }
    const auto version = state_reader{state.substr(magic.size())}.number<std::uint32_t>();
    if (version < version_without_mappings || version > state_version) {
        throw error{error_kind::incompatible, "the state has version " + std::to_string(version) +
                                                  " of the format, but only versions " +
                                                  std::to_string(version_without_mappings) +
                                                  " to " + std::to_string(state_version) +
                                                  " are supported"};
    }
    return version;
}

} // namespace

bool is_state(std::string_view bytes) noexcept { return bytes.substr(0, magic.size()) == magic; }

std::string encode_state(const series& kept, const value_table& table) {
    const saved_order order = order_of(table);
    std::vector<column_writer> columns;
    columns.reserve(kept.plan.cumulative.size());
    std::size_t values_size = 0;
    for (std::size_t column = 0; column < kept.plan.cumulative.size(); ++column) {
        columns.emplace_back(table.previous_column(column), order.ranges);
        values_size += columns.back().size();
    }

    std::string start;
    state_writer to{start};
    to.pass(kept.match, kept.time_nanos, kept.duration_nanos, kept.period,
            static_cast<std::uint8_t>(kept.has_plain_counters ? 1 : 0),
            static_cast<std::uint32_t>(kept.types.sample_types.size()));
    for (std::size_t i = 0; i < kept.types.sample_types.size(); ++i) {
        to.pass(static_cast<std::uint8_t>(kept.plan.kinds[i]));
        pass_type(to, kept.types.sample_types[i]);
    }
    pass_type(to, kept.types.period_type);
    auto flags =
        static_cast<std::uint8_t>((kept.processes.has_reported_return ? reported_return : 0) |
                                  (kept.processes.has_reported_windows ? reported_windows : 0));
    pass_processes(to, kept.processes, flags);
    to.pass(kept.processes.siblings, static_cast<std::uint32_t>(kept.mappings.size()));
    for (const mapping_index::mapping& each : kept.mappings) {
        pass_mapping(to, each);
    }
    to.pass(order.previous, table.size() - order.previous);

    const std::size_t body_size = start.size() + table.size() * sizeof(hash128) + values_size;
    const std::size_t size = head_size + body_size + checksum_size;
    if (size > max_profile_size) {
        throw error{error_kind::too_large, "the state would have 2 GiB or more"};
    }
    std::string state;
    state.reserve(size + column_writer::spare_room);
    state += magic;
    state_writer whole{state};
    whole.pass(state_version, static_cast<std::uint32_t>(kept.source),
               static_cast<std::uint64_t>(body_size));
    state += start;
    static_assert(sizeof(hash128) == 16);
    for (const entry_range range : order.ranges) { // in memory keys are as in a state
        const void* const first = &table.key(range.begin);
        state.append(static_cast<const char*>(first), (range.end - range.begin) * sizeof(hash128));
    }
    for (const column_writer& column : columns) {
        column.append_to(state);
    }
    whole.pass(hash_bytes(state));
    return state;
}

decoded_state decode_state(std::string_view state, series& kept, value_table& table) {
    const std::uint32_t version = check_version(state);
    const std::string_view covered = state.substr(0, state.size() - checksum_size);
    hash128 checksum;
    state_reader{state.substr(covered.size())}.pass(checksum);
    if (!(checksum == hash_bytes(covered))) {
        fail_state("damaged state: the checksum is wrong");
    }
    state_reader head{covered.substr(magic.size() + sizeof state_version)};
    const auto source = head.number<std::uint32_t>();
    if (source > static_cast<std::uint32_t>(profile_source::otlp)) {
        fail_state("damaged state: unknown kind of profiles");
    }
    kept.source = static_cast<profile_source>(source);
    const auto body_size = head.number<std::uint64_t>();
    if (body_size != head.rest().size()) {
        fail_state("damaged state: its length is wrong");
    }
    read_body(head.rest(), version, kept, table);
    return {version, head.rest().size()};
}

} // namespace pprofdelta
