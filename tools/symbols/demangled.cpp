// SPDX-License-Identifier: Apache-2.0
#include "symbols/demangled.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string_view>

#include <cxxabi.h>

namespace pprofdelta::tool {

namespace {

bool is_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '$';
}

// How long the word "operator" is at `at` with the symbol that follows; of a conversion and of
// operators that are words, such as new, it is the word alone. 0 if there is none.
std::size_t operator_size(std::string_view text, std::size_t at) {
    constexpr std::string_view word = "operator";
    // A longer one stands before those that it begins with.
    constexpr std::array<std::string_view, 12> symbols{"()",  "<<=", "<=>", "<<", "<=", "<",
                                                       ">>=", "->*", "->",  ">>", ">=", ">"};
    const std::string_view rest = text.substr(at);
    if (!rest.starts_with(word) || (at > 0 && is_word(text[at - 1])) ||
        (rest.size() > word.size() && is_word(rest[word.size()]))) {
        return 0;
    }
    const auto* const sign =
        std::find_if(symbols.begin(), symbols.end(), [&](std::string_view symbol) {
            return rest.substr(word.size()).starts_with(symbol);
        });
    return word.size() + (sign == symbols.end() ? 0 : sign->size());
}

// Within brackets a sign can be one of "less", too, which has no other half.
class open_brackets {
public:
    // What is left open after `c`.
    void pass(char c) {
        if (c == '(' || c == '{' || c == '<' || c == '[') {
            m_open += c;
        } else if (c == '>') {
            if (m_open.ends_with('<')) {
                m_open.pop_back();
            }
        } else if (c == ')' || c == '}' || c == ']') {
            const char other = c == ')' ? '(' : c == '}' ? '{' : '[';
            const std::size_t at = m_open.rfind(other);
            if (at != std::string::npos) {
                m_open.resize(at);
            }
        }
    }
    [[nodiscard]] bool empty() const { return m_open.empty(); }

private:
    std::string m_open;
};

// Calls `visit(part, is_operator)` for each character outside of operators, and for each operator.
template <typename Visit>
void for_each_part(std::string_view text, Visit&& visit) {
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t size = operator_size(text, i);
        visit(i, text.substr(i, std::max<std::size_t>(size, 1)), size != 0);
        i += std::max<std::size_t>(size, 1);
    }
}

std::string without_template_arguments(std::string_view text) {
    std::string kept;
    open_brackets within; // from the first '<' on
    for_each_part(text, [&](std::size_t, std::string_view part, bool is_operator) {
        if (!is_operator && (!within.empty() || part == "<")) {
            if (within.empty() && kept.ends_with("< ")) {
                kept.pop_back(); // a blank keeps operator< apart from its arguments
            }
            within.pass(part.front());
        } else if (within.empty()) {
            kept += part;
        }
    });
    return kept;
}

// Thunks and the like keep the parameters of what they are for.
bool is_special(std::string_view name) {
    const std::string_view words = name.substr(0, name.find_first_of("(<[{"));
    return words.find(" to ") != std::string_view::npos ||
           words.find(" for ") != std::string_view::npos;
}

// Where the lists of parameters begin and end, of the function and of those that it lies in.
struct outline {
    std::size_t name_begin = 0;
    std::size_t last_list = std::string_view::npos;
    std::size_t last_list_end = 0;
};

outline outline_of(std::string_view name) {
    outline parts;
    open_brackets within;
    std::size_t begin = 0;
    bool is_list = false;
    bool is_name = false; // a blank does not end a return type any more
    for_each_part(name, [&](std::size_t at, std::string_view part, bool is_operator) {
        const bool was_outside = within.empty();
        if (is_operator) {
            is_name = is_name || was_outside;
            return;
        }
        within.pass(part.front());
        if (was_outside && part == "(") {
            // "(anonymous namespace)" and "decltype (x)" are none.
            is_list = at > 0 && name[at - 1] != ' ' && name[at - 1] != ':';
            begin = at;
            is_name = is_name || is_list;
        } else if (!was_outside && within.empty() && part == ")" && is_list) {
            parts.last_list = begin;
            parts.last_list_end = at + 1;
        } else if (was_outside && part == " " && !is_name) {
            parts.name_begin = at + 1;
        }
    });
    return parts;
}

// google/pprof's rule for names that need no demangling.
std::string without_pairs(std::string name, char open, char close) {
    const std::string both{open, close};
    std::size_t nesting = 0;
    std::size_t first = 0;
    for (std::size_t at = name.find_first_of(both); at != std::string::npos;
         at = name.find_first_of(both, at)) {
        if (name[at] == open) {
            if (nesting++ == 0) {
                first = at;
            }
        } else if (nesting == 0) {
            return name;
        } else if (--nesting == 0) {
            name.erase(first, at + 1 - first);
            at = first;
            continue;
        }
        ++at;
    }
    return name;
}

} // namespace

std::string simplified(const std::string& full_name) {
    std::string name = without_template_arguments(full_name);
    if (is_special(name)) {
        return name;
    }
    outline parts = outline_of(name);
    if (parts.last_list == std::string::npos) {
        return name;
    }
    // "void (*f(int))(char)" is a function that returns a pointer to one.
    const std::string_view before{name.data(), parts.last_list};
    if (before.ends_with(')') && !before.ends_with("operator()")) {
        const std::size_t star = before.find("(*");
        if (star != std::string::npos) {
            return simplified(name.substr(star + 2, parts.last_list - 1 - (star + 2)));
        }
    }
    // What follows is const and the like, or a name within that function.
    const bool is_whole = name.find("::", parts.last_list_end) == std::string::npos;
    return name.substr(parts.name_begin,
                       is_whole ? parts.last_list - parts.name_begin : std::string::npos);
}

std::string demangled(const std::string& symbol) {
    std::string name = symbol.substr(0, symbol.find('@')); // a version may follow
    if (!name.starts_with("_Z")) {
        if (name.find(".<") == std::string::npos &&
            (name.find_first_of("<>[]") != std::string::npos ||
             name.find("::") != std::string::npos)) {
            return without_pairs(without_pairs(name, '(', ')'), '<', '>');
        }
        return name;
    }
    struct free_text {
        void operator()(char* text) const { std::free(text); }
    };
    int status = 0;
    const std::unique_ptr<char, free_text> full{
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status)};
    return full ? simplified(full.get()) : name;
}

} // namespace pprofdelta::tool
