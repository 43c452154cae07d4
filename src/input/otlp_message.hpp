// SPDX-License-Identifier: Apache-2.0
/// Attributes that OpenTelemetry's semantic conventions have for what pprof has fields for: the
/// registries `pprof` and `process`; and what has no name there.
#ifndef PPROFDELTA_SRC_INPUT_OTLP_MESSAGE_HPP
#define PPROFDELTA_SRC_INPUT_OTLP_MESSAGE_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/error.hpp>

#include "base/hash128.hpp"
#include "base/key_table.hpp"
#include "wire/reader.hpp"

namespace pprofdelta {

/// Field numbers of OTLP's profiles.proto, as releases 1.10 and 1.11 of opentelemetry-proto have
/// it, and of what it includes.
namespace field::otlp {

enum class profiles_data : std::uint32_t { resource_profiles = 1, dictionary = 2 };
enum class resource_profiles : std::uint32_t { resource = 1, scope_profiles = 2, schema_url = 3 };
enum class resource : std::uint32_t { attributes = 1 };
enum class scope_profiles : std::uint32_t { scope = 1, profiles = 2, schema_url = 3 };
enum class scope : std::uint32_t { name = 1, version = 2, attributes = 3 };
enum class dictionary : std::uint32_t {
    mapping_table = 1,
    location_table = 2,
    function_table = 3,
    link_table = 4,
    string_table = 5,
    attribute_table = 6,
    stack_table = 7,
};
enum class profile : std::uint32_t {
    sample_type = 1,
    samples = 2,
    time_unix_nano = 3,
    duration_nano = 4,
    period_type = 5,
    period = 6,
    profile_id = 7,
    dropped_attributes_count = 8,
    original_payload_format = 9,
    original_payload = 10,
    attribute_indices = 11,
};
enum class value_type : std::uint32_t { type = 1, unit = 2 };
enum class sample : std::uint32_t {
    stack_index = 1,
    attribute_indices = 2,
    link_index = 3,
    values = 4,
    timestamps_unix_nano = 5,
};
enum class stack : std::uint32_t { location_indices = 1 };
enum class mapping : std::uint32_t {
    memory_start = 1,
    memory_limit = 2,
    file_offset = 3,
    filename = 4,
    attribute_indices = 5,
};
enum class location : std::uint32_t {
    mapping_index = 1,
    address = 2,
    lines = 3,
    attribute_indices = 4,
};
enum class line : std::uint32_t { function_index = 1, line = 2, column = 3 };
enum class function : std::uint32_t { name = 1, system_name = 2, filename = 3, start_line = 4 };
enum class link : std::uint32_t { trace_id = 1, span_id = 2 };
enum class attribute : std::uint32_t { key = 1, value = 2, unit = 3 };
enum class key_value : std::uint32_t { key = 1, value = 2, key_strindex = 3 };
enum class any_value : std::uint32_t {
    string = 1,
    boolean = 2,
    integer = 3,
    real = 4,
    array = 5,
    map = 6,
    bytes = 7,
    string_index = 8,
};
enum class list : std::uint32_t { values = 1 }; // of ArrayValue and of KeyValueList

} // namespace field::otlp

/// How often a field counts: the last one (the parts of a message are one message), each, or all as
/// packed numbers.
enum class otlp_rule : std::uint8_t { one, each, varints, fixed64s };

struct otlp_message;

struct otlp_field {
    std::string_view name;
    wire_type wire; ///< A varint, of eight bytes, or length-delimited.
    otlp_rule rule = otlp_rule::one;
    const otlp_message* message = nullptr; ///< What it holds.
};

/// What a message may have. Names are those of the .proto, for errors.
struct otlp_message {
    std::string_view name;
    std::span<const otlp_field> fields; ///< By number − 1.
    /// Whether fields that are not known are skipped. They are in the messages that all signals of
    /// OTLP share, which are stable. In the others they are the sign of another version, which may
    /// mean something else by those that are known.
    bool is_stable = false;
};

extern const otlp_message otlp_profiles_data;
extern const otlp_message otlp_resource_profiles;
extern const otlp_message otlp_resource;
extern const otlp_message otlp_scope_profiles;
extern const otlp_message otlp_scope;
extern const otlp_message otlp_dictionary_message;
extern const otlp_message otlp_profile;
extern const otlp_message otlp_value_type;
extern const otlp_message otlp_sample;
extern const otlp_message otlp_stack;
extern const otlp_message otlp_mapping;
extern const otlp_message otlp_location;
extern const otlp_message otlp_line;
extern const otlp_message otlp_function;
extern const otlp_message otlp_link;
extern const otlp_message otlp_attribute;
extern const otlp_message otlp_key_value;
extern const otlp_message otlp_any_value_message;
extern const otlp_message otlp_array_value;
extern const otlp_message otlp_key_value_list;

/// How much may be made of a message whose samples refer to stacks and attributes, so that a few
/// bytes can stand for much: 64 times its size, and 64 MiB beside that. Real ones make two to ten.
class otlp_room {
public:
    otlp_room(std::size_t size, std::size_t max_size) noexcept
        : m_left{std::min(least + per_byte * size, max_size)} {}

