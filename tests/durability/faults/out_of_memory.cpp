// SPDX-License-Identifier: Apache-2.0
// Makes each allocation of each public call fail in turn: the call throws std::bad_alloc, what it
// was called on is as before, and the same call made again does what it would have done at once.
//
// usage: out-of-memory TESTDATA
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <pprofdelta/calls.hpp>
#include <pprofdelta/codec.hpp>
#include <pprofdelta/comment.hpp>
#include <pprofdelta/compare.hpp>
#include <pprofdelta/contention_traces.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/flame_graph.hpp>
#include <pprofdelta/info.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/memory_traces.hpp>
#include <pprofdelta/merge.hpp>
#include <pprofdelta/normalize.hpp>
#include <pprofdelta/otlp_profile.hpp>
#include <pprofdelta/overview.hpp>
#include <pprofdelta/pprofdelta.h>
#include <pprofdelta/report.hpp>
#include <pprofdelta/state.hpp>
#include <pprofdelta/symbolize.hpp>
#include <pprofdelta/text_profile.hpp>
#include <pprofdelta/traces.hpp>
#include <pprofdelta/trend.hpp>

#include "allocations.hpp"
#include "c_handles.hpp"
#include "canonical.hpp"
#include "made_delta.hpp"
#include "profile_builder.hpp"
#include "profile_reader.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

/// @throws std::runtime_error with `what` if it does not hold.
void require(bool holds, const char* what) {
    if (!holds) {
        throw std::runtime_error{what};
    }
}

/// The one allocation that fails in a run of a scenario.
class fault {
public:
    /// `after` successful ones.
    explicit fault(std::size_t after) : m_after{after} {}

    /// Makes the call that is looked at. False if it threw.
    template <typename Call>
    bool allows(Call&& call) {
        fail_allocation(m_after);
        try {
            call();
        } catch (const std::bad_alloc&) {
            m_came = true;
            return false;
        } catch (...) {
            stop_failing();
            throw;
        }
        m_came = !stop_failing();
        return true;
    }

    /// Makes the call that is looked at, and once more if it threw.
    template <typename Call>
    void repeats(Call&& call) {
        if (!allows(call)) {
            call();
        }
    }

    [[nodiscard]] bool came() const noexcept { return m_came; }

private:
    std::size_t m_after;
    bool m_came = false;
};

/// Returns what there is to see of the call, which must not depend on the fault.
using scenario = std::function<std::string(fault&)>;

std::size_t all_failures = 0;
bool all_is_well = true;

// Each run has a thread of its own, as some memory is kept for each thread.
std::string run(const scenario& what, fault& with) {
    std::string seen;
    std::exception_ptr thrown;
    std::thread{[&] {
        try {
            seen = what(with);
        } catch (...) {
            thrown = std::current_exception();
        }
    }}.join();
    if (thrown) {
        std::rethrow_exception(thrown);
    }
    return seen;
}

/// Runs a scenario without a fault, and then with each that there can be.
void sweep(const std::string& name, const scenario& what) {
    std::size_t failures = 0;
    try {
        fault none{static_cast<std::size_t>(-1) / 2};
        const std::string expected = run(what, none);
        while (true) {
            fault next{failures};
            require(run(what, next) == expected, "another result");
            if (!next.came()) {
                break;
            }
            ++failures;
        }
    } catch (const std::exception& e) {
        all_is_well = false;
        std::printf("FAILED: %s, allocation %zu: %s\n", name.c_str(), failures, e.what());
    }
    std::printf("%5zu  %s\n", failures, name.c_str());
    std::fflush(stdout); // for what comes next may end the process
    all_failures += failures;
}

/// Sweeps a call that changes nothing, and gives the same when it is made again.
void sweep_call(const std::string& name, const std::function<std::string()>& call) {
    sweep(name, [&](fault& f) {
        std::string seen;
        f.repeats([&] { seen = call(); });
        return seen;
    });
}

