// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/contention_traces.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/memory_traces.hpp>
#include <pprofdelta/sampling.hpp>
#include <pprofdelta/traces.hpp>

#include "base/hash128.hpp"
#include "base/key_table.hpp"
#include "base/memory.hpp"
#include "base/numbers.hpp"
#include "delta/passes.hpp"
#include "delta/series.hpp"
#include "delta/value_table.hpp"
#include "profile/index.hpp"
#include "profile/samples.hpp"
#include "traces/mappings.hpp"
#include "traces/records.hpp"
#include "wire/packed_numbers.hpp"
#include "wire/reader.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

heap_sample scale_heap_sample(heap_sample sampled, std::int64_t rate) noexcept {
    if (sampled.count == 0 || sampled.bytes == 0) {
        return {0, 0};
    }
    if (rate <= 1) {
        return sampled;
    }
    const auto count = static_cast<double>(sampled.count);
    const auto bytes = static_cast<double>(sampled.bytes);
    // expm1() would be more precise, but the figures should be those of other tools.
    const double scale = 1 / (1 - std::exp(-(bytes / count) / static_cast<double>(rate)));
    return {to_whole(count * scale), to_whole(bytes * scale)};
}

namespace {

/// Returns the mean size of samples, each of which stands for `scaled` bytes: the inverse of
/// mean / (1 - exp(-mean / rate)), which is convex, so that Newton's steps from above end there.
double mean_size(double scaled, double rate) noexcept {
    constexpr int most_steps = 100;
    constexpr double precision = 1e-12;
    double mean = scaled;
    for (int step = 0; step < most_steps; ++step) {
        const double too_much = mean + scaled * std::expm1(-mean / rate);
        const double slope = 1 - scaled / rate * std::exp(-mean / rate);
        const double next = mean - too_much / slope;
        if (!(slope > 0 && next > 0)) {
            return 0; // smaller than can be told
        }
        if (std::fabs(next - mean) <= precision * mean) {
            return next;
        }
        mean = next;
    }
    return mean;
}

} // namespace

heap_sample unscale_heap_sample(heap_sample estimated, std::int64_t rate) noexcept {
    if (rate <= 1 || estimated.count <= 0 || estimated.bytes <= 0) {
        return estimated;
    }
    const auto period = static_cast<double>(rate);
    const auto count = static_cast<double>(estimated.count);
    const auto bytes = static_cast<double>(estimated.bytes);
    const auto samples_of = [&](double estimate) {
        return estimate * -std::expm1(-bytes / estimate / period);
    };
    // Estimates were truncated, which leaves room for one number of samples.
    constexpr double slack = 1e-6;
    const double fewest = samples_of(count);
    const double most = samples_of(count + 1);
    double samples = std::max(1.0, std::ceil(fewest - slack));
    if (samples > most + slack) {
        samples = std::max(1.0, std::round((fewest + most) / 2)); // a sum of several
    }
    // Small sizes are told by the ratio of large estimates, and others by what one sample stands
    // for.
    double smallest = bytes / (count + 1);
    double largest = (bytes + 1) / count;
    if (samples * (largest - smallest) > 1) {
        smallest = mean_size(bytes / samples, period);
        largest = mean_size((bytes + 1) / samples, period);
    }
    const double size = (smallest + largest) / 2;
    // Allocators have sizes that are multiples of 8, and most stacks have blocks of one size.
    const double room = std::max(1.0, samples * (largest - smallest) / 2);
    double sum = samples * size;
    for (const double likely : {samples * 8 * std::round(size / 8), 8 * std::round(sum / 8)}) {
        if (std::fabs(likely - sum) <= room) {
            sum = likely;
            break;
        }
    }
    return {to_whole(samples), to_nearest(sum)};
}

contention_sample scale_contention_sample(contention_sample sampled, std::int64_t period,
                                          std::int64_t cycles_per_second) noexcept {
    if (period <= 0) {
        return sampled;
    }
    if (cycles_per_second > 0) {
        const double cycles_per_nanosecond = static_cast<double>(cycles_per_second) / 1e9;
        sampled.delay = to_whole(static_cast<double>(sampled.delay) * static_cast<double>(period) /
                                 cycles_per_nanosecond);
    }
    sampled.count = wrapping_multiply(sampled.count, period);
    return sampled;
}

