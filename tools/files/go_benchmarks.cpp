// SPDX-License-Identifier: Apache-2.0
#include "files/go_benchmarks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <vector>

#include <nlohmann/json.hpp>

#include <pprofdelta/compare.hpp>
#include <pprofdelta/statistics.hpp>

#include "base/names.hpp"
#include "base/value_text.hpp"

namespace pprofdelta::tool {

namespace {

struct result_line {
    std::string package;
    std::string name;
    go_benchmark costs;
};

// The content of a line of `go test -json`.
struct go_event {
    std::string action;
    std::string package;
    std::string output;
};

// Nothing for a line that is no JSON; without an action for other JSON.
std::optional<go_event> read_event(std::string_view line) {
    constexpr std::size_t longest = std::size_t{1} << 20U; // those of Go have some KiB
    if (line.size() > longest) {
        return {};
    }
    const auto value = nlohmann::json::parse(line, nullptr, false);
    if (!value.is_object()) {
        return {};
    }
    const auto text_of = [&](const char* key) {
        const auto found = value.find(key);
        return found != value.end() && found->is_string() ? found->get<std::string>() : "";
    };
    return go_event{text_of("Action"), text_of("Package"), text_of("Output")};
}

std::vector<std::string_view> separated(std::string_view line) {
    constexpr std::string_view blanks = " \t";
    std::vector<std::string_view> words;
    for (std::size_t at = line.find_first_not_of(blanks); at != std::string_view::npos;
         at = line.find_first_not_of(blanks, at)) {
        const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
        words.push_back(line.substr(at, end - at));
        at = end;
    }
    return words;
}

// The costs in a line of a name, the number of operations, and pairs of a number and its unit.
std::optional<go_benchmark> read_costs(const std::vector<std::string_view>& words) {
    const std::uint64_t rounds =
        words.size() % 2 != 0 ? 0 : number_in<std::uint64_t>(words[1]).value_or(0);
    if (rounds == 0) {
        return {};
    }
    std::optional<double> bytes;
    std::optional<double> allocations;
    for (std::size_t i = 2; i < words.size(); i += 2) {
        const std::optional<double> number = number_in<double>(words[i]);
        if (!number || !std::isfinite(*number)) {
            return {};
        }
        if (words[i + 1] == "B/op") {
            bytes = number;
        } else if (words[i + 1] == "allocs/op") {
            allocations = number;
        }
    }
    const bool has_both = bytes && allocations && *bytes >= 0 && *allocations >= 0;
    return has_both ? std::optional{go_benchmark{*bytes, *allocations, static_cast<double>(rounds)}}
                    : std::nullopt;
}

// The "-8" at the end of a name; empty if there is none.
std::string_view number_at_end(std::string_view name) {
    const std::size_t last = name.find_last_not_of("0123456789");
    return last + 1 < name.size() && name[last] == '-' ? name.substr(last) : "";
}

// The ends of names that are numbers of processors. One processor has none, so "size-64" may be the
// whole name of a sub-benchmark. The name of a function has no '-', and what it ends with then is
// such a number; where there are sub-benchmarks alone, it is what all have in common.
std::set<std::string_view> ends_of_processors(const std::vector<result_line>& lines) {
    std::set<std::string_view> of_functions;
    std::set<std::string_view> all;
    for (const result_line& line : lines) {
        const std::string_view end = number_at_end(line.name);
        all.insert(end);
        if (line.name.find('/') == std::string_view::npos) {
            of_functions.insert(end);
        }
    }
    return !of_functions.empty() ? of_functions : all.size() == 1 ? all : decltype(all){};
}

// The package that the frame of a function names: dots in its last part are escaped there.
std::string package_of(std::string_view function, std::string_view name) {
    std::string package{function.substr(0, function.size() - name.size() - 1)};
    constexpr std::string_view dot = "%2e";
    for (std::size_t at = package.find(dot); at != std::string::npos; at = package.find(dot, at)) {
        package.replace(at, dot.size(), ".");
    }
    return package;
}

} // namespace

go_results read_go_results(std::string_view text) {
    go_results found;
    std::vector<result_line> lines;
    const auto add = [](go_results::malformed_lines& to, std::size_t number) {
        to.first = ++to.count == 1 ? number : to.first;
    };
    const auto read = [&](std::string_view line, std::size_t number, std::string& package) {
        constexpr std::string_view key = "pkg: ";
        if (line.starts_with(key)) {
            package = trimmed(line.substr(key.size()));
        }
        if (!line.starts_with("Benchmark")) {
            return;
        }
        const std::vector<std::string_view> words = separated(line);
        if (const auto costs = read_costs(words)) {
            lines.push_back({package, std::string{words.front()}, *costs});
        } else if (std::ranges::find(words, "B/op") != words.end()) {
            add(found.results, number);
        }
    };
    std::string package;                           // of lines that are no events
    std::map<std::string, std::string> unfinished; // lines of events, by package
    bool has_events = false;
    for_each_line(text, [&](std::string_view line, std::size_t number) {
        if (!line.starts_with('{')) {
            read(line, number, package);
            return;
        }
        std::optional<go_event> event = read_event(line);
        if (!event) {
            add(found.events, number);
            return;
        }
        has_events = has_events || !event->action.empty();
        if (event->action != "output") {
            return;
        }
        // The name of a benchmark and its figures are often two events.
        std::string& rest = unfinished[event->package];
        for (std::string_view output = event->output;;) {
            const std::size_t end = output.find('\n');
            rest += output.substr(0, end);
            if (end == std::string_view::npos) {
                break;
            }
            read(rest, number, event->package);
            rest.clear();
            output.remove_prefix(end + 1);
        }
    });
    if (!has_events) { // but what a benchmark prints
        found.events = {};
    }
    struct runs {
        std::vector<double> bytes{};
        std::vector<double> allocations{};
        std::vector<double> rounds{};
    };
    std::map<std::pair<std::string, std::string>, runs> all;
    const std::set<std::string_view> ends = ends_of_processors(lines);
    for (const result_line& line : lines) {
        const std::string_view end = number_at_end(line.name);
        const std::size_t size = line.name.size() - (ends.contains(end) ? end.size() : 0);
        runs& each = all[{line.package, std::string{line.name.substr(0, size)}}];
        each.bytes.push_back(line.costs.bytes);
        each.allocations.push_back(line.costs.allocations);
        each.rounds.push_back(line.costs.rounds);
    }
    for (const auto& [key, each] : all) {
        found.costs[key] = {median(each.bytes), median(each.allocations), median(each.rounds)};
    }
    return found;
}

go_costs costs_of(const go_results& results, std::string_view function) {
    const std::string_view name = benchmark_name(function);
    if (name.empty()) {
        return {};
    }
    const std::string package = package_of(function, name);
    // Tests outside of a package are in one of their own, and are printed as of that package.
    constexpr std::string_view outside = "_test";
    const std::string tested{
        package.ends_with(outside) ? package.substr(0, package.size() - outside.size()) : package};
    const std::string whole{name.substr(0, name.find('.'))};
    go_costs found;
    for (const std::string& each : {package, tested, std::string{}}) {
        if (const auto exact = results.costs.find({each, whole}); exact != results.costs.end()) {
            found[whole] = exact->second;
        }
        const std::string start = whole + '/';
        for (auto at = results.costs.lower_bound({each, start});
             whole != name && at != results.costs.end() && at->first.first == each &&
             at->first.second.starts_with(start);
             ++at) {
            found[at->first.second] = at->second;
        }
        if (!found.empty()) {
            break;
        }
    }
    return found;
}

bool do_rounds_differ(const go_benchmark& base, const go_benchmark& head) {
    constexpr double least = 0.05;
    return std::fabs(head.rounds - base.rounds) > least * base.rounds;
}

bool do_rounds_differ(const go_costs& base, const go_costs& head) {
    return std::ranges::any_of(base, [&](const auto& each) {
        const auto other = head.find(each.first);
        return other != head.end() && do_rounds_differ(each.second, other->second);
    });
}

} // namespace pprofdelta::tool
