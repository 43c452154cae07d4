// SPDX-License-Identifier: Apache-2.0
#include "symbols/binary.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

#include <cxxabi.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <pprofdelta/characters.hpp>

#include "files/file.hpp"

#ifdef PPROFDELTA_HAVE_LIBDW
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <gelf.h>
#endif
#ifdef PPROFDELTA_HAVE_LIBLZMA
#include <lzma.h>
#endif

namespace pprofdelta::tool {

#ifdef PPROFDELTA_HAVE_LIBDW

namespace {

struct end_elf {
    void operator()(Elf* elf) const { elf_end(elf); }
};
struct end_dwarf {
    void operator()(Dwarf* dwarf) const { dwarf_end(dwarf); }
};

// A name as libdw and libelf give it, which is nullptr where there is none.
std::string text_or_empty(const char* text) { return text == nullptr ? std::string{} : text; }

// A build id in hexadecimal digits.
std::string digits_of(const void* bytes, ssize_t size) {
    return hexadecimal({static_cast<const char*>(bytes), static_cast<std::size_t>(size)});
}

// Calls `visit(Elf_Scn* section, const GElf_Shdr& header)` for all sections.
template <typename Visit>
void for_each_section(Elf* elf, Visit&& visit) {
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(elf, section)) != nullptr) {
        GElf_Shdr header{};
        if (gelf_getshdr(section, &header) != nullptr) {
            visit(section, std::as_const(header));
        }
    }
}

std::string section_name(Elf* elf, const GElf_Shdr& header) {
    std::size_t names = 0;
    elf_getshdrstrndx(elf, &names);
    return text_or_empty(elf_strptr(elf, names, header.sh_name));
}

// The size that a section says it takes once it is inflated; 0 if it is not compressed.
std::uint64_t inflated_size(Elf* elf, Elf_Scn* section, const GElf_Shdr& header) {
    if ((header.sh_flags & SHF_COMPRESSED) != 0) {
        GElf_Chdr compressed{};
        return gelf_getchdr(section, &compressed) != nullptr ? compressed.ch_size : 0;
    }
    // Older compilers wrote this instead: "ZLIB", and the size from its highest byte on.
    constexpr std::string_view magic = "ZLIB";
    constexpr std::size_t start_size = magic.size() + sizeof(std::uint64_t);
    const Elf_Data* const data =
        section_name(elf, header).starts_with(".zdebug")
            ? elf_getdata_rawchunk(elf, static_cast<std::int64_t>(header.sh_offset), start_size,
                                   ELF_T_BYTE)
            : nullptr;
    if (data == nullptr || data->d_size < start_size) {
        return 0;
    }
    const std::string_view start{static_cast<const char*>(data->d_buf), start_size};
    std::uint64_t size = 0;
    for (const char byte : start.substr(magic.size())) {
        size = size << 8U | static_cast<unsigned char>(byte);
    }
    return start.starts_with(magic) ? size : 0;
}

// A size that compressed bytes of this size may well become.
constexpr std::uint64_t likely_size(std::uint64_t compressed) {
    constexpr std::uint64_t likely_ratio = 16;
    return (std::uint64_t{64} << 20U) + compressed * likely_ratio;
}

// The memory that a file takes with all that is compressed; nothing if that can hardly be a part of
// a file of this size.
std::optional<std::uint64_t> likely_memory(Elf* elf, std::uint64_t file_size) {
    const std::uint64_t most = likely_size(file_size);
    std::uint64_t inflated = 0;
    bool fits = true;
    for_each_section(elf, [&](Elf_Scn* section, const GElf_Shdr& header) {
        const std::uint64_t size = inflated_size(elf, section, header);
        fits = fits && size <= most - inflated;
        inflated += fits ? size : 0;
    });
    return fits ? std::optional{file_size + inflated} : std::nullopt;
}

// Whether the last one of all strings that debugging information has ends where its section does,
// as libdw reads on beyond it otherwise. Asked before libdw has the file; what is compressed is
// inflated in place, as libdw would do.
bool are_strings_ended(Elf* elf) {
    bool are_ended = true;
    for_each_section(elf, [&](Elf_Scn* section, const GElf_Shdr& header) {
        const std::string name = section_name(elf, header);
        const bool has_strings = name.ends_with("debug_str") || name.ends_with("debug_line_str");
        if (has_strings && (header.sh_flags & SHF_COMPRESSED) != 0) {
            (void)elf_compress(section, 0, 0);
        } else if (has_strings && name.starts_with(".z")) {
            (void)elf_compress_gnu(section, 0, 0);
        }
        const Elf_Data* const data = has_strings ? elf_getdata(section, nullptr) : nullptr;
        if (data != nullptr && data->d_buf != nullptr && data->d_size != 0) {
            are_ended =
                are_ended && static_cast<const char*>(data->d_buf)[data->d_size - 1] == '\0';
        }
    });
    return are_ended;
}

