// SPDX-License-Identifier: Apache-2.0
#include "symbols/rust_names.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace pprofdelta::tool {

namespace {

bool is_digit_of_rust(char c) { return c >= '0' && c <= '9'; }

// The value of a digit, of which there are 36 at most; nothing if it is none.
std::optional<unsigned> digit_of_rust(char c, unsigned base) {
    const unsigned digit = is_digit_of_rust(c)    ? static_cast<unsigned>(c - '0')
                           : c >= 'a' && c <= 'z' ? static_cast<unsigned>(c - 'a') + 10
                                                  : base;
    return digit < base ? std::optional{digit} : std::nullopt;
}

bool is_code_point(std::uint64_t c) { return c <= 0x10ffff && (c < 0xd800 || c > 0xdfff); }

void append_utf8(std::string& to, char32_t c) {
    constexpr unsigned bits = 6;
    const auto byte = [&to](char32_t value) { to += static_cast<char>(value); };
    const auto rest = [&](unsigned shift) { byte(0x80U | ((c >> shift) & 0x3fU)); };
    if (c < 0x80) {
        byte(c);
    } else if (c < 0x800) {
        byte(0xc0U | (c >> bits));
        rest(0);
    } else if (c < 0x10000) {
        byte(0xe0U | (c >> 2 * bits));
        rest(bits);
        rest(0);
    } else {
        byte(0xf0U | (c >> 3 * bits));
        rest(2 * bits);
        rest(bits);
        rest(0);
    }
}

// Reads a name of v0 from its first character to its last. The grammar is at
// https://doc.rust-lang.org/rustc/symbol-mangling/v0.html, whose words are in quotes here. Whatever
// is wrong is an exception.
class v0_reader {
public:
    // @param text is without "_R" and without a suffix.
    explicit v0_reader(std::string_view text) : m_all{text}, m_rest{text} {}

    [[nodiscard]] std::string read() {
        path(true);
        if (!m_rest.empty()) { // the crate that an instance is in
            m_is_silent = true;
            path(false);
        }
        require(m_rest.empty());
        return std::move(m_written);
    }

private:
    static constexpr std::size_t most_written = 4096;
    static constexpr unsigned deepest = 500;

    static void require(bool is_right) {
        if (!is_right) {
            throw std::invalid_argument{"no name of Rust"};
        }
    }

    // What is written by a part of the name that the result does not have.
    template <typename Read>
    void silently(Read&& read) {
        const bool was_silent = std::exchange(m_is_silent, true);
        read();
        m_is_silent = was_silent;
    }

    // What can repeat itself or be nested.
    template <typename Read>
    void nested(Read&& read) {
        require(++m_depth <= deepest);
        spend(1);
        read();
        --m_depth;
    }

    void spend(std::size_t steps) {
        require(steps <= m_left);
        m_left -= steps;
    }

    void write(std::string_view text) {
        if (!m_is_silent) {
            require(text.size() <= most_written - m_written.size());
            m_written += text;
        }
    }

    [[nodiscard]] char next() const { return m_rest.empty() ? '\0' : m_rest.front(); }

    [[nodiscard]] char take() {
        require(!m_rest.empty());
        const char c = m_rest.front();
        m_rest.remove_prefix(1);
        return c;
    }

    [[nodiscard]] bool take_if(char c) {
        const bool is_there = !m_rest.empty() && m_rest.front() == c;
        m_rest.remove_prefix(is_there ? 1 : 0);
        return is_there;
    }

    // "{...} E", with `separator` in between.
    // @returns how many there are.
    template <typename Read>
    std::size_t list(std::string_view separator, Read&& read) {
        std::size_t count = 0;
        while (!take_if('E')) {
            write(count == 0 ? "" : separator);
            read();
            ++count;
        }
        return count;
    }

    // "base-62-number". Those of crates take 64 bits, and are not used.
    std::uint64_t base_62() {
        if (take_if('_')) {
            return 0;
        }
        std::uint64_t value = 0;
        for (char c = take(); c != '_'; c = take()) {
            constexpr unsigned base = 62;
            const bool is_upper = c >= 'A' && c <= 'Z';
            const auto digit = is_upper ? std::optional{static_cast<unsigned>(c - 'A') + 36}
                                        : digit_of_rust(c, 36);
            require(digit.has_value());
            value = value * base + *digit;
        }
        return value + 1;
    }

