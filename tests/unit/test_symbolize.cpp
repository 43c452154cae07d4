// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <pprofdelta/symbolize.hpp>

#include "symbols/symbolizer.hpp"

#include "catch.hpp"
#include "message_builder.hpp"
#include "profile_builder.hpp"
#include "profile_reader.hpp"

using namespace pprofdelta;
using namespace pprofdelta::tool;

namespace {

constexpr std::uint64_t start = 0x7000;

// A profile with one mapping, and a sample of a location for each address in it.
test::profile with_addresses(const std::vector<std::uint64_t>& addresses) {
    test::profile p;
    p.types = {{"space", "bytes"}};
    p.mappings = {{.id = 1,
                   .start = start,
                   .limit = 0x9000,
                   .offset = 0x400,
                   .file = "/bin/prog",
                   .build_id = "abcd"}};
    for (const std::uint64_t address : addresses) {
        const std::uint64_t id = p.locations.size() + 1;
        p.locations.push_back({.id = id, .mapping = 1, .address = address});
        p.samples.push_back({{id}, {1}});
    }
    return p;
}

using frames_by_offset = std::map<std::uint64_t, std::vector<code_frame>>;

std::string named(const test::profile& p, const frames_by_offset& known,
                  std::vector<std::string>* asked = nullptr) {
    return add_names(test::serialize(p), [&](const code_place& place) {
        if (asked != nullptr) {
            asked->push_back(std::string{place.file} + " " + std::string{place.build_id} + " " +
                             std::to_string(place.offset));
        }
        const auto found = known.find(place.offset);
        return found == known.end() ? std::vector<code_frame>{} : found->second;
    });
}

const code_frame inlined{"f", "_Z1fv", "f.hpp", 7};
const code_frame outer{"g", "_Z1gv", "g.cpp", 9};

} // namespace

TEST_CASE("a location without lines gets those of its place in the file") {
    std::vector<std::string> asked;
    const test::profile p = with_addresses({start, start + 0x10});
    const test::profile result = test::parse(named(p, {{0x410, {inlined, outer}}}, &asked)).content;
    CHECK(asked == std::vector<std::string>{"/bin/prog abcd 1024", "/bin/prog abcd 1040"});
    CHECK(result.locations[0] == p.locations[0]);
    CHECK(result.locations[1].lines == std::vector<test::line>{{1, 7, 0, ""}, {2, 9, 0, ""}});
    REQUIRE(result.functions.size() == 2);
    const auto by_name = [&](const std::string& name) {
        return result.functions[result.functions[0].name == name ? 0 : 1];
    };
    CHECK(by_name("f") == test::function{1, "f", "_Z1fv", "f.hpp", 0, ""});
    CHECK(by_name("g") == test::function{2, "g", "_Z1gv", "g.cpp", 0, ""});
    CHECK(result.mappings[0].has_functions);
    CHECK(result.samples == p.samples);
}

TEST_CASE("a function that is found several times is written once") {
    const test::profile result = test::parse(named(with_addresses({start, start + 1, start + 2}),
                                                   {{0x400, {outer}},
                                                    {0x401, {inlined, outer}},
                                                    {0x402, {{"g", "_Z1gv", "g.cpp", 10}}}}))
                                     .content;
    CHECK(result.functions.size() == 2);
    CHECK(result.locations[0].lines[0].function == result.locations[1].lines[1].function);
    CHECK(result.locations[2].lines[0].function == result.locations[0].lines[0].function);
    CHECK(result.locations[2].lines[0].number == 10);
}

TEST_CASE("locations with lines, or without a place in a file, are not looked up") {
    test::profile p = with_addresses({start - 1, 0x9000, 0});
    const std::uint64_t frame = test::add_frame(p, "known", "known.cpp", 3);
    p.locations.back().mapping = 1;
    p.locations.back().address = start + 4;
    p.samples.push_back({{frame}, {1}});
    p.locations.push_back({.id = 77, .mapping = 0, .address = start});
    p.samples.push_back({{77}, {1}});
    std::vector<std::string> asked;
    const std::string bytes = test::serialize(p);
    CHECK(named(p, {}, &asked) == bytes);
    CHECK(asked.empty());
}