// Whether debugging information is compressed in a way that the format had no number for before
// 2022. libdw passes over what it cannot inflate.
bool has_zstd_sections(Elf* elf) {
    constexpr GElf_Word zstd = 2;
    bool has_one = false;
    for_each_section(elf, [&](Elf_Scn* section, const GElf_Shdr& header) {
        GElf_Chdr compressed{};
        has_one = has_one ||
                  ((header.sh_flags & SHF_COMPRESSED) != 0 &&
                   gelf_getchdr(section, &compressed) != nullptr && compressed.ch_type == zstd);
    });
    return has_one;
}

// The ranges of addresses and what lies there. If several begin at one address, it is the longest,
// and the last one of these.
template <typename Value>
class address_table {
public:
    // @param end the same as `begin` if it is not known.
    void add(std::uint64_t begin, std::uint64_t end, Value value) {
        m_ranges.push_back({begin, end, value});
    }
    [[nodiscard]] bool empty() const noexcept { return m_ranges.empty(); }
    void sort() {
        std::ranges::stable_sort(m_ranges, {}, [](const range& each) {
            return std::pair{each.begin, each.end};
        });
    }
    // nullptr for none.
    [[nodiscard]] const Value* find(std::uint64_t address) const {
        return find(address, [](const Value&) { return true; });
    }
    // The last wanted one is taken among several with the same addresses, or else the last one.
    template <typename Wanted>
    [[nodiscard]] const Value* find(std::uint64_t address, Wanted&& is_wanted) const {
        const auto after = std::ranges::upper_bound(m_ranges, address, {}, &range::begin);
        if (after == m_ranges.begin()) {
            return nullptr;
        }
        const range& nearest = *std::prev(after);
        if (address >= nearest.end && nearest.end != nearest.begin) {
            return nullptr;
        }
        constexpr std::ptrdiff_t most = 100; // in a damaged file there can be any number
        const auto first = after - std::min(after - m_ranges.begin(), most);
        for (auto each = after; each != first;) {
            --each;
            if (each->begin != nearest.begin || each->end != nearest.end) {
                break;
            }
            if (is_wanted(each->value)) {
                return &each->value;
            }
        }
        return &nearest.value;
    }

private:
    struct range {
        std::uint64_t begin;
        std::uint64_t end;
        Value value;
    };
    std::vector<range> m_ranges;
};

struct symbol_name {
    const char* text; // lies in the file
    bool is_local;    // other files cannot use it
};

// The names of functions. Those of assembler code can have no size. The last one of several is
// taken, as in LLVM: those that other files can use come last in a table.
address_table<symbol_name> symbols_of(Elf* elf, GElf_Word kind) {
    address_table<symbol_name> symbols;
    for_each_section(elf, [&](Elf_Scn* section, const GElf_Shdr& header) {
        Elf_Data* const data = header.sh_type == kind ? elf_getdata(section, nullptr) : nullptr;
        GElf_Sym each{};
        for (int i = 0; data != nullptr && gelf_getsym(data, i, &each) != nullptr; ++i) {
            const auto type = GELF_ST_TYPE(each.st_info);
            const char* const name = elf_strptr(elf, header.sh_link, each.st_name);
            if ((type == STT_FUNC || type == STT_GNU_IFUNC) && each.st_shndx != SHN_UNDEF &&
                name != nullptr && *name != '\0') {
                symbols.add(each.st_value, each.st_value + each.st_size,
                            {name, GELF_ST_BIND(each.st_info) == STB_LOCAL});
            }
        }
    });
    symbols.sort();
    return symbols;
}

// The ranges lack those of code that the linker has dropped, which it leaves at address 0.
void add_ranges(address_table<Dwarf_Die>& to, Dwarf_Die die) {
    Dwarf_Addr base = 0;
    Dwarf_Addr begin = 0;
    Dwarf_Addr end = 0;
    std::ptrdiff_t at = 0;
    while ((at = dwarf_ranges(&die, at, &base, &begin, &end)) > 0) {
        if (begin != 0 && begin < end) {
            to.add(begin, end, die);
        }
    }
}

