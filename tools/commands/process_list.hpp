// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_COMMANDS_PROCESS_LIST_HPP
#define PPROFDELTA_TOOLS_COMMANDS_PROCESS_LIST_HPP

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <pprofdelta/info.hpp>

namespace pprofdelta::tool {

/// The processes that captures are of, as far as their mappings tell.
///
/// Two captures of one process are no two observations: of what it counts since its start the later
/// one has all that the earlier one has, and what it has at one time is nothing to add to what it
/// has at another. Among very many processes a few have the same addresses by chance, so one
/// capture in a hundred is no reason for a warning.
class process_list {
public:
    void add(const profile_info& capture);

    /// That captures of one process are taken for independent ones, and in which types that
    /// matters; empty if there is nothing to warn of.
    [[nodiscard]] std::string not_independent() const;

    /// What is added up and means nothing as a sum.
    /// @param sum       what the captures were added up to.
    /// @param is_summed whether levels such as memory in use were added to each other.
    [[nodiscard]] std::vector<std::string> meaningless_sums(const profile_info& sum,
                                                            bool is_summed) const;

private:
    [[nodiscard]] std::string are_many(std::size_t repeated) const;

    std::size_t m_captures = 0;
    std::set<std::uint64_t> m_all;
    std::size_t m_repeated = 0; // captures of a process that another one before was of
    // Processes of captures that count from the start of the process, as deltas do not.
    std::set<std::uint64_t> m_all_with_totals;
    std::size_t m_repeated_totals = 0;
    std::string m_totals; // the names of such types
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_COMMANDS_PROCESS_LIST_HPP
