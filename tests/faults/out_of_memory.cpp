// SPDX-License-Identifier: Apache-2.0
// Makes each allocation of each public call fail in turn: the call throws std::bad_alloc, what it
// was called on is as before, and the same call made again does what it would have done at once.
//
// usage: out-of-memory TESTDATA
#include <cstddef>
#include <cstdio>
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

#include <pprofdelta/codec.hpp>
#include <pprofdelta/comment.hpp>
#include <pprofdelta/contention_traces.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/flame_graph.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/memory_traces.hpp>
#include <pprofdelta/normalize.hpp>
#include <pprofdelta/process_mappings.hpp>
#include <pprofdelta/report.hpp>
#include <pprofdelta/state.hpp>
#include <pprofdelta/text_profile.hpp>

#include "allocations.hpp"
#include "canonical.hpp"
#include "profile_builder.hpp"
#include "profile_reader.hpp"

using namespace pprofdelta;

namespace {

void require(bool holds, const char* what) {
    if (!holds) {
        throw std::runtime_error{what};
    }
}

// The one allocation that fails in a run of a scenario.
class fault {
public:
    // `after` successful ones.
    explicit fault(std::size_t after) : m_after{after} {}

    // Makes the call that is looked at. False if it threw.
    template <typename Call>
    bool allows(Call&& call) {
        test::fail_allocation(m_after);
        try {
            call();
        } catch (const std::bad_alloc&) {
            m_came = true;
            return false;
        } catch (...) {
            test::stop_failing();
            throw;
        }
        m_came = !test::stop_failing();
        return true;
    }

    // The same, and makes it again if it threw.
    template <typename Call>
    void allows_in_the_end(Call&& call) {
        if (!allows(call)) {
            call();
        }
    }

