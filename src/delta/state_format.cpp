// SPDX-License-Identifier: Apache-2.0
#include "delta/state_format.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/error.hpp>
#include <pprofdelta/state.hpp>

#include "base/hash128.hpp"
#include "codec/zstd.hpp"
#include "wire/reader.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

namespace {

// As PNG's: the first byte shows a channel of seven bits, the rest one that changes line ends.
constexpr std::string_view magic{"\x89PPDS\r\n\x1a"};
constexpr std::size_t head_size = 32;
constexpr std::size_t checksum_size = 16;

// How the values of a column are written: whichever is shorter.
constexpr std::uint8_t as_words = 0;
constexpr std::uint8_t as_varints = 1;

constexpr int fast_level = 1; // most of a state is hashes, on which effort is lost

// How much larger than it is compressed a body can be: of a sample the key stays as it is, and the
// values may become nothing. A small file cannot ask for much memory then.
constexpr std::size_t most_expansion =
    (sizeof(hash128) + max_sample_types * longest_varint) / sizeof(hash128) + 1;
// Types come on top of that: with their names, and what stands around these.
constexpr std::size_t largest_types = 2 * max_type_names_size;

[[noreturn]] void fail(const std::string& what) { throw error{error_kind::malformed, what}; }

// Numbers as little-endian bytes, whatever the machine's order.
template <typename Number>
void put(std::string& out, Number number) {
    std::array<char, sizeof number> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * i) & 0xffU);
    }
    out.append(bytes.data(), bytes.size());
}

void put(std::string& out, const hash128& hash) {
    put(out, little_endian(hash.low));
    put(out, little_endian(hash.high));
}

void put(std::string& out, const std::string& text) {
    put(out, static_cast<std::uint32_t>(text.size()));
    out += text;
}

// Small numbers of either sign become small ones without a sign, as protobuf's sint64 has them.
std::uint64_t zigzag(std::int64_t number) {
    return (static_cast<std::uint64_t>(number) << 1U) ^ static_cast<std::uint64_t>(number >> 63);
}

std::int64_t unzigzag(std::uint64_t number) {
    return static_cast<std::int64_t>((number >> 1U) ^ (0 - (number & 1U)));
}

class body_reader {
public:
    explicit body_reader(std::string_view body) : m_rest{body}, m_start{body.data()} {}

    template <typename Number>
    [[nodiscard]] Number number() {
        const std::string_view bytes = take(sizeof(Number));
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < sizeof(Number); ++i) {
            value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
        }
        return static_cast<Number>(value);
    }

    [[nodiscard]] hash128 hash() {
        const auto low = number<std::uint64_t>();
        const auto high = number<std::uint64_t>();
        return {little_endian(low), little_endian(high)};
    }

    [[nodiscard]] std::string text() { return std::string{take(number<std::uint32_t>())}; }

    [[nodiscard]] std::uint64_t varint() {
        const decoded_varint decoded =
            decode_varint(m_rest.data(), m_rest.data() + m_rest.size(), m_start);
        m_rest.remove_prefix(static_cast<std::size_t>(decoded.end - m_rest.data()));
        return decoded.number;
    }

    [[nodiscard]] std::string_view take(std::size_t size) {
        if (size > m_rest.size()) {
            fail("damaged state: it ends too early");
        }
        const std::string_view taken = m_rest.substr(0, size);
        m_rest.remove_prefix(size);
        return taken;
    }

    [[nodiscard]] std::size_t rest() const noexcept { return m_rest.size(); }

private:
    std::string_view m_rest;
    const char* m_start;
};

// The entries in the order in which they are written: those of the last profile come first.
std::vector<std::uint32_t> entries_in_order(const value_table& table, std::size_t& previous) {
    std::vector<std::uint32_t> order;
    order.reserve(table.size());
    for (const bool wanted : {true, false}) {
        for (std::uint32_t entry = 0; entry < table.size(); ++entry) {
            if (table.is_previous(entry) == wanted) {
                order.push_back(entry);
            }
        }
        previous = wanted ? order.size() : previous;
    }
    return order;
}