TEST_CASE("new functions have ids that nothing else has") {
    test::profile p = with_addresses({start});
    p.functions = {{.id = 1, .name = "one"},
                   {.id = 3, .name = "three"},
                   {.id = std::numeric_limits<std::uint64_t>::max(), .name = "last"}};
    const test::profile result = test::parse(named(p, {{0x400, {inlined, outer}}})).content;
    REQUIRE(result.functions.size() == 5);
    CHECK(result.locations[0].lines[0].function == 2);
    CHECK(result.locations[0].lines[1].function == 4);
}

// The names are those of google/pprof by default, with demangle.NoParams and
// demangle.NoTemplateParams.
TEST_CASE("symbols of C++ lose parameters, template arguments and return types") {
    CHECK(demangled("_ZN4shop5tableIilE3addIiEElOiT_") == "shop::table::add");
    CHECK(demangled("_ZNSt6vectorIiSaIiEE9push_backERKi") == "std::vector::push_back");
    CHECK(demangled("_ZNK3fooILi5EEltERKS0_") == "foo::operator<");
    CHECK(demangled("_ZlsIcERSoS0_PKT_") == "operator<<");
    CHECK(demangled("_ZNK3foocvSt6vectorIiSaIiEEEv") == "foo::operator std::vector");
    CHECK(demangled("_ZN3foonwEm") == "foo::operator new");
    CHECK(demangled("_ZN12_GLOBAL__N_13allEv") == "(anonymous namespace)::all");
    CHECK(demangled("_Z1fv.constprop.0") == "f");
    CHECK(demangled("_ZSt4cout@@GLIBCXX_3.4") == "std::cout");
}

TEST_CASE("a name within a function keeps the parameters of that function") {
    CHECK(demangled("_ZZ1fiENKUliE_clEi") == "f(int)::{lambda(int)#1}::operator()");
    CHECK(simplified("auto f(std::vector<int>) const::{lambda(auto:1)#2}::operator()<long>(long) "
                     "const") == "f(std::vector) const::{lambda(auto:1)#2}::operator()");
    CHECK(simplified("void (*f<int>(int))(char)") == "f");
    CHECK(simplified("decltype (x()+y()) ns::sum<int, ((1)>(2))>(int, bool)") == "ns::sum");
    CHECK(simplified("non-virtual thunk to ns::list<int>::clear(int)") ==
          "non-virtual thunk to ns::list::clear(int)");
    CHECK(simplified("std::operator+[abi:cxx11](int, int)") == "std::operator+[abi:cxx11]");
}

// Symbols that rustc 1.95 made. Names are those of google/pprof, but for what it misreads.
TEST_CASE("symbols of Rust lose generic arguments and what differs between builds") {
    CHECK(demangled("_RNvNtCslNYArtu3iFV_5alloc5alloc5alloc") == "alloc::alloc::alloc");
    CHECK(demangled("_RNvNtCslNYArtu3iFV_5alloc5alloc5alloc.llvm.1234") == "alloc::alloc::alloc");
    CHECK(demangled("_RNvMCs5JNAybJ9MVI_1nINtB2_5CachehKj4_E4fillB2_") == "<n::Cache<>>::fill");
    CHECK(demangled("_RINvCs5JNAybJ9MVI_1n4callNCNCNvB2_5outer00EB2_") == "n::call::<>");
    CHECK(demangled("_RNvNtCs5JNAybJ9MVI_1nu9gre_6ka8iu8zhle_loa") == "n::größe::zähle");
    CHECK(demangled("_RNCNvXs0_Cs5JNAybJ9MVI_1nSyNtB7_5Shape4area0B7_") ==
          "<[u64] as n::Shape>::area::{closure#0}");
    CHECK(demangled(
              "_RNSNvYNCINvNtCsjrHSEGnQ3l9_3std2rt10lang_startuE0INtNtNtCsgEmfK2I1SDS_4core3ops8"
              "function6FnOnceuE9call_once6vtableCs5JNAybJ9MVI_1n") ==
          "<std::rt::lang_start<>::{closure#0} as core::ops::function::FnOnce<>>::call_once::"
          "{shim:vtable#0}");
    CHECK(demangled("_RNvCsaV_7___rustc12___rust_alloc") == "__rustc::__rust_alloc");
}