namespace {

/// The label that a block size is, as in Go's heap profiles.
[[nodiscard]] constexpr label block_size_label(std::int64_t block_size) {
    return {"bytes", {}, block_size, {}};
}

/// Traces with their keys: all that can be done with a batch before anything shared is touched.
class trace_batch {
public:
    struct trace {
        /// A hash as that of a sample's key, but from addresses rather than identities, and from
        /// the block size.
        hash128 key;
        std::span<const std::uint64_t> stack;
        std::int64_t block_size;
    };

    /// Forgets what there was. Memory is reused.
    /// @param labels      belong to each trace, and outlive the batch.
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
    /// @param stack_id   stands for the stack in the key; 0 for its addresses.
    /// @param block_size 0 for none.
    /// @returns the place for the values.
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
    [[nodiscard]] hash128 label_key(const trace& one) const noexcept {
        hash128 sum = m_label_sum;
        if (one.block_size != 0) {
            add_label_hash(sum, hash_of(block_size_label(one.block_size)));
        }
        return sum;
    }

    /// The places where whoever takes the batch notes which entry each trace went to; one for each.
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
    // These buffers keep the size of the largest batch so far.
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
    /// The place of a stack.
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

    /// Asks for what field() and set_used() will read.
    void prefetch(const stack& s) const noexcept {
        constexpr std::size_t line = 64;
        for (std::size_t i = 0; i < s.size; i += line) {
            __builtin_prefetch(m_fields.data() + s.offset + i);
        }
    }

    /// Counts a use of a stack by the profile, or one less. O(frames), and allocates nothing.
    void set_used(const stack& s, bool is_used) {
        const std::uint32_t change = is_used ? 1 : ~std::uint32_t{0}; // uses are modulo 2^32
        for_each_location(s, [&](std::uint32_t location) { m_locations[location] += change; });
    }

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

/// The delta of rounds of traces, whatever they measure; memory_delta says what that means. Several
/// threads may use it at once.
class trace_delta {
public:
    /// @param types says what the values of a trace are; which of them are cumulative follows from
    ///              their names, as in profiles.
    trace_delta(profile_types types, const trace_delta_options& options)
        : m_types{std::move(types)}, m_options{options},
          m_values(entries_per_block * m_types.sample_types.size()) {
        m_table.configure(value_count(), plan_subtraction(m_types, {}).cumulative);
        begin_round();
    }

    /// Adds traces of any kind to the round. After a throw it is as before.
    /// @param read `read(const Trace&, trace_batch&)` adds a trace.
    /// @throws std::bad_alloc
    template <typename Trace, typename Read>
    void report(std::span<const Trace> traces, const trace_meta& meta, Read&& read) {
        // The batch is not on the stack, as it can be large, and is kept for the next one of the
        // thread.
        thread_local trace_batch of_this_thread;
        trace_batch& batch = of_this_thread;
        batch.start(meta.labels, value_count(), traces.size());
        for (std::size_t i = 0; i < traces.size(); ++i) {
            if (i + traces_ahead < traces.size()) {
                prefetch(traces[i + traces_ahead]);
            }
            read(traces[i], batch);
        }
        add(batch, meta);
    }

    /// Adds a batch to the round, which is when the lock is held.
    void add(trace_batch& batch, const trace_meta& meta) {
        const std::lock_guard lock{m_mutex};
        const std::uint32_t size_before = m_table.size();
        try {
            add_entries(batch);
        } catch (...) {
            m_table.truncate(size_before);
            m_entries.resize(size_before);
            throw;
        }
        // Nothing here can fail.
        for (std::size_t i = 0; i < batch.traces().size(); ++i) {
            m_table.add(batch.entries()[i], batch.values(i));
        }
        if (meta.mappings != nullptr && meta.mappings != m_mappings) {
            m_mappings = meta.mappings;
            m_own_mappings = false;
        }
        m_round.traces += batch.traces().size();
        m_round.time_nanos = std::max(m_round.time_nanos, meta.time_nanos);
        m_round.period = meta.period;
    }