void put_column(std::string& out, const value_table& table, std::size_t column,
                const std::vector<std::uint32_t>& order) {
    const std::size_t start = out.size();
    out += static_cast<char>(as_varints);
    for (const std::uint32_t entry : order) {
        append_varint(out, zigzag(table.previous(entry)[column]));
    }
    if (out.size() - start - 1 > order.size() * sizeof(std::int64_t)) {
        out.resize(start);
        out += static_cast<char>(as_words);
        for (const std::uint32_t entry : order) {
            put(out, table.previous(entry)[column]);
        }
    }
}

void read_types(body_reader& body, series& kept) {
    kept.types.sample_types.clear();
    kept.plan = {};
    const auto count = body.number<std::uint32_t>();
    if (count > max_sample_types) {
        fail("damaged state: it has more sample types than a profile may have");
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto is_cumulative = body.number<std::uint8_t>();
        if (is_cumulative > 1) {
            fail("damaged state: a type is neither cumulative nor a gauge");
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

// @param compressed_size of the body
void read_entries(body_reader& body, const series& kept, value_table& table,
                  std::size_t compressed_size) {
    const std::uint64_t previous = body.number<std::uint32_t>();
    const std::uint64_t vanished = body.number<std::uint32_t>();
    const std::uint64_t count = previous + vanished;
    if (count > body.rest() / sizeof(hash128) ||
        count >= std::numeric_limits<std::uint32_t>::max()) {
        fail("damaged state: it has fewer samples than it says");
    }
    // Keys are hashes, which nothing compresses. A few that are not do no harm.
    constexpr std::size_t few = 4096;
    if (count > few && count > compressed_size / (sizeof(hash128) / 2)) {
        fail("damaged state: the keys of its samples are no hashes");
    }
    table.configure(kept.types.sample_types.size(), kept.plan.cumulative);
    // The next profile will have new samples, and to make room for those then would copy all.
    table.reserve_saved(static_cast<std::uint32_t>(
        std::min<std::uint64_t>(count + count / 8, std::numeric_limits<std::uint32_t>::max())));
    std::array<hash128, 32> keys;
    for (std::uint64_t i = 0; i < count;) {
        const auto taken = std::min<std::uint64_t>(keys.size(), count - i);
        for (std::uint64_t k = 0; k < taken; ++k) {
            keys[k] = body.hash();
            table.prefetch(keys[k]);
        }
        for (std::uint64_t k = 0; k < taken; ++k, ++i) {
            if (!table.restore(keys[k], i < previous)) {
                fail("damaged state: it has a sample twice");
            }
        }
    }
    for (std::size_t column = 0; column < kept.plan.cumulative.size(); ++column) {
        const auto encoding = body.number<std::uint8_t>();
        if (encoding > as_varints) {
            fail("damaged state: values in an unknown form");
        }
        for (std::uint32_t entry = 0; entry < count; ++entry) {
            table.restore_value(entry, column,
                                encoding == as_words ? body.number<std::int64_t>()
                                                     : unzigzag(body.varint()));
        }
    }
}

// Checks all that lies around the body, and returns the body as it is compressed.
std::string_view open_envelope(std::string_view state, profile_source& source,
                               std::uint64_t& body_size) {
    if (!is_state(state)) {
        fail(state.empty() ? "an empty file is no state" : "this is no state of pprofdelta");
    }
    if (state.size() < head_size + checksum_size) {
        fail("damaged state: it ends too early");
    }
    body_reader head{state.substr(magic.size())};
    const auto version = head.number<std::uint32_t>();
    if (version != state_version) {
        throw error{error_kind::incompatible, "the state has version " + std::to_string(version) +
                                                  " of the format, and only version " +
                                                  std::to_string(state_version) + " is known"};
    }
    const std::string_view covered = state.substr(0, state.size() - checksum_size);
    body_reader checksum{state.substr(covered.size())};
    if (!(checksum.hash() == hash_bytes(covered))) {
        fail("damaged state: the checksum is wrong");
    }
    const auto kind = head.number<std::uint32_t>();
    if (kind > static_cast<std::uint32_t>(profile_source::text)) {
        fail("damaged state: unknown kind of profiles");
    }
    source = static_cast<profile_source>(kind);
    body_size = head.number<std::uint64_t>();
    const std::string_view body = covered.substr(head_size);
    if (head.number<std::uint64_t>() != body.size()) {
        fail("damaged state: its length is not what it says");
    }
    return body;
}

std::string open_body(std::string_view compressed, std::size_t size) {
    std::string bytes;
    try {
        unzstd(compressed, bytes, size);
    } catch (const error& e) {
        // Too large is the body for what the head says, not for this library.
        if (e.kind() != error_kind::too_large) {
            fail("damaged state: " + std::string{e.what()});
        }
        bytes.clear();
    }
    if (bytes.size() != size) {
        fail("damaged state: the body's length is not what it says");
    }
    return bytes;
}

} // namespace

bool is_state(std::string_view bytes) noexcept { return bytes.substr(0, magic.size()) == magic; }

std::string encode_state(const series& kept, const value_table& table) {
    std::string body;
    put(body, static_cast<std::uint8_t>(kept.match));
    put(body, kept.time_nanos);
    put(body, kept.duration_nanos);
    put(body, static_cast<std::uint32_t>(kept.types.sample_types.size()));
    for (std::size_t i = 0; i < kept.types.sample_types.size(); ++i) {
        put(body, static_cast<std::uint8_t>(kept.plan.is_cumulative[i] ? 1 : 0));
        put(body, kept.types.sample_types[i].type);
        put(body, kept.types.sample_types[i].unit);
    }
    put(body, kept.types.period_type.type);
    put(body, kept.types.period_type.unit);

    std::size_t previous = 0;
    const std::vector<std::uint32_t> order = entries_in_order(table, previous);
    constexpr std::size_t usual_varint = 2;
    const std::size_t columns = kept.plan.cumulative.size();
    body.reserve(body.size() + order.size() * (sizeof(hash128) + columns * usual_varint));
    put(body, static_cast<std::uint32_t>(previous));
    put(body, static_cast<std::uint32_t>(order.size() - previous));
    for (const std::uint32_t entry : order) {
        put(body, table.key(entry));
    }
    for (std::size_t column = 0; column < columns; ++column) {
        put_column(body, table, column, order);
    }

    if (body.size() > max_profile_size) {
        throw error{error_kind::too_large, "the state would have 2 GiB or more"};
    }
    const std::string compressed = zstd(body, fast_level);
    std::string state{magic};
    put(state, state_version);
    put(state, static_cast<std::uint32_t>(kept.source));
    put(state, static_cast<std::uint64_t>(body.size()));
    put(state, static_cast<std::uint64_t>(compressed.size()));
    state += compressed;
    put(state, hash_bytes(state));
    return state;
}

std::size_t decode_state(std::string_view state, series& kept, value_table& table) {
    std::uint64_t body_size = 0;
    const std::string_view compressed = open_envelope(state, kept.source, body_size);
    if (body_size > max_profile_size || !is_zstd(compressed)) {
        fail("damaged state: the body is no zstd frame");
    }
    if (body_size > largest_types + compressed.size() * most_expansion) {
        fail("damaged state: the body is larger than it can be");
    }
    const std::string bytes = open_body(compressed, static_cast<std::size_t>(body_size));
    body_reader body{bytes};
    const auto match = body.number<std::uint8_t>();
    if (match > static_cast<std::uint8_t>(match_mode::function)) {
        fail("damaged state: unknown match mode");
    }
    kept.match = static_cast<match_mode>(match);
    kept.time_nanos = body.number<std::int64_t>();
    kept.duration_nanos = body.number<std::int64_t>();
    read_types(body, kept);
    read_entries(body, kept, table, compressed.size());
    if (body.rest() != 0) {
        fail("damaged state: something follows its end");
    }
    return bytes.size();
}

} // namespace pprofdelta