/// Sweeps a call that changes an object: `state` is what there is to see of that, and must be as
/// before after a call that failed. `begin` makes the object.
template <typename Object>
void sweep_change(
    const std::string& name, const std::function<void(Object&)>& begin,
    const std::function<void(Object&)>& change,
    const std::function<std::string(const Object&)>& state,
    const std::function<Object()>& make = [] { return Object{}; }) {
    sweep(name, [&](fault& f) {
        Object object = make();
        begin(object);
        const std::string before = state(object);
        if (!f.allows([&] { change(object); })) {
            require(state(object) == before, "it has changed");
            change(object);
        }
        return state(object);
    });
}

/// A serialized heap profile with a stack for each number from `first` to before `last`.
std::string heap(std::int64_t first, std::int64_t last, std::int64_t factor) {
    profile p;
    p.types = heap_types();
    p.mappings = {{1, 0x400000, 0x900000, 0, "/bin/program"}};
    p.comments = {"one", "two"};
    p.time = 1000 + factor;
    for (std::int64_t i = first; i < last; ++i) {
        const std::string number = std::to_string(i);
        const auto leaf = add_frame(p, "leaf" + number, "a.go", i);
        const auto root = add_frame(p, "root" + std::to_string(i % 7), "b.go", i);
        p.locations.back().mapping = 1;
        p.locations.back().address = 0x400000 + static_cast<std::uint64_t>(i);
        p.samples.push_back({{leaf, root},
                             {factor * (i + 1), factor * (i + 1) * 16, i % 3, i % 3 * 16},
                             {{"a label that is longer than others are", number}},
                             ""});
    }
    return serialize(p);
}

/// The profile has what the compiler of Go reads: stacks in which a function is there twice, at two
/// addresses.
std::string cpu(std::int64_t first, std::int64_t last) {
    profile p;
    p.types = {{"samples", "count"}, {"cpu", "nanoseconds"}};
    for (std::int64_t i = first; i < last; ++i) {
        const auto once = add_frame(p, "f" + std::to_string(i), "a.go", i);
        p.functions.back().start_line = 1;
        p.locations.back().address = 2;
        const auto again = p.locations.size() + 1;
        location other = p.locations.back();
        other.id = again;
        other.address = 1;
        p.locations.push_back(other);
        p.samples.push_back({{again, once, 1}, {i + 1, 10 * i}, {{"key", "text"}}});
    }
    return serialize(p);
}

