// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <pprofdelta/contention_traces.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/error.hpp>
#include <pprofdelta/memory_traces.hpp>

#include "canonical.hpp"
#include "catch.hpp"
#include "error_from.hpp"
#include "profile_builder.hpp"
#include "profile_reader.hpp"

using namespace pprofdelta;

namespace {

const std::vector<std::uint64_t> stack_a{0x1010, 0x1020, 0x1030};
const std::vector<std::uint64_t> stack_b{0x1040, 0x1030};

const mapping_list mappings = std::make_shared<const std::vector<mapping>>(
    std::vector<mapping>{{0x1000, 0x2000, 0, "/bin/program", "c0ffee"}});

trace_meta at(std::int64_t time, std::span<const label> labels = {}) {
    return {labels, time, mappings, 512};
}

test::profile next(memory_delta& from, delta_summary* summary = nullptr) {
    std::string delta;
    const delta_summary found = from.write(delta);
    if (summary != nullptr) {
        *summary = found;
    }
    const test::mapping main{1, 0x1000, 0x2000, 0, "/bin/program", "c0ffee"};
    CHECK(test::find_fault(delta, &main) == "none");
    return test::parse(delta).content;
}

using samples = std::vector<test::sample>;

void code_of_the_program() {}

} // namespace

TEST_CASE("an id stands for a stack") {
    memory_delta traces;
    const auto report = [&](std::int64_t count) {
        traces.report_memory_traces(
            std::vector<memory_trace>{{stack_a, count, 0, count, 0, 0, 7},
                                      {stack_b, count, count, count, count, 0, 8},
                                      {stack_a, count, 0, count, 0, 16, 7}},
            at(count));
    };
    report(1);
    CHECK(next(traces).samples.size() == 3);
    report(3);
    CHECK(next(traces).samples == samples{{{1, 2, 3}, {2, 2, 3, 3}},
                                          {{4, 3}, {2, 2, 0, 0}},
                                          {{1, 2, 3}, {2, 2, 3, 3}, {{"bytes", "", 16}}}});
}

TEST_CASE("a delta without allocations has the memory in use") {
    memory_delta_options options;
    options.allocations = false;
    memory_delta traces{options};
    for (int round = 0; round < 2; ++round) {
        traces.report_memory_traces(
            std::vector<memory_trace>{{stack_a, 5, 1, 50, 10}, {stack_b, 2, 2, 20, 20}}, at(1000));
        const test::profile got = next(traces);
        CHECK(got.types.size() == 2);
        CHECK(got.samples == samples{{{1, 2, 3}, {4, 40}}});
    }
}

