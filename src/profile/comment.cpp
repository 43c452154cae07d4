// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/comment.hpp>

#include <pprofdelta/codec.hpp>

#include "codec/bounded_output.hpp"
#include "profile/view.hpp"
#include "wire/reader.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

// Fields can come in any order, and a repeated one in several places.
void add_comment(std::string& profile, std::string_view text) {
    profile_view view;
    view.parse(profile);
    const std::size_t number = view.strings.size();
    append_bytes(profile, field::profile::string_table, text);
    append_number(profile, field::profile::comment, number);
    require_written_size(profile.size(), max_profile_size);
}

} // namespace pprofdelta