TEST_CASE("types that Rust implements a trait for are in its names") {
    const auto type = [](const std::string& mangled) {
        return demangled("_RNvX" + mangled + "NtB5_5Shape4area");
    };
    CHECK(
        type("s1_Cs5JNAybJ9MVI_1nQDNtNtNtNtCsgEmfK2I1SDS_4core4iter6traits8iterator8Iteratorp4Item"
             "hEL_") ==
        "<&mut dyn core::iter::traits::iterator::Iterator<Item = u8> as n::Shape>::area");
    CHECK(type("s2_Cs5JNAybJ9MVI_1nThPlReE") == "<(u8, *const i32, &str) as n::Shape>::area");
    CHECK(type("s3_Cs5JNAybJ9MVI_1nFG_RL0_hsERL0_h") ==
          "<for<'a> fn(&'a u8, i16) -> &'a u8 as n::Shape>::area");
    CHECK(type("s4_Cs5JNAybJ9MVI_1nFUKCdEu") == "<unsafe extern \"C\" fn(f64) as n::Shape>::area");
    CHECK(type("s6_Cs5JNAybJ9MVI_1nAcj3_") == "<[char; 3] as n::Shape>::area");
    CHECK(
        demangled("_RNvXs5_Cs5JNAybJ9MVI_1nDINtNtNtCsgEmfK2I1SDS_4core3ops8function2FnThEEp6Outputb"
                  "NtNtBt_6marker4SendEL_NtB5_5Shape4area") ==
        "<dyn core::ops::function::Fn<, Output = bool> + core::marker::Send as n::Shape>::area");
    // Written by hand: a tuple of one, constants, and a lifetime.
    CHECK(type("s0_Cs_1nTbE") == "<(bool,) as n::Shape>::area");
    CHECK(type("s0_Cs_1nTAhln1f_AhpAhjffffffffffffffff1_E") ==
          "<([u8; -31], [u8; _], [u8; 0xffffffffffffffff1]) as n::Shape>::area");
    CHECK(type("s0_Cs_1nTAhb1_Ahc61_Ahca_Ahc2764_Ahc27_OzE") ==
          "<([u8; true], [u8; 'a'], [u8; '\\n'], [u8; '\\u{2764}'], [u8; '\\''], *mut !) as "
          "n::Shape>::area");
    CHECK(type("s0_Cs_1nDG_INtB5_1TRL0_hEEL_") == "<dyn for<'a> n::T<> as n::Shape>::area");
}

TEST_CASE("the older symbols of Rust lose their hash") {
    CHECK(demangled("_ZN1n18Cache$LT$T$C$_$GT$4fill17hde7fc50e1a15c1d4E") == "n::Cache<T,_>::fill");
    CHECK(demangled("_ZN1n18Cache$LT$T$C$_$GT$4fill17hde7fc50e1a15c1d4E.llvm.12") ==
          "n::Cache<T,_>::fill");
    CHECK(demangled("_ZN5alloc7raw_vec19RawVec$LT$T$C$A$GT$8grow_one17h187a8b6e0c4f0760E") ==
          "alloc::raw_vec::RawVec<T,A>::grow_one");
    CHECK(
        demangled("_ZN113_$LT$$RF$mut$u20$dyn$u20$core..iter..traits..iterator..Iterator$u2b$Item$"
                  "u20$$u3d$$u20$u8$u20$as$u20$n..Shape$GT$4area17h3667eebc74a53d40E") ==
        "<&mut dyn core::iter::traits::iterator::Iterator+Item = u8 as n::Shape>::area");
    CHECK(demangled(
              "_ZN69_$LT$$LP$u8$C$$BP$const$u20$i32$C$$RF$str$RP$$u20$as$u20$n..Shape$GT$4area17"
              "hd8b75134b38e12efE") == "<(u8,*const i32,&str) as n::Shape>::area");
    // No hash, few digits, and a name that ends too early are of C++, or of nobody.
    CHECK(demangled("_ZN1n1f17hde7fc50e1a15c1gE") == "_ZN1n1f17hde7fc50e1a15c1gE");
    CHECK(demangled("_ZN1n1f17h0000000011111111E") == "n::f::h0000000011111111");
    CHECK(demangled("_ZN9n1f17hde7fc50e1a15c1d4E") == "_ZN9n1f17hde7fc50e1a15c1d4E");
    CHECK(demangled("_ZN1n6$LT$f$17hde7fc50e1a15c1d4E") == "n::<f$");
    CHECK(demangled("_ZN1n9$u110000$17hde7fc50e1a15c1d4E") == "n::$u110000$");
}