// Calls `visit(Dwarf_Die& die)` for what lies within `root`, in the order of the file, and for what
// lies within that if it returns true. The path has, during the call, what the entry lies in, and
// itself.
template <typename Visit>
void walk(Dwarf_Die root, std::vector<Dwarf_Die>& path, Visit&& visit) {
    constexpr std::size_t deepest = 200;
    path.resize(1);
    if (dwarf_child(&root, path.data()) != 0) {
        return;
    }
    Dwarf_Off last = dwarf_dieoffset(&root);
    while (!path.empty()) {
        // The next one of a damaged file can be one of those before.
        const Dwarf_Off offset = dwarf_dieoffset(&path.back());
        if (offset <= last) {
            return;
        }
        last = offset;
        Dwarf_Die next{};
        if (visit(path.back()) && path.size() < deepest && dwarf_child(&path.back(), &next) == 0) {
            path.push_back(next);
            continue;
        }
        while (!path.empty() && dwarf_siblingof(&path.back(), &next) != 0) {
            path.pop_back();
        }
        if (!path.empty()) {
            path.back() = next;
        }
    }
}

template <typename Visit>
void walk(Dwarf_Die root, Visit&& visit) {
    std::vector<Dwarf_Die> path;
    walk(root, path, visit);
}

// The name that the linker has for a function, else the one of the source.
std::string function_name(Dwarf_Die die) {
    for (const unsigned name : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
        Dwarf_Attribute attribute{};
        if (const char* const text =
                dwarf_formstring(dwarf_attr_integrate(&die, name, &attribute))) {
            return text;
        }
    }
    return text_or_empty(dwarf_diename(&die));
}

// Whether a name is of C++, and newer than what this machine knows of such names.
bool is_unreadable(const std::string& name) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> full{
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free};
    return name.starts_with("_Z") && !full;
}

// A name is like "ns::type::f<int>", also of a function that may be inlined, or defined elsewhere
// than declared.
// @param left how many entries may still be looked at, which takes time for each name.
std::string scoped_name(Dwarf_Die die, std::size_t& left) {
    for (const unsigned name : {DW_AT_abstract_origin, DW_AT_specification}) {
        Dwarf_Attribute attribute{};
        Dwarf_Die declared{};
        if (dwarf_formref_die(dwarf_attr(&die, name, &attribute), &declared) != nullptr) {
            die = declared;
        }
    }
    std::string name = text_or_empty(dwarf_diename(&die));
    Dwarf_Die unit{};
    if (name.empty() || left == 0 || dwarf_diecu(&die, &unit, nullptr, nullptr) == nullptr) {
        return name;
    }
    const Dwarf_Off wanted = dwarf_dieoffset(&die);
    std::string scopes;
    std::vector<Dwarf_Die> path;
    walk(unit, path, [&](Dwarf_Die& each) {
        const int tag = dwarf_tag(&each);
        left -= left == 0 ? 0 : 1;
        if (dwarf_dieoffset(&each) == wanted) {
            for (auto scope = path.begin(); scope != path.end() - 1; ++scope) {
                const char* const text = dwarf_diename(&*scope);
                scopes.append(text == nullptr ? "(anonymous namespace)" : text).append("::");
            }
        }
        return tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
               tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
    });
    return scopes + name;
}

// A relative name goes on from the folder in which its unit was compiled, as readers have it, so
// that src/util.cpp of two folders are two files.
std::string source_path(Dwarf_Die unit, const char* name) {
    if (name == nullptr || *name == '/' || *name == '\0') {
        return text_or_empty(name);
    }
    Dwarf_Attribute attribute{};
    const std::string folder =
        text_or_empty(dwarf_formstring(dwarf_attr_integrate(&unit, DW_AT_comp_dir, &attribute)));
    return folder.empty() ? name : folder + (folder.ends_with('/') ? "" : "/") + name;
}

Dwarf_Word number_of(Dwarf_Die die, unsigned name) {
    Dwarf_Attribute attribute{};
    Dwarf_Word number = 0;
    return dwarf_formudata(dwarf_attr(&die, name, &attribute), &number) == 0 ? number : 0;
}

