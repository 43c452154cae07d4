// SPDX-License-Identifier: Apache-2.0
#include "symbols/symbolizer.hpp"

#include "catch.hpp"

using pprofdelta::tool::demangled;
using pprofdelta::tool::simplified;

// What google/pprof shows by default, with demangle.NoParams and demangle.NoTemplateParams.
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

TEST_CASE("what is within a function keeps the parameters of that function") {
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
