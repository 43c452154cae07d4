// SPDX-License-Identifier: Apache-2.0
#pragma once

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
    binary() = default;
    virtual ~binary() = default;
    binary(const binary&) = delete;
    binary& operator=(const binary&) = delete;

    /// About how much memory it takes while it is open: its bytes, and what is inflated of them.
    std::uint64_t size_in_memory = 0;
    std::string build_id; ///< The id in lower case hexadecimal digits; empty if it has none.
    /// The file that this one shares debugging information with (.gnu_debugaltlink), by build id;
    /// empty if it does not. Debugging information is not read then without use_shared().
    std::string shared_build_id;
    std::string shared_path; ///< The path of that file when this one was made.
    virtual void use_shared(std::unique_ptr<binary> shared) = 0;

    /// Why debugging information that is there cannot be used; empty if it can, or there is none.
    std::string fault;

    /// Whether a mapping of `size` bytes from `offset` on can be of this file: it begins and ends
    /// where segments do, to a page, or has all of the file. A size of 0 is unknown.
    [[nodiscard]] virtual bool fits(std::uint64_t offset, std::uint64_t size) const = 0;

    /// The name of the file that the debugging information was split off to; mostly empty.
    [[nodiscard]] virtual std::string debug_link() const = 0;
    [[nodiscard]] virtual bool has_debug_info() const noexcept = 0;

    /// The address that the linker gave to what lies at `offset` of the file; nothing if the
    /// program does not have it in memory.
    [[nodiscard]] virtual std::optional<std::uint64_t> address(std::uint64_t offset) const = 0;

    /// The frames by the debugging information, the innermost first. Functions are called as the
    /// linker calls them, where it does; `function` is set where that cannot be demangled. The
    /// names of the last one are empty if only its line is known.
    [[nodiscard]] virtual std::vector<code_frame> frames(std::uint64_t address) = 0;

    /// The symbol that `address` belongs to, also of .gnu_debugdata; empty if there is none.
    /// @param dynamic chooses those that the dynamic linker needs, which are never stripped.
    /// @param known is taken if it is one of several that other files cannot use; may be empty.
    [[nodiscard]] virtual std::string symbol(std::uint64_t address, bool dynamic,
                                             const std::string& known) = 0;
};

} // namespace pprofdelta::tool
