// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_SYMBOLS_DWARF_FRAMES_HPP
#define PPROFDELTA_TOOLS_SYMBOLS_DWARF_FRAMES_HPP

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <pprofdelta/symbolize.hpp>

struct Dwarf; // libdw's

namespace pprofdelta::tool {

/// A name as libdw and libelf give it, which is nullptr where there is none.
[[nodiscard]] inline std::string text_or_empty(const char* text) {
    return text == nullptr ? std::string{} : text;
}

/// The frames that the debugging information of one file tells of. It may be damaged in any way.
/// Only those of its units that are asked for are read.
class dwarf_frames {
public:
    /// @param dwarf must outlive this.
    explicit dwarf_frames(Dwarf* dwarf);
    ~dwarf_frames();
    dwarf_frames(const dwarf_frames&) = delete;
    dwarf_frames& operator=(const dwarf_frames&) = delete;

    /// The frames of an address of the linker, innermost first, each with its system name, file and
    /// line, as far as these are known. None if no unit has the address; one without a name if a
    /// unit has it, and none of its functions.
    ///
    /// Once its unit is read, O(the inlined calls of the function).
    [[nodiscard]] std::vector<code_frame> find(std::uint64_t address);

private:
    class impl;
    std::unique_ptr<impl> m_impl;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_SYMBOLS_DWARF_FRAMES_HPP
