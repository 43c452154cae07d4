// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TESTS_OTLP_BUILDER_HPP
#define PPROFDELTA_TESTS_OTLP_BUILDER_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "message_builder.hpp"

namespace pprofdelta::test {

/// A ProfilesData of OTLP under construction. Elements of tables are messages, and element 0 of
/// each is the zero value from the start.
struct otlp_builder {
    std::vector<std::string> mappings{""};
    std::vector<std::string> locations{""};
    std::vector<std::string> functions{""};
    std::vector<std::string> links{""};
    std::vector<std::string> strings{""};
    std::vector<std::string> attributes{""};
    std::vector<std::string> stacks{""};
    std::vector<std::string> resources; ///< ResourceProfiles.

    /// The index of a string.
    std::uint64_t string(std::string_view text);
    /// The index of a new function of that name, in a new location, in a new stack of its own.
    std::uint64_t stack_of(std::string_view function);
    /// The index of a new attribute.
    std::uint64_t attribute(std::string_view key, const message_builder& any_value,
                            std::string_view unit = "");
    /// A ValueType.
    [[nodiscard]] std::string type(std::string_view name, std::string_view unit);
    /// Adds a resource with a scope and these profiles.
    /// @param resource a Resource.
    void add(const std::vector<std::string>& profiles, std::string_view resource = "",
             std::string_view scope = "");

    [[nodiscard]] std::string dictionary() const;
    [[nodiscard]] std::string str() const;
};

/// Numbers, packed.
[[nodiscard]] std::string packed(const std::vector<std::uint64_t>& numbers);

/// A field of eight bytes.
[[nodiscard]] std::string fixed64(std::uint32_t field, std::uint64_t value);

/// An AnyValue of a string.
[[nodiscard]] message_builder text_value(std::string_view text);

/// A Sample.
[[nodiscard]] std::string otlp_sample_of(std::uint64_t stack,
                                         const std::vector<std::uint64_t>& attributes,
                                         const std::vector<std::uint64_t>& values,
                                         std::uint64_t link = 0);

} // namespace pprofdelta::test

#endif // PPROFDELTA_TESTS_OTLP_BUILDER_HPP