TEST_CASE("names of Rust that google/pprof misreads are whole") {
    CHECK(demangled("_ZN1n8_private17hdeb09fa2e2d93a99E") == "n::_private");
    CHECK(demangled("_ZN1n13gr$uf6$$udf$e9z$ue4$hle17h48a772bf0922852dE") == "n::größe::zähle");
    CHECK(demangled("_RNvNCNvCs5JNAybJ9MVI_1n5outer05inner") == "n::outer::{closure#0}::inner");
    CHECK(demangled("_RNvMC1nINtB2_1RKnn80000000000000000000000000000000_E1f") == "<n::R<>>::f");
}

TEST_CASE("damaged symbols of Rust stay as they are") {
    const std::string whole = "_RNvXs3_Cs5JNAybJ9MVI_1nFG_RL0_hsERL0_hNtB5_5Shape4area";
    for (std::size_t size = 0; size < whole.size(); ++size) {
        CHECK(demangled(whole.substr(0, size)) == whole.substr(0, size));
    }
    for (const std::string symbol :
         {"_R", "_RC0", "_RNvB_1f", "_RNvC1n1f_", "_RNvC1n99999999999999999999f", "_RNvC1nu3z_z",
          "_RMC1nRL5_h", "_RMC1nFGzzzzzzzzzzz_hEu", "_RNvC1n3a-b", "_RMC1nAhj01_", "_RMC1nAhb2_"}) {
        CHECK(demangled(symbol) == symbol);
    }
}

TEST_CASE("a symbol of Rust that stands for a name without end stays as it is") {
    const auto nested = [](std::size_t levels) {
        return "_RMC1n" + std::string(levels, 'S') + "u";
    };
    CHECK(demangled(nested(400)) ==
          "<" + std::string(400, '[') + "()" + std::string(400, ']') + ">");
    CHECK(demangled(nested(100'000)) == nested(100'000));
    // Each tuple has the one before it twice, at a place that has two digits.
    const auto doubled = [](int times) {
        const std::string digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
        std::string symbol = "_RMC1nT";
        std::size_t last = symbol.size() - 2;
        symbol += "TuuE";
        for (int i = 0; i < times; ++i) {
            const std::string before{'B', digits[(last - 1) / 62], digits[(last - 1) % 62], '_'};
            last = symbol.size() - 2;
            symbol += "T" + before + before + "E";
        }
        return symbol + "E";
    };
    CHECK(demangled(doubled(1)) == "<(((), ()), (((), ()), ((), ())))>");
    CHECK(demangled(doubled(100)) == doubled(100));
    const std::string punycode = "_RNvC1nu50000_" + std::string(50'000, 'a');
    CHECK(demangled(punycode) == punycode);
}

TEST_CASE("other names stay, unless they look like C++") {
    CHECK(demangled("main") == "main");
    CHECK(demangled("").empty());
    CHECK(demangled("foo.part.0") == "foo.part.0");
    CHECK(demangled("malloc@@GLIBC_2.2.5") == "malloc");
    CHECK(demangled("_Znonsense") == "_Znonsense");
    CHECK(demangled("operator()") == "operator()");
    CHECK(demangled("add<int>(int)") == "add");
    CHECK(demangled("ns::f(g(int))") == "ns::f");
    CHECK(demangled("a>b") == "a>b");
}

TEST_CASE("brackets that do not match are no fault") {
    for (const char* const text : {"<", ">", "(", ")", "f(", "f)(", "operator", "operator<",
                                   "a<b(c>", "(*", "f(*)(", ")(", "()()", "::", " ", "f(int)::"}) {
        CHECK(simplified(text).size() <= std::string{text}.size());
    }
}