    /// @throws error too_large if there are not as many bytes left.
    void take(std::size_t bytes) {
        if (bytes > m_left) {
            fail();
        }
        m_left -= bytes;
    }

    [[nodiscard]] std::size_t left() const noexcept { return m_left; }

private:
    // Apart from take(), which is inlined then.
    [[noreturn, gnu::noinline]] static void fail() {
        throw error{error_kind::too_large, "the profiles repeat references to the same data so "
                                           "often that they would become too large"};
    }

    static constexpr std::size_t least = std::size_t{64} << 20U;
    static constexpr std::size_t per_byte = 64;

    std::size_t m_left;
};

/// The same message in the one form that is read: parts of a message joined, numbers packed, and
/// without what a later field overwrites. Protobuf lets a writer do all of it, and none does, so
/// nothing here is fast. What the schema does not have is left, to be refused by name.
/// @throws error malformed, too_large.
[[nodiscard]] std::string plain_otlp(const otlp_message& schema, std::string_view message,
                                     otlp_room& room, int depth = 0);

} // namespace pprofdelta

namespace pprofdelta::otlp_names {

// Of a mapping. Of the build ids the first that is there is pprof's.
inline constexpr std::array<std::string_view, 3> build_ids{
    "process.executable.build_id.gnu",
    "process.executable.build_id.go",
    "process.executable.build_id.htlhash",
};
inline constexpr std::string_view has_functions = "pprof.mapping.has_functions";
inline constexpr std::string_view has_filenames = "pprof.mapping.has_filenames";
inline constexpr std::string_view has_line_numbers = "pprof.mapping.has_line_numbers";
inline constexpr std::string_view has_inline_frames = "pprof.mapping.has_inline_frames";

/// The key of a build id, of which pprof does not say what kind it is: those of Go have slashes.
[[nodiscard]] constexpr std::string_view key_of_build_id(std::string_view id) noexcept {
    return id.find('/') == std::string_view::npos ? build_ids[0] : build_ids[1];
}

// Of a location.
inline constexpr std::string_view is_folded = "pprof.location.is_folded";

// Of a profile.
inline constexpr std::string_view comment = "pprof.profile.comment";
inline constexpr std::string_view doc_url = "pprof.profile.doc_url";
inline constexpr std::string_view drop_frames = "pprof.profile.drop_frames";
inline constexpr std::string_view keep_frames = "pprof.profile.keep_frames";

/// Not of the conventions, which have no temporality any more: "delta" for what happened within the
/// duration.
inline constexpr std::string_view temporality = "pprofdelta.temporality";
inline constexpr std::string_view is_a_delta = "delta";

// Of a scope.
inline constexpr std::string_view default_sample_type = "pprof.scope.default_sample_type";
inline constexpr std::string_view sample_type_order = "pprof.scope.sample_type_order";

// Labels of pprof for what samples of OTLP do not have as attributes of their own.
inline constexpr std::string_view resource_prefix = "resource.";
inline constexpr std::string_view scope_name = "otel.scope.name";
inline constexpr std::string_view trace_id = "trace_id";
inline constexpr std::string_view span_id = "span_id";
inline constexpr std::size_t trace_id_size = 16; // bytes
inline constexpr std::size_t span_id_size = 8;

} // namespace pprofdelta::otlp_names

namespace pprofdelta {

/// What makes two samples one, each by its number. It is its own key.
struct otlp_row {
    std::uint32_t stack = 0;
    std::uint32_t attributes = 0;
    std::uint32_t link = 0;
    std::uint32_t source = 0;