// Calls of inlined functions that `address` is in, outermost first.
std::vector<Dwarf_Die> inlined_calls(Dwarf_Die function, Dwarf_Addr address) {
    constexpr std::size_t most = 500; // in a damaged file there can be any number
    std::vector<Dwarf_Die> calls;
    walk(function, [&](Dwarf_Die& die) {
        const int tag = dwarf_tag(&die);
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block) {
            return false;
        }
        const bool is_here = dwarf_haspc(&die, address) == 1;
        if (tag == DW_TAG_inlined_subroutine) {
            if (is_here && calls.size() < most) {
                calls.push_back(die);
            }
            return is_here;
        }
        // A block need not say where it lies.
        return is_here ||
               (dwarf_hasattr(&die, DW_AT_low_pc) == 0 && dwarf_hasattr(&die, DW_AT_ranges) == 0);
    });
    return calls;
}

// The frames that the debugging information of one file tells of. It may be damaged in any way. It
// only reads the units that are asked for.
class dwarf_frames {
public:
    // @param dwarf must outlive this.
    explicit dwarf_frames(Dwarf* dwarf) {
        Dwarf_CU* unit = nullptr;
        std::uint8_t type = 0;
        Dwarf_Die die{};
        while (dwarf_get_units(dwarf, unit, &unit, nullptr, &type, &die, nullptr) == 0) {
            if (type == DW_UT_compile) {
                add_ranges(m_units, die);
            }
        }
        m_units.sort();
    }

    // The frames of an address of the linker, innermost first, each with its system name, file and
    // line, as far as these are known. None if no unit has the address; one without a name if a
    // unit has it, and none of its functions. Once its unit is read, O(the inlined calls of the
    // function).
    [[nodiscard]] std::vector<code_frame> find(Dwarf_Addr address) {
        std::vector<code_frame> all;
        const Dwarf_Die* const unit = m_units.find(address);
        if (unit == nullptr) {
            return all;
        }
        Dwarf_Die unit_die = *unit;
        code_frame frame;
        if (Dwarf_Line* const line = dwarf_getsrc_die(&unit_die, address)) {
            frame.file = source_path(unit_die, dwarf_linesrc(line, nullptr, nullptr));
            int number = 0;
            frame.line = dwarf_lineno(line, &number) == 0 ? number : 0;
        }
        if (const Dwarf_Die* const function = functions(unit_die).find(address)) {
            Dwarf_Files* files = nullptr;
            std::size_t count = 0;
            (void)dwarf_getsrcfiles(&unit_die, &files, &count);
            std::vector<Dwarf_Die> calls = inlined_calls(*function, address);
            for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
                put_names(frame, *call);
                all.push_back(frame);
                const Dwarf_Word file = number_of(*call, DW_AT_call_file);
                frame.file =
                    files == nullptr
                        ? std::string{}
                        : source_path(unit_die, dwarf_filesrc(files, file, nullptr, nullptr));
                frame.line = static_cast<std::int64_t>(number_of(*call, DW_AT_call_line));
            }
            put_names(frame, *function);
        }
        all.push_back(std::move(frame));
        return all;
    }

private:
    void put_names(code_frame& frame, Dwarf_Die function) {
        frame.system_name = function_name(function);
        const auto [name, is_new] = m_scoped.try_emplace(frame.system_name);
        if (is_new && is_unreadable(frame.system_name)) {
            name->second = scoped_name(function, m_left);
        }
        frame.function = name->second;
    }

    const address_table<Dwarf_Die>& functions(Dwarf_Die unit) {
        const auto [place, is_new] = m_functions.try_emplace(dwarf_dieoffset(&unit));
        address_table<Dwarf_Die>& table = place->second;
        if (is_new) {
            walk(unit, [&table](Dwarf_Die& die) {
                const int tag = dwarf_tag(&die);
                if (tag == DW_TAG_subprogram) {
                    add_ranges(table, die);
                }
                return tag != DW_TAG_inlined_subroutine;
            });
            table.sort();
        }
        return table;
    }

    address_table<Dwarf_Die> m_units;
    std::map<Dwarf_Off, address_table<Dwarf_Die>> m_functions; // of each unit that was asked for
    std::map<std::string, std::string> m_scoped; // names by those of the linker; mostly empty
    std::size_t m_left = 50'000'000;             // some seconds, in the worst case
};

