// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace pprofdelta::tool {

/// The costs of an operation of a benchmark, which profiles do not tell: medians of its runs.
struct go_benchmark {
    double bytes = 0;
    double allocations = 0;
    double rounds = 0; ///< How many operations a run had: b.N.
};

/// Names are without the number of processors, such as "BenchmarkTokens/json".
using go_costs = std::map<std::string, go_benchmark>;

/// The results in what `go test -bench -benchmem` prints, with `-json` or without, of any number of
/// runs and packages.
struct go_results {
    struct malformed_lines {
        std::size_t count = 0;
        std::size_t first = 0; ///< The number of the first of them, from 1.
    };

    /// Keys are the package, which is empty if the output names none, and the name.
    std::map<std::pair<std::string, std::string>, go_benchmark> costs;
    malformed_lines results; ///< Lines that only begin as a result.
    malformed_lines events;  ///< Lines that only begin as an event of `-json`, among such.
};

/// Lines that are no results with B/op and allocs/op are left out, as by benchstat.
[[nodiscard]] go_results read_go_results(std::string_view text);

/// The results that the frame of a benchmark, such as "example.org/kit.BenchmarkTokens.func1", is
/// part of. The functions that a benchmark gives to b.Run have such names, so its sub-benchmarks
/// are theirs, whichever is whose.
[[nodiscard]] go_costs costs_of(const go_results& results, std::string_view function);

/// Whether two runs of a benchmark had numbers of rounds that differ by more than a twentieth. What
/// profiles count is that of all rounds.
[[nodiscard]] bool do_rounds_differ(const go_benchmark& base, const go_benchmark& head);
/// Whether any benchmark of both sides had.
[[nodiscard]] bool do_rounds_differ(const go_costs& base, const go_costs& head);

} // namespace pprofdelta::tool