    [[nodiscard]] hash128 key() const noexcept {
        return {stack | std::uint64_t{attributes} << 32U, link | std::uint64_t{source} << 32U};
    }
    [[nodiscard]] static otlp_row of(const hash128& key) noexcept {
        return {static_cast<std::uint32_t>(key.low), static_cast<std::uint32_t>(key.low >> 32U),
                static_cast<std::uint32_t>(key.high), static_cast<std::uint32_t>(key.high >> 32U)};
    }
};

/// Numbers the rows of a message in the order in which they come. Its profiles, of one type each,
/// list the same rows in the same order, so one is mostly where the one before it says; and most
/// stacks are in one row, which is found by the stack.
class otlp_rows {
public:
    explicit otlp_rows(std::size_t stacks) : m_first_of_stack(stacks == 0 ? 1 : stacks, none) {}

    [[nodiscard]] std::size_t size() const noexcept { return m_rows.size(); }
    [[nodiscard]] otlp_row operator[](std::size_t number) const noexcept {
        return otlp_row::of(m_rows[number]);
    }

    void reserve(std::size_t rows) { m_rows.reserve(rows); }

    /// Begins the next profile.
    void begin() noexcept { m_guess = 0; }

    /// The number of a row, which is size() before the call if it is new. O(1)
    std::uint32_t find_or_add(const otlp_row& row) {
        const hash128 key = row.key();
        if (m_guess >= m_rows.size() || !(m_rows[m_guess] == key)) {
            m_guess = search(row.stack, key);
        }
        return m_guess++;
    }

private:
    static constexpr std::uint32_t none = 0xffffffff;

    [[gnu::noinline]] std::uint32_t search(std::uint32_t stack, const hash128& key) {
        std::uint32_t& first = m_first_of_stack[stack];
        if (first == none) {
            first = add(key);
            return first;
        }
        if (m_rows[first] == key) {
            return first;
        }
        const std::uint32_t known = m_others.size();
        const std::uint32_t other = m_others.find_or_add(key);
        if (other == known) {
            m_numbers_of_others.push_back(add(key));
        }
        return m_numbers_of_others[other];
    }

    std::uint32_t add(const hash128& key) {
        m_rows.push_back(key);
        return static_cast<std::uint32_t>(m_rows.size() - 1);
    }

    std::vector<hash128> m_rows; // their keys
    std::vector<std::uint32_t> m_first_of_stack;
    key_table m_others; // rows that are not the first of their stack
    std::vector<std::uint32_t> m_numbers_of_others;
    std::uint32_t m_guess = 0; // the row after the one found last
};

/// Whether all of packed numbers are at least 1 and less than `known`, by sixteen bytes at a time
/// and without their values. False also where it cannot tell: for less than sixteen bytes, and for
/// numbers of three and more.
///
/// @param packed the value of a field: the two bytes before it are its tag and its length, or the
///               end of that.
[[nodiscard]] inline bool are_short_ordinals(std::string_view packed, std::size_t known) noexcept {
    // Signed, as processors compare such bytes at once: one below 0 is not the last of its number.
    using block = signed char __attribute__((vector_size(16)));
    constexpr std::size_t size = sizeof(block);
    constexpr std::size_t two_bytes = std::size_t{1} << 14U;
    if (packed.size() < size || known == 0 || (packed.back() & 0x80) != 0) {
        return false;
    }
    const auto load = [&](std::size_t end, std::size_t before) {
        block bytes;
        std::memcpy(&bytes, packed.data() + end - size - before, size);
        return bytes;
    };
    const std::size_t most = std::min(known, two_bytes) - 1;
    const auto most_in_one = static_cast<signed char>(std::min<std::size_t>(most, 0x7f));
    const auto high = static_cast<signed char>(most >> 7U);
    const auto low = static_cast<signed char>(most & 0x7fU);
    for (std::size_t end = size;; end = std::min(end + size, packed.size())) {
        const block byte = load(end, 0);
        const block previous = load(end, 1);
        const block is_later = previous < 0; // −1 for yes
        const block is_bad_second = (byte > high) | ((byte == high) & ((previous & 0x7f) > low));
        const block is_bad = (byte == 0) | (is_later & (load(end, 2) < 0)) |
                             (is_later & is_bad_second) | (~is_later & (byte > most_in_one));
        std::array<std::uint64_t, 2> words; // overwritten, so without a value
        std::memcpy(words.data(), &is_bad, sizeof words);
        if ((words[0] | words[1]) != 0) {
            return false;
        }
        if (end == packed.size()) {
            return true;
        }
    }
}

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_INPUT_OTLP_MESSAGE_HPP
