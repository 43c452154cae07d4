// SPDX-License-Identifier: Apache-2.0
#include "traces/elf_notes.hpp"

#include <cstdint>
#include <cstring>

#include <pprofdelta/characters.hpp>

namespace pprofdelta {

namespace {

// Elf64_Nhdr, which is the same as Elf32_Nhdr.
struct note_header {
    std::uint32_t name_size;
    std::uint32_t description_size;
    std::uint32_t type;
};
constexpr std::uint32_t gnu_build_id = 3;
constexpr std::string_view gnu{"GNU\0", 4};

} // namespace

std::string build_id(std::string_view notes, std::size_t alignment) {
    const std::uint64_t unit = alignment == 8 ? 8 : 4;
    const auto aligned = [unit](std::uint64_t size) { return (size + unit - 1) / unit * unit; };
    while (notes.size() >= sizeof(note_header)) {
        note_header header{};
        std::memcpy(&header, notes.data(), sizeof header);
        // Sizes are of 32 bits, so these sums do not wrap around.
        const std::uint64_t description = aligned(sizeof header + std::uint64_t{header.name_size});
        const std::uint64_t end = description + header.description_size;
        if (end > notes.size()) {
            return {};
        }
        if (header.type == gnu_build_id && notes.substr(sizeof header, header.name_size) == gnu) {
            return hexadecimal(notes.substr(description, header.description_size));
        }
        if (aligned(end) >= notes.size()) {
            return {};
        }
        notes.remove_prefix(aligned(end));
    }
    return {};
}

} // namespace pprofdelta
