// SPDX-License-Identifier: Apache-2.0
// Names that producers give to functions and sample types.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <profile/producer_names.hpp>
#include <profile/stacks.hpp>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/merge.hpp>
#include <pprofdelta/normalize.hpp>
#include <pprofdelta/sample_types.hpp>

#include "catch.hpp"
#include "profile_builder.hpp"
#include "profile_reader.hpp"

using namespace pprofdelta;

namespace {

std::string folded(std::string_view name) {
    std::string room;
    return std::string{name_between_builds(name, room)};
}

} // namespace

TEST_CASE("names of functions lose what differs between builds") {
    CHECK(folded("main.Push[go.shape.struct { ID int; Tags []string }]") == "main.Push[...]");
    CHECK(folded("main.(*list[go.shape.int]).push.func1") == "main.(*list[...]).push.func1");
    CHECK(folded("main.Push[go.shape.int") == "main.Push[go.shape.int");
    CHECK(folded("(anonymous:L#13:C#24)") == "(anonymous)");
    CHECK(folded("function <app.lua:12>") == "function <app.lua>");
    CHECK(folded("@app.lua:12") == "@app.lua");
    CHECK(folded("f(int)::{lambda(int)#2}::operator()(int) const") ==
          "f(int)::{lambda(int)}::operator()(int) const");
    CHECK(folded("f()::$_12::operator()()") == "f()::$_::operator()()");
    CHECK(folded("f()::'lambda0'(int)::operator()") == "f()::'lambda'(int)::operator()");
    CHECK(folded("app::f::{closure#3}") == "app::f::{closure#}");
    CHECK(folded("a.B$$Lambda$14/0x00000008.run") == "a.B$$Lambda.run");
    CHECK(folded("_ZN4core3fmt17h0123456789abcdefE") == "_ZN4core3fmtE");
    CHECK(folded("core::fmt::h0123456789abcdef") == "core::fmt");
    CHECK(folded("f.isra.0.part.12.cold") == "f");
    CHECK(folded("f.llvm.123456789") == "f");
    CHECK(folded("0x00000000004a1136") == "0x");
    CHECK(folded("libc.so.6+0x1136") == "libc.so.6");
    for (const std::string_view name : {"main.run.func1.2", "std::vector<int>::push_back", "",
                                        "core::fmt::hash", "main.cold.func1", "0x", "v8::App0x1"}) {
        CHECK(folded(name) == name);
    }
    CHECK(folded(std::string(2000, 'a') + ".isra.0").size() == 2007); // no name of a person's
}

TEST_CASE("names that compilers and runtimes gave lose what differs between builds") {
    // g++ 12.2 and clang 14.0, as nm -C has them
    CHECK(folded("int app::call<app::run(int)::{lambda(int)#2}>(app::run(int)::{lambda(int)#2})") ==
          "int app::call<app::run(int)::{lambda(int)}>(app::run(int)::{lambda(int)})");
    CHECK(folded("app::part(int, int) [clone .constprop.0]") == "app::part(int, int)");
    CHECK(folded("_ZN3appL4partEii.constprop.0") == "_ZN3appL4partEii");
    CHECK(folded("int app::call<app::run(int)::$_1>(app::run(int)::$_1)") ==
          "int app::call<app::run(int)::$_>(app::run(int)::$_)");
    // rustc 1.95, with both manglings
    CHECK(folded("_ZN1a3app3run28_$u7b$$u7b$closure$u7d$$u7d$17h723c246bb23e74f6E") ==
          "_ZN1a3app3run28_$u7b$$u7b$closure$u7d$$u7d$E");
    CHECK(folded("a::app::call::<a::app::run::{closure#1}>") ==
          "a::app::call::<a::app::run::{closure#}>");
    // OpenJDK 17.0.15, in stack traces with hidden frames
    CHECK(folded("A$$Lambda$1/0x00007ff3d0000a08.run") == "A$$Lambda.run");
    CHECK(folded("A.lambda$main$0") == "A.lambda$main$");
    // LuaJIT 2.1.0-beta3: dumpstack() of jit.profile with "F", and a traceback
    CHECK(folded("busy.lua:2") == "busy.lua");
    CHECK(folded("busy.lua:named") == "busy.lua:named");
    CHECK(folded("function <app.lua:2>") == "function <app.lua>");
}