    /// Ends the round. @throws error reset, too_large, std::bad_alloc
    delta_summary write(std::string& delta) {
        const std::lock_guard lock{m_mutex};
        m_summary = {};
        m_summary.samples_in = m_round.traces;
        m_summary.first = !m_has_previous;
        m_summary.out_of_order =
            m_has_previous && m_round.time_nanos != 0 && m_round.time_nanos < m_previous_time;
        m_summary.time_nanos = m_round.time_nanos;
        m_summary.duration_nanos = duration_between(m_previous_time, m_round.time_nanos, 0);
        set_periods(m_previous_period, m_round.period, m_summary);
        try {
            if (m_has_previous) {
                look_for_reset(m_table, {process_relation::same, false}, m_options.on_reset, 0,
                               m_changes, m_summary);
                m_summary.clock_was_set = m_summary.out_of_order && !m_summary.reset &&
                                          m_summary.negative_samples == 0 && m_table.has_changed();
            }
            find_mappings();
            m_writer.start(m_types.sample_types, delta);
            m_writer.use_mappings(*m_mappings);
            if (has_samples(m_options, m_summary)) {
                write_samples();
                write_locations();
            }
            m_writer.finish({.period_type = m_types.period_type,
                             .period = m_round.period,
                             .time_nanos = m_round.time_nanos,
                             .duration_nanos = m_summary.duration_nanos});
        } catch (...) {
            forget_round();
            throw;
        }
        advance();
        return m_summary;
    }

private:
    // Stacks lie anywhere in memory, and most of the time for a trace is that of waiting for its.
    static constexpr std::size_t traces_ahead = 6;
    template <typename Trace>
    static void prefetch(const Trace& t) noexcept {
        constexpr std::size_t words_per_line = 64 / sizeof(std::uint64_t);
        const std::size_t words = t.stack_id != 0 ? 0 : t.stack.size();
        for (std::size_t i = 0; i < words; i += words_per_line) {
            __builtin_prefetch(t.stack.data() + i);
        }
    }

    // Describes an entry of the table, whose values lie in the table itself.
    struct entry {
        stack_store::stack stack;
        std::uint32_t labels;
        bool is_written; // in the last delta, so that its locations are in use
    };
    // Describes a round, whose traces lie elsewhere.
    struct round {
        std::size_t traces = 0;
        std::int64_t time_nanos = 0;
        std::int64_t period = 0;
    };

    static constexpr std::size_t entries_per_block = 64;

    [[nodiscard]] std::size_t value_count() const noexcept { return m_types.sample_types.size(); }

    void begin_round() noexcept {
        m_table.begin();
        m_round = {};
    }

    void add_entries(trace_batch& batch) {
        std::uint32_t* entry_of = batch.entries();
        for (const trace_batch::trace& t : batch.traces()) {
            const std::uint32_t number = m_table.find_or_add(t.key);
            if (number == m_entries.size()) {
                m_entries.push_back({m_stacks.add(t.stack), m_labels.add(batch, t), false});
            }
            *entry_of++ = number;
        }
    }

    // A block of entries at a time: their stacks lie anywhere, so what is needed of them is asked
    // for before it is used.
    void write_samples() {
        m_labels.start();
        std::array<std::uint32_t, entries_per_block> touched{}; // written now, or before
        std::array<bool, entries_per_block> is_written{};
        for (std::size_t first = 0; first < m_entries.size(); first += entries_per_block) {
            const std::size_t count = std::min(m_entries.size() - first, entries_per_block);
            std::size_t touched_count = 0;
            for (std::uint32_t i = 0; i < count; ++i) {
                is_written[i] = take_values(first + i, m_values.data() + i * value_count());
                touched[touched_count] = i;
                // No branch that depends on them: it would be guessed wrong.
                touched_count += static_cast<unsigned>(is_written[i]) |
                                 static_cast<unsigned>(m_entries[first + i].is_written);
            }
            for (std::size_t k = 0; k < touched_count; ++k) {
                m_stacks.prefetch(m_entries[first + touched[k]].stack);
            }
            for (std::size_t k = 0; k < touched_count; ++k) {
                const std::size_t i = touched[k];
                entry& e = m_entries[first + i];
                set_written(e, is_written[i]);
                if (is_written[i]) {
                    m_writer.add_sample(m_stacks.field(e.stack),
                                        {m_values.data() + i * value_count(), value_count()},
                                        m_labels.fields(e.labels, m_writer));
                    ++m_summary.samples_kept;
                }
            }
        }
    }