    std::uint64_t disambiguator() { return take_if('s') ? base_62() + 1 : 0; }

    // "undisambiguated-identifier"
    std::string identifier() {
        const bool is_punycode = take_if('u');
        require(is_digit_of_rust(next()));
        std::size_t size = 0;
        if (!take_if('0')) { // as a closure has no name, and what lies in it can begin with a digit
            while (is_digit_of_rust(next())) {
                size = size * 10 + static_cast<std::size_t>(take() - '0');
                require(size <= m_rest.size());
            }
        }
        (void)take_if('_');
        require(size <= m_rest.size());
        const std::string_view text = m_rest.substr(0, size);
        m_rest.remove_prefix(size);
        require(std::ranges::all_of(text, [](char c) {
            return is_digit_of_rust(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                   c == '_';
        }));
        return is_punycode ? decoded(text) : std::string{text};
    }

    // Punycode (RFC 3492, 6.2), with '_' for its '-'.
    [[nodiscard]] std::string decoded(std::string_view text) {
        constexpr std::uint32_t base = 36;
        constexpr std::uint32_t least = 1;
        constexpr std::uint32_t most = 26;
        constexpr std::uint32_t skew = 38;
        std::u32string code_points;
        if (const std::size_t end = text.rfind('_'); end != std::string_view::npos) {
            code_points.assign(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end));
            text.remove_prefix(end + 1);
        }
        std::uint64_t at = 0;
        std::uint64_t code_point = 128;
        std::uint64_t bias = 72;
        while (!text.empty()) {
            const std::uint64_t before = at;
            std::uint64_t weight = 1;
            for (std::uint64_t k = base;; k += base) {
                require(!text.empty());
                const char c = text.front();
                text.remove_prefix(1);
                const bool is_upper = c >= 'A' && c <= 'Z';
                const char lower = static_cast<char>(is_upper ? c - 'A' + 'a' : c);
                require(lower != '_');
                const auto digit = static_cast<std::uint64_t>(
                    is_digit_of_rust(lower) ? lower - '0' + 26 : lower - 'a');
                at += digit * weight;
                require(at <= UINT32_MAX); // and so less than 64 bits hold in all
                const std::uint64_t threshold =
                    k <= bias ? least : std::min<std::uint64_t>(k - bias, most);
                if (digit < threshold) {
                    break;
                }
                weight *= base - threshold;
                require(weight <= UINT32_MAX);
            }
            const std::uint64_t count = code_points.size() + 1;
            std::uint64_t delta = (at - before) / (before == 0 ? 700 : 2);
            delta += delta / count;
            std::uint64_t k = 0;
            for (; delta > (base - least) * most / 2; k += base) {
                delta /= base - least;
            }
            bias = k + (base - least + 1) * delta / (delta + skew);
            code_point += at / count;
            at %= count;
            require(is_code_point(code_point));
            spend(code_points.size() + 1);
            code_points.insert(at++, 1, static_cast<char32_t>(code_point));
        }
        std::string name;
        for (const char32_t c : code_points) {
            append_utf8(name, c);
        }
        return name;
    }

    // "path"
    // @param is_value for one in which "::" stands before generic arguments.
    void path(bool is_value) {
        nested([&] {
            const char kind = take();
            switch (kind) {
            case 'C':
                disambiguator();
                write(identifier());
                break;
            case 'M':
            case 'X':
            case 'Y':
                if (kind != 'Y') {
                    silently([this] { // where the implementation is
                        disambiguator();
                        path(false);
                    });
                }
                write("<");
                type();
                if (kind != 'M') {
                    write(" as ");
                    path(false);
                }
                write(">");
                break;
            case 'N':
                nested_path(is_value);
                break;
            case 'I':
                path(is_value);
                write(is_value ? "::<" : "<");
                generic_arguments();
                write(">");
                break;
            case 'B':
                back_reference([&] { path(is_value); });
                break;
            default:
                require(false);
            }
        });
    }

