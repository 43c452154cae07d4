// SPDX-License-Identifier: Apache-2.0
#include "profile/producer_names.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/text.hpp"

namespace pprofdelta {

namespace {

// Go lists the functions here that write a profile; the others of runtime/pprof set labels, or call
// the program. A handler of net/http/pprof calls nothing else.
constexpr std::array<std::string_view, 10> profile_writers{
    "net/http/pprof.",
    "runtime/pprof.(*Profile).WriteTo",
    "runtime/pprof.(*profileBuilder).",
    "runtime/pprof.WriteHeapProfile",
    "runtime/pprof.StartCPUProfile",
    "runtime/pprof.StopCPUProfile",
    "runtime/pprof.profileWriter",
    "runtime/pprof.newProfileBuilder",
    "runtime/pprof.print",
    "runtime/pprof.write",
};

// JavaScript is told by its files.
constexpr std::array<std::string_view, 3> files_of_profilers{
    "node_modules/@datadog/pprof/",
    "node_modules/pprof-format/",
    "node_modules/pprof/",
};

} // namespace

bool takes_profile(std::string_view name, std::string_view file) {
    const bool is_writer = std::ranges::any_of(
        profile_writers, [&](std::string_view start) { return name.starts_with(start); });
    if (is_writer) {
        return true;
    }
    // runWithContext() and the like call the program.
    return !name.starts_with("runWith") &&
           std::ranges::any_of(files_of_profilers, [&](std::string_view folder) {
               return file.find(folder) != std::string_view::npos;
           });
}

bool is_anonymous(std::string_view name) {
    constexpr std::array<std::string_view, 5> names{"(anonymous)", "<anonymous>", "<lambda>",
                                                    "(anonymous class)", "anonymous"};
    return std::ranges::find(names, name) != names.end() || name.starts_with("(anonymous:L#");
}

namespace {

// "17h" and a hash come before an 'E'.
bool is_in_hash(char c) { return is_decimal(c) || (c >= 'a' && c <= 'f'); }

// A part of names that differs between builds: characters behind a text.
struct changing_part {
    std::string_view behind;
    std::size_t kept; // characters of that text
    bool (*has)(char);
    std::size_t size = 0; // 0 for any but none
    bool is_last = false; // nothing may follow
    bool is_first = false;
};

constexpr std::size_t size_of_rust_hash = 16;

constexpr std::array<changing_part, 19> changing_parts{{
    {":L#", 0, [](char c) { return c != ')'; }},      // V8: (anonymous:L#13:C#24)
    {".lua:", 4, is_decimal},                         // function <app.lua:12>
    {")#", 1, is_decimal},                            // GCC: f()::{lambda(int)#2}
    {"$_", 2, is_decimal},                            // Clang: f()::$_0
    {"'lambda", 7, is_decimal},                       // Clang: f()::'lambda0'(int)
    {"{closure#", 9, is_decimal},                     // Rust: f::{closure#1}
    {"$$Lambda", 8, [](char c) { return c != '.'; }}, // Java: A$$Lambda$14/0x7f10.run
    {"$", 1, is_decimal, 0, true},                    // and A.lambda$main$0
    {"17h", 0, is_in_hash, size_of_rust_hash},        // Rust: _ZN1a1b17h0123456789abcdefE
    {"::h", 0, is_in_hash, size_of_rust_hash, true},  // and without the mangling
    {"+0x", 0, is_in_hash, 0, true},                  // a library and a place in it
    {".cold.", 0, is_decimal, 0, true},               // copies of a function, the last
    {".isra.", 0, is_decimal, 0, true},               // of which was made last
    {".part.", 0, is_decimal, 0, true},
    {".constprop.", 0, is_decimal, 0, true},
    {".lto_priv.", 0, is_decimal, 0, true},
    {".llvm.", 0, is_decimal, 0, true},
    {" [clone ", 0, [](char) { return true; }, 0, true}, // and demangled: f() [clone .isra.0]
    {"0x", 2, is_in_hash, 0, true, true},                // an address alone
}};

bool fold(const changing_part& part, std::string& name) {
    bool has_changed = false;
    for (std::size_t at = name.find(part.behind); at != std::string::npos;
         at = name.find(part.behind, at + 1)) {
        text_scanner behind{std::string_view{name}.substr(at + part.behind.size())};
        const std::size_t size = behind.take_while(part.has).size();
        if (size != 0 && (part.size == 0 || size == part.size) &&
            (!part.is_last || behind.at_end()) && (!part.is_first || at == 0)) {
            name.erase(at + part.kept, part.behind.size() - part.kept + size);
            has_changed = true;
        }
    }
    return has_changed;
}

// "main.Push[go.shape.struct { ID int }]" is "main.Push[...]", as texts of Go have it.
void fold_type_arguments(std::string& name) {
    const std::size_t begin = name.find("[go.shape.");
    std::size_t depth = 0;
    for (std::size_t i = begin; i < name.size(); ++i) {
        depth += name[i] == '[' ? 1 : 0;
        depth -= name[i] == ']' ? 1 : 0;
        if (depth == 0) {
            name.replace(begin, i + 1 - begin, "[...]");
            return;
        }
    }
}

} // namespace

std::string_view name_between_builds(std::string_view name, std::string& room) {
    // Most names have none of these.
    const bool may_change = name.find("[go.") != std::string_view::npos ||
                            std::ranges::any_of(changing_parts, [&](const changing_part& part) {
                                return name.find(part.behind) != std::string_view::npos;
                            });
    if (!may_change && !name.ends_with(".cold")) {
        return name;
    }
    room = name;
    fold_type_arguments(room);
    // Longer names are no person's, and would take time with their square.
    constexpr std::size_t longest = 1000;
    constexpr int most_copies = 4;
    bool has_changed = room.size() <= longest;
    for (int i = 0; i < most_copies && has_changed; ++i) {
        has_changed = room.ends_with(".cold");
        room.resize(room.size() - (has_changed ? std::string_view{".cold"}.size() : 0));
        for (const changing_part& part : changing_parts) {
            has_changed = fold(part, room) || has_changed;
        }
    }
    return room;
}

bool is_heap_of_go(const std::vector<value_type>& types, const value_type& period_type) {
    const std::array<value_type, 4> all{{{"alloc_objects", "count"},
                                         {"alloc_space", "bytes"},
                                         {"inuse_objects", "count"},
                                         {"inuse_space", "bytes"}}};
    return period_type == value_type{"space", "bytes"} && std::ranges::equal(types, all);
}

bool has_time_of_its_end(const std::vector<value_type>& types) {
    return types.size() > 1 && types[0] == value_type{"sample", "count"} &&
           types[1] == value_type{"wall", "nanoseconds"};
}

bool are_one_name(std::string_view a, std::string_view b) {
    // @datadog/pprof 5.15.1 and later write the second name.
    constexpr std::array<std::array<std::string_view, 2>, 2> renamed{
        {{"objects", "inuse_objects"}, {"space", "inuse_space"}}};
    return a == b || std::ranges::any_of(renamed, [&](const auto& names) {
               return (a == names[0] && b == names[1]) || (a == names[1] && b == names[0]);
           });
}

} // namespace pprofdelta
