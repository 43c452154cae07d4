// SPDX-License-Identifier: Apache-2.0
#include "select/rows.hpp"

#include <algorithm>
#include <tuple>

#include <pprofdelta/error.hpp>

#include "base/text.hpp"
#include "profile/producer_names.hpp"

namespace pprofdelta {

namespace {

std::string binary_name(std::string_view file) {
    const std::string_view base = file_name_of(file);
    return base.empty() ? "<unknown>" : std::string{"["}.append(base).append("]");
}

std::string_view up_to_last(std::string_view text, char mark) {
    const std::size_t end = text.rfind(mark);
    return end == std::string_view::npos ? std::string_view{} : text.substr(0, end);
}

// The end of the bracket at `begin`, after its partner; the end of `text` if it has none. The
// character after a '-' is part of an arrow.
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

// The namespaces of a name of C++ or Rust: "a::b" of "void a::b::f<int>(c::d)". A name with
// arguments is a function or a class; a class without any cannot be told from a namespace.
// O(length)
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
// of the type, "a". A type without any, such as "&T", has those of the trait.
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

std::string frame_name(const frame_index::frame& frame, const profile_stacks& stacks) {
    const profile_index& index = stacks.index();
    const std::string_view binary = index.strings.text(frame.mapping_file);
    if (frame.function == id_map::npos) {
        return binary_name(binary);
    }
    const auto& function = index.functions.at(frame.function);
    const std::string_view name = stacks.names().text(function.name);
    const std::string_view file = index.strings.text(function.file);
    const grouping by = stacks.rules().by;
    std::string row{by == grouping::file      ? file
                    : by == grouping::package ? package_name(name, file)
                                              : name};
    if (by == grouping::function && is_anonymous(name) && !file.empty()) {
        row.append(" ").append(file);
    }
    if (by == grouping::line) {
        row.append(name.empty() || file.empty() ? "" : " ").append(file);
        if (!row.empty() && frame.line != 0) {
            row.append(":").append(std::to_string(frame.line));
        }
    }
    return row.empty() ? binary_name(binary) : row;
}

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

std::uint32_t row_names::number(std::string name) {
    return m_names.find_or_add(hash_bytes(name), [&] { return std::move(name); });
}

std::vector<std::string> row_names::names(const std::vector<std::uint32_t>& numbers) const {
    std::vector<std::string> all;
    std::ranges::transform(numbers, std::back_inserter(all),
                           [this](std::uint32_t number) { return name(number); });
    return all;
}

void row_names::add_folded(const profile_stacks& stacks) {
    if (!stacks.rules().are_rows_of_labels()) {
        stacks.add_folded(m_folded);
    }
}

void row_names::add_folded(const row_names& more) {
    for (std::uint32_t i = 0; i < more.m_folded.size(); ++i) {
        m_folded.find_or_add(more.m_folded[i]);
    }
}

location_rows::location_rows(const profile_stacks& stacks, row_names& names)
    : m_no_stack{names.number("(no stack)")} {
    const std::size_t locations = stacks.index().locations.size();
    if (stacks.rules().are_rows_of_labels()) {
        m_begins.resize(locations + 1); // no stack has frames
    } else {
        add_frames(stacks, names);
    }
    add_labels(stacks, names);
    // A stack names a location with a byte, and each of its lines is looked at: without a limit a
    // small profile could take days. Compilers inline no tenth of it.
    constexpr std::size_t most_frames = 1000;
    for (std::uint32_t place = 0; place + 1 < m_begins.size(); ++place) {
        const std::span<const std::uint32_t> of_place = of(place);
        if (of_place.size() > most_frames) {
            throw error{error_kind::too_large, "a location has " + std::to_string(of_place.size()) +
                                                   " lines; a report takes at most " +
                                                   std::to_string(most_frames)};
        }
        m_only.push_back(of_place.size() == 1 ? of_place.front() : several);
    }
}

void location_rows::add_frames(const profile_stacks& stacks, row_names& names) {
    const profile_index& index = stacks.index();
    const grouping by = stacks.rules().by;
    keyed_list<std::uint32_t> known; // the rows of what names are made of
    // Each of many lines or mappings makes another name of a long one.
    budget of_names{index.view.bytes().size(), 4, "the names of all frames together are too long"};
    for (const auto& frame : stacks.frames().frames()) {
        const hash128 key{std::uint64_t{frame.function} << 32U | frame.mapping_file,
                          by == grouping::line ? static_cast<std::uint64_t>(frame.line) : 0};
        m_rows.push_back(known[known.find_or_add(key, [&] {
            std::string name = frame_name(frame, stacks);
            of_names.charge(name.size());
            return names.number(std::move(name));
        })]);
    }
    for (std::uint32_t place = 0; place <= index.locations.size(); ++place) {
        m_begins.push_back(stacks.frames().begin(place));
    }
}

// Each value has its text in the profile, so these names need no bound.
void location_rows::add_labels(const profile_stacks& stacks, row_names& names) {
    const auto add = [&](const std::string& name) {
        m_rows.push_back(names.number(name));
        m_begins.push_back(static_cast<std::uint32_t>(m_rows.size()));
    };
    for (std::uint32_t place = stacks.place_of_value(0); place < stacks.places(); ++place) {
        add(stacks.name_of(place));
    }
    if (stacks.rules().by == grouping::size) {
        add("(no size)");
        for (std::uint32_t i = 1; i < profile_stacks::size_classes; ++i) {
            add("up to " + format_value(std::int64_t{1} << (i - 1U), "bytes"));
        }
    }
}

std::vector<std::uint32_t> location_rows::renumber(std::size_t count) {
    constexpr std::uint32_t unused = 0xffffffff;
    std::vector<std::uint32_t> own(count, unused);
    own[m_no_stack] = 0;
    for (const std::uint32_t row : m_rows) {
        own[row] = 0;
    }
    std::vector<std::uint32_t> names;
    for (std::uint32_t name = 0; name < count; ++name) {
        if (own[name] != unused) {
            own[name] = static_cast<std::uint32_t>(names.size());
            names.push_back(name);
        }
    }
    for (std::uint32_t& row : m_rows) {
        row = own[row];
    }
    for (std::uint32_t& row : m_only) {
        row = row == several ? several : own[row];
    }
    m_no_stack = own[m_no_stack];
    return names;
}

namespace {

void add_values(std::int64_t* sums, std::span<const std::int64_t> values) {
    for (const std::int64_t value : values) {
        *sums = fitting_add(*sums, value);
        ++sums;
    }
}

__extension__ using wide = unsigned __int128;

// Whether the change of `a` is the larger part of its previous value. Any change of 0 is infinitely
// much, and two of these are alike.
bool is_larger_part(const value_pair& a, const value_pair& b) {
    const std::uint64_t change_of_a = change_size(a);
    const std::uint64_t change_of_b = change_size(b);
    if (change_of_a == 0 || change_of_b == 0) {
        return change_of_a != 0;
    }
    return static_cast<wide>(change_of_a) * magnitude(b.previous) >
           static_cast<wide>(change_of_b) * magnitude(a.previous);
}

} // namespace

row_sums::row_sums(const profile_stacks& stacks, const location_rows& rows, std::size_t count,
                   std::size_t types)
    : flat(count * types), cum(count * types), shown(types), samples(types), m_last_of_row(count),
      m_last_of_place(rows.places()), m_budget{
                                          budget_of_frames(stacks.index().view.bytes().size())} {}

void row_sums::add(const location_rows& rows, std::span<const std::int64_t> values,
                   std::span<const std::uint32_t> places) {
    const std::size_t width = values.size();
    add_values(shown.data(), values);
    for (std::size_t i = 0; i < width; ++i) {
        samples[i] += values[i] != 0 ? 1 : 0;
    }
    // Most samples of a heap profile have nothing in use, and in use is the last value.
    while (!values.empty() && values.back() == 0) {
        values = values.first(values.size() - 1);
    }
    if (places.empty()) {
        add_values(&flat[rows.stackless_row() * width], values);
        add_values(&cum[rows.stackless_row() * width], values);
        return;
    }
    const std::uint32_t leaf = rows.of(places.front()).front();
    add_values(&flat[leaf * width], values);
    ++m_stack;
    const auto count_once = [&](std::uint32_t row) {
        if (m_last_of_row[row] != m_stack) {
            m_last_of_row[row] = m_stack;
            add_values(&cum[row * width], values);
        }
    };
    for (const std::uint32_t place : places) {
        if (const std::uint32_t only = rows.only(place); only != location_rows::several) {
            count_once(only);
        } else if (m_last_of_place[place] != m_stack) {
            m_last_of_place[place] = m_stack;
            const auto of_place = rows.of(place);
            m_budget.charge(of_place.size());
            std::ranges::for_each(of_place, count_once);
        }
    }
}

row_sums sum_rows(const profile_index& index, std::span<const std::size_t> types,
                  const stack_rules& rules, row_names& names,
                  const std::function<std::int64_t(std::span<const std::int64_t>)>& derived) {
    const profile_stacks stacks{index, rules, true};
    const location_rows rows{stacks, names};
    row_sums sums{stacks, rows, names.size(), types.size() + (derived ? 1 : 0)};
    std::vector<std::int64_t> all;
    visit_samples(stacks, types, [&](const auto& values, std::span<const std::uint32_t> places) {
        if (derived) {
            all.assign(values.begin(), values.end());
            all.push_back(derived(values));
            sums.add(rows, all, places);
        } else {
            sums.add(rows, values, places);
        }
    });
    names.add_folded(stacks);
    return sums;
}

std::uint64_t change_size(const value_pair& value) noexcept {
    const auto [from, to] = std::minmax(value.previous, value.current);
    return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
}

void sort_rows(std::vector<report::row>& rows, row_order order) {
    using key = std::tuple<std::uint64_t, std::uint64_t, const std::string&>;
    const auto by_size = [order](const report::row& a, const report::row& b) {
        const value_pair report::row::*const first =
            order == row_order::flat ? &report::row::flat : &report::row::cum;
        const value_pair report::row::*const second =
            order == row_order::flat ? &report::row::cum : &report::row::flat;
        return key{change_size(b.*first), change_size(b.*second), a.name} <
               key{change_size(a.*first), change_size(a.*second), b.name};
    };
    std::ranges::sort(rows, [&](const report::row& a, const report::row& b) {
        if (order == row_order::percent) {
            const bool is_larger = is_larger_part(a.cum, b.cum);
            if (is_larger || is_larger_part(b.cum, a.cum)) {
                return is_larger;
            }
        }
        return by_size(a, b);
    });
}

} // namespace pprofdelta
