// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_CLI_PROGRESS_HPP
#define PPROFDELTA_TOOLS_CLI_PROGRESS_HPP

#include <chrono>
#include <cstddef>

namespace pprofdelta::tool {

/// How far a run is, as a line on standard error that is written again and again, if that is a
/// terminal and the run takes more than a second.
class progress {
public:
    /// @param files       how many there are.
    /// @param size        of all of them, in bytes; 0 if it is not known.
    /// @param is_wanted   false for nothing at all.
    progress(std::size_t files, std::size_t size, bool is_wanted);
    ~progress();
    progress(const progress&) = delete;
    progress& operator=(const progress&) = delete;

    /// One file of so many bytes is done, or failed.
    void add(std::size_t size, bool is_failed = false);

    /// Takes the line away until the next file, for a message to stand in its place.
    void clear() noexcept;
    /// Takes the line away, as the destructor does.
    void end() noexcept;

private:
    using clock = std::chrono::steady_clock;

    void show(clock::duration since_start);

    std::size_t m_files;
    std::size_t m_size;
    bool m_is_on;
    bool m_is_shown = false;
    std::size_t m_files_done = 0;
    std::size_t m_files_failed = 0;
    std::size_t m_size_done = 0;
    clock::time_point m_start = clock::now();
    clock::time_point m_next = m_start + std::chrono::seconds{1};
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_CLI_PROGRESS_HPP
