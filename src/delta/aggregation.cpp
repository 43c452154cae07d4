// SPDX-License-Identifier: Apache-2.0
#include "delta/passes.hpp"

#include <algorithm>

#include "base/memory.hpp"

namespace pprofdelta {

namespace {

// Makes room for the entries of a first profile, and for a series that grows a little. A record of
// two bytes is no reason to take a hundred, though: samples that short are mostly the same, or have
// too few values.
void reserve_entries(value_table& table, const profile_index& index) {
    constexpr std::size_t shortest_usual = 32;
    const std::size_t usual =
        index.view.bytes().size() / std::max(shortest_usual, index.types.sample_types.size());
    const std::size_t expected = std::min(index.view.samples.size(), usual);
    table.reserve(static_cast<std::uint32_t>(expected + expected / 8));
}

} // namespace

void aggregation::start(const profile_index& index, value_table& table) {
    m_index = &index;
    m_entries.clear();
    m_entries.reserve(index.view.samples.size());
    m_reader.start(index);
    if (table.size() == 0) {
        reserve_entries(table, index);
    }
}

void aggregation::add(const hash128& key, const std::int64_t* values, value_table& table) {
    const std::uint32_t entry = table.find_or_add(key);
    const bool is_first = table.add(entry, values);
    m_entries.push_back(is_first ? entry : duplicate);
}

// Samples are read in batches, so that the table's memory is fetched for a whole batch before any
// of it is needed.
void aggregation::run(const profile_index& index, value_table& table, std::size_t threads) {
    start(index, table);
    if (threads > 1) {
        run_side_by_side(table, threads);
        return;
    }
    const std::vector<record>& samples = index.view.samples;
    sample_reader::for_each_batch(0, samples.size(), [&](std::size_t first, std::size_t count) {
        m_reader.read(samples.data() + first, count);
        for (std::size_t i = 0; i < count; ++i) {
            table.prefetch(m_reader.key(i));
        }
        for (std::size_t i = 0; i < count; ++i) {
            add(m_reader.key(i), m_reader.values(i), table);
        }
    });
}

void aggregation::run(const profile_index& index, const std::vector<hash128>& keys,
                      value_table& table) {
    start(index, table);
    const std::vector<record>& samples = index.view.samples;
    sample_reader::for_each_batch(0, samples.size(), [&](std::size_t first, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            table.prefetch(keys[first + i]);
        }
        m_reader.read_values(samples.data() + first, count);
        for (std::size_t i = 0; i < count; ++i) {
            add(keys[first + i], m_reader.values(i), table);
        }
    });
}

// A part of the samples at a time, so that memory does not grow with all of them: first their keys
// and values side by side, and then, on one thread, their entries.
void aggregation::run_side_by_side(value_table& table, std::size_t threads) {
    constexpr std::size_t max_samples = std::size_t{1} << 15U;
    const std::vector<record>& samples = m_index->view.samples;
    const std::size_t type_count = m_index->types.sample_types.size();
    const std::size_t taken = std::min(max_samples * threads, samples.size());
    std::vector<sample_reader> readers(threads);
    for (sample_reader& reader : readers) {
        reader.start(*m_index);
    }
    std::vector<hash128> keys(taken);
    std::vector<std::int64_t> values(taken * type_count);
    for (std::size_t start = 0; start < samples.size(); start += taken) {
        const std::size_t count = std::min(samples.size() - start, taken);
        in_parts(count, threads, [&](std::size_t part, std::size_t begin, std::size_t end) {
            sample_reader& reader = readers[part];
            sample_reader::for_each_batch(begin, end, [&](std::size_t i, std::size_t read) {
                reader.read(samples.data() + start + i, read);
                std::copy_n(reader.values(0), read * type_count, values.data() + i * type_count);
                for (std::size_t k = 0; k < read; ++k) {
                    keys[i + k] = reader.key(k);
                }
            });
        });
        for (std::size_t i = 0; i < count; ++i) {
            if (i + sample_reader::batch < count) {
                table.prefetch(keys[i + sample_reader::batch]);
            }
            add(keys[i], values.data() + i * type_count, table);
        }
    }
}

} // namespace pprofdelta