    void nested_path(bool is_value) {
        const char name_space = take();
        const bool is_special = name_space >= 'A' && name_space <= 'Z';
        require(is_special || (name_space >= 'a' && name_space <= 'z'));
        path(is_value);
        const std::uint64_t number = disambiguator();
        const std::string name = identifier();
        write("::");
        if (!is_special) {
            write(name);
            return;
        }
        write("{");
        write(name_space == 'C'   ? "closure"
              : name_space == 'S' ? "shim"
                                  : std::string_view{&name_space, 1});
        write(name.empty() ? "" : ":" + name);
        write("#" + std::to_string(number) + "}");
    }

    // They are not written, as google/pprof leaves them out by default.
    void generic_arguments() {
        silently([this] {
            list(", ", [this] {
                if (take_if('L')) {
                    lifetime(base_62());
                } else if (take_if('K')) {
                    constant();
                } else {
                    type();
                }
            });
        });
    }

    // "type"
    void type() {
        nested([this] {
            const char kind = next();
            if (kind >= 'a' && kind <= 'z') {
                basic_type();
                return;
            }
            if (std::string_view{"CMXYNI"}.find(kind) != std::string_view::npos) {
                path(false);
                return;
            }
            switch (take()) {
            case 'A':
                write("[");
                type();
                write("; ");
                constant();
                write("]");
                break;
            case 'S':
                write("[");
                type();
                write("]");
                break;
            case 'T':
                write("(");
                write(list(", ", [this] { type(); }) == 1 ? ",)" : ")");
                break;
            case 'R':
            case 'Q':
                write("&");
                if (take_if('L')) {
                    if (const std::uint64_t index = base_62(); index != 0) {
                        lifetime(index);
                        write(" ");
                    }
                }
                write(kind == 'Q' ? "mut " : "");
                type();
                break;
            case 'P':
                write("*const ");
                type();
                break;
            case 'O':
                write("*mut ");
                type();
                break;
            case 'F':
                with_own_lifetimes([this] { function_type(); });
                break;
            case 'D':
                trait_object();
                break;
            case 'B':
                back_reference([this] { type(); });
                break;
            default:
                require(false);
            }
        });
    }

    void basic_type() {
        constexpr std::array<std::string_view, 26> names{
            "i8",    "bool", "char", "f64", "str",  "f32",  "",    "u8", "isize",
            "usize", "",     "i32",  "u32", "i128", "u128", "_",   "",   "",
            "i16",   "u16",  "()",   "...", "",     "i64",  "u64", "!"};
        const std::string_view name = names.at(static_cast<std::size_t>(take() - 'a'));
        require(!name.empty());
        write(name);
    }

    template <typename Read>
    void with_own_lifetimes(Read&& read) {
        const std::uint64_t lifetimes = m_lifetimes;
        read();
        m_lifetimes = lifetimes;
    }

    // An optional "binder": those that it has are used in what follows.
    void binder() {
        if (!take_if('G')) {
            return;
        }
        const std::uint64_t count = base_62() + 1;
        require(count < m_rest.size() && m_lifetimes < m_rest.size() - count);
        write("for<");
        for (std::uint64_t i = 0; i < count; ++i) {
            write(i == 0 ? "" : ", ");
            ++m_lifetimes;
            lifetime(1);
        }
        write("> ");
    }

    // "fn-sig"
    void function_type() {
        binder();
        write(take_if('U') ? "unsafe " : "");
        if (take_if('K')) {
            require(next() != 'u'); // which punycode begins with
            std::string abi = take_if('C') ? "C" : identifier();
            std::ranges::replace(abi, '_', '-');
            write("extern \"" + abi + "\" ");
        }
        write("fn(");
        list(", ", [this] { type(); });
        write(")");
        if (!take_if('u')) {
            write(" -> ");
            type();
        }
    }

    // "dyn-bounds" and the lifetime
    void trait_object() {
        with_own_lifetimes([this] {
            write("dyn ");
            binder();
            list(" + ", [this] { bound(); });
        });
        require(take_if('L'));
        if (const std::uint64_t index = base_62(); index != 0) {
            write(m_written.ends_with(' ') ? "+ " : " + ");
            lifetime(index);
        }
    }

