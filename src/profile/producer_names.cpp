// SPDX-License-Identifier: Apache-2.0
#include "profile/producer_names.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

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

std::string_view plain_name(std::string_view name) {
    constexpr std::string_view unnamed = "(anonymous namespace)";
    constexpr std::string_view sign = "operator"; // "operator()(int)", "operator<<", "operator new"
    std::size_t begin = 0;
    std::size_t depth = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const std::string_view rest = name.substr(i);
        switch (name[i]) {
        case 'o':
            if (rest.starts_with(sign)) {
                i += sign.size() + (rest.substr(sign.size()).starts_with("()") ? 2 : 0);
                i = std::min(name.find_first_not_of("<>-= ", i), name.size()) - 1;
            }
            break;
        case '(':
            if (rest.starts_with(unnamed)) {
                i += unnamed.size() - 1;
                break;
            }
            if (depth == 0 && i != begin) {
                return name.substr(begin, i - begin);
            }
            [[fallthrough]];
        case '<':
        case '[':
        case '{':
            ++depth;
            break;
        case '>':
        case ')':
        case ']':
        case '}':
            depth -= depth == 0 ? 0 : 1;
            break;
        case ' ':
            begin = depth == 0 ? i + 1 : begin;
            break;
        default:
            break;
        }
    }
    return name.substr(begin);
}

