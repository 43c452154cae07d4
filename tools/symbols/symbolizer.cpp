// SPDX-License-Identifier: Apache-2.0
#include "symbols/symbolizer.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <cxxabi.h>
#include <dlfcn.h>

#include <pprofdelta/info.hpp>
#include <pprofdelta/symbolize.hpp>

#include "base/names.hpp"
#include "base/value_text.hpp"
#include "files/file.hpp"
#include "symbols/binary.hpp"
#include "symbols/rust_names.hpp"

namespace pprofdelta::tool {

namespace {

bool is_word(char c) { return is_in_word(c) || c == '$'; }

// The length of the word "operator" at `at` with the symbol that follows; for a conversion and for
// operators that are words, such as new, it is that of the word alone. 0 if there is none.
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
    const auto* const sign = std::ranges::find_if(symbols, [&](std::string_view symbol) {
        return rest.substr(word.size()).starts_with(symbol);
    });
    return word.size() + (sign == symbols.end() ? 0 : sign->size());
}

// Within brackets a sign can be one of "less", too, which has no other half.
class open_brackets {
public:
    // The brackets that are left open after `c`.
    void pass(char c) {
        constexpr std::string_view open = "({[<";
        constexpr std::string_view close = ")}]>";
        const std::size_t kind = close.find(c);
        if (open.find(c) != std::string_view::npos) {
            m_open += c;
        } else if (kind != std::string_view::npos && (c != '>' || m_open.ends_with('<'))) {
            const std::size_t at = m_open.rfind(open[kind]);
            m_open.resize(std::min(at, m_open.size()));
        }
    }

    [[nodiscard]] bool empty() const { return m_open.empty(); }

private:
    std::string m_open;
};

// Calls `visit(part, is_operator)` for each character outside of operators, and for each operator.
template <typename Visit>
void for_each_token(std::string_view text, Visit&& visit) {
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t size = operator_size(text, i);
        visit(i, text.substr(i, std::max<std::size_t>(size, 1)), size != 0);
        i += std::max<std::size_t>(size, 1);
    }
}

