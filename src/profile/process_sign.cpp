// SPDX-License-Identifier: Apache-2.0
#include "profile/process_sign.hpp"

#include <array>

#include "base/hash128.hpp"

namespace pprofdelta {

namespace {

bool is_known(std::uint64_t address) { return address != 0 && address != process_sign::several; }

void set(std::uint64_t& address, std::uint64_t value) {
    address = address == 0 || address == value ? value : process_sign::several;
}

constexpr std::string_view vdso_file{"[vdso]"};

bool is_library(std::string_view name) { return name.find(".so") != std::string_view::npos; }

// Such as ld-linux-x86-64.so.2, ld-2.31.so, ld-musl-aarch64.so.1 and ld64.so.2.
bool is_linker(std::string_view name) {
    return is_library(name) &&
           (name.starts_with("ld-") || name.starts_with("ld.") || name.starts_with("ld64."));
}

// Below lies what the linker has put there, wherever a program is started. Windows draws the place
// of a program once for all its processes, until it is started itself.
bool is_drawn(std::string_view file, std::uint64_t start) {
    constexpr std::uint64_t lowest = std::uint64_t{1} << 32U;
    return start >= lowest && file.starts_with('/');
}

std::uint64_t hash_of(std::uint64_t kind, std::uint64_t address) {
    const std::array<std::uint64_t, 2> words{little_endian(kind), little_endian(address)};
    return hash_bytes(words.data(), sizeof words).low;
}

} // namespace

std::string_view file_name_of(std::string_view file) {
    constexpr std::string_view note{" (deleted)"};
    if (file.ends_with(note)) {
        file.remove_suffix(note.size());
    }
    return file.substr(file.find_last_of("/\\") + 1); // npos + 1 is 0
}

void process_sign::add(std::string_view file, std::uint64_t start, std::uint64_t offset,
                       bool is_first) {
    if (file == vdso_file) {
        set(vdso, start);
        return;
    }
    const std::string_view name = file_name_of(file);
    if (is_linker(name)) {
        set(linker, start - offset);
    } else if (is_first && !name.empty() && name.front() != '[' && !is_library(name)) {
        program_name = hash_bytes(name).low;
        program = is_drawn(file, start) ? start - offset : 0;
    }
}

bool tells_process(std::string_view file) {
    return file == vdso_file || is_linker(file_name_of(file));
}

std::uint64_t process_sign::id() const {
    std::uint64_t kind = 0;
    for (const std::uint64_t address : {vdso, program, linker}) {
        ++kind;
        if (is_known(address)) {
            return hash_of(kind, address);
        }
    }
    return 0;
}

process_relation relation_of(const process_sign& before, const process_sign& now) {
    const auto both_know = [](std::uint64_t a, std::uint64_t b) {
        return is_known(a) && is_known(b);
    };
    if (both_know(before.vdso, now.vdso)) {
        return before.vdso == now.vdso ? process_relation::same : process_relation::another;
    }
    auto relation = process_relation::unknown;
    // Where lists have mappings in the order of their use, the first one can be any.
    if (before.program_name == now.program_name && both_know(before.program, now.program)) {
        relation =
            before.program == now.program ? process_relation::same : process_relation::another;
    }
    if (relation != process_relation::another && both_know(before.linker, now.linker)) {
        relation = before.linker == now.linker ? process_relation::same : process_relation::another;
    }
    return relation;
}

bool are_other_programs(const process_sign& before, const process_sign& now) {
    return before.program_name != 0 && now.program_name != 0 &&
           before.program_name != now.program_name;
}

} // namespace pprofdelta
