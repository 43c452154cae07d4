// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_SYMBOLS_BINARY_HPP
#define PPROFDELTA_TOOLS_SYMBOLS_BINARY_HPP

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/symbolize.hpp>

namespace pprofdelta::tool {

/// Whether this program was built with what reads binaries: elfutils' libdw.
[[nodiscard]] bool can_read_binaries() noexcept;

/// An ELF file: a program, a library, or what was split off one for debugging. It need not be
/// right in any way; what cannot be read of it is not there.
class binary {
public:
    /// Never waits for a pipe, and opens nothing but regular files.
    /// @returns nullptr if the file cannot be read, or is none of ELF; `fault` then says why.
    [[nodiscard]] static std::unique_ptr<binary> open(const std::string& path, std::string& fault);
    ~binary();
    binary(const binary&) = delete;
    binary& operator=(const binary&) = delete;

    /// In lower case hexadecimal digits; empty if it has none.
    [[nodiscard]] const std::string& build_id() const noexcept;
    /// The name of the file that the debugging information was split off to; mostly empty.
    [[nodiscard]] std::string debug_link() const;
    [[nodiscard]] bool has_debug_info() const noexcept;
    /// The file that this one shares debugging information with (.gnu_debugaltlink), by build id;
    /// empty if it does not. Without use_shared() nothing is read of debugging information then.
    [[nodiscard]] const std::string& shared_build_id() const noexcept;
    void use_shared(std::unique_ptr<binary> shared);

    /// The address that the linker gave to what lies at `offset` of the file; nothing if the
    /// program does not have it in memory.
    [[nodiscard]] std::optional<std::uint64_t> address(std::uint64_t offset) const;

    /// By the debugging information, the innermost first. Functions are called as the linker calls
    /// them, where it does. The names of the last one are empty if only its line is known.
    [[nodiscard]] std::vector<code_frame> frames(std::uint64_t address);

    /// The symbol that `address` belongs to; empty if there is none.
    /// @param dynamic to look at those that the dynamic linker needs, which are never stripped.
    [[nodiscard]] std::string symbol(std::uint64_t address, bool dynamic);

private:
    class impl;
    explicit binary(std::unique_ptr<impl> content);
    std::unique_ptr<impl> m_impl;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_SYMBOLS_BINARY_HPP
