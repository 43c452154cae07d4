// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <pprofdelta/sampling.hpp>

#include "text/formats.hpp"

namespace pprofdelta {

namespace {

const value_type contentions{"contentions", "count"};
const std::array<value_type, 2> types{{contentions, {"delay", "nanoseconds"}}};

// A regular expression for Profile.drop_frames, which text profiles do not say: that which
// google/pprof gives them (addLegacyFrameInfo of profile/legacy_profile.go). Readers hide what was
// called by functions with such names, and these themselves: it is the profiler at work.
constexpr std::string_view lock_frames =
    "RecordLockProfileData|(base::)?RecordLockProfileData.*|(base::)?SubmitMutexProfileData.*|"
    "(base::)?SubmitSpinLockProfileData.*|(base::Mutex::)?AwaitCommon.*|(base::Mutex::)?Unlock.*|"
    "(base::Mutex::)?UnlockSlow.*|(base::Mutex::)?ReaderUnlock.*|(base::MutexLock::)?~MutexLock.*|"
    "(Mutex::)?AwaitCommon.*|(Mutex::)?Unlock.*|(Mutex::)?UnlockSlow.*|(Mutex::)?ReaderUnlock.*|"
    "(MutexLock::)?~MutexLock.*|(SpinLock::)?Unlock.*|(SpinLock::)?SlowUnlock.*|"
    "(SpinLockHolder::)?~SpinLockHolder.*";

struct attributes {
    std::optional<std::int64_t> cycles_per_second;
    std::optional<std::int64_t> period;
};

// Reads a line such as "cycles/second = 3201000000".
void read_attribute(std::string_view line, const text_lines& lines, attributes& out) {
    const std::size_t sign = line.find('=');
    const std::string_view name = trim(line.substr(0, sign));
    text_scanner value{line.substr(sign + 1)};
    const auto take = [&] {
        const std::int64_t number = lines.take_number(value);
        lines.take_end(value);
        return number;
    };
    if (name == "cycles/second") {
        out.cycles_per_second = take();
    } else if (name == "sampling period") {
        out.period = take();
    } else if (name == "format" || name == "resolution") {
        lines.fail("this is a contention profile of Java, which is not read; "
                   "go tool pprof -proto converts it");
    } else if (name == "ms since reset" || name == "discarded samples") {
        // google/pprof takes the former for the duration. The counters go on, though, and readers
        // take a duration for the mark of a delta.
        take();
    } else {
        lines.fail("an unknown attribute");
    }
}

// Whether a text has all that Go writes if nothing has waited: no list of mappings follows, so the
// attributes have to do. There are two in a profile of mutexes, and one in that of blocking.
// `contentionz` is not Go's, and has the list.
bool has_all_of_go(std::string_view header, const attributes& values, const text_lines& lines) {
    const bool has_attributes =
        values.cycles_per_second && (values.period || !header.starts_with("--- mutex"));
    return has_attributes && !header.starts_with("--- contentionz") && lines.has_last_line_end();
}

} // namespace

// Attributes come before the samples, which are cycles, count and stack:
//
//     --- mutex:
//     cycles/second=2400000000
//     sampling period=1
//     23456789 3 @ 0x47eb93 0x47eb7c
void convert_contention_text(text_lines& lines, text_output& out) {
    lines.next();
    const std::string_view header = lines.line();
    attributes values;
    bool has_line = lines.next();
    for (; has_line && lines.line().find('=') != std::string_view::npos; has_line = lines.next()) {
        read_attribute(lines.line(), lines, values);
    }
    const std::int64_t cycles_per_second = values.cycles_per_second.value_or(0); // 0 if unknown
    const std::int64_t period = values.period.value_or(1);
    out.begin(types);
    std::vector<std::uint64_t> stack;
    // What follows a line of dashes is of another kind.
    for (; has_line && !lines.line().starts_with("---"); has_line = lines.next()) {
        text_scanner line{lines.line()};
        contention_sample sampled{};
        sampled.delay = lines.take_number(line);
        sampled.count = lines.take_number(line);
        if (sampled.delay < 0 || sampled.count < 0) {
            lines.fail("a negative number");
        }
        lines.take(line, "@");
        lines.take_stack(line, stack);
        const contention_sample scaled =
            scale_contention_sample(sampled, period, cycles_per_second);
        out.add_sample(stack, std::array{scaled.count, scaled.delay});
    }
    out.finish({.period_type = contentions,
                .period = period,
                .time_nanos = 0,
                .duration_nanos = 0,
                .default_sample_type = {},
                .drop_frames = lock_frames,
                .keep_frames = {}},
               lines, has_all_of_go(header, values, lines));
}

} // namespace pprofdelta