// The symbols that Fedora leaves in stripped programs, as a file in a section of the file.
class inner_symbols {
public:
    explicit inner_symbols([[maybe_unused]] Elf* elf) {
#ifdef PPROFDELTA_HAVE_LIBLZMA
        for_each_section(elf, [&](Elf_Scn* section, const GElf_Shdr& header) {
            const Elf_Data* const data = section_name(elf, header) == ".gnu_debugdata"
                                             ? elf_getdata(section, nullptr)
                                             : nullptr;
            if (data != nullptr && data->d_buf != nullptr) {
                inflate(static_cast<const std::uint8_t*>(data->d_buf), data->d_size);
            }
        });
        if (m_elf) {
            table = symbols_of(m_elf.get(), SHT_SYMTAB);
        }
#endif
    }

    address_table<symbol_name> table;

private:
#ifdef PPROFDELTA_HAVE_LIBLZMA
    void inflate(const std::uint8_t* bytes, std::size_t size) {
        const std::uint64_t most = likely_size(size);
        std::uint64_t most_memory = most;
        m_bytes = std::make_unique_for_overwrite<char[]>(most); // what is not written takes none
        std::size_t read = 0;
        std::size_t written = 0;
        if (lzma_stream_buffer_decode(&most_memory, 0, nullptr, bytes, &read, size,
                                      reinterpret_cast<std::uint8_t*>(m_bytes.get()), &written,
                                      most) == LZMA_OK) {
            m_elf.reset(elf_memory(m_bytes.get(), written));
        }
    }
#endif

    std::unique_ptr<char[]> m_bytes;
    std::unique_ptr<Elf, end_elf> m_elf;
};

class elf_binary : public binary {
public:
    elf_binary(descriptor opened, std::unique_ptr<Elf, end_elf> read)
        : m_file{std::move(opened)}, m_elf{std::move(read)},
          m_dwarf{are_strings_ended(m_elf.get())
                      ? dwarf_begin_elf(m_elf.get(), DWARF_C_READ, nullptr)
                      : nullptr} {
        const void* id = nullptr;
        if (const auto size = dwelf_elf_gnu_build_id(m_elf.get(), &id); size > 0) {
            build_id = digits_of(id, size);
        }
        const char* name = nullptr;
        Dwarf_CU* unit = nullptr;
        if (has_zstd_sections(m_elf.get()) &&
            (!m_dwarf || dwarf_get_units(m_dwarf.get(), nullptr, &unit, nullptr, nullptr, nullptr,
                                         nullptr) != 0)) {
            fault = "its debugging information is compressed with zstd, which libdw cannot read";
            m_dwarf.reset();
        }
        if (!m_dwarf) {
            return;
        }
        if (const auto size = dwelf_dwarf_gnu_debugaltlink(m_dwarf.get(), &name, &id); size > 0) {
            shared_build_id = digits_of(id, size);
            shared_path = text_or_empty(name);
        } else if (size < 0) {
            m_dwarf.reset();
        }
    }

    void use_shared(std::unique_ptr<binary> shared) override {
        if (m_dwarf && shared && shared->has_debug_info()) {
            size_in_memory += shared->size_in_memory;
            m_shared = std::move(shared);
            dwarf_setalt(m_dwarf.get(), static_cast<elf_binary&>(*m_shared).m_dwarf.get());
        } else {
            // libdw would look for that file, at whatever path is written here.
            m_dwarf.reset();
            fault = "its debugging information lacks a part: " + shared_path;
        }
    }

    [[nodiscard]] std::string debug_link() const override {
        GElf_Word checksum = 0;
        return text_or_empty(dwelf_elf_gnu_debuglink(m_elf.get(), &checksum));
    }

    [[nodiscard]] bool has_debug_info() const noexcept override { return m_dwarf != nullptr; }