    // Whether the entry is to be written, with `values`.
    [[nodiscard]] bool take_values(std::size_t number, std::int64_t* values) const noexcept {
        const auto in_table = static_cast<std::uint32_t>(number);
        return m_table.is_current(in_table) &&
               is_kept(m_options, m_table.difference(in_table, !m_summary.reset, values));
    }

    void set_written(entry& e, bool is_written) noexcept {
        if (is_written != e.is_written) {
            m_stacks.set_used(e.stack, is_written);
            e.is_written = is_written;
        }
    }

    // Addresses are looked up when they are new, and all of them when the mappings are others. Own
    // mappings are read again after a library was loaded, which may lie where another one was; and
    // for the sake of a new address alone: of one that lay in none before, such as generated code,
    // another look would find no more.
    void find_mappings() {
        if (m_own_mappings) {
            const std::uint64_t loads = count_loads(); // before the mappings, which may have more
            if (m_mappings == nullptr || loads != m_loads) {
                m_mappings = process_mappings();
                m_loads = loads;
            }
        }
        const bool were_known = m_mappings == m_placed_in;
        if (!place_locations() && were_known && m_own_mappings) {
            m_mappings = process_mappings();
            place_locations();
        }
    }

    // @returns false if a new one lies in no mapping.
    bool place_locations() {
        if (m_mappings != m_placed_in) {
            m_placed_in = nullptr;
            m_places.clear();
            m_search.build(*m_mappings);
            m_placed_in = m_mappings;
        }
        bool has_all = true;
        while (m_places.size() < m_stacks.location_count()) {
            const auto location = static_cast<std::uint32_t>(m_places.size());
            m_places.push_back(m_search.find(m_stacks.address(location)));
            has_all = has_all && m_places.back() != mapping_search::npos;
        }
        return has_all;
    }

    void write_locations() {
        for (std::uint32_t location = 0; location < m_stacks.location_count(); ++location) {
            if (m_stacks.is_used(location)) {
                m_writer.add_location(stack_store::id(location), m_stacks.address(location),
                                      m_places[location]);
            }
        }
    }

    // Forgets all reports since the last delta.
    void forget_round() noexcept {
        m_table.rollback();
        while (m_entries.size() > m_table.size()) {
            set_written(m_entries.back(), false);
            m_entries.pop_back();
        }
        begin_round();
    }

    void advance() noexcept {
        if (m_summary.reset) {
            forget_vanished();
        }
        m_table.commit();
        m_previous_time = m_round.time_nanos;
        m_previous_period = m_round.period;
        m_has_previous = true;
        begin_round();
    }

    // A new series begins, and nothing of the old one is worth its memory.
    void forget_vanished() noexcept {
        std::size_t kept = 0;
        for (std::uint32_t number = 0; number < m_table.size(); ++number) {
            if (!m_table.is_current(number)) {
                set_written(m_entries[number], false);
            } else {
                m_entries[kept++] = m_entries[number];
            }
        }
        m_entries.resize(kept);
        m_table.forget_previous();
        try {
            pack();
        } catch (const std::bad_alloc&) {
            // Stacks and labels that nothing has any more stay, which does no harm but to memory.
        }
    }

    // Leaves out stacks and labels that no entry has.
    void pack() {
        stack_store stacks;
        label_sets labels;
        std::vector<entry> entries = m_entries;
        for (entry& e : entries) {
            e.stack = stacks.add_from(m_stacks, e.stack);
            e.labels = labels.add_from(m_labels, e.labels);
            if (e.is_written) {
                stacks.set_used(e.stack, true);
            }
        }
        std::swap(m_stacks, stacks);
        std::swap(m_labels, labels);
        std::swap(m_entries, entries);
        m_places.clear();
    }