    // "dyn-trait"
    void bound() {
        bool is_open = open_path();
        while (take_if('p')) {
            write(is_open ? ", " : "<"); // also behind arguments that are left out
            is_open = true;
            write(identifier());
            write(" = ");
            type();
        }
        write(is_open ? ">" : "");
    }

    // @returns whether generic arguments are left open, for more of them.
    [[nodiscard]] bool open_path() {
        bool is_open = false;
        if (take_if('I')) {
            path(false);
            write("<");
            generic_arguments();
            is_open = true;
        } else if (take_if('B')) {
            back_reference([&] { is_open = open_path(); });
        } else {
            path(false);
        }
        return is_open;
    }

    void lifetime(std::uint64_t index) {
        constexpr std::uint64_t letters = 26;
        if (index == 0) {
            write("'_");
            return;
        }
        require(index <= m_lifetimes);
        const std::uint64_t depth = m_lifetimes - index;
        const char letter = static_cast<char>('a' + std::min(depth, letters - 1));
        write("'");
        write({&letter, 1});
        write(depth < letters ? "" : std::to_string(depth - letters + 1));
    }

    // "const"
    void constant() {
        nested([this] {
            if (take_if('B')) {
                back_reference([this] { constant(); });
                return;
            }
            if (take_if('p')) {
                write("_");
                return;
            }
            const char kind = take();
            const bool is_signed = std::string_view{"aslxni"}.find(kind) != std::string_view::npos;
            require(is_signed || std::string_view{"htmyojbc"}.find(kind) != std::string_view::npos);
            write(is_signed && take_if('n') ? "-" : "");
            const std::size_t size = m_rest.find('_');
            require(size != 0 && size != std::string_view::npos);
            const std::string_view digits = m_rest.substr(0, size);
            m_rest.remove_prefix(size + 1);
            require(size == 1 || digits.front() != '0');
            std::uint64_t value = 0;
            for (const char c : digits) {
                const auto digit = digit_of_rust(c, 16);
                require(digit.has_value());
                value = value * 16 + *digit;
            }
            if (kind == 'b') {
                require(size == 1 && value <= 1);
                write(value == 1 ? "true" : "false");
            } else if (kind == 'c') {
                require(size <= 6);
                character(value, digits);
            } else {
                write(size > 16 ? "0x" + std::string{digits} : std::to_string(value));
            }
        });
    }

    void character(std::uint64_t value, std::string_view digits) {
        constexpr std::string_view escaped = "\t\r\n\\'";
        constexpr std::string_view escapes = "trn\\'";
        const char c = static_cast<char>(value);
        const bool is_ascii = value < 0x7f;
        const std::size_t at = is_ascii ? escaped.find(c) : std::string_view::npos;
        write("'");
        write(at != std::string_view::npos ? std::string{'\\', escapes[at]}
              : is_ascii && c >= ' '       ? std::string(1, c)
                                           : "\\u{" + std::string{digits} + "}");
        write("'");
    }

    // "backref", of which the 'B' is taken: goes on where it says, with what is before it.
    template <typename Read>
    void back_reference(Read&& read) {
        const std::size_t here = static_cast<std::size_t>(m_rest.data() - m_all.data()) - 1;
        const std::uint64_t there = base_62();
        if (m_is_silent) {
            return;
        }
        require(there < here);
        const std::string_view after = std::exchange(m_rest, m_all.substr(there, here - there));
        nested(read);
        m_rest = after;
    }