namespace {

bool starts_with_any(std::string_view text, std::span<const std::string_view> starts) {
    return std::ranges::any_of(starts,
                               [text](std::string_view start) { return text.starts_with(start); });
}

bool is_one_of(std::string_view text, std::span<const std::string_view> texts) {
    return std::ranges::find(texts, text) != texts.end();
}

constexpr std::array<std::string_view, 25> allocator_starts{
    "operator new",
    "operator delete",
    "_Znw", // the same, mangled
    "_Zna",
    "_Zdl",
    "_Zda",
    "tcmalloc::",
    "imalloc",
    "prof_backtrace",
    "prof_alloc",
    "je_prof_",
    "_rjem_je_", // tikv-jemalloc-sys 0.5, 0.6
    "mi_heap_",  // mimalloc 2.0.9
    "_mi_heap_",
    "_mi_malloc_",
    "_mi_page_malloc",
    "g_slice_", // GLib 2.74
    "do_malloc",
    "__rust_",
    "__rustc::__r", // the same as Rust 1.95 has it: __rustc::__rust_alloc
    "__rdl_",
    "__rg_",
    "alloc::",
    "__gnu_cxx::new_allocator",
    "__gnu_cxx::__alloc_traits"};
constexpr std::array<std::string_view, 18> allocator_functions{
    "malloc",         "calloc",         "realloc", "reallocarray", "free",    "cfree",
    "memalign",       "posix_memalign", "valloc",  "pvalloc",      "mallocx", "rallocx",
    "malloc_default", "aligned_alloc",  "strdup",  "strndup",      "wcsdup",  "reallocf"};
// Before their names, where several allocators can be in one program.
constexpr std::array<std::string_view, 10> allocator_copies{
    "__libc_", "__interceptor_", "_int_", "_rjem_", "tc_", "mi_", "je_", "g_try_", "g_", "__"};
// Names that others have as well if nothing stands before them.
constexpr std::array<std::string_view, 26> copied_functions{"new_nothrow",
                                                            "newarray_nothrow",
                                                            "new",
                                                            "newarray", // gperftools
                                                            "zalloc",
                                                            "malloc_small",
                                                            "zalloc_small",
                                                            "mallocn",
                                                            "reallocn",
                                                            "rezalloc",
                                                            "recalloc",
                                                            "malloc_aligned",
                                                            "zalloc_aligned",
                                                            "calloc_aligned",
                                                            "realloc_aligned",
                                                            "new_aligned",
                                                            "new_aligned_nothrow",
                                                            "new_n",
                                                            "new_realloc", // mimalloc 2.0.9
                                                            "malloc0",
                                                            "malloc_n",
                                                            "malloc0_n",
                                                            "realloc_n",
                                                            "memdup",
                                                            "memdup2", // GLib 2.74
                                                            "aligned_alloc0"};
// The growth of a table of hashbrown 0.12 to 0.16, which all maps of Rust are; what inserts has
// other names.
constexpr std::array<std::string_view, 9> table_functions{
    "reserve",        "reserve_rehash",    "reserve_rehash_inner",   "resize",  "resize_inner",
    "prepare_resize", "new_uninitialized", "fallible_with_capacity", "do_alloc"};
constexpr std::array<std::string_view, 6> inline_namespaces{
    "__cxx11::", "__1::", "__ndk1::", "__debug::", "__detail::", "pmr::"};
constexpr std::array<std::string_view, 48> standard_containers{"allocator",
                                                               "allocator_traits",
                                                               "__new_allocator",
                                                               "new_allocator",
                                                               "__allocator_base",
                                                               "__allocate_guarded",
                                                               "__libcpp_allocate",
                                                               "__libcpp_operator_new",
                                                               "vector",
                                                               "_Vector_base",
                                                               "__split_buffer",
                                                               "basic_string",
                                                               "string",
                                                               "deque",
                                                               "_Deque_base",
                                                               "list",
                                                               "_List_base",
                                                               "forward_list",
                                                               "_Fwd_list_base",
                                                               "map",
                                                               "set",
                                                               "multimap",
                                                               "multiset",
                                                               "_Rb_tree",
                                                               "__tree",
                                                               "unordered_map",
                                                               "unordered_set",
                                                               "unordered_multimap",
                                                               "unordered_multiset",
                                                               "_Hashtable",
                                                               "_Hashtable_alloc",
                                                               "_Insert_base",
                                                               "_Map_base",
                                                               "__hash_table",
                                                               "queue",
                                                               "priority_queue",
                                                               "stack",
                                                               "function",
                                                               "_Function_base",
                                                               "_Function_handler",
                                                               "shared_ptr",
                                                               "__shared_ptr",
                                                               "__shared_count",
                                                               "_Sp_counted_ptr_inplace",
                                                               "make_shared",
                                                               "allocate_shared",
                                                               "make_unique",
                                                               "construct_at"};
constexpr std::array<std::string_view, 4> copying_functions{"__uninitialized", "uninitialized_",
                                                            "__do_uninit", "_Construct"};
constexpr std::array<std::string_view, 5> allocator_libraries{
    "libjemalloc", "libtcmalloc", "libmimalloc", "libstdc++.so", "libc++.so"};

// Whether a function is one of these of hashbrown, with or without the hash of Rust.
bool grows_table(std::string_view name) {
    constexpr std::string_view table = "hashbrown::";
    name.remove_prefix(name.starts_with('<') ? 1 : 0); // <hashbrown::raw::RawTable<>>::reserve
    if (!name.starts_with(table)) {
        return false;
    }
    return std::ranges::any_of(table_functions, [name](std::string_view function) {
        const std::size_t at = name.rfind(function);
        const std::size_t end = at + function.size();
        return at != std::string_view::npos && name.substr(0, at).ends_with("::") &&
               (end == name.size() || name.substr(end).starts_with("::"));
    });
}

// Whether a function is one of Rust's library alloc that is called by a type. Slices and strings
// have no functions of a program; what a program implements of traits is its own.
bool is_of_rust_alloc(std::string_view name) {
    if (name.starts_with("<alloc::") || name.starts_with("<str>::")) {
        return true; // <alloc::vec::Vec<T> as Clone>::clone, <str>::to_lowercase
    }
    if (name.starts_with("<[")) { // <[u8]>::to_vec
        std::size_t depth = 0;
        for (std::size_t i = 1; i < name.size(); ++i) {
            depth += name[i] == '[' ? 1 : 0;
            depth -= name[i] == ']' ? 1 : 0;
            if (depth == 0) {
                return name.substr(i).starts_with("]>::");
            }
        }
    }
    // Traits that are private: <u8 as alloc::vec::spec_from_elem::SpecFromElem>::from_elem
    const std::size_t trait = name.find(" as alloc::");
    return name.starts_with('<') && (name.find("::ConvertVec>::") != std::string_view::npos ||
                                     (trait != std::string_view::npos &&
                                      name.find("::Spec", trait) != std::string_view::npos));
}

} // namespace

bool is_allocator(std::string_view name) {
    if (is_of_rust_alloc(name)) {
        return true;
    }
    name = plain_name(name);
    name.remove_prefix(name.starts_with("::") ? 2 : 0);
    if (starts_with_any(name, allocator_starts) || grows_table(name)) {
        return true;
    }
    constexpr std::string_view standard = "std::";
    if (!name.starts_with(standard)) {
        bool is_copy = false;
        for (const std::string_view copy : allocator_copies) {
            if (name.starts_with(copy)) {
                name.remove_prefix(copy.size());
                is_copy = true;
                break;
            }
        }
        name = name.substr(0, name.find_first_of(".@")); // malloc.part.0, malloc@plt
        return is_one_of(name, allocator_functions) ||
               (is_copy && is_one_of(name, copied_functions));
    }
    name.remove_prefix(standard.size());
    for (const std::string_view part : inline_namespaces) {
        name.remove_prefix(name.starts_with(part) ? part.size() : 0);
    }
    const std::string_view word = name.substr(0, name.find_first_of("<:"));
    return is_one_of(word, standard_containers) || starts_with_any(word, copying_functions);
}

bool is_allocator_library(std::string_view file) {
    return starts_with_any(file.substr(file.rfind('/') + 1), allocator_libraries);
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
