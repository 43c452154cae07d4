// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_TRACES_ELF_NOTES_HPP
#define PPROFDELTA_SRC_TRACES_ELF_NOTES_HPP

#include <cstddef>
#include <string>
#include <string_view>

namespace pprofdelta {

/// The build id in the notes of an ELF file, in hexadecimal digits; empty if there is none, or if
/// the notes are damaged before it.
/// @param notes     a segment of type PT_NOTE, in the byte order of this machine.
/// @param alignment p_align of the segment; notes of it are aligned to 8 bytes, or else to 4.
[[nodiscard]] std::string build_id(std::string_view notes, std::size_t alignment);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_TRACES_ELF_NOTES_HPP