    const profile_types m_types;
    const trace_delta_options m_options;
    std::mutex m_mutex; // of all that follows

    // The sums of earlier rounds, and all traces.
    value_table m_table;
    counter_changes m_changes;    // for its memory
    std::vector<entry> m_entries; // for each of the table's
    stack_store m_stacks;
    label_sets m_labels;
    bool m_has_previous = false;
    std::int64_t m_previous_time = 0;
    std::int64_t m_previous_period = 0;

    mapping_list m_mappings;
    bool m_own_mappings = true; // they are read here, as none were given
    std::uint64_t m_loads = 0;  // of libraries, before those were read
    mapping_list m_placed_in;   // what the next two are of
    mapping_search m_search;
    std::vector<std::uint32_t> m_places; // of locations' mappings, as far as they were looked up

    round m_round;
    delta_summary m_summary;
    trace_records m_writer;
    std::vector<std::int64_t> m_values; // of a block of entries
};

profile_types types_of(const memory_delta_options& options) {
    profile_types types{{{"inuse_objects", "count"}, {"inuse_space", "bytes"}}, {"space", "bytes"}};
    if (options.allocations) {
        types.sample_types.insert(types.sample_types.begin(),
                                  {{"alloc_objects", "count"}, {"alloc_space", "bytes"}});
    }
    return types;
}

} // namespace

class memory_delta::impl : public trace_delta {
public:
    explicit impl(const memory_delta_options& options)
        : trace_delta{types_of(options), options}, has_allocations{options.allocations} {}

    const bool has_allocations;
};

memory_delta::memory_delta(const memory_delta_options& options)
    : m_impl{std::make_unique<impl>(options)} {}

memory_delta::~memory_delta() = default;

void memory_delta::report_memory_traces(std::span<const memory_trace> traces,
                                        const trace_meta& meta) {
    m_impl->report(traces, meta, [this](const memory_trace& t, trace_batch& batch) {
        std::int64_t* values = batch.add(t.stack, t.stack_id, t.block_size);
        if (m_impl->has_allocations) {
            *values++ = t.allocs;
            *values++ = t.alloc_bytes;
        }
        *values++ = wrapping_subtract(t.allocs, t.frees);
        *values = wrapping_subtract(t.alloc_bytes, t.free_bytes);
    });
}

delta_summary memory_delta::write(std::string& delta) { return m_impl->write(delta); }

batching_reporter::batching_reporter(memory_trace_reporter& next, std::size_t batch)
    : m_next{next}, m_batch{std::max<std::size_t>(batch, 1)} {}

void batching_reporter::report_memory_traces(std::span<const memory_trace> traces,
                                             const trace_meta& meta) {
    do {
        const auto batch = traces.first(std::min(m_batch, traces.size()));
        m_next.report_memory_traces(batch, meta);
        traces = traces.subspan(batch.size());
    } while (!traces.empty());
}

class contention_delta::impl : public trace_delta {
public:
    explicit impl(const contention_delta_options& given)
        : trace_delta{{{{"contentions", "count"}, {"delay", "nanoseconds"}},
                       {"contentions", "count"}},
                      given},
          options{given} {}

    const contention_delta_options options;
};

contention_delta::contention_delta(const contention_delta_options& options)
    : m_impl{std::make_unique<impl>(options)} {}

contention_delta::~contention_delta() = default;

void contention_delta::report_contention_traces(std::span<const contention_trace> traces,
                                                const trace_meta& meta) {
    const contention_delta_options& options = m_impl->options;
    trace_meta with_period = meta;
    with_period.period = meta.period != 0 ? meta.period : options.sampling_period;
    m_impl->report(traces, with_period, [&](const contention_trace& t, trace_batch& batch) {
        const contention_sample scaled = scale_contention_sample(
            {t.contentions, t.delay}, options.sampling_period, options.cycles_per_second);
        std::int64_t* const values = batch.add(t.stack, t.stack_id, 0);
        values[0] = scaled.count;
        values[1] = scaled.delay;
    });
}

delta_summary contention_delta::write(std::string& delta) { return m_impl->write(delta); }

} // namespace pprofdelta
