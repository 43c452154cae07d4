// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <vector>

#include <pprofdelta/contention_traces.hpp>
#include <pprofdelta/memory_traces.hpp>
#include <pprofdelta/process_mappings.hpp>

#include "canonical.hpp"
#include "profile_reader.hpp"
#include "sweep.hpp"

namespace pprofdelta::test {

namespace {

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

    [[nodiscard]] bool is_empty() const noexcept { return m_stacks.empty(); }

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

const mapping_list mappings = std::make_shared<const std::vector<pprofdelta::mapping>>(
    std::vector<pprofdelta::mapping>{{0x1000, 0x900000, 0, "/bin/a-program-with-a-long-name", ""}});

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

void sweep_contention(const std::string& name, const rounds& before, const rounds& now,
                      const trace_meta& meta) {
    sweep("contention_delta: " + name, [&](fault& f) {
        contention_delta traces;
        std::string delta;
        if (!before.is_empty()) {
            traces.report_contention_traces(before.contention(), meta);
            traces.write(delta);
        }
        const auto reported = now.contention();
        f.allows_in_the_end([&] { traces.report_contention_traces(reported, meta); });
        traces.write(delta);
        return delta;
    });
}

// `first` traces in the round before, and `count` in this one, counted anew if `is_restart`.
void sweep_rounds(std::size_t first, std::size_t count, bool is_restart) {
    const std::string name = std::to_string(first) +
                             (is_restart ? " traces, then a restart with " : " traces, then ") +
                             std::to_string(count);
    rounds before{1000};
    before.add(0, first);
    rounds now{is_restart ? 1 : 2000};
    now.add(is_restart ? first / 2 : 0, count);
    const pprofdelta::label label_of_all{
        "a label that is longer than others", "and its value as well", 0, {}};
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
    sweep_contention(name, before, now, meta);
}

} // namespace

void sweep_traces() {
    sweep_rounds(0, 7, false);
    sweep_rounds(0, 100, false);
    sweep_rounds(13, 14, false);
    sweep_rounds(30, 200, false);
    sweep_rounds(30, 20, true);
    sweep_rounds(30, 90, true);
    sweep("process_mappings", [](fault& f) {
        mapping_list found;
        f.allows_in_the_end([&] { found = process_mappings(); });
        require(!found->empty(), "no mappings");
        return std::string{};
    });
}

} // namespace pprofdelta::test
