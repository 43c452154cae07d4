// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     std::string stacks;
//     write_folded(current, {}, [&](std::string_view part) { stacks += part; });
//     std::string rows;
//     write_ndjson(current, "a.pb.gz", [&](std::string_view part) { rows += part; });

#include <functional>
#include <string_view>

#include <pprofdelta/report.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

// Profiles as text for other programs. Text is passed on in parts of about 64 KiB, so memory is
// that of the profile, however long its text is. A part can end within a line. After an exception,
// the text that was passed on is incomplete.
//
// A byte of a stack can stand for a long name, so a text is limited to 64 MiB plus 1000 times the
// size of the profiles.

/// Receives the next part of a text, which is valid during the call. Its exceptions are passed on.
using text_sink = std::function<void(std::string_view part)>;

/// Writes a profile as folded stacks, the input of flame graphs: lines such as `main;run;sleep 12`,
/// outermost frame first, in the order of the profile. Equal stacks are one line, and stacks with a
/// sum of 0 are left out. convert_text_profile() reads this format. Each line for two profiles has
/// the previous and the current value of a stack that is in either, the format of difffolded.pl.
///
/// Names are those of the rows of make_report(). A ';' in them becomes ':', as in the scripts of
/// brendangregg/FlameGraph, and characters that cannot be shown, such as a newline, become escapes,
/// as by printable().
///
/// Cost: time linear in the profile and in the text; memory linear in the profile.
/// @param options `order` is ignored; the sample type is chosen as in make_report().
/// @throws error malformed, too_large, incompatible as make_report(), and too_large for a text over
///         the limit above.
void write_folded(const viewed_profiles& profiles, const report_options& options,
                  const text_sink& write);

/// Writes a profile as rows for a database: a line of JSON for each sample, in the order of the
/// profile, as pprofdelta-export(1) describes. No sample is left out, and none are added up.
///
/// Cost: time linear in the profile and in the text; memory linear in the profile.
/// @param name the profile's name, a member of each row.
/// @throws error malformed, too_large; incompatible for two sample types with the same name and
///         unit.
void write_ndjson(std::string_view profile, std::string_view name, const text_sink& write);

} // namespace pprofdelta

#pragma GCC visibility pop
