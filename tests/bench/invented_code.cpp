// SPDX-License-Identifier: Apache-2.0
#include "invented_code.hpp"

#include <array>
#include <string_view>

namespace pprofdelta::test {

namespace {

constexpr std::uint32_t functions_per_package = 30;
constexpr std::uint32_t functions_per_file = 10;

constexpr std::array<std::string_view, 8> owners{
    "github.com/example/orders",   "github.com/example/platform", "github.com/example/billing",
    "example.org/observability",   "example.org/storage-engine",  "github.com/example/gateway",
    "github.com/example/messages", "example.org/protocols",
};
constexpr std::array<std::string_view, 12> folders{
    "internal", "pkg",    "api/v1", "cmd/server", "services", "lib",
    "core",     "vendor", "common", "internal/x", "client",   "domain",
};
constexpr std::array<std::string_view, 11> packages{
    "cache", "codec",  "index",   "queue",     "router",     "scheduler",
    "store", "stream", "tracing", "transport", "validation",
};
constexpr std::array<std::string_view, 10> types{
    "",       "(*Server)", "(*Client)", "(*Batch)",    "Options",
    "(*Row)", "(*Cursor)", "(*Writer)", "(*Registry)", "(*Decoder)",
};
constexpr std::array<std::string_view, 9> verbs{
    "handle", "New", "Decode", "append", "Resolve", "merge", "Flush", "parse", "Build",
};
constexpr std::array<std::string_view, 7> nouns{
    "Request", "Segment", "Entries", "Header", "Snapshot", "KeyRange", "Value",
};

// The finalizer of splitmix64: numbers that are near to each other give ones that are not.
std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
}

std::string package(std::uint32_t function) {
    const std::uint32_t number = function / functions_per_package;
    std::string path{owners[number % owners.size()]};
    // The lengths of the lists have no common factor, so all combinations come up.
    path += '/';
    path += folders[number / owners.size() % folders.size()];
    path += '/';
    path += packages[number % packages.size()];
    return path;
}

} // namespace

std::uint32_t invented_code::site_in(std::uint32_t function, std::uint64_t random) {
    const std::uint64_t count = 1 + mix(function) % sites_per_function;
    return function * sites_per_function + static_cast<std::uint32_t>(random % count);
}

std::uint32_t invented_code::popular(std::uint64_t random) const {
    // The square of a number between 0 and 1, in steps of 2^-20.
    const std::uint64_t x = random & 0xfffffU;
    return static_cast<std::uint32_t>((x * x * m_functions) >> 40U);
}

std::uint32_t invented_code::callee(std::uint32_t site) const {
    return popular(mix(std::uint64_t{site} + 1000003U));
}

std::vector<std::uint32_t> invented_code::functions_at(std::uint32_t site) const {
    const std::uint64_t random = mix(std::uint64_t{site} + 2000003U);
    std::vector<std::uint32_t> found;
    if (random % 7 == 0) {
        found.push_back(static_cast<std::uint32_t>((random >> 32U) % m_functions));
    }
    found.push_back(site / sites_per_function);
    return found;
}

std::uint64_t invented_code::address(std::uint32_t site) {
    return 0x401000 + std::uint64_t{site} * 72 + mix(site) % 64;
}

std::uint64_t invented_code::start_line(std::uint32_t function) {
    return 20 + std::uint64_t{function % functions_per_file} * 60 + mix(function) % 10;
}

std::uint64_t invented_code::line(std::uint32_t site) {
    return start_line(site / sites_per_function) + 2 +
           std::uint64_t{7} * (site % sites_per_function);
}

std::string invented_code::name(std::uint32_t function) {
    const std::uint32_t place = function % functions_per_package;
    std::string text = package(function) + '.';
    const std::string_view type = types[place % types.size()];
    if (!type.empty()) {
        text += type;
        text += '.';
    }
    text += verbs[function % verbs.size()];
    text += nouns[function % nouns.size()];
    if (place % 8 == 7) {
        text += ".func" + std::to_string(1 + place / 8);
    }
    return text;
}

std::string invented_code::file(std::uint32_t function) {
    constexpr std::array<std::string_view, 3> names{"/api.go", "/state.go", "/internal.go"};
    const std::uint32_t place = function % functions_per_package;
    return package(function) + std::string{names[place / functions_per_file]};
}

} // namespace pprofdelta::test
