// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "catch.hpp"
#include "select/rows.hpp"

using pprofdelta::package_name;

namespace {

struct example {
    std::string_view function;
    std::string_view file;
    std::string_view package;
};

void check(const std::vector<example>& all) {
    for (const auto& [function, file, package] : all) {
        CAPTURE(function, file);
        CHECK(package_name(function, file) == package);
    }
}

} // namespace

TEST_CASE("the package of a function of C++ is its namespace, whatever stands around its name") {
    check({
        {"a::b::f(c::d)", "", "a::b"},
        {"void boost::asio::detail::f<int>(boost::any)", "f.hpp", "boost::asio::detail"},
        {"std::vector<int>::push_back(int const&)", "", "std"},
        {"std::vector<a::b>::push(c::d)", "v.h", "std"},
        {"std::vector<int, std::allocator<int> > a::make<std::less<int> >()", "", "a"},
        {"std::string const& a::B::name() const", "", "a::B"},
        {"unsigned long *a::f()", "", "a"},
        {"decltype (x::y) a::f<int>()", "", "a"},
        {"decltype(x::y) a::f<int>()", "", "a"},
        {"a::(anonymous namespace)::b::f(int)", "", "a::(anonymous namespace)::b"},
        {"(anonymous namespace)::f(int)", "", "(anonymous namespace)"},
        {"void (anonymous namespace)::T<int>::f()", "", "(anonymous namespace)"},
        {"a::operator<<(std::ostream&, a::T const&)", "", "a"},
        {"std::ostream& a::operator<< <int>(std::ostream&)", "", "a"},
        {"a::T::operator()(int) const", "", "a::T"},
        {"a::T<int>::operator->()", "", "a"},
        {"a::T::operator new(unsigned long)", "", "a::T"},
        {"a::T::operator std::string() const", "", "a::T"},
        {"a::operators::f()", "", "a::operators"},
        {"non-virtual thunk to a::T::f()", "", "a::T"},
        {"virtual thunk to a::T<int>::f()", "", "a"},
        {"guard variable for a::f()::x", "", "a"},
        {"a::f(int)::{lambda(int)#1}::operator()(int) const", "", "a"},
        {"a::f()::$_0::operator()() const", "", "a"},
        {"a::f(int) [clone .isra.0]", "", "a"},
        {"a::f [clone .cold]", "", "a"},
        {"f<a::b>", "f.cpp", ""},
        {"f<&a::operator->>::g()", "", ""},
        {"void f<a::b>(a::b)", "", ""},
        {"main", "/src/main.cpp", "/src"},
    });
}

TEST_CASE("the package of a function of Rust is its module") {
    check({
        {"tokio::runtime::park", "park.rs", "tokio::runtime"},
        {"alloc::vec::Vec<T>::push", "", "alloc::vec"},
        {"alloc::vec::Vec<T,A>::push", "mod.rs", "alloc::vec"},
        {"core::ptr::drop_in_place<alloc::string::String>", "", "core::ptr"},
        {"<T as Trait>::f", "", ""},
        {"<T as core::convert::Into<U>>::into", "", "core::convert"},
        {"<&T as core::fmt::Debug>::fmt", "", "core::fmt"},
        {"<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop", "", "alloc::vec"},
        {"<&mut a::Reader<R> as std::io::Read>::read", "", "a"},
        {"<<a::T as b::U>::V as c::W>::f", "", "c"},
        {"<a::b::T>::f", "", "a::b"},
        {"a::b::f::{{closure}}", "", "a::b"},
        {"a::b::f::{closure#0}::{closure#1}", "", "a::b"},
        {"f::{{closure}}", "", ""},
        {"a::{impl#3}::f", "", "a"},
        {"core::ops::function::FnOnce::call_once{{vtable.shim}}", "",
         "core::ops::function::FnOnce"},
    });
}

TEST_CASE("the package of a function of Go is its path, and of Java what is before the class") {
    check({
        {"github.com/a/b.(*T).m", "", "github.com/a/b"},
        {"github.com/a/b.(*T[...]).m", "b.go", "github.com/a/b"},
        {"compress/flate.(*compressor).init", "deflate.go", "compress/flate"},
        {"main.Map[go.shape.*a/b.T]", "main.go", "main"},
        {"main.Map[go.shape.struct { F a/b.T }].func1", "", "main"},
        {"gopkg.in/yaml%2ev3.f", "", "gopkg.in/yaml%2ev3"},
        {"runtime.mallocgc", "", "runtime"},
        {"time.Time.String", "", "time"},
        {"main.main.func1", "", "main"},
        {"runtime.memmove", "memmove_amd64.s", "runtime"},
        {"com.foo.Bar.baz", "", "com.foo"},
        {"com.foo.Bar.baz", "Bar.java", "com.foo"},
        {"java.util.HashMap.put", "HashMap.java", "java.util"},
        {"com.foo.Bar$Inner.<init>(a.b.C)", "", "com.foo"},
        {"com.foo.Bar$$Lambda$12.run", "Bar.kt", "com.foo"},
        {"Bar.baz", "Bar.java", ""},
        {"render", "/app/node_modules/x/index.js", "/app/node_modules/x"},
        {"f", "", ""},
    });
}

// Names are not trusted.
TEST_CASE("no name takes time out of proportion, and brackets need no partner") {
    check({{"a::f<", "", "a"},
           {"a::f{", "", "a"},
           {"<", "", ""},
           {"<::", "", ""},
           {"::", "", ""},
           {"::a::f", "", "::a"},
           {"{::", "", ""},
           {"{x}::f", "", ""},
           {"decltype(a::b", "", ""}});
    const auto begin = std::chrono::steady_clock::now();
    for (const char* const part : {"<", "::", "{", "(", "a<::", " ", "<a::", "decltype(", "->",
                                   "{impl", "a::{impl}", "(anonymous namespace)", " as ", "a."}) {
        std::string name = "a::";
        for (int i = 0; i < 100'000; ++i) {
            name += part;
        }
        static_cast<void>(package_name(name, ""));
        static_cast<void>(package_name(name.substr(3), ""));
    }
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds{5});
}