    [[nodiscard]] std::optional<std::uint64_t> address(std::uint64_t offset) const override {
        std::size_t count = 0;
        if (elf_getphdrnum(m_elf.get(), &count) != 0) {
            return std::nullopt;
        }
        GElf_Phdr header{};
        for (std::size_t i = 0; i < count; ++i) {
            // The offset is that in the file rather than in memory: objcopy(1) leaves wrong offsets
            // of code in what it splits off, and makes it empty.
            if (gelf_getphdr(m_elf.get(), static_cast<int>(i), &header) != nullptr &&
                header.p_type == PT_LOAD && offset - header.p_offset < header.p_filesz) {
                return offset - header.p_offset + header.p_vaddr;
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] bool fits(std::uint64_t offset, std::uint64_t size) const override {
        std::size_t count = 0;
        if (size == 0 || elf_getphdrnum(m_elf.get(), &count) != 0) {
            return true;
        }
        std::uint64_t last = 0; // where the last segment ends
        bool has_begin = false;
        bool has_end = false;
        GElf_Phdr header{};
        for (std::size_t i = 0; i < count; ++i) {
            if (gelf_getphdr(m_elf.get(), static_cast<int>(i), &header) == nullptr ||
                header.p_type != PT_LOAD) {
                continue;
            }
            const std::uint64_t end = header.p_offset + header.p_filesz;
            last = std::max(last, end);
            // Pages of ARM can be larger than those of x86-64.
            for (const std::uint64_t page : {0x1000U, 0x4000U, 0x10000U}) {
                has_begin = has_begin || offset == header.p_offset / page * page;
                has_end = has_end || offset + size == (end + page - 1) / page * page;
            }
        }
        return (has_begin && has_end) || (offset == 0 && size >= last);
    }

    [[nodiscard]] std::vector<code_frame> frames(std::uint64_t address) override {
        if (!m_dwarf) {
            return {};
        }
        if (!m_frames) {
            m_frames.emplace(m_dwarf.get());
        }
        return m_frames->find(address);
    }

    [[nodiscard]] std::string symbol(std::uint64_t address, bool dynamic,
                                     const std::string& known) override {
        auto& table = dynamic ? m_dynamic_symbols : m_symbols;
        if (!table) {
            table = symbols_of(m_elf.get(), dynamic ? SHT_DYNSYM : SHT_SYMTAB);
            if (!dynamic && table->empty()) {
                table = m_inner.emplace(m_elf.get()).table;
            }
        }
        const symbol_name* const name = table->find(address, [&](const symbol_name& each) {
            return known.empty() || !each.is_local || each.text == known;
        });
        return name == nullptr ? std::string{} : name->text;
    }

private:
    // Goes last, as the others read from it.
    descriptor m_file;
    std::unique_ptr<Elf, end_elf> m_elf;
    std::unique_ptr<binary> m_shared; // outlives the one that refers to it
    std::unique_ptr<Dwarf, end_dwarf> m_dwarf;
    std::optional<dwarf_frames> m_frames;
    std::optional<inner_symbols> m_inner;
    std::optional<address_table<symbol_name>> m_symbols;
    std::optional<address_table<symbol_name>> m_dynamic_symbols;
};

} // namespace

bool can_read_binaries() noexcept { return true; }

std::unique_ptr<binary> binary::open(const std::string& path, std::string& fault) {
    const auto refuse = [&](const std::string& why) {
        fault = why;
        return nullptr;
    };
    struct stat status = {};
    // Looked at first, as to open a device can have effects; and then again.
    if (::stat(path.c_str(), &status) != 0) {
        return refuse(std::generic_category().message(errno));
    }
    if (!S_ISREG(status.st_mode)) {
        return refuse("it is not a regular file");
    }
    descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
    if (file.number() < 0 || ::fstat(file.number(), &status) != 0) {
        return refuse(std::generic_category().message(errno));
    }
    constexpr off_t largest = off_t{4} << 30U;
    if (!S_ISREG(status.st_mode) || status.st_size > largest) {
        return refuse("it is not a regular file of at most 4 GiB");
    }
    elf_version(EV_CURRENT);
    // The file is not mapped: if somebody cut it short, it would end the program.
    std::unique_ptr<Elf, end_elf> elf{elf_begin(file.number(), ELF_C_READ, nullptr)};
    if (status.st_size == 0 || !elf || elf_kind(elf.get()) != ELF_K_ELF) {
        return refuse("it is not an ELF file");
    }
    const auto size = likely_memory(elf.get(), static_cast<std::uint64_t>(status.st_size));
    if (!size) {
        return refuse("its compressed sections claim an implausible size");
    }
    auto opened = std::make_unique<elf_binary>(std::move(file), std::move(elf));
    opened->size_in_memory = *size;
    return opened;
}

#else // as if there were no binaries

bool can_read_binaries() noexcept { return false; }

std::unique_ptr<binary> binary::open(const std::string& /*path*/, std::string& fault) {
    fault = "this build of pprofdelta cannot read binaries";
    return nullptr;
}

#endif

} // namespace pprofdelta::tool