TEST_CASE("a profiler at work is told from what calls the program") {
    CHECK(takes_profile("runtime/pprof.writeHeapProto", "pprof.go"));
    CHECK(takes_profile("net/http/pprof.Index", "pprof.go"));
    CHECK(takes_profile("profile", "/app/node_modules/@datadog/pprof/out/src/heap-profiler.js"));
    CHECK_FALSE(takes_profile("runtime/pprof.Do", "runtime.go"));
    CHECK_FALSE(takes_profile("runtime/pprof.WithLabels", "label.go"));
    CHECK_FALSE(takes_profile("runWithContext", "/app/node_modules/@datadog/pprof/out/src/t.js"));
    CHECK_FALSE(takes_profile("main.pprof", "main.go"));
}

TEST_CASE("sample types are converted to others that count the same") {
    test::profile p;
    p.types = {{"delay", "microseconds"}, {"space", "kilobytes"}, {"contentions", "count"}};
    const auto f = test::add_frame(p, "f");
    p.samples = {{{f}, {3, 5, 7}}};
    const std::vector<value_type> wanted{
        {"contentions", "count"}, {"delay", "nanoseconds"}, {"inuse_space", "bytes"}};
    const auto converted = convert_types(test::serialize(p), wanted);
    REQUIRE(converted);
    const test::profile read = test::parse(*converted).content;
    CHECK(read.types == wanted);
    CHECK(read.samples.at(0).values == std::vector<std::int64_t>{7, 3000, 5120});

    CHECK_FALSE(convert_types(*converted, wanted)); // as they are already
    CHECK_FALSE(convert_types(*converted, {{"delay", "count"}}));
    CHECK_FALSE(convert_types(*converted, {{"delay", "milliseconds"}})); // would lose a part
    CHECK_FALSE(convert_types(*converted, {{"delay", "microseconds"}})); // and might here
    CHECK(are_comparable({"space", "MB"}, {"inuse_space", "bytes"}));
    CHECK_FALSE(are_comparable({"space", "bytes"}, {"space", "count"}));
    CHECK_FALSE(are_comparable({"space", "bytes"}, {"alloc_space", "bytes"}));

    const std::string renamed =
        rename_types(test::serialize(p), {{"space", "alloc_space"}, {"none", "f"}});
    CHECK(test::parse(renamed).content.types.at(1) == value_type{"alloc_space", "kilobytes"});
}

TEST_CASE("a sum takes profiles whose types are in another order and unit") {
    test::profile p;
    p.types = {{"contentions", "count"}, {"delay", "nanoseconds"}};
    const auto f = test::add_frame(p, "f");
    p.samples = {{{f}, {1, 2000}}};
    profile_sum all;
    all.add(test::serialize(p));
    p.types = {{"delay", "microseconds"}, {"contentions", "count"}};
    p.samples = {{{f}, {3, 4}}};
    all.add(test::serialize(p));
    std::string sum;
    static_cast<void>(all.write(sum));
    CHECK(test::parse(sum).content.samples.at(0).values == std::vector<std::int64_t>{5, 5000});
}

TEST_CASE("a limit on some samples names a type that has colons") {
    test::profile p;
    p.types = {{"cycles:u_sample", "count"}, {"cycles:u_event", "count"}};
    const auto f = test::add_frame(p, "f");
    p.samples = {{{f}, {10, 100}}};
    const std::string one = test::serialize(p);
    for (const char* const text :
         {"func:^f$:cycles:u_event>50", "flat:^f$:cycles:u_event/count>50"}) {
        const auto found = judge({parse_limit(text)}, {one});
        REQUIRE(found.size() == 1);
        CHECK(found[0].type.type == "cycles:u_event");
        CHECK(found[0].has_match);
        CHECK(found[0].crossed);
    }
}

TEST_CASE("normalizing by duration leaves gauges as they are") {
    test::profile p;
    p.types = test::heap_types();
    const auto f = test::add_frame(p, "f");
    p.samples = {{{f}, {10, 20, 30, 40}}};
    p.duration = 60;
    const std::string before = test::serialize(p);
    p.duration = 120;
    const auto scaled = normalize(before, test::serialize(p), normalization::duration);
    CHECK(test::parse(scaled.profile).content.samples.at(0).values ==
          std::vector<std::int64_t>{20, 40, 30, 40});
    CHECK(test::parse(scaled.profile).content.duration == 120);
}