std::string read(const std::string& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

const std::string small = heap(0, 100, 1000);
const std::string before = heap(0, 60, 1000);
const std::string now = heap(20, 90, 1100);

// Inputs and archives.

void sweep_inputs(const std::string& testdata) {
    for (const codec each : {codec::none, codec::gzip, codec::zstd}) {
        const std::string number = std::to_string(static_cast<int>(each));
        sweep_call("encode: codec " + number, [&] { return encode(now, each); });
        const std::string wrapped = encode(now, each);
        sweep_call("decode: codec " + number, [&] {
            std::string storage;
            return std::string{decode(wrapped, storage)};
        });
    }
    for (const char* const name :
         {"gperftools-counted.cur.heap", "jemalloc.cur.heap", "go-text-mutex.cur.txt"}) {
        const std::string text = read(testdata + "/text/" + name);
        sweep_call(std::string{"convert_text_profile: "} + name, [&] {
            std::string converted;
            convert_text_profile(text, converted);
            return converted;
        });
    }
    for (const char* const name : {"go-mutex.cur.otlp", "services.cur.otlp.gz"}) {
        std::string storage;
        const std::string bytes = read(testdata + "/otlp/" + name);
        const std::string_view otlp = decode(bytes, storage);
        sweep_call(std::string{"convert_otlp_profile: "} + name, [&] {
            require(is_otlp_profile(otlp), "a message is one with or without memory");
            std::string converted;
            convert_otlp_profile(otlp, converted);
            return converted;
        });
        std::string converted;
        convert_otlp_profile(otlp, converted);
        sweep_call(std::string{"write_otlp_profile: "} + name, [&] {
            std::string again;
            static_cast<void>(write_otlp_profile(converted, again));
            return again;
        });
    }
}

// Deltas and states.

// One call on a computer that has seen `first`, or nothing if that is empty.
void sweep_compute(const std::string& name, const std::string& first, const std::string& second,
                   const delta_options& options = {}) {
    sweep("delta_computer::compute: " + name, [&](fault& f) {
        delta_computer computer{options};
        std::string state;
        if (!first.empty()) {
            computer.prime(first);
            state = computer.save();
        }
        std::string delta;
        if (!f.allows([&] { computer.compute(second, delta); })) {
            require(computer.has_previous() == !first.empty(), "there is another state");
            require(first.empty() || computer.save() == state, "the state has changed");
            computer.compute(second, delta);
        }
        return delta + computer.save();
    });
}

void sweep_deltas() {
    sweep_call("delta_computer::delta_computer", [] {
        static_cast<void>(std::make_unique<delta_computer>());
        return std::string{};
    });
    sweep_compute("the first profile", "", now);
    sweep_compute("the second profile", before, now);
    delta_options by_function;
    by_function.match = match_mode::function;
    sweep_compute("by function", before, now, by_function);
    // More samples than the process before had, and fewer.
    for (const int count : {50, 105, 110, 150, 300}) {
        sweep_compute("a restart with " + std::to_string(count) + " samples", small,
                      heap(0, count, 1));
    }
    delta_options drop;
    drop.on_reset = reset_policy::drop;
    sweep_compute("a restart without a delta", small, heap(50, 250, 1), drop);

    const auto saved = [](const delta_computer& computer) { return computer.save(); };
    const auto prime = [](const std::string& profile) {
        return [&profile](delta_computer& computer) { computer.prime(profile); };
    };
    sweep_change<delta_computer>("delta_computer::prime", prime(before), prime(now), saved);
    delta_computer computer;
    computer.prime(now);
    const std::string state = computer.save();
    sweep_call("delta_computer::save", [&] { return computer.save(); });
    sweep_change<delta_computer>(
        "delta_computer::load", prime(small), [&](delta_computer& into) { into.load(state); },
        saved);
    sweep_call("read_state_info", [&] { return std::to_string(read_state_info(state).samples); });

    sweep_call("list_types", [] { return std::to_string(list_types(now).size()); });
    for (const match_mode match : {match_mode::exact, match_mode::line}) {
        sweep_call(std::string{"diff: "} + to_string(match), [&] {
            delta_options options;
            options.match = match;
            std::string delta;
            diff(before, now, options, delta);
            return delta;
        });
    }
    sweep_call("normalize", [] { return normalize(before, now, normalization::total).profile; });
    sweep_call("add_comment", [] {
        std::string commented = now;
        add_comment(commented, "a comment that is longer than a short string");
        return commented;
    });
}

// Sums.

std::string written(const profile_sum& sum) {
    std::string out;
    if (sum.size() > 0) {
        sum.write(out);
    }
    return std::to_string(sum.size()) + out;
}

void sweep_add(const std::string& name, const std::string& first, const std::string& second,
               const merge_options& options = {}, double weight = 1) {
    sweep_call("profile_sum::profile_sum: " + name, [&] {
        static_cast<void>(std::make_unique<profile_sum>(options));
        return std::string{};
    });
    sweep_change<profile_sum>(
        "profile_sum::add: " + name,
        [&](profile_sum& sum) {
            if (!first.empty()) {
                sum.add(first);
            }
        },
        [&](profile_sum& sum) { sum.add(second, weight); }, written,
        [&] { return profile_sum{options}; });
}

void sweep_sums() {
    sweep_add("the first profile", "", now);
    sweep_add("a weight", before, now, {}, 1.5);
    sweep_add("by function", before, now, {.match = match_mode::function});
    sweep_add("the last levels", before, now, {.levels = level_policy::last});
    // The trim has no patterns: RE2 loses memory if some is missing while it compiles or searches.
    sweep_add("one type, without lines", before, now,
              {.trim = {.keep_types = {value_type_pattern{"inuse_space"}}, .drop_lines = true}});
    sweep_add("for PGO", cpu(0, 30), cpu(10, 50), {.trim = {.for_pgo = true}});

    profile_sum sum;
    sum.add(before);
    sum.add(now);
    sweep_call("profile_sum::write", [&] { return written(sum); });
    // Some samples of the sum are rounded to nothing, and go with what only they refer to.
    profile_sum rounded;
    rounded.add(heap(0, 60, 1));
    rounded.add(heap(30, 40, 1), 1e4);
    sweep_call("profile_sum::write_mean", [&] {
        std::string out;
        rounded.write_mean(out);
        return out;
    });
}

// Reports, limits and pictures.

std::string seen(const std::vector<judgement>& judged) {
    std::string found;
    for (const judgement& j : judged) {
        found += j.unknown + std::to_string(j.current) + (j.crossed ? " crossed " : " kept ") +
                 std::to_string(j.functions.size());
    }
    return found;
}

std::string seen(const report& made) {
    std::string found;
    for (const auto& row : made.rows) {
        found += row.name + std::to_string(row.flat.current);
    }
    return found;
}

std::string seen(const flame_graph& graph) {
    std::string found = std::to_string(graph.left_out);
    for (const flame_graph::node& node : graph.nodes) {
        found += " " + graph.names[node.name] + " " + std::to_string(node.value.current);
    }
    return found;
}

void sweep_reports() {
    // The limit has no functions: RE2 cannot do without memory while it compiles an expression, so
    // the library asks for enough of it before.
    const std::string text = "a_type_with_a_name_that_is_longer/than_others>+10%";
    sweep_call("parse_limit", [&] { return parse_limit(text).type.text(); });
    sweep_call("parse_amount", [] { return parse_amount("1.5MiB").unit; });
    sweep_call("totals", [] { return std::to_string(read_totals(now).at(1)); });
    const std::vector<limit> limits{parse_limit("alloc_space>+1%"), parse_limit("inuse_space>2kB")};
    sweep_call("judge", [&] { return seen(judge(limits, {before, now})); });
    sweep_call("make_report, make_flame_graph: one profile",
               [] { return seen(make_report(now)) + seen(make_flame_graph(now)); });
    sweep_call("call_stacks", [] {
        call_stacks stacks;
        const std::size_t rows = make_report({before, now}, {}, stacks).rows.size();
        // The query has no callers, whose functions are chosen by a pattern.
        return std::to_string(rows + stacks.tree().nodes.size() + stacks.paths(3).paths.size());
    });
    sweep_call("add_names", [] {
        return add_names(now, [](const code_place&) {
            return std::vector<code_frame>{{"a function with a long name", "f", "f.cpp", 1}};
        });
    });
    sweep_call("make_overview", [] {
        std::size_t rows = 0;
        for (const overview::type& type : make_overview({before, now}).types) {
            rows += type.rows.size() + type.stacks.nodes.size();
        }
        return std::to_string(rows);
    });
    for (const grouping by : {grouping::function, grouping::package, grouping::line}) {
        report_options options;
        options.by = by;
        options.sample_type.emplace("alloc_space/bytes");
        sweep_call(std::string{"make_report: "} + to_string(by), [&] {
            return seen(make_report({before, now}, options));
        });
        sweep_call(std::string{"make_flame_graph: "} + to_string(by), [&] {
            return seen(make_flame_graph({before, now}, options));
        });
    }
}

// All that looks at a delta, with the profile before and with a state alone.
void sweep_reports_of_deltas() {
    made_delta made{before, now};
    const std::vector<limit> limits{parse_limit("each:alloc_space>+1%"),
                                    parse_limit("each:cum:alloc_space>+1kB/s"),
                                    parse_limit("inuse_space>+2kB")};
    for (const bool has_previous : {true, false}) {
        if (!has_previous) {
            made.of.previous.reset();
        }
        const std::string with = has_previous ? "two profiles" : "a state";
        sweep_call("judge: delta of " + with,
                   [&] { return seen(judge(limits, made.of, parse_amount("10B"))); });
        sweep_call("make_report: delta of " + with, [&] { return seen(make_report(made.of)); });
        sweep_call("make_flame_graph: delta of " + with,
                   [&] { return seen(make_flame_graph(made.of)); });
    }
}

// Captures. The time of a sweep grows with the square of the allocations, and judging has
// thousands.
const std::string few_before = heap(0, 10, 1000);
const std::string few_now = heap(4, 15, 1100);

// The visible state of captures, of any class.
template <typename Captures>
std::string judged(Captures& captures) {
    std::string found;
    for (const auto& each : captures.judge()) {
        found += std::to_string(each.row.p) + std::to_string(each.crossed) + " ";
    }
    return found;
}

std::string seen(profile_comparison& captures) {
    std::string found = judged(captures);
    const compared_rows rows = captures.rows(captures.find_type({}));
    found += std::to_string(rows.flat.hypotheses) + " " + std::to_string(rows.left_out);
    for (const compared_row& row : rows.cum.rows) {
        found += " " + row.name + " " + std::to_string(row.change);
    }
    for (const stack_node<compared_row>& node : captures.tree(captures.find_type({})).nodes) {
        found += " " + node.frames.front() + " " + std::to_string(node.cum.change);
    }
    // The first of equal changes is the one to come first, and that may be of either side.
    for (const stack_path<compared_row>& path : captures.paths(captures.find_type({}), 3).paths) {
        found += " " + std::to_string(std::abs(path.value.change));
    }
    return found;
}

std::string seen(profile_trend& trend) {
    std::string found = judged(trend);
    const trend_rows rows = trend.rows(trend.find_type({}));
    found += std::to_string(rows.hypotheses) + " " + std::to_string(rows.left_out);
    for (const trend_row& row : rows.cum) {
        found += " " + row.name + " " + std::to_string(row.growth);
    }
    return found;
}

// One profile of each side twice; a change in what comes after all that counts makes another one.
void sweep_comparisons() {
    constexpr const char* comment = "\x68"; // field 13, whose number follows
    const auto capture = [](const std::string& profile, int number) {
        return profile + comment + std::string(1, static_cast<char>(number));
    };
    const std::vector<limit> limits{parse_limit("each:alloc_space>+1%"),
                                    parse_limit("alloc_space>1kB")};
    sweep("profile_comparison::add", [&](fault& f) {
        profile_comparison captures{{}, limits};
        const auto add = [&](compare_side to, int number) {
            captures.add(to, std::string_view{
                                 capture(to == compare_side::base ? few_before : few_now, number)});
        };
        const bool is_added = f.allows([&] { add(compare_side::head, 0); });
        require(captures.captures(compare_side::head) == (is_added ? 1 : 0), "another count");
        // Another one at once, and not the same: it must not meet what the one that failed left.
        add(compare_side::base, 0);
        if (!is_added) {
            add(compare_side::head, 0);
        }
        add(compare_side::base, 1);
        add(compare_side::head, 1);
        return seen(captures);
    });
    sweep("profile_comparison::judge and ::rows", [&](fault& f) {
        profile_comparison captures{{}, limits};
        captures.add(compare_side::base, few_before);
        captures.add(compare_side::head, few_now);
        std::string found;
        f.repeats([&] { found = seen(captures); });
        return found;
    });
    profile_comparison captures;
    captures.add(compare_side::base, few_before);
    captures.add(compare_side::head, few_now);
    sweep_call("profile_comparison::flame_graph", [&] { return seen(captures.flame_graph(0)); });
}

void sweep_trends() {
    const trend_options options{.are_independent = true};
    // Regular expressions, which take long here, are those of limits on two profiles.
    const std::vector<limit> limits{parse_limit("each:inuse_space>+1%"),
                                    parse_limit("inuse_space>+1kB/h")};
    sweep("profile_trend::add", [&](fault& f) {
        profile_trend trend{options, limits};
        const bool is_added = f.allows([&] { trend.add(few_now); });
        trend.add(few_before);
        if (!is_added) {
            trend.add(few_now);
        }
        return seen(trend);
    });
    sweep("profile_trend::judge and ::rows", [&](fault& f) {
        profile_trend trend{options, limits};
        trend.add(few_before);
        trend.add(few_now);
        std::string found;
        f.repeats([&] { found = seen(trend); });
        return found;
    });
}

// Traces of programs that sample themselves.

// Stacks with numbers from `first` to before `last`, which are new in each round.
std::vector<std::vector<std::uint64_t>> stacks(std::size_t first, std::size_t last) {
    constexpr std::size_t depth = 40;
    std::vector<std::vector<std::uint64_t>> made;
    for (std::size_t i = first; i < last; ++i) {
        std::vector<std::uint64_t>& stack = made.emplace_back();
        for (std::size_t frame = 0; frame < depth; ++frame) {
            stack.push_back(0x1000 + i * depth + frame);
        }
    }
    return made;
}

std::vector<memory_trace> memory_traces(const std::vector<std::vector<std::uint64_t>>& of,
                                        std::int64_t first, std::int64_t factor) {
    std::vector<memory_trace> traces;
    for (const auto& stack : of) {
        ++first;
        traces.push_back({.stack = stack,
                          .allocs = factor * first,
                          .frees = 1,
                          .alloc_bytes = factor * first * 16,
                          .free_bytes = 16,
                          .block_size = first % 3 * 16});
    }
    return traces;
}

// Ids of locations stay from delta to delta, and may be others where memory ran out.
std::string meaning_of(const std::string& delta) {
    const auto form = canonical_form(parse(delta).content, match_mode::exact);
    std::string all;
    for (const auto& [stack, values] : form.samples) {
        all += stack;
        for (const std::int64_t value : values) {
            all += std::to_string(value) + ' ';
        }
    }
    for (const std::string& header : form.headers) {
        all += header;
    }
    return all;
}

std::string write(memory_delta& traces) {
    std::string delta;
    const delta_summary found = traces.write(delta);
    return std::to_string(found.samples_in) + meaning_of(delta);
}

// `first` traces in the round before, and `count` in this one, counted anew if `is_restart`.
void sweep_rounds(std::size_t first, std::size_t count, bool is_restart) {
    const std::string name = std::to_string(first) +
                             (is_restart ? " traces, then a restart with " : " traces, then ") +
                             std::to_string(count);
    const auto stacks_before = stacks(0, first);
    const std::size_t from = is_restart ? first / 2 : 0;
    const auto stacks_now = stacks(from, count);
    const auto traces_now =
        memory_traces(stacks_now, static_cast<std::int64_t>(from), is_restart ? 1 : 2000);
    const pprofdelta::label label_of_all{
        "a label that is longer than others", "and its value as well", 0, {}};
    const mapping_list mappings =
        std::make_shared<const std::vector<pprofdelta::mapping>>(std::vector<pprofdelta::mapping>{
            {0x1000, 0x900000, 0, "/bin/a-program-with-a-long-name", ""}});
    const trace_meta meta{.labels = {&label_of_all, 1}, .mappings = mappings};
    const auto begin = [&](memory_delta& traces) {
        if (first != 0) {
            traces.report_memory_traces(memory_traces(stacks_before, 0, 1000), meta);
            (void)write(traces);
        }
    };
    const auto report = [&](memory_delta& traces) {
        traces.report_memory_traces(traces_now, meta);
    };
    // The output without the report that failed is what would be without any.
    memory_delta untouched;
    begin(untouched);
    const std::string without = write(untouched);
    for (const bool is_made_again : {true, false}) {
        sweep("memory_delta::report_memory_traces: " + name, [&](fault& f) {
            memory_delta traces;
            begin(traces);
            const bool is_reported = f.allows([&] { report(traces); });
            if (!is_made_again) {
                require(is_reported || write(traces) == without, "traces of the report are left");
                return std::string{};
            }
            if (!is_reported) {
                report(traces);
            }
            return write(traces);
        });
    }
    sweep("memory_delta::write: " + name, [&](fault& f) {
        memory_delta traces;
        begin(traces);
        report(traces);
        std::string delta;
        if (!f.allows([&] { traces.write(delta); })) {
            report(traces);
            traces.write(delta);
        }
        report(traces);
        return meaning_of(delta) + write(traces);
    });
    sweep("contention_delta: " + name, [&](fault& f) {
        contention_delta traces;
        std::string delta;
        const auto report_all = [&](const std::vector<std::vector<std::uint64_t>>& of) {
            std::vector<contention_trace> reported;
            for (const auto& stack : of) {
                reported.push_back({.stack = stack, .contentions = 1000, .delay = 1000});
            }
            traces.report_contention_traces(reported, meta);
        };
        if (first != 0) {
            report_all(stacks_before);
            traces.write(delta);
        }
        f.repeats([&] { report_all(stacks_now); });
        traces.write(delta);
        return delta;
    });
}

void sweep_traces() {
    sweep_rounds(0, 100, false);
    sweep_rounds(13, 14, false);
    sweep_rounds(30, 200, false);
    sweep_rounds(30, 20, true);
    sweep_rounds(30, 90, true);
    sweep_call("process_mappings",
               [] { return process_mappings()->empty() ? "none" : std::string{}; });
}

// The interface of C, which says with a status what the calls above throw.

using c_call = std::function<pprofdelta_status(pprofdelta_view* result, pprofdelta_error* error)>;

// Makes a call with the fault, and again if it failed.
std::string with_fault(fault& f, const c_call& what) {
    pprofdelta_view result{};
    pprofdelta_error error{};
    pprofdelta_status status{};
    require(f.allows([&] { status = what(&result, &error); }), "an exception");
    if (f.came() && status != PPROFDELTA_OK) {
        require(status == PPROFDELTA_OUT_OF_MEMORY, "another status");
        require(error.status == status, "another status in the error");
        require(std::string{error.message} == "out of memory", "another message");
        require(result.data == nullptr && result.size == 0, "a result after a failure");
        status = what(&result, &error);
    }
    require(status == PPROFDELTA_OK, error.message);
    return {result.data, result.size};
}

void sweep_c_interface() {
    sweep("pprofdelta_options_set", [](fault& f) {
        const options_handle options{pprofdelta_options_new()};
        return with_fault(f, [&](pprofdelta_view*, pprofdelta_error* error) {
            return pprofdelta_options_set(options.get(), "cumulative",
                                          "a sample type of more characters than fit in place",
                                          error);
        });
    });
    sweep("pprofdelta_computer_compute", [](fault& f) {
        pprofdelta_computer* made = nullptr;
        require(pprofdelta_computer_new(nullptr, &made, nullptr) == PPROFDELTA_OK, "no computer");
        const computer_handle computer{made};
        require(pprofdelta_computer_prime(computer.get(), before.data(), before.size(),
                                          PPROFDELTA_SOURCE_PROTOBUF, nullptr) == PPROFDELTA_OK,
                "not primed");
        return with_fault(f, [&](pprofdelta_view* delta, pprofdelta_error* error) {
            return pprofdelta_computer_compute(computer.get(), now.data(), now.size(),
                                               PPROFDELTA_SOURCE_PROTOBUF, delta, nullptr, error);
        });
    });
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: out-of-memory TESTDATA\n", stderr);
        return 2;
    }
    sweep_inputs(argv[1]);
    sweep_deltas();
    sweep_sums();
    sweep_reports();
    sweep_reports_of_deltas();
    sweep_comparisons();
    sweep_trends();
    sweep_traces();
    sweep_c_interface();
    std::printf("%5zu  allocations failed\n", all_failures);
    return all_is_well ? 0 : 1;
}
