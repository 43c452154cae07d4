// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_TEXT_OUTPUT_HPP
#define PPROFDELTA_SRC_TEXT_OUTPUT_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <pprofdelta/label.hpp>
#include <pprofdelta/value_type.hpp>

#include "text_lines.hpp"
#include "trace_profile.hpp"

namespace pprofdelta {

/// The profile that a text profile becomes. All throw error too_large once it is.
class text_output {
public:
    /// @param profile  replaced; has to live until finish().
    /// @param max_size the most that it may have.
    text_output(std::string& profile, std::size_t max_size) noexcept
        : m_profile{&profile}, m_max_size{max_size} {}

    void begin(std::span<const value_type> types) { m_traces.begin(types, *m_profile); }

    void add_sample(std::span<const std::uint64_t> stack, std::span<const std::int64_t> values,
                    std::span<const label> labels = {});

    /// @param lines where the list of mappings follows.
    void finish(const trace_header& header, text_lines& lines);

private:
    std::string* m_profile;
    std::size_t m_max_size;
    trace_profile m_traces;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_TEXT_OUTPUT_HPP
