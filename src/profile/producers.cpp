// SPDX-License-Identifier: Apache-2.0
//
// The known behavior of producers of profiles. A profile does not say it: each row has who writes
// it, and where that can be read or was tried. pprofdelta-producers(7) tells it to users.
#include "profile/producers.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "wire/reader.hpp"

namespace pprofdelta {

namespace {

constexpr value_kind gauge = value_kind::gauge;
constexpr value_kind cumulative = value_kind::cumulative;
constexpr value_kind interval = value_kind::interval;

struct known_type {
    std::string_view type;
    std::string_view unit;
    /// The period type that the profile has to have; any one where this is empty.
    std::string_view period;
    std::string_view period_unit;
    value_kind kind;
};

// The first row that fits counts.
constexpr std::array known_types{
    // Java's recordings, of one recording each, as Pyroscope's converter writes them (its table of
    // sample types; profiles of 2024 read): locks, parked threads, allocations. Live objects are
    // those that a recording found alive.
    known_type{"contentions", "count", "mutex", "count", interval},
    known_type{"delay", "nanoseconds", "mutex", "count", interval},
    known_type{"contentions", "count", "block", "count", interval},
    known_type{"delay", "nanoseconds", "block", "count", interval},
    known_type{"alloc_in_new_tlab_objects", "count", "", "", interval},
    known_type{"alloc_in_new_tlab_bytes", "bytes", "", "", interval},
    known_type{"alloc_outside_tlab_objects", "count", "", "", interval},
    known_type{"alloc_outside_tlab_bytes", "bytes", "", "", interval},
    known_type{"live", "count", "", "", gauge},
    // Node 26 with @datadog/pprof (tried with 5.20): V8 starts over with each capture, so what is
    // in use is what was allocated since the last one and is still there.
    known_type{"alloc_objects", "count", "alloc_space", "bytes", interval},
    known_type{"alloc_space", "bytes", "alloc_space", "bytes", interval},
    known_type{"inuse_objects", "count", "alloc_space", "bytes", interval},
    known_type{"inuse_space", "bytes", "alloc_space", "bytes", interval},
    // Heaps of Go (runtime/pprof/protomem.go; tried with 1.19 and 1.27) and of the texts of
    // gperftools, tcmalloc and jemalloc, which google/pprof gives the same names.
    known_type{"alloc_objects", "count", "", "", cumulative},
    known_type{"alloc_space", "bytes", "", "", cumulative},
    known_type{"inuse_objects", "count", "", "", gauge},
    known_type{"inuse_space", "bytes", "", "", gauge},
    // Heaps of mimalloc 3.6 (tried). Its profiles have a duration, which is from the start of the
    // process, as what was allocated is; nothing in a profile tells that from a delta.
    known_type{"alloc_bytes", "bytes", "", "", cumulative},
    known_type{"inuse_bytes", "bytes", "", "", gauge},
    // Mutexes and blocking of Go (runtime/pprof/pprof.go; tried with 1.19 and 1.27).
    known_type{"contentions", "count", "", "", cumulative},
    known_type{"delay", "nanoseconds", "", "", cumulative},
    // Go's lists of what there is (the same; goroutineleak is in 1.27 and not in 1.24).
    known_type{"goroutine", "count", "", "", gauge},
    known_type{"goroutineleak", "count", "", "", gauge},
    known_type{"threadcreate", "count", "", "", gauge},
    // V8's sampling heap profiler in Node, which forgets what was collected (pprofdelta(7) has what
    // was tried); heaps of gperftools without what was allocated.
    known_type{"objects", "count", "", "", gauge},
    known_type{"space", "bytes", "", "", gauge},
    // CPU time: Go (runtime/pprof/proto.go; tried with 1.19), gperftools and others; folded stacks,
    // Austin's among them, and the JSON of speedscope, which are of one recording.
    known_type{"samples", "count", "", "", interval},
    known_type{"cpu", "nanoseconds", "", "", interval},
    known_type{"cpu", "microseconds", "", "", interval},
    known_type{"wall", "microseconds", "", "", interval},
    known_type{"time", "nanoseconds", "", "", interval},
    // Time profiles of Node, by the npm packages pprof and @datadog/pprof (tried with 5.20).
    known_type{"sample", "count", "", "", interval},
    known_type{"wall", "nanoseconds", "", "", interval},
};

} // namespace

// jemalloc 5.3.0 corrects what it writes for what a reader will do (prof_unbias, default true), so
// that its numbers fall in a process that only allocates; versions before, and 5.3.0 without it,
// write the sizes of samples, which are size classes and multiples of 8 (src/prof_data.c,
// src/sc.c). The header is the same.
std::string_view comment_on(counter_form form) noexcept {
    constexpr std::array<std::string_view, 3> comments{
        "", "jemalloc: counters are plain sums of samples", "jemalloc: counters are unbiased"};
    return comments[static_cast<std::size_t>(form)];
}

const char* to_string(counter_form form) noexcept {
    constexpr std::array names{"usual", "plain", "unbiased"};
    return names[static_cast<std::size_t>(form)];
}

counter_form form_of(const profile_index& index) {
    counter_form found = counter_form::usual;
    for (const record numbers : index.view.comments) {
        for_each_packed(
            index.view.at(numbers), index.view.bytes().data(), [&](std::uint64_t number) {
                const std::string_view comment =
                    index.strings.text(index.strings.check(number, {}));
                for (const counter_form form : {counter_form::plain, counter_form::unbiased}) {
                    found = comment == comment_on(form) ? form : found;
                }
            });
    }
    return found;
}

value_kind kind_of(const value_type& type, const value_type& period_type,
                   bool has_duration) noexcept {
    const auto* const row = std::ranges::find_if(known_types, [&](const known_type& each) {
        return type.type == each.type && type.unit == each.unit &&
               (each.period.empty() ||
                (period_type.type == each.period && period_type.unit == each.period_unit));
    });
    if (row == known_types.end()) {
        return has_duration ? interval : gauge;
    }
    return has_duration && row->kind == cumulative ? interval : row->kind;
}

} // namespace pprofdelta