TEST_CASE("addresses lie in the mappings of this process unless others are given") {
    memory_delta traces;
    std::string delta;
    const auto code = reinterpret_cast<std::uintptr_t>(&code_of_the_program);
    const std::vector<std::uint64_t> in_program{code};
    traces.report_memory_traces(std::vector<memory_trace>{{in_program, 1, 0, 1, 0}}, {});
    traces.write(delta);
    const test::profile first = test::parse(delta).content;
    REQUIRE(first.mappings.size() == 1);
    CHECK(first.mappings[0].file.find("unit-tests") != std::string::npos);
    CHECK(first.mappings[0].start <= code);
    CHECK(first.mappings[0].limit > code);

    // Mappings that come later are found when an address lies in none.
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    REQUIRE(file >= 0);
    constexpr std::size_t size = 4096;
    void* const loaded = mmap(nullptr, size, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
    close(file);
    REQUIRE(loaded != MAP_FAILED);
    const std::vector<std::uint64_t> in_loaded{reinterpret_cast<std::uintptr_t>(loaded) + 8};
    traces.report_memory_traces(
        std::vector<memory_trace>{{in_program, 1, 0, 1, 0}, {in_loaded, 1, 0, 1, 0}}, {});
    traces.write(delta);
    munmap(loaded, size);
    const test::profile second = test::parse(delta).content;
    REQUIRE(second.locations.size() == 2);
    CHECK(second.locations[0].mapping == 1);
    CHECK(second.locations[1].mapping == 2);
}

TEST_CASE("own mappings are read again after something was loaded") {
    // Between pages that are no code, so that it is not joined to a neighbour.
    const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void* const pages = mmap(nullptr, 3 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(pages != MAP_FAILED);
    char* const place = static_cast<char*>(pages) + size;
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    REQUIRE(file >= 0);
    REQUIRE(mmap(place, size, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, file, 0) == place);
    close(file);

    memory_delta traces;
    const auto file_of_place = [&] {
        static std::int64_t count = 0;
        const std::vector<std::uint64_t> stack{reinterpret_cast<std::uintptr_t>(place)};
        traces.report_memory_traces(std::vector<memory_trace>{{stack, ++count, 0, count, 0}}, {});
        const test::profile got = test::parse(traces.write().delta).content;
        REQUIRE(got.locations.size() == 1);
        return got.mappings.at(got.locations[0].mapping - 1).file;
    };
    CHECK(file_of_place().find("unit-tests") != std::string::npos);
    REQUIRE(mmap(place, size, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
                 0) == place);
    CHECK(file_of_place().find("unit-tests") != std::string::npos);
    // Nothing else loads it; it is not everywhere.
    if (void* const library = dlopen("libanl.so.1", RTLD_NOW)) {
        CHECK(file_of_place().empty());
        dlclose(library);
    }
    munmap(pages, 3 * size);
}

TEST_CASE("a round without traces is no counter reset") {
    for (const reset_policy policy :
         {reset_policy::emit, reset_policy::drop, reset_policy::error, reset_policy::negative}) {
        memory_delta_options options;
        options.on_reset = policy;
        memory_delta traces{options};
        const auto report = [&](std::int64_t count, std::int64_t time) {
            traces.report_memory_traces(
                std::vector<memory_trace>{{stack_a, count, 0, 10 * count, 0}}, at(time));
        };
        report(5, 1000);
        static_cast<void>(next(traces));
        delta_summary summary;
        traces.report_memory_traces({}, at(2000));
        CHECK(next(traces, &summary).samples.empty());
        CHECK_FALSE(summary.reset);
        report(6, 3000);
        CHECK(next(traces, &summary).samples == samples{{{1, 2, 3}, {1, 10, 6, 60}}});
        CHECK_FALSE(summary.reset);
    }
}

TEST_CASE("a clock that was set between two rounds is told") {
    memory_delta traces;
    for (const std::int64_t time : {5000, 4000, 4500}) {
        traces.report_memory_traces(
            std::vector<memory_trace>{{stack_a, time == 5000 ? 1 : time, 0, 1, 0}}, at(time));
        delta_summary summary;
        static_cast<void>(next(traces, &summary));
        CHECK(summary.clock_was_set == (time == 4000));
        CHECK(summary.duration_nanos == (time == 4500 ? 500 : 0));
    }
}

TEST_CASE("the summary of a round has its period, and that of the round before if it differs") {
    memory_delta traces;
    const auto summary_of = [&](std::int64_t period) {
        trace_meta meta = at(1000);
        meta.period = period;
        traces.report_memory_traces(std::vector<memory_trace>{{stack_a, 1, 0, 1, 0}}, meta);
        delta_summary summary;
        static_cast<void>(next(traces, &summary));
        return std::pair{summary.previous_period, summary.period};
    };
    CHECK(summary_of(512) == std::pair<std::int64_t, std::int64_t>{0, 512});
    CHECK(summary_of(1024) == std::pair<std::int64_t, std::int64_t>{512, 1024});
    CHECK(summary_of(1024) == std::pair<std::int64_t, std::int64_t>{0, 1024});
    CHECK(summary_of(0) == std::pair<std::int64_t, std::int64_t>{0, 0});
}

TEST_CASE("a large report is passed on in batches") {
    struct sizes : memory_trace_reporter {
        void report_memory_traces(std::span<const memory_trace> traces,
                                  const trace_meta& meta) override {
            CHECK(meta.time_nanos == 7);
            seen.push_back(traces.size());
        }
        std::vector<std::size_t> seen;
    };
    const auto batches_of = [](std::size_t count, std::size_t batch) {
        sizes next;
        batching_reporter reporter{next, batch};
        reporter.report_memory_traces(std::vector<memory_trace>(count), at(7));
        return next.seen;
    };
    using list = std::vector<std::size_t>;
    CHECK(batches_of(250, batching_reporter::default_batch) == list{100, 100, 50});
    CHECK(batches_of(6, 3) == list{3, 3});
    CHECK(batches_of(2, 0) == list{1, 1});
    CHECK(batches_of(0, 3) == list{0});
}

TEST_CASE("contention traces become deltas in nanoseconds") {
    contention_delta_options options;
    options.cycles_per_second = 2'000'000'000;
    options.sampling_period = 10;
    contention_delta traces{options};
    std::string delta;
    traces.report_contention_traces(std::vector<contention_trace>{{stack_a, 3, 4000}}, at(1));
    traces.write(delta);
    traces.report_contention_traces(
        std::vector<contention_trace>{{stack_b, 1, 100}, {stack_a, 5, 5000}}, at(5));
    const delta_summary summary = traces.write(delta);
    CHECK(summary.samples_kept == 2);
    const test::profile got = test::parse(delta).content;
    CHECK(got.types == std::vector<value_type>{{"contentions", "count"}, {"delay", "nanoseconds"}});
    CHECK(got.period_type == value_type{"contentions", "count"});
    CHECK(got.duration == 4);
    CHECK(got.samples == samples{{{1, 2, 3}, {20, 5000}}, {{4, 3}, {10, 500}}});
}

// Hundreds of invented series of records, with every delta compared with that of delta_computer for
// the same records as profiles.

namespace {

// A record as an allocator has it: memory_trace, with what it points to.
struct record {
    std::vector<std::uint64_t> stack;
    std::size_t labels; // a place in label_choices
    memory_trace counters;
};

const std::vector<std::vector<label>> label_choices{
    {},
    {{"thread", "main", 0, {}}},
    {{"thread", "main", 0, {}}, {"request", {}, 7, "bytes"}},
    {{"request", {}, 7, "bytes"}, {"thread", "main", 0, {}}}, // the same ones
    {{"request", {}, 7, {}}},
    {{"bytes", {}, 16, "bytes"}}, // another label than the one that block sizes are
    {{"key alone", {}, 0, {}}},
};

// Few of everything, so that records are nearly or wholly the same.
class random_process {
public:
    explicit random_process(std::uint32_t seed) : m_random{seed} {
        for (std::size_t i = 0; i < 1 + pick(30); ++i) {
            record r;
            const std::size_t depth = chance(20) ? pick(150) : pick(6);
            for (std::size_t frame = 0; frame < depth; ++frame) {
                r.stack.push_back(0x1000 + 0x800 * pick(12) + pick(3));
            }
            r.labels = pick(label_choices.size());
            r.counters.block_size = chance(50) ? 0 : static_cast<std::int64_t>(16 * pick(3));
            m_records.push_back(r);
        }
        for (std::size_t i = pick(4); i > 0; --i) {
            add_mapping(0x1000 + i * 0x2000); // in any order
        }
    }

    // Counters go on, mostly; some start over, or all do.
    void advance() {
        const bool restart = chance(10);
        m_time += static_cast<std::int64_t>(pick(3)) * 1'000;
        if (m_time > 1'500 && chance(10)) {
            m_time -= 1'500; // the clock was set
        }
        for (record& r : m_records) {
            memory_trace& c = r.counters;
            if (restart || chance(3)) {
                c.allocs = c.frees = c.alloc_bytes = c.free_bytes = 0;
            }
            if (chance(60)) {
                const auto count = static_cast<std::int64_t>(pick(chance(5) ? 1'000'000'000 : 5));
                c.allocs += count;
                c.alloc_bytes = static_cast<std::int64_t>(
                    static_cast<std::uint64_t>(c.alloc_bytes) +
                    static_cast<std::uint64_t>(count) * 16); // wraps around
            }
            if (chance(50)) { // often all that was allocated
                c.frees = c.allocs - (chance(50) ? 0 : static_cast<std::int64_t>(pick(3)));
                c.free_bytes = 16 * c.frees;
            }
            if (chance(2)) {
                c.alloc_bytes = std::numeric_limits<std::int64_t>::max();
                c.free_bytes = -5;
            }
        }
        if (chance(20)) {
            add_mapping(0x100000 * (m_mappings->size() + 1));
        }
    }

    // The records of a round: some not at all, and some twice.
    std::vector<record> reported() {
        std::vector<record> all;
        if (chance(3)) {
            return all;
        }
        for (const record& r : m_records) {
            for (std::size_t copies = chance(80) ? 1 : 2 * pick(2); copies != 0; --copies) {
                all.push_back(r);
            }
        }
        if (chance(30)) {
            std::shuffle(all.begin(), all.end(), m_random);
        }
        return all;
    }

    [[nodiscard]] std::int64_t time() const { return m_time; }
    [[nodiscard]] const mapping_list& mappings() const { return m_mappings; }

    std::size_t pick(std::size_t below) { return m_random() % below; }
    bool chance(unsigned percent) { return pick(100) < percent; }

private:
    // An address in profiles is another frame if it comes to lie in another mapping; that of
    // records stays the same, so it does not happen here.
    void add_mapping(std::uint64_t start) {
        auto more = std::make_shared<std::vector<mapping>>(*m_mappings);
        more->push_back({start, start + 0x1800, start, "/file" + std::to_string(start), ""});
        m_mappings = std::move(more);
    }

    std::mt19937 m_random;
    std::vector<record> m_records;
    std::int64_t m_time = 0;
    mapping_list m_mappings = std::make_shared<const std::vector<mapping>>();
};

// The profile is made by other means than trace_profile's.
test::profile profile_of(const std::vector<record>& records, const random_process& process,
                         const trace_meta& meta) {
    test::profile p;
    p.types = test::heap_types();
    p.period_type = {"space", "bytes"};
    p.period = meta.period;
    p.time = meta.time_nanos;
    for (const mapping& m : *process.mappings()) {
        p.mappings.push_back(
            {p.mappings.size() + 1, m.start, m.limit, m.offset, m.file, m.build_id});
    }
    std::map<std::uint64_t, std::uint64_t> ids;
    for (const record& r : records) {
        test::sample s;
        for (const std::uint64_t address : r.stack) {
            std::uint64_t& id = ids[address];
            if (id == 0) {
                id = ids.size();
                std::uint64_t in = 0;
                for (const test::mapping& m : p.mappings) {
                    in = address >= m.start && address < m.limit ? m.id : in;
                }
                p.locations.push_back({id, in, address});
            }
            s.stack.push_back(id);
        }
        const memory_trace& c = r.counters;
        const auto minus = [](std::int64_t a, std::int64_t b) {
            return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) -
                                             static_cast<std::uint64_t>(b));
        };
        s.values = {c.allocs, c.alloc_bytes, minus(c.allocs, c.frees),
                    minus(c.alloc_bytes, c.free_bytes)};
        for (const label& l : label_choices[r.labels]) {
            s.labels.push_back(
                {std::string{l.key}, std::string{l.text}, l.number, std::string{l.unit}});
        }
        if (c.block_size != 0) {
            s.labels.push_back({"bytes", "", c.block_size, ""});
        }
        p.samples.push_back(s);
    }
    return p;
}

// Batches are of one set of labels, so a round is several of them.
void report(memory_trace_reporter& to, const std::vector<record>& records, trace_meta meta) {
    to.report_memory_traces({}, meta);
    for (std::size_t choice = 0; choice < label_choices.size(); ++choice) {
        std::vector<memory_trace> batch;
        for (const record& r : records) {
            if (r.labels == choice) {
                batch.push_back(r.counters);
                batch.back().stack = r.stack;
            }
        }
        meta.labels = label_choices[choice];
        to.report_memory_traces(batch, meta);
    }
}

void check_series(std::uint32_t seed, const memory_delta_options& options) {
    random_process process{seed};
    memory_delta traces{options};
    batching_reporter batches{traces, 1 + process.pick(5)};
    delta_options same;
    same.on_reset = options.on_reset;
    same.skip_first = options.skip_first;
    same.drop_negative = options.drop_negative;
    delta_computer profiles{same};
    for (int step = 0; step < 8; ++step) {
        CAPTURE(seed, step);
        process.advance();
        const std::vector<record> records = process.reported();
        trace_meta meta;
        meta.time_nanos = process.time();
        meta.period = 512;
        meta.mappings = process.mappings();
        report(batches, records, meta);
        test::profile whole = profile_of(records, process, meta);
        const std::optional<test::mapping> main =
            whole.mappings.empty() ? std::nullopt : std::optional{whole.mappings.front()};
        // Records are of one process, which a profile has to say.
        whole.mappings.push_back({whole.mappings.size() + 1, 1, 2, 0, "[vdso]"});

        std::string other;
        delta_summary other_summary;
        const auto other_refusal = test::error_from(
            [&] { other_summary = profiles.compute(test::serialize(whole), other); });
        std::string delta = "left over";
        delta_summary summary;
        const auto fault = test::error_from([&] { summary = traces.write(delta); });
        REQUIRE(fault.has_value() == other_refusal.has_value());
        if (fault) {
            REQUIRE(fault->kind() == error_kind::reset);
            continue;
        }
        REQUIRE(test::find_fault(delta, main ? &*main : nullptr) == "none");
        const test::profile content = test::parse(delta).content;
        const test::canonical got = test::canonical_form(content, match_mode::exact);
        REQUIRE(
            test::difference(test::canonical_form(test::parse(other).content, match_mode::exact),
                             got) == "none");
        REQUIRE(summary.samples_kept == content.samples.size());
        REQUIRE(summary.samples_in == records.size());
        REQUIRE(summary.samples_kept == other_summary.samples_kept);
        REQUIRE(summary.first == other_summary.first);
        REQUIRE(summary.reset == other_summary.reset);
        REQUIRE(summary.reason == other_summary.reason);
        REQUIRE(summary.negative_samples == other_summary.negative_samples);
        REQUIRE(summary.out_of_order == other_summary.out_of_order);
        REQUIRE(summary.clock_was_set == other_summary.clock_was_set);
        REQUIRE(summary.duration_nanos == other_summary.duration_nanos);
        REQUIRE(summary.previous_period == other_summary.previous_period);
        REQUIRE(summary.period == other_summary.period);
    }
}

} // namespace

TEST_CASE("deltas of random records are those of the same records as profiles", "[long]") {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        memory_delta_options options;
        options.on_reset = static_cast<reset_policy>(seed % 4);
        options.drop_negative = seed / 4 % 2 == 1;
        options.skip_first = seed / 8 % 2 == 1;
        check_series(seed, options);
    }
}
