// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_TRACES_STACKS_HPP
#define PPROFDELTA_SRC_TRACES_STACKS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/label.hpp>

#include "base/hash128.hpp"
#include "base/key_table.hpp"
#include "base/memory.hpp"
#include "profile/samples.hpp"
#include "traces/records.hpp"
#include "wire/packed_numbers.hpp"
#include "wire/reader.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

/// Folds a stack of addresses into words, as samples.hpp says.
/// @param words receives words_per_block words for each of the blocks of the stack.
inline void fold_stack(std::span<const std::uint64_t> stack, std::uint64_t* words) noexcept {
    std::uint64_t* const end = words + blocks(stack.size()) * words_per_block;
    const std::uint64_t* frame = stack.data();
    std::size_t left = stack.size();
    for (; left >= frames_per_word; left -= frames_per_word) {
        *words++ = fold_frames(frame[0], frame[1], frame[2], frame[3]);
        frame += frames_per_word;
    }
    if (left != 0) {
        *words++ = fold_frames(frame[0], left > 1 ? frame[1] : 0, left > 2 ? frame[2] : 0, 0);
    }
    std::fill(words, end, 0);
}

/// The label that a block size is, as in Go's heap profiles.
[[nodiscard]] constexpr label block_size_label(std::int64_t block_size) {
    return {"bytes", {}, block_size, {}};
}

/// Traces with their keys: all that can be done with a batch before anything shared is touched.
class trace_batch {
public:
    struct trace {
        /// As a sample's, of addresses in place of the halves of identities, and of the block size.
        hash128 key;
        std::span<const std::uint64_t> stack;
        std::int64_t block_size;
    };

    /// Forgets what there was. Memory is reused.
    /// @param labels      of each trace; have to outlive the batch.
    /// @param value_count how many values a trace has.
    /// @param room        the most traces that will be added.
    void start(std::span<const label> labels, std::size_t value_count, std::size_t room) {
        m_labels = labels;
        m_label_sum = {};
        for (const label& l : labels) {
            add_label_hash(m_label_sum, hash_of(l));
        }
        m_value_count = value_count;
        m_size = 0;
        // Each by its own size: of the calls before, some may have run out of memory in between.
        grow_to(m_traces, room);
        grow_to(m_entries, room);
        grow_to(m_values, room * value_count);
    }

    /// @param stack      leaf first; has to outlive the batch.
    /// @param stack_id   what stands for the stack in the key; 0 for its addresses.
    /// @param block_size 0 for none.
    /// @returns where to put the values.
    std::int64_t* add(std::span<const std::uint64_t> stack, std::uint64_t stack_id,
                      std::int64_t block_size) {
        m_traces[m_size] = {make_key(stack, stack_id, block_size), stack, block_size};
        return m_values.data() + m_size++ * m_value_count;
    }

    [[nodiscard]] std::span<const trace> traces() const noexcept {
        return {m_traces.data(), m_size};
    }
    [[nodiscard]] const std::int64_t* values(std::size_t i) const noexcept {
        return m_values.data() + i * m_value_count;
    }
    [[nodiscard]] std::span<const label> labels() const noexcept { return m_labels; }
    /// The sum of the hashes of a trace's labels, of which the block size is one.
    [[nodiscard]] hash128 label_key(const trace& of) const noexcept {
        hash128 sum = m_label_sum;
        if (of.block_size != 0) {
            add_label_hash(sum, hash_of(block_size_label(of.block_size)));
        }
        return sum;
    }

    /// Where whoever takes the batch notes which entry each trace went to; one for each.
    [[nodiscard]] std::uint32_t* entries() noexcept { return m_entries.data(); }

private:
    static hash128 hash_of(const label& l) {
        return hash_label(hash_bytes(l.key), hash_bytes(l.text), hash_bytes(l.unit),
                          static_cast<std::uint64_t>(l.number));
    }

    [[nodiscard]] hash128 make_key(std::span<const std::uint64_t> stack, std::uint64_t stack_id,
                                   std::int64_t block_size) {
        // The words of an id are more than those of a stack without frames, and fewer than of
        // others.
        const bool has_id = stack_id != 0;
        const std::size_t stack_words = has_id ? 1 : blocks(stack.size()) * words_per_block;
        const std::size_t words = stack_words + tail_words + 1;
        grow_to(m_words, words);
        if (has_id) {
            m_words[0] = stack_id;
        } else {
            fold_stack(stack, m_words.data());
        }
        put_tail(m_words.data() + stack_words, m_label_sum, has_id ? 0 : stack.size(),
                 m_labels.size());
        m_words[words - 1] = static_cast<std::uint64_t>(block_size);
        return hash_bytes(m_words.data(), words * sizeof m_words[0]);
    }

    std::span<const label> m_labels;
    hash128 m_label_sum;
    std::size_t m_value_count = 0;
    // As large as the largest batch so far.
    std::vector<trace> m_traces;
    std::vector<std::int64_t> m_values;
    std::vector<std::uint32_t> m_entries;
    std::size_t m_size = 0;
    std::vector<std::uint64_t> m_words; // what is hashed
};

/// Stacks of addresses as the fields that samples have for them. Each address is a location whose
/// id stays the same from profile to profile, so a stack is encoded once, and which locations a
/// profile needs is known from what was added to and taken from the one before.
class stack_store {
public:
    /// Where a stack lies.
    struct stack {
        std::uint64_t offset;
        std::uint32_t size;
    };

