// SPDX-License-Identifier: Apache-2.0
#include "delta/state_format.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/error.hpp>
#include <pprofdelta/state.hpp>
#include <pprofdelta/value_type.hpp>

#include "base/hash128.hpp"
#include "codec/codec.hpp"
#include "delta/value_table.hpp"
#include "profile/index.hpp"
#include "wire/packed_numbers.hpp"
#include "wire/reader.hpp"

namespace pprofdelta {

namespace {

constexpr std::size_t block_size = 64; // in values
constexpr std::size_t widest = sizeof(std::int64_t);

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
    std::array<char, block_size * widest + widest> padded{};
    const char* position = bytes.data();
    if (bytes.size() < count * width + widest) {
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

} // namespace

column_writer::column_writer(value_column<const std::int64_t> values,
                             const std::vector<entry_range>& order)
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

void column_writer::append_to(std::string& out) const {
    const std::size_t start = out.size();
    static_assert(spare_room >= widest); // which is what the last value may overwrite
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

void read_column(state_reader& bytes, value_column<std::int64_t> values, std::uint32_t count) {
    for (std::size_t start = 0; start < count; start += block_size) {
        const std::size_t taken = std::min(block_size, count - start);
        const auto width = bytes.number<std::uint8_t>();
        if (width < 1 || width > widest) {
            fail_state("damaged state: values of an impossible width");
        }
        const std::string_view rest = bytes.rest();
        static_cast<void>(bytes.take(taken * width));
        get_values(rest, width, values, start, taken);
    }
}

} // namespace pprofdelta

namespace pprofdelta::state_v1 {

// What states of version 1 have of their own: a body that is compressed, and columns of words or
// varints.

/// @param size uncompressed, as the state says.
/// @throws error malformed; also for a size that the body of no series of profiles has, so that a
///         small file cannot ask for much memory.
[[nodiscard]] std::string inflate_body(std::string_view compressed, std::uint64_t size);

/// For the same reason, refuses so many keys in a body that had so many bytes compressed.
/// @throws error malformed
void check_keys(std::uint64_t count, std::size_t compressed_size);

/// Reads the values of `count` entries.
/// @throws error malformed
void read_column(state_reader& bytes, value_column<std::int64_t> values, std::uint32_t count);

namespace {

constexpr std::uint8_t as_words = 0;
constexpr std::uint8_t as_varints = 1;

// How much larger than it is compressed a body can be: of a sample the key stays as it is, and the
// values may become nothing.
constexpr std::size_t most_expansion =
    (sizeof(hash128) + max_sample_types * longest_varint) / sizeof(hash128) + 1;
// Types come on top of that: with their names, and what stands around these.
constexpr std::size_t largest_types = 2 * max_type_names_size;

// Small numbers of either sign are small ones without a sign, as protobuf's sint64 has them.
std::int64_t unzigzag(std::uint64_t number) {
    return static_cast<std::int64_t>((number >> 1U) ^ (0 - (number & 1U)));
}

} // namespace

std::string inflate_body(std::string_view compressed, std::uint64_t size) {
    if (size > max_profile_size || !is_zstd(compressed)) {
        fail_state("damaged state: the body is no zstd frame");
    }
    if (size > largest_types + compressed.size() * most_expansion) {
        fail_state("damaged state: the body is larger than it can be");
    }
    std::string body;
    try {
        unzstd(compressed, body, static_cast<std::size_t>(size));
    } catch (const error& e) {
        // Too large is the body for what the head says, not for this library.
        if (e.kind() != error_kind::too_large) {
            fail_state("damaged state: " + std::string{e.what()});
        }
        body.clear();
    }
    if (body.size() != size) {
        fail_state("damaged state: the body's length is not what it says");
    }
    return body;
}

// Keys are hashes, which nothing compresses. A few that are not do no harm.
void check_keys(std::uint64_t count, std::size_t compressed_size) {
    constexpr std::size_t few = 4096;
    if (count > few && count > compressed_size / (sizeof(hash128) / 2)) {
        fail_state("damaged state: the keys of its samples are no hashes");
    }
}

void read_column(state_reader& bytes, value_column<std::int64_t> values, std::uint32_t count) {
    const auto encoding = bytes.number<std::uint8_t>();
    if (encoding > as_varints) {
        fail_state("damaged state: values in an unknown form");
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (encoding == as_words) {
            values[i] = bytes.number<std::int64_t>();
            continue;
        }
        const std::string_view rest = bytes.rest();
        const decoded_varint decoded =
            decode_varint(rest.data(), rest.data() + rest.size(), rest.data());
        values[i] = unzigzag(decoded.number);
        static_cast<void>(bytes.take(static_cast<std::size_t>(decoded.end - rest.data())));
    }
}

} // namespace pprofdelta::state_v1

namespace pprofdelta {

namespace {

// As PNG's: the first byte shows a channel of seven bits, the rest one that changes line ends.
constexpr std::string_view magic{"\x89PPDS\r\n\x1a"};
constexpr std::size_t head_size = 24;
constexpr std::size_t checksum_size = 16;

constexpr std::uint32_t compressed_version = 1;
constexpr std::uint32_t version_without_processes = 2;

constexpr std::uint8_t told_return = 1;
constexpr std::uint8_t told_windows = 2;

// The entries in the order in which they are written: those of the last profile come first.
struct saved_order {
    std::vector<entry_range> ranges;
    std::uint32_t previous = 0; // how many the last profile had
};

saved_order order_of(const value_table& table) {
    const auto end_of_range = [&table](std::uint32_t begin) {
        const bool is_previous = table.is_previous(begin);
        std::uint32_t end = begin + 1;
        while (end < table.size() && table.is_previous(end) == is_previous) {
            ++end;
        }
        return end;
    };
    saved_order order;
    std::size_t ranges = 0;
    for (std::uint32_t begin = 0; begin < table.size(); begin = end_of_range(begin)) {
        ++ranges;
    }
    order.ranges.reserve(ranges);
    for (const bool wanted : {true, false}) {
        for (std::uint32_t begin = 0, end = 0; begin < table.size(); begin = end) {
            end = end_of_range(begin);
            if (table.is_previous(begin) == wanted) {
                order.ranges.push_back({begin, end});
                order.previous += wanted ? end - begin : 0;
            }
        }
    }
    return order;
}

void put_process(std::string& out, const process_sign& process) {
    for (const std::uint64_t part :
         {process.vdso, process.program, process.linker, process.program_name}) {
        put(out, part);
    }
}

void put_processes(std::string& out, const process_history& processes) {
    put_process(out, processes.last);
    for (const process_sign& each : processes.earlier) {
        put_process(out, each);
    }
    put(out, processes.counter_resets);
    put(out, static_cast<std::uint8_t>((processes.has_told_return ? told_return : 0) |
                                       (processes.has_told_windows ? told_windows : 0)));
}

// In memory they are as in a state.
void put_keys(std::string& out, const value_table& table, const saved_order& order) {
    static_assert(sizeof(hash128) == 16);
    for (const entry_range range : order.ranges) {
        const void* const first = &table.key(range.begin);
        out.append(static_cast<const char*>(first), (range.end - range.begin) * sizeof(hash128));
    }
}

void read_types(state_reader& body, series& kept) {
    kept.types.sample_types.clear();
    kept.plan = {};
    const auto count = body.number<std::uint32_t>();
    if (count > max_sample_types) {
        fail_state("damaged state: it has more sample types than a profile may have");
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto is_cumulative = body.number<std::uint8_t>();
        if (is_cumulative > 1) {
            fail_state("damaged state: a type is neither cumulative nor a gauge");
        }
        std::string type = body.text();
        kept.types.sample_types.push_back({std::move(type), body.text()});
        kept.plan.is_cumulative.push_back(is_cumulative == 1);
        if (is_cumulative == 1) {
            kept.plan.cumulative.push_back(i);
        }
    }
    kept.types.period_type.type = body.text();
    kept.types.period_type.unit = body.text();
}

process_sign read_process(state_reader& body) {
    process_sign sign;
    for (std::uint64_t* part : {&sign.vdso, &sign.program, &sign.linker, &sign.program_name}) {
        *part = body.number<std::uint64_t>();
    }
    return sign;
}

void read_processes(state_reader& body, process_history& processes) {
    processes.last = read_process(body);
    for (process_sign& each : processes.earlier) {
        each = read_process(body);
    }
    processes.counter_resets = body.number<std::uint8_t>();
    const auto flags = body.number<std::uint8_t>();
    if (flags > (told_return | told_windows)) {
        fail_state("damaged state: unknown marks of its processes");
    }
    processes.has_told_return = (flags & told_return) != 0;
    processes.has_told_windows = (flags & told_windows) != 0;
}

// @param compressed_size of the body, in version 1.
void read_entries(state_reader& body, const series& kept, value_table& table,
                  std::optional<std::size_t> compressed_size) {
    const auto previous = body.number<std::uint32_t>();
    const std::uint64_t count = std::uint64_t{previous} + body.number<std::uint32_t>();
    const std::size_t columns = kept.plan.cumulative.size();
    // A value takes at least one byte. So memory is taken only for what is there.
    if (count > body.rest().size() / (sizeof(hash128) + columns) ||
        count >= std::numeric_limits<std::uint32_t>::max()) {
        fail_state("damaged state: it has fewer samples than it says");
    }
    if (compressed_size) {
        state_v1::check_keys(count, *compressed_size);
    }
    table.configure(kept.types.sample_types.size(), kept.plan.cumulative);
    const auto keys_size = static_cast<std::size_t>(count * sizeof(hash128));
    if (!table.restore(body.take(keys_size), previous)) {
        fail_state("damaged state: it has a sample twice");
    }
    const auto& read = compressed_size ? state_v1::read_column : read_column;
    for (std::size_t column = 0; column < columns; ++column) {
        read(body, table.previous_column(column), table.size());
    }
}

void read_body(std::string_view bytes, std::uint32_t version, series& kept, value_table& table,
               std::optional<std::size_t> compressed_size) {
    state_reader body{bytes};
    const auto match = body.number<std::uint8_t>();
    if (match > static_cast<std::uint8_t>(match_mode::function)) {
        fail_state("damaged state: unknown match mode");
    }
    kept.match = static_cast<match_mode>(match);
    kept.time_nanos = body.number<std::int64_t>();
    kept.duration_nanos = body.number<std::int64_t>();
    read_types(body, kept);
    kept.processes = {};
    if (version > version_without_processes) {
        read_processes(body, kept.processes);
    }
    read_entries(body, kept, table, compressed_size);
    if (!body.rest().empty()) {
        fail_state("damaged state: something follows its end");
    }
}

std::uint32_t read_version(std::string_view state) {
    if (!is_state(state)) {
        fail_state(state.empty() ? "an empty file is no state" : "this is no state of pprofdelta");
    }
    if (state.size() < head_size + checksum_size) {
        fail_state("damaged state: it ends too early");
    }
    const auto version = state_reader{state.substr(magic.size())}.number<std::uint32_t>();
    if (version < compressed_version || version > state_version) {
        throw error{error_kind::incompatible, "the state has version " + std::to_string(version) +
                                                  " of the format, and only versions " +
                                                  std::to_string(compressed_version) + " to " +
                                                  std::to_string(state_version) + " are known"};
    }
    return version;
}

// Returns what the checksum is right for.
std::string_view open_envelope(std::string_view state) {
    const std::string_view covered = state.substr(0, state.size() - checksum_size);
    state_reader checksum{state.substr(covered.size())};
    if (!(checksum.hash() == hash_bytes(covered))) {
        fail_state("damaged state: the checksum is wrong");
    }
    return covered;
}

profile_source read_source(state_reader& head) {
    const auto kind = head.number<std::uint32_t>();
    if (kind > static_cast<std::uint32_t>(profile_source::otlp)) {
        fail_state("damaged state: unknown kind of profiles");
    }
    return static_cast<profile_source>(kind);
}

// The body behind a head that ends with the body's size.
std::string_view read_rest(state_reader& head) {
    const auto size = head.number<std::uint64_t>();
    if (size != head.rest().size()) {
        fail_state("damaged state: its length is not what it says");
    }
    return head.rest();
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
    put(start, static_cast<std::uint8_t>(kept.match));
    put(start, kept.time_nanos);
    put(start, kept.duration_nanos);
    put(start, static_cast<std::uint32_t>(kept.types.sample_types.size()));
    for (std::size_t i = 0; i < kept.types.sample_types.size(); ++i) {
        put(start, static_cast<std::uint8_t>(kept.plan.is_cumulative[i] ? 1 : 0));
        put(start, kept.types.sample_types[i].type);
        put(start, kept.types.sample_types[i].unit);
    }
    put(start, kept.types.period_type.type);
    put(start, kept.types.period_type.unit);
    put_processes(start, kept.processes);
    put(start, order.previous);
    put(start, table.size() - order.previous);

    const std::size_t body_size = start.size() + table.size() * sizeof(hash128) + values_size;
    const std::size_t size = head_size + body_size + checksum_size;
    if (size > max_profile_size) {
        throw error{error_kind::too_large, "the state would have 2 GiB or more"};
    }
    std::string state;
    state.reserve(size + column_writer::spare_room);
    state += magic;
    put(state, state_version);
    put(state, static_cast<std::uint32_t>(kept.source));
    put(state, static_cast<std::uint64_t>(body_size));
    state += start;
    put_keys(state, table, order);
    for (const column_writer& column : columns) {
        column.append_to(state);
    }
    put(state, hash_bytes(state));
    return state;
}

decoded_state decode_state(std::string_view state, series& kept, value_table& table) {
    const std::uint32_t version = read_version(state);
    state_reader head{open_envelope(state)};
    static_cast<void>(head.take(magic.size() + sizeof version));
    kept.source = read_source(head);
    if (version == compressed_version) {
        const auto body_size = head.number<std::uint64_t>();
        const std::string_view compressed = read_rest(head);
        const std::string body = state_v1::inflate_body(compressed, body_size);
        read_body(body, version, kept, table, compressed.size());
        return {version, body.size()};
    }
    const std::string_view body = read_rest(head);
    read_body(body, version, kept, table, std::nullopt);
    return {version, body.size()};
}

} // namespace pprofdelta
