// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_PROFILE_PROCESS_SIGN_HPP
#define PPROFDELTA_SRC_PROFILE_PROCESS_SIGN_HPP

#include <cstdint>
#include <string_view>

namespace pprofdelta {

/// What the mappings of a profile say about the process that it was taken from: where the kernel
/// has put what it draws an address for, anew for each process.
///
/// Every profile that Go writes on Linux has the mapping [vdso], and so have the lists of mappings
/// of gperftools, tcmalloc and jemalloc. Without it the program itself, if it is position
/// independent, and the dynamic linker say the same. Other libraries say nothing: they can be
/// closed, and opened again elsewhere.
struct process_sign {
    /// Addresses, with 0 for unknown and `several` where a profile has more than one. Those of the
    /// program and the linker are where their files would begin, as their mappings can begin
    /// anywhere in these.
    std::uint64_t vdso = 0;
    std::uint64_t program = 0;
    std::uint64_t linker = 0;
    /// The hash of the program's file name without its folder, as programs are started from a new
    /// one with each release; 0 if it is unknown.
    std::uint64_t program_name = 0;

    static constexpr std::uint64_t several = ~std::uint64_t{0};

    /// Takes the next mapping of a profile, of which the first one is that of the program.
    void add(std::string_view file, std::uint64_t start, std::uint64_t offset, bool is_first);

    /// A number that all profiles of a process have in common, and in all likelihood no others; 0
    /// if nothing is known. It tells no address.
    [[nodiscard]] std::uint64_t id() const;

    friend bool operator==(const process_sign&, const process_sign&) = default;
};

/// Whether a mapping of this file is one that process_sign looks at, wherever it stands.
[[nodiscard]] bool tells_process(std::string_view file);

/// The name of a mapping's file without its folder, on Linux or Windows, and without the note that
/// Linux appends where the file was replaced.
[[nodiscard]] std::string_view file_name_of(std::string_view file);

/// How the processes of two profiles are related.
enum class process_relation : std::uint8_t {
    unknown, ///< The addresses say nothing.
    same,    ///< One process, unless the kernel draws no addresses, as under a debugger.
    another, ///< Two processes, for certain.
};

[[nodiscard]] process_relation relation_of(const process_sign& before, const process_sign& now);

/// Whether the names of both programs are known and differ, so that neither process is a restart of
/// the other.
[[nodiscard]] bool are_other_programs(const process_sign& before, const process_sign& now);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_PROFILE_PROCESS_SIGN_HPP
