// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_TRACES_LABEL_SETS_HPP
#define PPROFDELTA_SRC_TRACES_LABEL_SETS_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash128.hpp"
#include "base/keyed_list.hpp"
#include "traces/batch.hpp"
#include "traces/records.hpp"

namespace pprofdelta {

/// The sets of labels that samples have. Strings have other numbers in each profile, so a set is
/// encoded once for each profile that needs it.
class label_sets {
public:
    /// The number of the set that a trace has. Copies the labels of a new one.
    std::uint32_t add(const trace_batch& batch, const trace_batch::trace& from);

    /// The number in here of a set of another.
    std::uint32_t add_from(const label_sets& other, std::uint32_t number);

    /// Begins a profile.
    void start() noexcept;

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

    void encode(set& s, trace_records& profile);

    keyed_list<set> m_sets; // by the sums of the labels' hashes
    std::uint64_t m_profile = 0;
    std::string m_fields;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_TRACES_LABEL_SETS_HPP
