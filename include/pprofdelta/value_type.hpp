// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     const value_type type{"alloc_space", "bytes"};
//     std::cout << to_string(type) << '\n'; // alloc_space/bytes
//     std::cout << value_type_pattern{"alloc_space"}.matches(type) << '\n'; // 1

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// The largest number of sample types of a profile. Profilers write four, or ten. A type of a few
/// bytes takes memory for a value in each sample, so profiles with more types are refused.
inline constexpr std::size_t max_sample_types = 1024;

/// A ValueType of profile.proto with its strings resolved: what a sample's value counts, and in
/// which unit, such as alloc_space and bytes.
struct value_type {
    std::string type;
    std::string unit;

    friend bool operator==(const value_type&, const value_type&) = default;
};

/// The time that the values of a type describe.
enum class value_kind : std::uint8_t {
    gauge,      ///< One moment, such as memory in use.
    cumulative, ///< The time since the process started; such a type is a counter.
    interval,   ///< The profile's own duration, such as CPU time, and all that a delta counted.
};

/// Returns "gauge", "cumulative" or "interval".
[[nodiscard]] const char* to_string(value_kind kind) noexcept;

/// Returns "type/unit", the name of a value type in messages and options.
[[nodiscard]] inline std::string to_string(const value_type& type) {
    return type.type + "/" + type.unit;
}

/// A user's choice of value types: `TYPE/UNIT`, or `TYPE` for that type in any unit.
///
/// Types and units may contain slashes: a pattern matches if it equals the type alone or the whole
/// `type/unit`.
class value_type_pattern {
public:
    explicit value_type_pattern(std::string_view text) : m_text{text} {}

    [[nodiscard]] bool matches(const value_type& type) const {
        return m_text == type.type || m_text == to_string(type);
    }
    [[nodiscard]] const std::string& text() const noexcept { return m_text; }

private:
    std::string m_text;
};

} // namespace pprofdelta

#pragma GCC visibility pop
