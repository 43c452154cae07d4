// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_TEXT_OUTPUT_HPP
#define PPROFDELTA_SRC_TEXT_OUTPUT_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <pprofdelta/label.hpp>
#include <pprofdelta/value_type.hpp>

#include "text/lines.hpp"
#include "traces/profile.hpp"

namespace pprofdelta {

/// The profile that a text profile becomes. All throw error too_large beyond
/// its size limit.
class text_output {
public:
    /// @param profile  replaced; has to live until finish().
    /// @param max_size the most that it may have.
    text_output(std::string& profile, std::size_t max_size) noexcept
        : m_profile{&profile}, m_max_size{max_size} {}

    void begin(std::span<const value_type> types) { m_traces.begin(types, *m_profile); }

    void add_sample(std::span<const std::uint64_t> stack, std::span<const std::int64_t> values,
                    std::span<const label> labels = {});

    /// A text without samples may be one that was cut off, which would pass for a restart. So there
    /// has to be something that shows it to be whole: its closing part, or what `has_all` means.
    /// @param lines   where the list of mappings follows.
    /// @param has_all whether a text without a closing part has all that there is without samples.
    /// @throws error malformed for a text that may be cut off.
    void finish(const trace_header& header, text_lines& lines, bool has_all = false);

private:
    std::string* m_profile;
    std::size_t m_max_size;
    bool m_has_samples = false;
    trace_profile m_traces;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_TEXT_OUTPUT_HPP
