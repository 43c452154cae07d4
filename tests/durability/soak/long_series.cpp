// SPDX-License-Identifier: Apache-2.0
#include "long_series.hpp"

#include "profile_builder.hpp"

namespace pprofdelta::test {

namespace {

// A number that looks random (splitmix64).
std::uint64_t mixed(std::uint64_t number) {
    number += 0x9e3779b97f4a7c15U;
    number = (number ^ (number >> 30U)) * 0xbf58476d1ce4e5b9U;
    number = (number ^ (number >> 27U)) * 0x94d049bb133111ebU;
    return number ^ (number >> 31U);
}

std::int64_t objects_of(std::uint64_t stack, std::uint64_t number) {
    const std::uint64_t rate = mixed(stack) % 5;
    return static_cast<std::int64_t>(1 + rate * number);
}

constexpr std::int64_t object_size = 48;

} // namespace

std::string long_series::next() {
    profile p;
    p.types = heap_types();
    // Stacks come and go, but all of it is one process.
    p.mappings = {{1, 0x7ffff7fc9000, 0x7ffff7fcb000, 0, "[vdso]"}};
    p.time = static_cast<std::int64_t>((m_number + 1) * 1'000'000'000);
    for (std::uint32_t i = 0; i < functions; ++i) {
        add_frame(p, "f" + std::to_string(i), "file.cc", 1);
    }
    const std::uint64_t first = m_number * m_growth;
    for (std::uint64_t stack = first; stack < first + stacks; ++stack) {
        if (m_growth == 0 && mixed(stack ^ mixed(m_number)) % 2 == 0) {
            continue;
        }
        sample s;
        // Four frames tell more stacks apart than there can be.
        for (std::uint64_t rest = stack, depth = 0; depth < 4; ++depth, rest /= functions) {
            s.stack.push_back(1 + rest % functions);
        }
        const std::int64_t objects = objects_of(stack, m_number);
        const auto live = static_cast<std::int64_t>(mixed(stack + m_number) % 9);
        s.values = {objects, objects * object_size, live, live * object_size};
        p.samples.push_back(std::move(s));
        m_last[stack] = m_number;
    }
    ++m_number;
    return serialize(p);
}

std::array<std::int64_t, 2> long_series::expected_sums() const {
    std::int64_t objects = 0;
    for (const auto& [stack, number] : m_last) {
        objects += objects_of(stack, number);
    }
    return {objects, objects * object_size};
}

} // namespace pprofdelta::test
