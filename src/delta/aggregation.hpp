// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_DELTA_AGGREGATION_HPP
#define PPROFDELTA_SRC_DELTA_AGGREGATION_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/hash128.hpp"
#include "delta/value_table.hpp"
#include "profile/index.hpp"
#include "profile/sample_reader.hpp"

namespace pprofdelta {

/// Pass 2: adds up the samples of a profile in a value_table, and remembers which entry each one
/// went to, so that nothing is hashed twice.
class aggregation {
public:
    /// Reads all samples, on up to `threads` threads. `index` must outlive the uses of for_each().
    /// Memory is reused.
    /// @throws error malformed; then `table` is to be rolled back.
    void run(const profile_index& index, value_table& table, std::size_t threads);

    /// Reads all samples with keys that read_sample_keys() has made already.
    void run(const profile_index& index, const std::vector<hash128>& keys, value_table& table);

    /// Calls `visit(record sample, std::uint32_t entry)` for each entry that the profile has, in
    /// the order of the profile, with the first sample that went there.
    template <typename Visit>
    void for_each(Visit&& visit) const {
        const profile_view& view = m_index->view;
        for (std::size_t i = 0; i < m_entries.size(); ++i) {
            const std::size_t later = i + profile_view::records_ahead;
            if (later < view.samples.size()) {
                view.prefetch(view.samples[later]);
            }
            if (m_entries[i] != duplicate) {
                visit(view.samples[i], m_entries[i]);
            }
        }
    }

private:
    static constexpr std::uint32_t duplicate = 0xffffffff;

    void start(const profile_index& index, value_table& table);
    void run_side_by_side(value_table& table, std::size_t threads);
    void add(const hash128& key, const std::int64_t* values, value_table& table);

    const profile_index* m_index = nullptr;
    sample_reader m_reader;
    std::vector<std::uint32_t> m_entries; // for each sample of the profile
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_DELTA_AGGREGATION_HPP
