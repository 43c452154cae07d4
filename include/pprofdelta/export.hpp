// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_EXPORT_HPP
#define PPROFDELTA_EXPORT_HPP

#include <functional>
#include <string_view>

#include <pprofdelta/report.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

// Profiles as text for other programs. What is written is passed on in parts of about 64 KiB, so
// that memory is that of the profile, whatever its text takes. A part can end within a line. After
// an exception, what was passed on before is no whole text.
//
// A byte of a stack can stand for a long name, so a text may have 64 MiB, and 1000 times the size
// of the profiles beyond that.

/// Takes the next part of a text, which is valid during the call. What it throws is passed on.
using text_sink = std::function<void(std::string_view part)>;

/// Writes a profile as folded stacks, of which flame graphs are made: lines such as
/// `main;run;sleep 12`, outermost frame first, in the order in which the profile has them. Equal
/// stacks are one line, and those that come to 0 are none. convert_text_profile() reads them. Of
/// two profiles, as difffolded.pl has their difference, each line has the value in the previous one
/// and that in the current one, of stacks that are in either.
///
/// Names are those of make_report()'s rows. In them ';' becomes ':', as scripts of
/// brendangregg/FlameGraph have it, and what cannot be shown, such as the end of a line, '?'.
///
/// Time is linear in the profile and in the text, and memory in the profile.
/// @param options `order` has no meaning here; the sample type is chosen as in make_report().
/// @throws error malformed, too_large, incompatible as make_report(), and too_large for a text that
///         is out of proportion to the profile.
void write_folded(const viewed_profiles& of, const report_options& options, const text_sink& write);
inline void write_folded(std::string_view profile, const report_options& options,
                         const text_sink& write) {
    write_folded(viewed_profiles{profile}, options, write);
}
inline void write_folded(std::string_view previous, std::string_view current,
                         const report_options& options, const text_sink& write) {
    write_folded(viewed_profiles{previous, current}, options, write);
}

/// Writes a profile as rows for a database: a line of JSON for each sample, in the profile's order,
/// as pprofdelta-export(1) describes. Nothing is left out or added up.
///
/// Time is linear in the profile and in the text, and memory in the profile.
/// @param name of the profile, which each row has.
/// @throws error malformed, too_large; incompatible for two sample types of one name and unit.
void write_ndjson(std::string_view profile, std::string_view name, const text_sink& write);

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_EXPORT_HPP
