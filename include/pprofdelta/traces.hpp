// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     const std::vector<label> labels{
//         {.key = "tenant", .text = "acme"},
//         {.key = "bytes", .number = 64, .unit = "bytes"},
//     };
//     const trace_meta meta{.labels = labels, .time_nanos = 0, .mappings = process_mappings()};
//     for (const mapping& each : *meta.mappings) {
//         std::cout << printable(each.file) << ' ' << each.build_id << '\n';
//     }

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/delta.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// A label of a sample, as in profile.proto: a key, and either a text or a number. The caller owns
/// the texts, which must outlive the call.
struct label {
    std::string_view key{};
    std::string_view text{};
    std::int64_t number = 0;
    std::string_view unit{}; ///< The unit of the number, such as "bytes"; may be empty.
};

/// A part of a file that is mapped into the memory of a process: Mapping of profile.proto. Readers
/// need it to find the symbols of addresses.
struct mapping {
    std::uint64_t start = 0;  ///< The first address.
    std::uint64_t limit = 0;  ///< The first address after the mapping.
    std::uint64_t offset = 0; ///< The place of `start` in the file, in bytes.
    std::string file{};       ///< The path, or a name such as [vdso]; empty if unknown.
    std::string build_id{};   ///< The id in hexadecimal digits; empty if unknown.

    friend bool operator==(const mapping&, const mapping&) = default;
};

/// Shared mappings that never change; changed mappings come as another list. The first one is the
/// main binary, where readers look for it.
using mapping_list = std::shared_ptr<const std::vector<mapping>>;

/// Returns the code that is mapped into this process now, with its files and their build ids; the
/// program comes first. Linux only: an empty list elsewhere.
///
/// Opens one file, /proc/self/maps; if it cannot be read, the list is empty. Build ids are read
/// from the ELF notes of the loaded objects in memory (dl_iterate_phdr(3)). The files themselves
/// are not opened, as they may have been replaced since. Objects that the dynamic loader did not
/// load, and those without a note, have no build id.
///
/// Cost: some kilobytes of text are read, a line for each mapping. memory_delta calls this at a
/// write() after something was loaded, and for an address outside all mappings that it knows.
/// @throws error too_large for more than 2^20 mappings with code; std::bad_alloc, so that no list
///         lacks a mapping for want of memory.
[[nodiscard]] mapping_list process_mappings();

/// The properties that all traces of a batch share.
struct trace_meta {
    /// Labels of each of the traces, in any order.
    std::span<const label> labels{};
    /// The time at which the counters were read, in nanoseconds since the Unix epoch; 0 if unknown.
    /// The time of a round is the latest of its batches.
    std::int64_t time_nanos = 0;
    /// The mappings of the addresses. A nullptr stands for the mappings given last or, if there
    /// were none, for those of this process, as process_mappings() returns them. These are read at
    /// the first write(), and again at a write() after the dynamic loader has loaded something,
    /// which the C library tells (glibc, musl), or with a new address that lies in none of them. A
    /// library that was unloaded stays in them until then.
    mapping_list mappings{};
    /// The period of the profile, in the unit of its period type; 0 for none. The last batch of a
    /// round decides.
    std::int64_t period = 0;
};

/// Options of a delta of traces: the members of delta_options that apply to traces.
struct trace_delta_options {
    /// If it is reset_policy::error, write() throws and the round is discarded.
    reset_policy on_reset = reset_policy::emit;
    bool skip_first = false;
    bool drop_negative = false;
};

} // namespace pprofdelta

#pragma GCC visibility pop