namespace {

// A heap of Go in the process with [vdso] at an address.
std::string heap_of_go(std::int64_t allocated, std::int64_t time,
                       const char* function = "runtime.main") {
    test::profile p;
    p.types = test::heap_types();
    p.period_type = {"space", "bytes"};
    p.mappings.push_back({1, 0x7f0000000000, 0x7f0000001000, 0, "[vdso]"});
    p.samples = {{{test::add_frame(p, function)}, {1, allocated, 1, 5}}};
    p.time = time;
    return test::serialize(p);
}

} // namespace

TEST_CASE("a clock that was set back is no late profile") {
    delta_computer computer;
    computer.prime(heap_of_go(100, 1000));
    std::string delta;
    const delta_summary back = computer.compute(heap_of_go(150, 400), delta);
    CHECK(back.clock_was_set);
    CHECK(back.duration_nanos == 0);
    CHECK(computer.compute(heap_of_go(170, 500), delta).duration_nanos == 100);
    CHECK_FALSE(computer.compute(heap_of_go(160, 300), delta).clock_was_set); // fell: it is late
}

TEST_CASE("Go publishes nothing without a garbage collection") {
    delta_computer computer;
    computer.prime(heap_of_go(100, 1000));
    std::string delta;
    const delta_summary same = computer.compute(heap_of_go(100, 1200), delta);
    CHECK(same.is_unpublished);
    CHECK(same.duration_nanos == 0);
    // The next allocations to be published have happened since the last that were.
    const delta_summary next = computer.compute(heap_of_go(130, 1300), delta);
    CHECK_FALSE(next.is_unpublished);
    CHECK(next.duration_nanos == 300);
}

TEST_CASE("a heap without the runtime of Go is published at any time") {
    delta_computer computer;
    computer.prime(heap_of_go(100, 1000, "malloc"));
    std::string delta;
    const delta_summary same = computer.compute(heap_of_go(100, 1200, "malloc"), delta);
    CHECK_FALSE(same.is_unpublished);
    CHECK(same.duration_nanos == 200);
}

TEST_CASE("stacks that Go cuts off have another outermost function than the others") {
    const auto cut_of = [](std::size_t frames) {
        test::profile p;
        p.types = test::heap_types();
        p.period_type = {"space", "bytes"};
        const auto walk = test::add_frame(p, "walk");
        const auto root = test::add_frame(p, "root");
        p.samples = {{{walk, root}, {1, 1, 1, 1}},
                     {std::vector<std::uint64_t>(frames, walk), {1, 1, 1, 1}}};
        const std::string bytes = test::serialize(p);
        profile_index index;
        index.build(bytes, match_mode::exact);
        const cut_stacks found = find_cut_stacks(index);
        return found.samples.size() == 1 ? found.frames : 0;
    };
    CHECK(cut_of(31) == 0);
    CHECK(cut_of(32) == 32);
    CHECK(cut_of(33) == 0);
    CHECK(cut_of(128) == 128);
}

TEST_CASE("the name of a function of C++ is without types around it") {
    CHECK(plain_name("operator new(unsigned long)") == "operator new");
    CHECK(plain_name("operator new[](unsigned long)@plt") == "operator new[]");
    CHECK(plain_name("void std::vector<int, std::allocator<int> >::push_back(int&&)") ==
          "std::vector<int, std::allocator<int> >::push_back");
    CHECK(plain_name("a::(anonymous namespace)::f(int)") == "a::(anonymous namespace)::f");
    CHECK(plain_name("a::operator()(int) const") == "a::operator()");
    CHECK(plain_name("std::ostream& a::operator<< <int>(int)") == "a::operator<< <int>");
    CHECK(plain_name("runtime.(*mheap).alloc") == "runtime.");
    for (const char* const same : {"", "(anonymous)", "main", "operator", "<a as b>::c", "a)b"}) {
        CHECK(plain_name(same) == same);
    }
}