    [[nodiscard]] bool came() const noexcept { return m_came; }

private:
    std::size_t m_after;
    bool m_came = false;
};

// Returns what there is to see of the call, which must not depend on the fault.
using scenario = std::function<std::string(fault&)>;

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

std::size_t all_failures = 0;
bool all_is_well = true;

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

test::profile heap(std::int64_t first, std::int64_t last, std::int64_t factor) {
    test::profile p;
    p.types = test::heap_types();
    p.mappings = {{1, 0x400000, 0x900000, 0, "/bin/program", "", false, ""}};
    p.comments = {"one", "two"};
    p.time = 1000 + factor;
    for (std::int64_t i = first; i < last; ++i) {
        const std::string number = std::to_string(i);
        const auto leaf = test::add_frame(p, "leaf" + number, "a.go", i);
        const auto root = test::add_frame(p, "root" + std::to_string(i % 7), "b.go", i);
        p.locations.back().mapping = 1;
        p.locations.back().address = 0x400000 + static_cast<std::uint64_t>(i);
        p.samples.push_back({{leaf, root},
                             {factor * (i + 1), factor * (i + 1) * 16, i % 3, i % 3 * 16},
                             {{"a label that is longer than others are", number, 0, "", ""}},
                             ""});
    }
    return p;
}

void sweep_codecs(const std::string& profile) {
    for (const codec each : {codec::none, codec::gzip, codec::zstd}) {
        const std::string name = each == codec::none   ? "none"
                                 : each == codec::gzip ? "gzip"
                                                       : "zstd";
        sweep("encode: " + name, [&](fault& f) {
            std::string out;
            f.allows_in_the_end([&] { out = encode(profile, each); });
            return out;
        });
        const std::string wrapped = encode(profile, each);
        sweep("decode: " + name, [&](fault& f) {
            std::string storage;
            std::string_view out;
            f.allows_in_the_end([&] { out = decode(wrapped, storage); });
            return std::string{out};
        });
    }
}

// One call on a computer that has seen `before`, or nothing if that is empty.
void sweep_compute(const std::string& name, const std::string& before, const std::string& now,
                   const delta_options& options = {}) {
    sweep("delta_computer::compute: " + name, [&](fault& f) {
        delta_computer computer{options};
        std::string state;
        if (!before.empty()) {
            computer.prime(before);
            state = computer.save();
        }
        std::string delta;
        const bool is_done = f.allows([&] { computer.compute(now, delta); });
        if (!is_done) {
            require(computer.has_previous() == !before.empty(), "there is another state");
            require(before.empty() || computer.save() == state, "the state has changed");
            computer.compute(now, delta);
        }
        return delta + computer.save();
    });
}

void sweep_deltas(const std::string& before, const std::string& now) {
    const std::string small = serialize(heap(0, 100, 1000));
    sweep("delta_computer::delta_computer", [](fault& f) {
        std::unique_ptr<delta_computer> computer;
        f.allows_in_the_end([&] { computer = std::make_unique<delta_computer>(); });
        return std::string{};
    });
    sweep_compute("the first profile", "", now);
    sweep_compute("the second profile", before, now);
    delta_options by_function;
    by_function.match = match_mode::function;
    sweep_compute("by function", before, now, by_function);
    // More samples than the process before had, and fewer.
    for (const int count : {50, 105, 110, 150, 300}) {
        const std::string after_restart = serialize(heap(0, count, 1));
        sweep_compute("a restart with " + std::to_string(count) + " samples", small, after_restart);
    }
    delta_options drop;
    drop.on_reset = reset_policy::drop;
    sweep_compute("a restart without a delta", small, serialize(heap(50, 250, 1)), drop);
    sweep("delta_computer::prime", [&](fault& f) {
        delta_computer computer;
        computer.prime(before);
        const std::string state = computer.save();
        if (!f.allows([&] { computer.prime(now); })) {
            require(computer.save() == state, "the state has changed");
            computer.prime(now);
        }
        return computer.save();
    });
    sweep("delta_computer::save", [&](fault& f) {
        delta_computer computer;
        computer.prime(before);
        std::string state;
        f.allows_in_the_end([&] { state = computer.save(); });
        return state;
    });
    delta_computer saved;
    saved.prime(now);
    const std::string state = saved.save();
    sweep("delta_computer::load", [&](fault& f) {
        delta_computer computer;
        computer.prime(small);
        const std::string own = computer.save();
        if (!f.allows([&] { computer.load(state); })) {
            require(computer.save() == own, "the state has changed");
            computer.load(state);
        }
        return computer.save();
    });
    sweep("read_state_info", [&](fault& f) {
        std::size_t samples = 0;
        f.allows_in_the_end([&] { samples = read_state_info(state).samples; });
        return std::to_string(samples);
    });
    sweep("list_types", [&](fault& f) {
        std::size_t types = 0;
        f.allows_in_the_end([&] { types = list_types(now).size(); });
        return std::to_string(types);
    });
    for (const match_mode match : {match_mode::exact, match_mode::line}) {
        sweep(std::string{"diff: "} + to_string(match), [&](fault& f) {
            delta_options options;
            options.match = match;
            std::string delta;
            f.allows_in_the_end([&] { diff(before, now, options, delta); });
            return delta;
        });
    }
    sweep("normalize", [&](fault& f) {
        normalized_profile scaled;
        f.allows_in_the_end([&] { scaled = normalize(before, now, normalization::total); });
        return scaled.profile;
    });
    sweep("add_comment", [&](fault& f) {
        std::string profile = now;
        f.allows_in_the_end([&] {
            profile = now;
            add_comment(profile, "a comment that is longer than a short string");
        });
        return profile;
    });
}

void sweep_reports(const std::string& before, const std::string& now) {
    // Without functions: RE2 cannot do without memory while it compiles an expression, so the
    // library asks for enough of it before.
    const std::string text = "a_type_with_a_name_that_is_longer/than_others>+10%";
    sweep("parse_limit", [&](fault& f) {
        std::string type;
        f.allows_in_the_end([&] { type = parse_limit(text).type.text(); });
        return type;
    });
    const std::vector<limit> limits{parse_limit("alloc_space>+1%"), parse_limit("inuse_space>2kB")};
    sweep("judge", [&](fault& f) {
        std::string found;
        f.allows_in_the_end([&] {
            found.clear();
            for (const judgement& j : judge(limits, before, now)) {
                found += std::to_string(j.current) + (j.crossed ? " crossed " : " kept ");
            }
        });
        return found;
    });
    sweep("totals", [&](fault& f) {
        std::vector<std::int64_t> sums;
        f.allows_in_the_end([&] { sums = totals(now); });
        return std::to_string(sums.at(1));
    });
    for (const grouping by :
         {grouping::function, grouping::file, grouping::package, grouping::line}) {
        report_options options;
        options.by = by;
        options.sample_type.emplace("alloc_space/bytes");
        sweep(std::string{"make_report: "} + to_string(by), [&](fault& f) {
            std::string rows;
            f.allows_in_the_end([&] {
                rows.clear();
                for (const auto& row : make_report(before, now, options).rows) {
                    rows += row.name + std::to_string(row.flat.current);
                }
            });
            return rows;
        });
        sweep(std::string{"make_flame_graph: "} + to_string(by), [&](fault& f) {
            std::string names;
            f.allows_in_the_end([&] {
                names.clear();
                for (const auto& name : make_flame_graph(before, now, options).names) {
                    names += name;
                }
            });
            return names;
        });
    }
}

void sweep_texts(const std::string& testdata) {
    for (const char* const name :
         {"gperftools-counted.cur.heap", "jemalloc.cur.heap", "go-text-mutex.cur.txt"}) {
        std::ifstream file{testdata + "/text/" + name, std::ios::binary};
        const std::string text{std::istreambuf_iterator<char>{file}, {}};
        sweep(std::string{"convert_text_profile: "} + name, [&](fault& f) {
            std::string profile;
            f.allows_in_the_end([&] { convert_text_profile(text, profile); });
            return profile;
        });
    }
}

// Rounds of traces whose stacks and labels are new in each.
class rounds {
public:
    static constexpr std::size_t depth = 40;