    std::string_view m_all;
    std::string_view m_rest;
    std::string m_written;
    bool m_is_silent = false;
    std::uint64_t m_lifetimes = 0; // that are bound where the reader is
    unsigned m_depth = 0;
    std::size_t m_left = std::size_t{1} << 16U; // steps
};

std::optional<std::string> of_v0(std::string_view symbol) {
    try {
        symbol = symbol.substr(0, symbol.find('.'));
        return v0_reader{symbol.substr(std::string_view{"_R"}.size())}.read();
    } catch (const std::invalid_argument&) {
        return std::nullopt;
    }
}

// Appends what an escape such as "$LT$" or "$u20$" at the beginning of `text` stands for.
// @returns its size; 0 if there is none.
std::size_t append_escaped(std::string& to, std::string_view text) {
    constexpr std::array<std::pair<std::string_view, char>, 8> escapes{{{"$SP$", '@'},
                                                                        {"$BP$", '*'},
                                                                        {"$RF$", '&'},
                                                                        {"$LT$", '<'},
                                                                        {"$GT$", '>'},
                                                                        {"$LP$", '('},
                                                                        {"$RP$", ')'},
                                                                        {"$C$", ','}}};
    for (const auto& [escape, c] : escapes) {
        if (text.starts_with(escape)) {
            to += c;
            return escape.size();
        }
    }
    constexpr std::string_view begin = "$u";
    constexpr std::size_t most_digits = 6;
    const std::size_t end = text.find('$', 1);
    if (!text.starts_with(begin) || end == std::string_view::npos ||
        end > begin.size() + most_digits) {
        return 0;
    }
    char32_t code_point = 0;
    for (const char c : text.substr(begin.size(), end - begin.size())) {
        const auto digit = digit_of_rust(c, 16);
        if (!digit) {
            return 0;
        }
        code_point = code_point * 16 + *digit;
    }
    if (code_point < ' ' || !is_code_point(code_point)) {
        return 0;
    }
    append_utf8(to, code_point);
    return end + 1;
}

void append_unescaped(std::string& to, std::string_view part) {
    part.remove_prefix(part.starts_with("_$") ? 1 : 0);
    while (!part.empty()) {
        std::size_t size = 1;
        if (part.starts_with("..")) {
            to += "::";
            size = 2;
        } else if (part.front() == '$') {
            size = append_escaped(to, part);
            if (size == 0) {
                to += part;
                return;
            }
        } else {
            to += part.front();
        }
        part.remove_prefix(size);
    }
}

// A name such as "_ZN1a1b17h0123456789abcdefE", with anything behind ".": parts behind their sizes,
// as in C++, of which the last is a hash. Few digits that repeat are a name of C++.
std::optional<std::string> of_legacy(std::string_view symbol) {
    constexpr std::string_view begin = "_ZN";
    constexpr std::string_view hash_begin = "17h";
    constexpr std::size_t hash_size = 16;
    constexpr unsigned fewest_digits = 5;
    if (const std::size_t end = symbol.rfind("E."); end != std::string_view::npos) {
        symbol = symbol.substr(0, end + 1);
    }
    if (!symbol.ends_with('E') ||
        symbol.size() <= begin.size() + hash_begin.size() + hash_size + 1) {
        return std::nullopt;
    }
    symbol.remove_prefix(begin.size());
    symbol.remove_suffix(1);
    std::array<unsigned, 16> seen{};
    for (const char c : symbol.substr(symbol.size() - hash_size)) {
        const auto digit = digit_of_rust(c, 16);
        if (!digit) {
            return std::nullopt;
        }
        seen[*digit] = 1;
    }
    symbol.remove_suffix(hash_size);
    if (!symbol.ends_with(hash_begin) ||
        std::ranges::count(seen, 1U) < static_cast<std::ptrdiff_t>(fewest_digits)) {
        return std::nullopt;
    }
    symbol.remove_suffix(hash_begin.size());
    std::string name;
    while (!symbol.empty()) {
        std::size_t size = 0;
        if (!is_digit_of_rust(symbol.front())) {
            return std::nullopt;
        }
        while (!symbol.empty() && is_digit_of_rust(symbol.front()) && size <= symbol.size()) {
            size = size * 10 + static_cast<std::size_t>(symbol.front() - '0');
            symbol.remove_prefix(1);
        }
        if (size > symbol.size()) {
            return std::nullopt;
        }
        name += name.empty() ? "" : "::";
        append_unescaped(name, symbol.substr(0, size));
        symbol.remove_prefix(size);
    }
    return name;
}

} // namespace

std::optional<std::string> demangled_rust(std::string_view symbol) {
    std::optional<std::string> name = symbol.starts_with("_R")    ? of_v0(symbol)
                                      : symbol.starts_with("_ZN") ? of_legacy(symbol)
                                                                  : std::nullopt;
    return name && !name->empty() ? std::move(name) : std::nullopt;
}

} // namespace pprofdelta::tool
