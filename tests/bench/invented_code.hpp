// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace pprofdelta::test {

/// The functions of a program that there is not, and who calls whom. All of it follows from the
/// numbers by hashing, and nothing is stored.
class invented_code {
public:
    /// A function has up to so many places at which it calls or allocates. They are numbered
    /// throughout, and each is a location.
    static constexpr std::uint32_t sites_per_function = 6;

    explicit invented_code(std::uint32_t functions) : m_functions{functions} {}

    [[nodiscard]] std::uint32_t functions() const noexcept { return m_functions; }
    [[nodiscard]] std::uint32_t sites() const noexcept { return m_functions * sites_per_function; }

    /// One of the sites of `function`, chosen by the random number.
    [[nodiscard]] static std::uint32_t site_in(std::uint32_t function, std::uint64_t random);
    /// A function, some much more often than others.
    [[nodiscard]] std::uint32_t popular(std::uint64_t random) const;
    /// The function that is called at a site; always the same one.
    [[nodiscard]] std::uint32_t callee(std::uint32_t site) const;

    /// The functions at a site: its own, and before it one that was inlined there, at some.
    [[nodiscard]] std::vector<std::uint32_t> functions_at(std::uint32_t site) const;
    [[nodiscard]] static std::uint64_t address(std::uint32_t site);
    [[nodiscard]] static std::uint64_t start_line(std::uint32_t function);
    [[nodiscard]] static std::uint64_t line(std::uint32_t site);

    [[nodiscard]] static std::string name(std::uint32_t function);
    [[nodiscard]] static std::string file(std::uint32_t function);

private:
    std::uint32_t m_functions;
};

} // namespace pprofdelta::test
