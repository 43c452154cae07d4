// SPDX-License-Identifier: Apache-2.0
// Names that producers are known to write. pprofdelta-producers(7) has their versions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/value_type.hpp>

namespace pprofdelta {

/// Whether a frame is at work for a profiler that profiles its own process: a stack with one is the
/// cost of taking a profile. Functions of the same packages that call the program, such as
/// runtime/pprof.Do, are not.
[[nodiscard]] bool takes_profile(std::string_view name, std::string_view file);

/// The name alone of a function of C++, without the type that it returns and those it takes.
[[nodiscard]] std::string_view plain_name(std::string_view name);

/// Whether a function of C, C++ or Rust is one of an allocator, or of a container that asks one for
/// memory.
[[nodiscard]] bool is_allocator(std::string_view name);

/// Whether a binary has nothing but such functions, by its file name.
[[nodiscard]] bool is_allocator_library(std::string_view file);

/// Whether a function has no name of its own, so that only its file tells it from others.
[[nodiscard]] bool is_anonymous(std::string_view name);

/// The part of a name that two builds of one source have in common: without the type arguments of
/// Go's generic functions, positions in a source, numbers of lambdas and of clones, hashes of Rust,
/// and addresses. Most names are returned as they are, without a copy.
/// @param room holds a name that is not.
[[nodiscard]] std::string_view name_between_builds(std::string_view name, std::string& room);

/// Whether two names of sample types are one, as a producer has changed the one into the other.
[[nodiscard]] bool are_one_name(std::string_view a, std::string_view b);

/// Whether the time of a profile with a duration is the end of it, as Node writes it, and not the
/// start.
[[nodiscard]] bool has_time_of_its_end(const std::vector<value_type>& types);

/// Whether these are the types of Go's heap profiles, whose counters change when a garbage
/// collection ends.
[[nodiscard]] bool is_heap_of_go(const std::vector<value_type>& types,
                                 const value_type& period_type);

} // namespace pprofdelta
