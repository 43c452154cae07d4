// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_FILES_DESCRIPTOR_HPP
#define PPROFDELTA_TOOLS_FILES_DESCRIPTOR_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <unistd.h>

namespace pprofdelta::tool {

/// Owns the number of an open file, or -1. Standard streams stay open.
class descriptor {
public:
    explicit descriptor(int number) : m_number{number} {}
    ~descriptor() {
        if (m_number > STDERR_FILENO) {
            ::close(m_number);
        }
    }
    descriptor(descriptor&& other) noexcept : m_number{std::exchange(other.m_number, -1)} {}
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;
    descriptor& operator=(descriptor&& other) noexcept {
        std::swap(m_number, other.m_number);
        return *this;
    }

    [[nodiscard]] int number() const noexcept { return m_number; }

    /// Some file systems report a full disk only here.
    [[nodiscard]] bool close() { return ::close(std::exchange(m_number, -1)) == 0; }

private:
    int m_number;
};

/// Lets the process open as many files as it may.
/// @returns how many these are; a million for no end.
[[nodiscard]] std::size_t raise_open_files() noexcept;

/// Writes all of `bytes`, in as many calls as it takes.
/// @throws failure io, about `name`.
void write_all(int file, std::string_view bytes, const std::string& name);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_FILES_DESCRIPTOR_HPP