std::string without_template_arguments(std::string_view text) {
    std::string kept;
    open_brackets within; // from the first '<' on
    for_each_token(text, [&](std::size_t, std::string_view part, bool is_operator) {
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

// The beginnings and ends of the lists of parameters, of the function and of those that it lies in.
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
    for_each_token(name, [&](std::size_t at, std::string_view part, bool is_operator) {
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
    // The rest is const and the like, or a name within that function.
    const bool is_whole = name.find("::", parts.last_list_end) == std::string::npos;
    return name.substr(parts.name_begin,
                       is_whole ? parts.last_list - parts.name_begin : std::string::npos);
}

std::string demangled(const std::string& symbol) {
    std::string name = symbol.substr(0, symbol.find('@')); // a version may follow
    if (std::optional<std::string> of_rust = demangled_rust(name)) {
        return *std::move(of_rust);
    }
    if (!name.starts_with("_Z")) {
        if (name.find(".<") == std::string::npos &&
            (name.find_first_of("<>[]") != std::string::npos ||
             name.find("::") != std::string::npos)) {
            return without_pairs(without_pairs(name, '(', ')'), '<', '>');
        }
        return name;
    }
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> full{
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free};
    return full ? simplified(full.get()) : name;
}

namespace {

constexpr std::string_view deleted = " (deleted)";

std::string base_name(const std::string& path) {
    return path.substr(path.rfind('/') + 1); // npos + 1 is 0
}

// The memory of a process without a file, or with one that is no part of a program's code.
bool has_no_file(std::string_view path) {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    const std::initializer_list<std::string_view> beginnings{
        "//anon",    "anon_inode:", "/anon_hugepage", "/memfd:", "/SYSV",
        "/dev/zero", "/dev/dri",    "http:",          "https:"};
    return name.empty() || path.find('\0') != std::string_view::npos || name.starts_with('[') ||
           name.starts_with("linux-vdso") ||
           std::ranges::any_of(beginnings,
                               [path](std::string_view each) { return path.starts_with(each); });
}

// The parts between colons.
std::vector<std::string> split(const std::string& paths) {
    std::vector<std::string> all;
    for_each_part(paths, ':', [&all](std::string_view path, std::size_t) {
        if (!path.empty()) {
            all.emplace_back(path);
        }
    });
    return all;
}

// Digits come from a profile, and so need not be any.
bool is_build_id(const std::string& digits) {
    constexpr std::size_t least = 3; // of which two are a folder
    constexpr std::size_t most = 128;
    return digits.size() >= least && digits.size() <= most &&
           digits.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::unique_ptr<binary> open_with_build_id(const std::string& path, const std::string& build_id) {
    std::string fault;
    std::unique_ptr<binary> opened = binary::open(path, fault);
    return opened && opened->build_id == build_id ? std::move(opened) : nullptr;
}

/// The limits that are left for answers of debug_servers. The variables are those of libdebuginfod,
/// for one answer each.
class server_limits {
public:
    void begin() {
        m_begin = clock::now();
        m_size = 0;
    }
    // Asked several times a second while an answer comes.
    // @param size is that of what has come, or another number that is small.
    [[nodiscard]] bool are_kept(std::uint64_t size) {
        m_size = size;
        return !is_end_asked() && m_fetched + m_size <= m_most_size &&
               m_taken + (clock::now() - m_begin) <= m_most_time;
    }
    void end() {
        m_fetched += m_size;
        m_taken += clock::now() - m_begin;
    }
    // Empty if all are kept.
    [[nodiscard]] std::string fault() const {
        return is_end_asked() ? "the run is ending"
               : m_fetched > m_most_size
                   ? "answers have more than " + std::to_string(m_most_size) + " bytes in all"
               : m_taken > m_most_time ? "answers take more than " +
                                             std::to_string(m_most_time.count()) + " seconds in all"
                                       : "";
    }

private:
    using clock = std::chrono::steady_clock;

    [[nodiscard]] static std::uint64_t limit(const char* name, std::uint64_t usual) {
        const char* const text = std::getenv(name);
        const auto number = number_in<std::uint64_t>(text == nullptr ? "" : text);
        return number && *number > 0 && *number < usual ? *number : usual;
    }

    std::uint64_t m_most_size = limit("DEBUGINFOD_MAXSIZE", std::uint64_t{2} << 30U);
    std::chrono::seconds m_most_time{limit("DEBUGINFOD_MAXTIME", 120)};
    clock::time_point m_begin;
    std::uint64_t m_size = 0; // of the answer that is coming
    std::uint64_t m_fetched = 0;
    clock::duration m_taken{};
};

/// The servers of DEBUGINFOD_URLS, as libdebuginfod asks them: with a cache, and limits on each
/// answer. All answers of a run together have limits, too: there can be many, or one without end.
/// The library is loaded when a server is asked.
class debug_servers {
public:
    /// @param kind "executable" or "debuginfo".
    /// @returns nullptr if no server has it.
    [[nodiscard]] std::unique_ptr<binary> open(const std::string& kind,
                                               const std::string& build_id) {
        const char* const urls = std::getenv("DEBUGINFOD_URLS");
        if (urls == nullptr || *urls == '\0' || !fault.empty() || !is_build_id(build_id) ||
            !load()) {
            return nullptr;
        }
        const auto find = function<int(void*, const char*, int, char**)>("debuginfod_find_" + kind);
        char* path = nullptr;
        int found = -ENOENT;
        {
            const delayed_end until_it_is_done; // it leaves half a file behind otherwise
            asked = &m_limits;
            m_limits.begin();
            found = find(m_client.get(), build_id.c_str(), 0, &path);
            m_limits.end();
        }
        const descriptor file{found};
        const std::unique_ptr<char, void (*)(void*)> owned{path, std::free};
        if (file.number() >= 0) {
            return open_with_build_id(path, build_id);
        }
        // The next one would take as long to fail.
        fault = m_limits.fault();
        if (fault.empty() && found != -ENOENT) {
            fault = std::generic_category().message(-found);
        }
        return nullptr;
    }

    std::string fault; ///< Why none is asked any more; empty if they are.

private:
    // Calls of libdebuginfod have no place for an object. There is one of these at a time.
    static inline server_limits* asked = nullptr;

    static int go_on(void* /*client*/, long size, long total) {
        if (const char* const shown = std::getenv("DEBUGINFOD_PROGRESS");
            shown != nullptr && *shown != '\0' && total > 0) {
            std::fprintf(stderr, "\r\x1b[Kdebuginfod: %ld of %ld bytes%s", size, total,
                         size == total ? "\n" : "");
        }
        return asked->are_kept(static_cast<std::uint64_t>(std::max(size, 0L))) ? 0 : 1;
    }

    [[nodiscard]] bool load() {
        m_library = m_library != nullptr ? m_library
                                         : ::dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_LOCAL);
        if (m_library == nullptr) {
            fault = "libdebuginfod.so.1 is not installed";
        } else if (!m_client) {
            m_client = {function<void*()>("debuginfod_begin")(),
                        function<void(void*)>("debuginfod_end")};
            if (m_client) {
                function<void(void*, int (*)(void*, long, long))>("debuginfod_set_progressfn")(
                    m_client.get(), go_on);
            }
        }
        return m_client != nullptr;
    }

    // There from the first version on, or from the second.
    template <typename Function>
    [[nodiscard]] Function* function(const std::string& name) const {
        return reinterpret_cast<Function*>(::dlsym(m_library, name.c_str()));
    }

    server_limits m_limits;
    void* m_library = nullptr; // stays, as it may have threads
    std::unique_ptr<void, void (*)(void*)> m_client{nullptr, nullptr};
};

/// Finds binaries by what mappings say of them, and names in these. Each mapping is looked for
/// once, and each place in it.
class symbolizer : public frame_namer {
public:
    symbolizer(const std::string& path, const std::string& trimmed)
        : m_path{split(path)}, m_trimmed{split(trimmed)} {
        for (std::string& folder : m_trimmed) {
            folder += folder.ends_with('/') ? "" : "/";
        }
    }

    [[nodiscard]] std::string named(std::string_view profile, std::int64_t written_nanos) override {
        const std::lock_guard lock{m_mutex}; // libdw is not for several threads
        // The places of a binary are looked up together, or it would have to stay open for the
        // next.
        bool has_places = false;
        if (std::string same = add_names(profile,
                                         [&](const code_place& place) {
                                             has_places = true;
                                             note(place);
                                             return std::vector<code_frame>{};
                                         });
            !has_places) {
            return same;
        }
        m_time_nanos = read_profile_info(profile).time_nanos;
        m_time_nanos = m_time_nanos == 0 ? written_nanos : m_time_nanos;
        for (auto& [key, file] : std::exchange(m_asked, {})) {
            look_up(*file, *key);
        }
        return add_names(profile, [this](const code_place& place) { return frames(place); });
    }

    /// One for each mapping, with the reason.
    [[nodiscard]] std::vector<std::string> warnings() const override {
        std::vector<std::string> all;
        const std::lock_guard lock{m_mutex};
        for (const auto& [key, file] : m_files) {
            if (!file.has_names) {
                all.push_back(
                    key.first + ": not symbolized: " +
                    (file.fault.empty() ? "it has no names for these addresses" : file.fault));
            } else if (!file.fault.empty()) {
                all.push_back(key.first + ": symbols only: " + file.fault);
            } else if (file.is_newer) {
                all.push_back(key.first + ": the file is newer than the profile, and there is no "
                                          "build id to compare, so names may be of other code");
            }
        }
        if (!m_servers.fault.empty()) {
            all.push_back("DEBUGINFOD_URLS: not asked any more: " + m_servers.fault);
        }
        return all;
    }

private:
    // The binaries, by path and build id.
    using file_key = std::pair<std::string, std::string>;

    struct mapped_file {
        std::uint64_t mapping_offset = 0; // of the first one of these mappings
        std::uint64_t mapping_size = 0;
        std::string fault;             // why there is no binary, or but symbols
        bool is_missing = false;       // as it was looked for in vain
        std::unique_ptr<binary> code;  // nullptr while it is not open
        std::unique_ptr<binary> debug; // nullptr unless split off, or while it is not open
        std::map<std::uint64_t, std::vector<code_frame>> known; // by offset
        std::vector<std::uint64_t> asked;                       // offsets, for look_up()
        bool has_names = false;
        std::int64_t written_nanos = 0; // when, unless a build id tells that it is the one; else 0
        bool is_newer = false;          // than a profile

        [[nodiscard]] std::uint64_t size() const {
            return (code ? code->size_in_memory : 0) + (debug ? debug->size_in_memory : 0);
        }
    };

    [[nodiscard]] static file_key key_of(const code_place& place) {
        return {std::string{place.file}, lower_case(std::string{place.build_id})};
    }

    // Keeps a place that is not known yet for look_up().
    void note(const code_place& place) {
        if (has_no_file(place.file)) {
            return;
        }
        const auto [found, is_new] = m_files.try_emplace(key_of(place));
        mapped_file& file = found->second;
        if (is_new) {
            file.mapping_offset = place.mapping_offset;
            file.mapping_size = place.mapping_size;
        }
        if (file.known.try_emplace(place.offset).second && !file.is_missing) {
            if (file.asked.empty()) {
                m_asked.emplace_back(&found->first, &file);
            }
            file.asked.push_back(place.offset);
        }
    }

    // An unknown place has no frames.
    [[nodiscard]] std::vector<code_frame> frames(const code_place& place) {
        const auto found = m_files.find(key_of(place));
        if (found == m_files.end()) {
            return {};
        }
        mapped_file& file = found->second;
        file.is_newer |= m_time_nanos != 0 && file.written_nanos > m_time_nanos;
        return file.known.at(place.offset);
    }

    void look_up(mapped_file& file, const file_key& key) {
        std::erase(m_open, &file);
        if (!file.code) {
            open(file, key);
        }
        for (const std::uint64_t offset : std::exchange(file.asked, {})) {
            if (file.code) {
                std::vector<code_frame>& known = file.known[offset];
                known = look_up(file, offset);
                file.has_names = file.has_names || !known.empty();
            }
        }
        if (file.code) {
            m_open.push_back(&file);
            close_others();
        }
    }

    // Those stay open that were used last, as profiles of one program follow each other.
    void close_others() {
        constexpr std::size_t most_open = 32;
        constexpr std::uint64_t most_memory = std::uint64_t{256} << 20U;
        std::uint64_t size = 0;
        std::size_t kept = 0;
        while (kept < m_open.size() && kept < most_open) {
            size += m_open[m_open.size() - 1 - kept]->size();
            if (kept != 0 && size > most_memory) {
                break;
            }
            ++kept;
        }
        while (m_open.size() > kept) {
            m_open.front()->debug.reset();
            m_open.front()->code.reset();
            m_open.erase(m_open.begin());
        }
    }

    // A file that may be the one.
    struct candidate {
        std::string path;
        bool needs_build_id; // as it has another name, or none
    };

    void open(mapped_file& file, const file_key& key) {
        const auto& [path, build_id] = key;
        file.fault.clear();
        bool is_other_there = false; // which says more than that there is none
        std::string found = path;
        for (const candidate& each : candidates(path, build_id)) {
            std::string fault;
            file.code = binary::open(each.path, fault);
            bool is_other = false;
            if (file.code) {
                const std::string& own_id = file.code->build_id;
                const bool is_unknown = build_id.empty() || own_id.empty();
                const bool fits =
                    !is_unknown || file.code->fits(file.mapping_offset, file.mapping_size);
                if (is_unknown ? !each.needs_build_id && fits : own_id == build_id) {
                    file.written_nanos = is_unknown ? time_of_file(each.path) : 0;
                    found = each.path;
                    break;
                }
                fault = each.path + (!is_unknown ? " has a different build id"
                                     : !fits ? " is a different binary: the mapping fits no segment"
                                             : " may be a different binary: a build id is missing");
                is_other = !each.needs_build_id;
                file.code.reset();
            }
            if (file.fault.empty() || (!each.needs_build_id && !is_other_there)) {
                file.fault = fault;
            }
            is_other_there = is_other_there || is_other;
        }
        for (const char* const kind : {"executable", "debuginfo"}) {
            file.code = file.code ? std::move(file.code) : m_servers.open(kind, build_id);
        }
        file.is_missing = !file.code;
        if (file.code) {
            find_shared(*file.code);
            if (!file.code->has_debug_info()) {
                file.debug = split_debug_info(path, found, *file.code);
            }
            if (file.debug) {
                find_shared(*file.debug);
            }
            file.fault = file.debug ? file.debug->fault : file.code->fault;
        }
    }

    // Files that were only split off a program come last: they need not say where its code lies.
    [[nodiscard]] std::vector<candidate> candidates(const std::string& path,
                                                    const std::string& build_id) const {
        const bool is_deleted = path.ends_with(deleted);
        const std::string real = is_deleted ? path.substr(0, path.size() - deleted.size()) : path;
        std::vector<candidate> all;
        for (const std::string& each : m_path) {
            if (!is_folder(each)) {
                all.push_back({each, base_name(each) != base_name(real)});
                continue;
            }
            all.push_back({each + "/" + base_name(real), false});
            if (real.starts_with('/')) {
                all.push_back({each + real, false}); // a folder like the root of a container
            }
        }
        all.push_back({real, is_deleted});
        for (const std::string& each : by_build_id(build_id)) {
            all.push_back({each, true});
        }
        return all;
    }

    // @param path  what the profile says.
    // @param found where the file is; the same if a server has it.
    [[nodiscard]] std::unique_ptr<binary>
    split_debug_info(const std::string& path, const std::string& found, const binary& file) {
        const std::string link = base_name(file.debug_link());
        std::vector<std::string> linked;
        for (const std::string& each : m_path) {
            if (!is_folder(each)) {
                if (each != found) {
                    linked.push_back(each);
                }
            } else if (!link.empty()) {
                linked.push_back(std::string{each}.append("/").append(link));
            }
        }
        if (!link.empty()) {
            for (const std::string& each : {found, path}) {
                const std::string folder = each.substr(0, each.rfind('/') + 1);
                linked.push_back(folder + link);
                linked.push_back(std::string{folder}.append(".debug/").append(link));
            }
            linked.push_back("/usr/lib/debug/" + path.substr(0, path.rfind('/') + 1) + link);
        }
        return debug_info(file.build_id, linked);
    }

    void find_shared(binary& file) {
        if (file.shared_build_id.empty()) {
            return;
        }
        // Debian's packages have it below this folder, and not by its build id.
        std::vector<std::string> linked;
        const std::size_t at = file.shared_path.rfind("/.dwz/");
        if (at != std::string::npos && file.shared_path.find("/../", at) == std::string::npos) {
            linked = in_debug_folders(file.shared_path.substr(at));
        }
        file.use_shared(debug_info(file.shared_build_id, linked));
    }

    // The paths of a file below the folders for debugging information.
    [[nodiscard]] std::vector<std::string> in_debug_folders(const std::string& name) const {
        std::vector<std::string> paths;
        for (const std::string& folder : m_path) {
            paths.push_back(folder + name);
            paths.push_back((folder + "/usr/lib/debug").append(name));
        }
        paths.push_back("/usr/lib/debug" + name);
        return paths;
    }

    // A file of its own with debugging information, found by build id or at other paths; nullptr
    // for none. One that has but symbols will do, if there is no other.
    [[nodiscard]] std::unique_ptr<binary> debug_info(const std::string& build_id,
                                                     const std::vector<std::string>& others) {
        if (build_id.empty()) {
            return nullptr;
        }
        std::vector<std::string> paths = by_build_id(build_id);
        paths.insert(paths.end(), others.begin(), others.end());
        std::unique_ptr<binary> best;
        for (const std::string& each : paths) {
            std::unique_ptr<binary> opened = open_with_build_id(each, build_id);
            best =
                !best || (opened && opened->has_debug_info()) ? std::move(opened) : std::move(best);
            if (best && best->has_debug_info()) {
                return best;
            }
        }
        std::unique_ptr<binary> opened = m_servers.open("debuginfo", build_id);
        return opened ? std::move(opened) : std::move(best);
    }

    [[nodiscard]] std::vector<std::string> by_build_id(const std::string& build_id) const {
        return is_build_id(build_id) ? in_debug_folders("/.build-id/" + build_id.substr(0, 2) +
                                                        "/" + build_id.substr(2) + ".debug")
                                     : std::vector<std::string>{};
    }

    std::vector<code_frame> look_up(mapped_file& file, std::uint64_t offset) {
        const std::optional<std::uint64_t> address = file.code->address(offset);
        if (!address) {
            return {};
        }
        std::vector<code_frame> all = (file.debug ? *file.debug : *file.code).frames(*address);
        if (all.empty()) {
            all.emplace_back();
        }
        // The outermost is called as its symbol is: that tells a function from its clones, and of
        // several names it is the one that callers use. google/pprof asks the debugging information
        // instead of a file's symbols that were split off. Those of glibc have names for its own
        // use last, such as __GI___clone3 of clone3.
        std::string& outermost = all.back().system_name;
        for (const auto& symbol : {file.code->symbol(*address, false, ""),
                                   file.debug ? file.debug->symbol(*address, false, outermost) : "",
                                   file.code->symbol(*address, true, "")}) {
            if (!symbol.empty()) {
                outermost = symbol;
                break;
            }
        }
        for (code_frame& frame : all) {
            const std::string& name = readable(frame.system_name);
            const bool is_read = frame.function.empty() || name != frame.system_name;
            frame.function = is_read ? name : simplified(frame.function);
            frame.file = trimmed(std::move(frame.file));
        }
        const bool has_name =
            std::ranges::any_of(all, [](const auto& frame) { return !frame.function.empty(); });
        return has_name ? std::move(all) : std::vector<code_frame>{};
    }

    const std::string& readable(const std::string& symbol) {
        const auto [entry, is_new] = m_readable.try_emplace(symbol);
        if (is_new) {
            entry->second = demangled(symbol);
        }
        return entry->second;
    }

    [[nodiscard]] std::string trimmed(std::string file) const {
        const auto prefix = std::ranges::find_if(
            m_trimmed, [&](const std::string& folder) { return file.starts_with(folder); });
        return prefix == m_trimmed.end() ? file : file.substr(prefix->size());
    }

    mutable std::mutex m_mutex;
    std::int64_t m_time_nanos = 0; // of the profile that is named
    std::vector<std::string> m_path;
    std::vector<std::string> m_trimmed; // each with a slash at the end
    debug_servers m_servers;
    std::map<file_key, mapped_file> m_files;
    std::vector<std::pair<const file_key*, mapped_file*>> m_asked; // with places to look up
    std::vector<mapped_file*> m_open;              // the one that was used last comes last
    std::map<std::string, std::string> m_readable; // by symbol
};

} // namespace

std::shared_ptr<frame_namer> names_of_binaries(const std::string& path,
                                               const std::string& trimmed) {
    return std::make_shared<symbolizer>(path, trimmed);
}

} // namespace pprofdelta::tool
