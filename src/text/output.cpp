// SPDX-License-Identifier: Apache-2.0
#include "text/output.hpp"

#include "codec/bounded_output.hpp"
#include "traces/memory_map.hpp"

namespace pprofdelta {

void text_output::add_sample(std::span<const std::uint64_t> stack,
                             std::span<const std::int64_t> values, std::span<const label> labels) {
    m_traces.add_sample(stack, values, labels);
    m_has_samples = true;
    // Samples can take more room than their lines.
    require_within(m_traces.size(), m_max_size);
}

void text_output::finish(const trace_header& header, text_lines& lines, bool has_all) {
    const std::string_view memory_map = lines.memory_map();
    if (!m_has_samples && !lines.has_closing_part() && !has_all) {
        lines.fail("there is no sample, and the end of the profile is missing");
    }
    m_traces.finish(header, parse_memory_map(memory_map, m_max_size));
    require_within(m_profile->size(), m_max_size);
}

} // namespace pprofdelta