TEST_CASE("functions of allocators and containers are told from others") {
    for (const char* const name :
         {"operator new", "operator new(unsigned long)", "::operator new[]", "malloc",
          "__libc_calloc", "malloc@plt", "realloc.part.0", "_int_malloc", "je_malloc_default",
          "tc_new", "_rjem_malloc", "tcmalloc::allocate_full_malloc_oom", "prof_backtrace_impl",
          "std::__new_allocator::allocate", "std::allocator_traits::allocate",
          "std::vector::_M_realloc_insert",
          "void std::vector<a::b, std::allocator<a::b> >::_M_realloc_insert<a::b>(int)",
          "std::__cxx11::basic_string::_M_create", "std::__1::vector<int>::push_back(int&&)",
          "std::__detail::_Map_base::operator[]", "std::make_unique<a>", "__rust_alloc",
          "__gnu_cxx::new_allocator::allocate", "alloc::raw_vec::finish_grow",
          // glibc 2.36, and what libraries export: GLib 2.74, mimalloc 2.0.9
          "strdup", "__strndup", "g_malloc", "g_malloc0_n", "g_try_realloc_n", "g_strdup",
          "g_strndup", "g_memdup2", "g_slice_alloc0", "mi_zalloc", "mi_heap_malloc_zero",
          "_mi_heap_realloc_zero", "mi_new_nothrow", "_Znwm", "_ZnamSt11align_val_tRKSt9nothrow_t",
          "_ZdlPv", "_ZdaPvm",
          // tikv-jemalloc-sys 0.5 and 0.6; the maps of Rust 1.95
          "_rjem_je_prof_backtrace", "_rjem_malloc",
          "hashbrown::raw::RawTable<T,A>::reserve_rehash",
          "hashbrown::raw::RawTable<T,A>::reserve_rehash::{{closure}}",
          "hashbrown::raw::RawTableInner::fallible_with_capacity",
          "hashbrown::raw::RawTableInner::new_uninitialized::h0123456789abcdef",
          "<alloc::vec::Vec<T> as core::clone::Clone>::clone",
          // Rust's v0 names, as of rustc 1.95
          "alloc::alloc::alloc", "<alloc::raw_vec::RawVec<>>::grow_one", "__rustc::__rust_alloc",
          "__rustc::__rdl_alloc", "<hashbrown::raw::RawTable<>>::reserve_rehash::<>",
          "<hashbrown::raw::RawTableInner>::fallible_with_capacity::<>", "<[u8]>::to_vec",
          "<[[u8; 4]]>::into_vec::<>", "<str>::to_lowercase",
          "<u8 as <[_]>::to_vec_in::ConvertVec>::to_vec::<>",
          "<u8 as alloc::vec::spec_from_elem::SpecFromElem>::from_elem::<>",
          "<n::T as alloc::string::SpecToString>::spec_to_string"}) {
        CAPTURE(name);
        CHECK(is_allocator(name));
    }
    for (const char* const name : {"",
                                   "main",
                                   "mallocs",
                                   "my::malloc_pool",
                                   "shop::vector::push_back",
                                   "std::sort",
                                   "std::vector<int> shop::make<int>(int)",
                                   "shop::allocate",
                                   "std::thread::_M_run",
                                   "runtime.mallocgc",
                                   "std::getline",
                                   "operate new",
                                   "zalloc",
                                   "memdup",
                                   "new_n",
                                   "g_string_new",
                                   "g_strconcat",
                                   "mi_open",
                                   "_Z3newv",
                                   "hashbrown::map::HashMap<K,V,S,A>::insert",
                                   "hashbrown::raw::RawTable<T,A>::my_resize",
                                   "hashbrown::map::make_hasher::{{closure}}",
                                   "<hashbrown::map::HashMap<>>::insert",
                                   "<[u64] as n::Shape>::area",
                                   "<[u64; 4]",
                                   "<n::T as alloc::string::ToString>::to_string",
                                   "__rustc::begin",
                                   "shop::hashbrown::resize"}) {
        CAPTURE(name);
        CHECK_FALSE(is_allocator(name));
    }
    CHECK(is_allocator_library("/usr/lib/libjemalloc.so.2"));
    CHECK(is_allocator_library("libstdc++.so.6"));
    CHECK_FALSE(is_allocator_library("/opt/libjemalloc.so.2/prog"));
    CHECK_FALSE(is_allocator_library(""));
}
