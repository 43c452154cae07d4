// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_FILES_KNOWN_FORMATS_HPP
#define PPROFDELTA_TOOLS_FILES_KNOWN_FORMATS_HPP

#include <string>
#include <string_view>

// What a server sends in place of a profile, or what was taken for one, deserves better than the
// place of the first bad byte. None of these functions looks further than is_text_profile() does.
// Bytes must not be compressed.
namespace pprofdelta::tool {

/// What `bytes` are instead of a profile, for the end of a message: "this is a picture in PNG".
/// Empty for what may be a profile.
[[nodiscard]] std::string known_format(std::string_view bytes);

/// Whether the first byte is the tag of a field that profiles have, and what follows is not all
/// text, as it is not in the first fields of any profile.
[[nodiscard]] bool begins_like_profile(std::string_view bytes) noexcept;

/// The first words of what begins with a line of text; empty for anything else.
[[nodiscard]] std::string start_of_text(std::string_view bytes);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_FILES_KNOWN_FORMATS_HPP