    /// @param addresses leaf first. O(frames)
    stack add(std::span<const std::uint64_t> addresses) {
        m_ids.clear();
        for (const std::uint64_t address : addresses) {
            m_ids.push_back(id(m_locations.find_or_add({address, 0}, [] { return 0U; })));
        }
        const std::size_t offset = m_fields.size();
        append_numbers(m_fields, field::sample::location_id, m_ids.data(), m_ids.size(), m_packed);
        const std::size_t size = m_fields.size() - offset;
        grow_to(m_decoded, packed_room(size));
        return {offset, static_cast<std::uint32_t>(size)};
    }

    /// The field `location_id`, empty for a stack without frames. Valid until the next add().
    [[nodiscard]] std::string_view field(const stack& s) const noexcept {
        return std::string_view{m_fields}.substr(s.offset, s.size);
    }

    /// Asks for what field(), use() and drop() will read.
    void prefetch(const stack& s) const noexcept {
        constexpr std::size_t line = 64;
        for (std::size_t i = 0; i < s.size; i += line) {
            __builtin_prefetch(m_fields.data() + s.offset + i);
        }
    }

    /// Counts a use of a stack by the profile, or one less. O(frames), and allocates nothing.
    void use(const stack& s) { count(s, 1); }
    void drop(const stack& s) { count(s, ~std::uint32_t{0}); }

    [[nodiscard]] std::uint32_t location_count() const noexcept { return m_locations.size(); }
    [[nodiscard]] std::uint64_t address(std::uint32_t location) const noexcept {
        return m_locations.key(location).low;
    }
    [[nodiscard]] bool is_used(std::uint32_t location) const noexcept {
        return m_locations[location] != 0;
    }
    [[nodiscard]] static std::uint64_t id(std::uint32_t location) noexcept {
        return location + std::uint64_t{1};
    }

    /// Adds a stack of another store. O(frames)
    stack add_from(stack_store& other, const stack& s) {
        m_copied.clear();
        other.for_each_location(
            s, [&](std::uint32_t location) { m_copied.push_back(other.address(location)); });
        return add(m_copied);
    }

private:
    // Adds to the uses of each location, modulo 2^32.
    void count(const stack& s, std::uint32_t change) {
        for_each_location(s, [&](std::uint32_t location) { m_locations[location] += change; });
    }

    template <typename Visit>
    void for_each_location(const stack& s, Visit&& visit) {
        const auto visit_id = [&](std::uint64_t number) {
            visit(static_cast<std::uint32_t>(number - 1));
        };
        message_reader reader{field(s), m_fields.data()};
        while (reader.next()) {
            if (!reader.is_bytes()) {
                visit_id(reader.varint());
                continue;
            }
            const std::string_view packed = reader.bytes();
            const std::size_t count = decode_ordinals(packed, m_fields.data() + m_fields.size(),
                                                      location_count(), m_decoded.data());
            if (count != not_decoded) {
                std::for_each_n(m_decoded.data(), count, visit_id);
            } else { // ids of more than three bytes
                for_each_packed(packed, m_fields.data(), visit_id);
            }
        }
    }

    keyed_list<std::uint32_t> m_locations; // how often each is used, by addresses
    std::string m_fields;
    std::vector<std::uint64_t> m_ids;     // of the stack at hand
    std::vector<std::uint32_t> m_decoded; // the same; has room for every stack
    std::vector<std::uint64_t> m_copied;  // addresses
    std::string m_packed;
};

/// The sets of labels that samples have. Strings have other numbers in each profile, so a set is
/// encoded once for each profile that needs it.
class label_sets {
public:
    /// The number of the set that a trace has. Copies the labels of a new one.
    std::uint32_t add(const trace_batch& batch, const trace_batch::trace& from) {
        return m_sets.find_or_add(batch.label_key(from), [&] {
            set s;
            const auto copy = [&s](const label& l) {
                s.labels.push_back(
                    {std::string{l.key}, std::string{l.text}, l.number, std::string{l.unit}});
            };
            for (const label& l : batch.labels()) {
                copy(l);
            }
            if (from.block_size != 0) {
                copy(block_size_label(from.block_size));
            }
            return s;
        });
    }

    /// The number in here of a set of another.
    std::uint32_t add_from(const label_sets& other, std::uint32_t number) {
        return m_sets.find_or_add(other.m_sets.key(number),
                                  [&] { return set{other.m_sets[number].labels}; });
    }

    /// Begins a profile.
    void start() noexcept {
        ++m_profile;
        m_fields.clear();
    }

    /// The set as fields of a sample. Valid until the next call of anything.
    std::string_view fields(std::uint32_t number, trace_records& profile) {
        set& s = m_sets[number];
        if (s.profile != m_profile) {
            encode(s, profile);
        }
        return std::string_view{m_fields}.substr(s.offset, s.size);
    }

private:
    struct owned_label {
        std::string key;
        std::string text;
        std::int64_t number;
        std::string unit;
    };
    struct set {
        std::vector<owned_label> labels;
        std::uint64_t profile = 0; // the last one that it is encoded for
        std::size_t offset = 0;
        std::size_t size = 0;
    };

    void encode(set& s, trace_records& profile) {
        s.offset = m_fields.size();
        for (const owned_label& l : s.labels) {
            profile.append_label(m_fields, {l.key, l.text, l.number, l.unit});
        }
        s.size = m_fields.size() - s.offset;
        s.profile = m_profile;
    }

    keyed_list<set> m_sets; // by the sums of the labels' hashes
    std::uint64_t m_profile = 0;
    std::string m_fields;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_TRACES_STACKS_HPP