    explicit rounds(std::int64_t factor) : m_factor{factor} {}

    void add(std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            std::vector<std::uint64_t>& stack = m_stacks.emplace_back();
            for (std::size_t frame = 0; frame < depth; ++frame) {
                stack.push_back(0x1000 + i * depth + frame);
            }
        }
        m_first = static_cast<std::int64_t>(first);
    }

    [[nodiscard]] std::vector<memory_trace> memory() const {
        std::vector<memory_trace> traces;
        std::int64_t number = m_first;
        for (const auto& stack : m_stacks) {
            ++number;
            traces.push_back({.stack = stack,
                              .allocs = m_factor * number,
                              .frees = 1,
                              .alloc_bytes = m_factor * number * 16,
                              .free_bytes = 16,
                              .block_size = number % 3 * 16});
        }
        return traces;
    }

    [[nodiscard]] std::vector<contention_trace> contention() const {
        std::vector<contention_trace> traces;
        for (const auto& stack : m_stacks) {
            traces.push_back({.stack = stack, .contentions = m_factor, .delay = m_factor});
        }
        return traces;
    }

private:
    std::int64_t m_factor;
    std::int64_t m_first = 0;
    std::vector<std::vector<std::uint64_t>> m_stacks;
};

const mapping_list mappings = std::make_shared<const std::vector<mapping>>(
    std::vector<mapping>{{0x1000, 0x900000, 0, "/bin/a-program-with-a-long-name", ""}});

// Ids of locations stay from delta to delta, and may be others where memory ran out.
std::string meaning_of(const std::string& delta) {
    const auto form = test::canonical_form(test::parse(delta).content, match_mode::exact);
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
void sweep_traces(std::size_t first, std::size_t count, bool is_restart) {
    const std::string name = std::to_string(first) +
                             (is_restart ? " traces, then a restart with " : " traces, then ") +
                             std::to_string(count);
    rounds before{1000};
    before.add(0, first);
    rounds now{is_restart ? 1 : 2000};
    now.add(is_restart ? first / 2 : 0, count);
    const label label_of_all{"a label that is longer than others", "and its value as well", 0, {}};
    const trace_meta meta{.labels = {&label_of_all, 1}, .mappings = mappings};
    const auto begin = [&](memory_delta& traces) {
        if (first != 0) {
            traces.report_memory_traces(before.memory(), meta);
            (void)write(traces);
        }
    };
    const auto report = [&](memory_delta& traces) {
        traces.report_memory_traces(now.memory(), meta);
    };
    // What is written without the report that failed is what would be without any.
    memory_delta untouched;
    begin(untouched);
    const std::string without = write(untouched);
    sweep("memory_delta::report_memory_traces: " + name, [&](fault& f) {
        memory_delta traces;
        begin(traces);
        const auto reported = now.memory();
        f.allows_in_the_end([&] { traces.report_memory_traces(reported, meta); });
        return write(traces);
    });
    sweep("memory_delta::report_memory_traces, and no other: " + name, [&](fault& f) {
        memory_delta traces;
        begin(traces);
        const auto reported = now.memory();
        if (!f.allows([&] { traces.report_memory_traces(reported, meta); })) {
            require(write(traces) == without, "traces of the report are left");
        }
        return std::string{};
    });
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
        if (first != 0) {
            traces.report_contention_traces(before.contention(), meta);
            traces.write(delta);
        }
        const auto reported = now.contention();
        f.allows_in_the_end([&] { traces.report_contention_traces(reported, meta); });
        traces.write(delta);
        return delta;
    });
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: out-of-memory TESTDATA\n", stderr);
        return 2;
    }
    const std::string before = serialize(heap(0, 60, 1000));
    const std::string now = serialize(heap(20, 90, 1100));
    sweep_codecs(now);
    sweep_deltas(before, now);
    sweep_reports(before, now);
    sweep_texts(argv[1]);
    sweep_traces(0, 7, false);
    sweep_traces(0, 100, false);
    sweep_traces(13, 14, false);
    sweep_traces(30, 200, false);
    sweep_traces(30, 20, true);
    sweep_traces(30, 90, true);
    sweep("process_mappings", [](fault& f) {
        mapping_list found;
        f.allows_in_the_end([&] { found = process_mappings(); });
        require(!found->empty(), "no mappings");
        return std::string{};
    });
    std::printf("%5zu  allocations failed\n", all_failures);
    return all_is_well ? 0 : 1;
}
