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
