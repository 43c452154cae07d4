// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_TRACES_PROFILE_HPP
#define PPROFDELTA_SRC_TRACES_PROFILE_HPP

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <pprofdelta/label.hpp>
#include <pprofdelta/mapping.hpp>
#include <pprofdelta/value_type.hpp>

#include "base/key_table.hpp"
#include "traces/mapping_search.hpp"
#include "traces/records.hpp"

namespace pprofdelta {

/// Serializes a profile of stacks that are but addresses, one after the other.
///
/// Each address becomes one location, in the mapping that it lies in. Samples are written as they
/// come: none is left out, and equal ones are not added up. Time is linear in the number of frames,
/// and a profile not larger than those before allocates nothing, if the string has the capacity.
class trace_profile {
public:
    /// Begins a profile, whether or not one was finished.
    /// @param out replaced by the serialized, uncompressed profile; has to live until finish(),
    ///        and is unspecified before.
    void begin(std::span<const value_type> types, std::string& out);

    /// @param addresses leaf first. Those of callers should lie within the call, as readers look up
    ///        the line of just this address: one less than the address to return to.
    /// @param values    one for each of the types.
    void add_sample(std::span<const std::uint64_t> addresses, std::span<const std::int64_t> values,
                    std::span<const label> labels);

    /// The size of the profile so far, in bytes, without what comes with finish().
    [[nodiscard]] std::size_t size() const noexcept { return m_records.size(); }

    /// @param mappings those that samples lie in are written, and in any case the first, which is
    ///        to be the main binary, and those that tell one process from another.
    void finish(const trace_header& header, std::span<const mapping> mappings);

private:
    trace_records m_records;
    key_table m_addresses; // for each the id − 1 of its location
    mapping_search m_search;
    std::vector<std::uint32_t> m_ids;
    std::string m_locations;
    std::string m_labels;
    std::string m_packed;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_TRACES_PROFILE_HPP
