// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <string_view>

#include "select/frame_name.hpp"

namespace pprofdelta {

namespace {

std::string_view up_to_last(std::string_view text, char mark) {
    const std::size_t end = text.rfind(mark);
    return end == std::string_view::npos ? std::string_view{} : text.substr(0, end);
}

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_in_word(char c) { return is_lower(c) || is_upper(c) || (c >= '0' && c <= '9') || c == '_'; }

// Where the bracket at `begin` ends, after its partner; the end of `text` if it has none. What
// follows a '-' is an arrow.
std::size_t end_of_bracket(std::string_view text, std::size_t begin) {
    const char open = text[begin];
    const char close = open == '<' ? '>' : open == '(' ? ')' : '}';
    std::size_t depth = 0;
    for (std::size_t i = begin; i < text.size(); ++i) {
        if (text[i] == open) {
            ++depth;
        } else if (text[i] == close && text[i - 1] != '-' && --depth == 0) {
            return i + 1;
        }
    }
    return text.size();
}

bool is_operator(std::string_view text) {
    constexpr std::string_view word = "operator";
    return text.starts_with(word) && (text.size() == word.size() || !is_in_word(text[word.size()]));
}

bool is_decltype(std::string_view text) {
    return text.ends_with("decltype") || text.ends_with("decltype ");
}

// The namespaces of a name of C++ or Rust: "a::b" of "void a::b::f<int>(c::d)". What has arguments
// is a function or a class; a class without any cannot be told from a namespace. O(length)
std::string_view namespaces(std::string_view text) {
    constexpr std::string_view unnamed = "(anonymous namespace)";
    std::size_t begin = 0; // of the name, after a return type or "non-virtual thunk to"
    std::size_t end = 0;   // of its namespaces
    std::size_t part = 0;  // the begin of the part at hand
    bool has_arguments = false;
    const auto begin_at = [&](std::size_t place) {
        begin = end = part = place;
        has_arguments = false;
        return place;
    };
    for (std::size_t i = 0; i < text.size();) {
        const std::string_view rest = text.substr(i);
        const char c = rest.front();
        const bool is_clone = rest.starts_with(" ["); // of a compiler: " [clone .cold]"
        if (rest.starts_with("::")) {
            end = has_arguments ? end : i;
            i = part = i + 2;
        } else if (rest.starts_with(unnamed)) {
            i += unnamed.size();
        } else if (rest.starts_with("{impl") || (c == '<' && i > begin)) {
            has_arguments = true; // Rust writes {impl#1} for a type
            i = end_of_bracket(text, i);
        } else if (c == '{' && i == part && !has_arguments) { // a closure of a function
            end = std::max(begin, up_to_last(text.substr(0, end), ':').size());
            end -= end > begin ? 1 : 0; // the other colon
            break;
        } else if (c == '(' && is_decltype(text.substr(0, i))) {
            i = end_of_bracket(text, i);
        } else if ((c == ' ' && !is_clone) || ((c == '*' || c == '&') && i == begin)) {
            i = begin_at(i + 1);
        } else if (is_clone || c == '(' || c == '[' || c == '{' || c == '<' ||
                   (i == part && is_operator(rest))) {
            break;
        } else {
            ++i;
        }
    }
    return text.substr(begin, end > begin ? end - begin : 0);
}

// The namespaces of what Rust's compiler writes as "<a::T as b::Trait>::f" or "<a::T>::f" are those
// of the type, "a". For a type without any, such as "&T", they are those of the trait.
std::string_view namespaces_of_self(std::string_view text) {
    const std::size_t close = end_of_bracket(text, 0);
    const std::string_view inside = text.substr(1, close - std::min<std::size_t>(close, 2));
    std::size_t as = 0;
    while (as < inside.size() && !inside.substr(as).starts_with(" as ")) {
        as = inside[as] == '<' ? end_of_bracket(inside, as) : as + 1;
    }
    const std::string_view of_type = namespaces(inside.substr(0, as));
    return of_type.empty() && as < inside.size() ? namespaces(inside.substr(as + 4)) : of_type;
}

// Whether it is like "com.foo.Bar.baz", with a class after at least two packages: Go has a path
// before its package, or one package.
bool is_like_java(std::string_view function) {
    std::size_t packages = 0;
    while (!function.empty() && is_lower(function.front())) {
        const std::size_t dot = function.find('.');
        if (dot == std::string_view::npos ||
            !std::all_of(function.begin(), function.begin() + dot, is_in_word)) {
            return false;
        }
        function.remove_prefix(dot + 1);
        ++packages;
    }
    return packages > 1 && !function.empty() && is_upper(function.front()) &&
           function.find('.') != std::string_view::npos;
}

// The package of "a.b.T.f(x.y)" is "a.b".
std::string_view java_package(std::string_view function) {
    return up_to_last(up_to_last(function.substr(0, function.find_first_of("(<")), '.'), '.');
}

// Type arguments can have slashes as well.
std::string_view go_package(std::string_view function) {
    const std::string_view name = function.substr(0, function.find('['));
    const std::size_t last = name.rfind('/') + 1; // npos + 1 is 0
    const std::size_t dot = name.find('.', last);
    return dot == std::string_view::npos ? std::string_view{} : name.substr(0, dot);
}

} // namespace

std::string_view package_name(std::string_view function, std::string_view file) {
    if (file.ends_with(".go") || file.ends_with(".s")) {
        return go_package(function);
    }
    for (const std::string_view ending : {".java", ".kt", ".scala"}) {
        if (file.ends_with(ending)) {
            return java_package(function);
        }
    }
    if (function.find("::") != std::string_view::npos) {
        return function.front() == '<' ? namespaces_of_self(function) : namespaces(function);
    }
    if (!file.empty()) {
        return up_to_last(file, '/');
    }
    return is_like_java(function) ? java_package(function) : go_package(function);
}

} // namespace pprofdelta
