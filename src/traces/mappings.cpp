// SPDX-License-Identifier: Apache-2.0
#include "traces/mappings.hpp"

#include <array>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include <pprofdelta/characters.hpp>
#include <pprofdelta/error.hpp>
#include <pprofdelta/traces.hpp>

#include "base/text.hpp"

#if defined(__linux__)
#include <fcntl.h>
#include <link.h>
#include <unistd.h>
#endif

namespace pprofdelta {

namespace {

// Elf64_Nhdr, which is the same as Elf32_Nhdr.
struct note_header {
    std::uint32_t name_size;
    std::uint32_t description_size;
    std::uint32_t type;
};
constexpr std::uint32_t gnu_build_id = 3;
constexpr std::string_view gnu{"GNU\0", 4};

} // namespace

std::string build_id(std::string_view notes, std::size_t alignment) {
    const std::uint64_t unit = alignment == 8 ? 8 : 4;
    const auto aligned = [unit](std::uint64_t size) { return (size + unit - 1) / unit * unit; };
    while (notes.size() >= sizeof(note_header)) {
        note_header header{};
        std::memcpy(&header, notes.data(), sizeof header);
        // Sizes are of 32 bits, so these sums do not wrap around.
        const std::uint64_t description = aligned(sizeof header + std::uint64_t{header.name_size});
        const std::uint64_t end = description + header.description_size;
        if (end > notes.size()) {
            return {};
        }
        if (header.type == gnu_build_id && notes.substr(sizeof header, header.name_size) == gnu) {
            return hexadecimal(notes.substr(description, header.description_size));
        }
        notes.remove_prefix(std::min<std::uint64_t>(aligned(end), notes.size()));
    }
    return {};
}

namespace {

// Real lists have one or two names. A line that is no mapping and has a '=' in it looks like a
// definition.
constexpr std::size_t max_names = 16;
constexpr std::size_t max_name_size = 64;

// The kernel of Linux allows a process 65,530 unless told otherwise, most of them without code.
constexpr std::size_t max_mappings = std::size_t{1} << 20U;

// Maps $NAME to its text. A short name can stand for a text of any length, so a limit holds for all
// lines that are written out.
class definitions {
public:
    // `limit` is the most bytes that apply() writes in all.
    explicit definitions(std::size_t limit) : m_limit{limit}, m_left{limit} {}

    // Takes a line that is no mapping: a definition, or something else, which is skipped.
    void add(std::string_view line) {
        const std::size_t sign = line.find('=');
        if (sign == std::string_view::npos || m_values.size() == max_names) {
            return;
        }
        const std::string_view name = trim(line.substr(0, sign));
        if (name.size() <= max_name_size) {
            m_values.emplace_back(name, trim(line.substr(sign + 1)));
        }
    }

    // `line` with all names replaced; a view of it or of `storage`.
    [[nodiscard]] std::string_view apply(std::string_view line, std::string& storage) {
        if (m_values.empty() || line.find('$') == std::string_view::npos) {
            return line;
        }
        storage.clear();
        while (!line.empty()) {
            const std::string_view plain = line.substr(0, line.find('$'));
            write(plain, storage);
            line.remove_prefix(plain.size());
            if (!line.empty()) {
                line.remove_prefix(1);
                replace(line, storage);
            }
        }
        return storage;
    }

private:
    // Takes a name off the start of `rest`, which stands behind a '$', and writes its value.
    void replace(std::string_view& rest, std::string& storage) {
        // The first definition counts, as in google/pprof.
        const auto known = std::ranges::find_if(
            m_values, [&](const auto& each) { return rest.starts_with(each.first); });
        if (known == m_values.end()) {
            write("$", storage);
        } else {
            write(known->second, storage);
            rest.remove_prefix(known->first.size());
        }
    }

    void write(std::string_view text, std::string& storage) {
        if (text.size() > m_left) {
            throw error{error_kind::too_large, "the list of mappings has more than " +
                                                   std::to_string(m_limit) +
                                                   " bytes once $NAME is replaced"};
        }
        m_left -= text.size();
        storage += text;
    }

    std::size_t m_limit;
    std::size_t m_left;
    std::vector<std::pair<std::string, std::string>> m_values;
};

// Returns how large the names of a list may make it, so that a small text makes no large list.
std::size_t replaced_limit(std::size_t list_size, std::size_t max_size) {
    constexpr std::size_t max_times = 16;
    return list_size > max_size / max_times ? max_size : list_size * max_times;
}

// "I0102 15:04:05.000000 1234 file.cc:12] " as log files have it before each line.
std::string_view without_log_prefix(std::string_view line) {
    const std::size_t bracket = line.find_first_of("[]");
    if (bracket == std::string_view::npos || line[bracket] != ']' || bracket + 1 == line.size() ||
        !is_blank(line[bracket + 1])) {
        return line;
    }
    const std::string_view prefix = line.substr(0, bracket);
    const std::size_t colon = prefix.rfind(':');
    const bool is_log = colon != std::string_view::npos && colon != 0 &&
                        is_all(prefix.substr(colon + 1), is_decimal);
    return is_log ? line.substr(bracket + 2) : line;
}

// Takes "START-END" and a colon, if there is one.
bool take_range(text_scanner& line, mapping& out) {
    const auto take_address = [&line] {
        line.skip_blanks();
        line.skip("0x");
        return to_number<std::uint64_t>(line.take_while(is_hexadecimal), 16);
    };
    const auto start = take_address();
    const bool is_apart = line.skip("-") || line.skip_blanks();
    const auto limit = take_address();
    line.skip(":");
    const bool ends_there = line.at_end() || is_blank(line.rest().front());
    if (!start || !limit || !is_apart || !ends_there) {
        return false;
    }
    out.start = *start;
    out.limit = *limit;
    return true;
}

bool is_permissions(std::string_view word) {
    return is_all(
        word, [](char c) { return std::string_view{"-rwxps"}.find(c) != std::string_view::npos; });
}

bool is_device(std::string_view word) {
    const std::size_t colon = word.find(':');
    return colon != std::string_view::npos && is_all(word.substr(0, colon), is_hexadecimal) &&
           is_all(word.substr(colon + 1), is_hexadecimal);
}

// Reads "[OFFSET] DEVICE INODE [FILE]", the rest of a line of /proc/PID/maps.
bool read_proc_rest(text_scanner line, mapping& out) {
    std::string_view word = line.word();
    if (is_all(word, is_hexadecimal)) {
        const auto offset = to_number<std::uint64_t>(word, 16);
        if (!offset) {
            return false;
        }
        out.offset = *offset;
        word = line.word();
    }
    if (!is_device(word) || !is_all(line.word(), is_decimal)) {
        out.offset = 0;
        return false;
    }
    // A path can have blanks. Behind it stands that the file was removed, if it was.
    constexpr std::string_view note{" (deleted)"};
    std::string_view file = trim(line.rest());
    if (file.ends_with(note)) {
        file.remove_suffix(note.size());
    }
    out.file = file;
    return true;
}

// Reads "[FILE] [(@OFFSET)] [BUILD-ID]".
void read_brief_rest(text_scanner line, mapping& out) {
    out.file = line.word();
    std::string_view word = line.word();
    if (word.starts_with("(@") && word.ends_with(")")) {
        out.offset = to_number<std::uint64_t>(word.substr(2, word.size() - 3), 16).value_or(0);
        word = line.word();
    }
    if (is_all(word, is_hexadecimal)) {
        out.build_id = word;
    }
}

struct map_line {
    mapping read;
    bool has_code = true; // unless permissions say otherwise
};

// Words are taken as a whole, where google/pprof's expressions can match parts of one: "poor" is no
// permission, and "feed" no mapping from fee to d.
std::optional<map_line> parse_line(std::string_view text) {
    text_scanner line{text};
    map_line parsed;
    if (!take_range(line, parsed.read)) {
        return std::nullopt;
    }
    text_scanner after_permissions = line;
    const std::string_view word = after_permissions.word();
    if (is_permissions(word)) {
        parsed.has_code = word.find('x') != std::string_view::npos;
        line = after_permissions;
    }
    if (!read_proc_rest(line, parsed.read)) {
        read_brief_rest(line, parsed.read);
    }
    return parsed;
}

bool continues(const mapping& before, const mapping& next) {
    const auto may_be_same = [](const std::string& a, const std::string& b) {
        return a.empty() || b.empty() || a == b;
    };
    const bool fits = before.offset == 0 || next.offset == 0 ||
                      before.offset + (before.limit - before.start) == next.offset;
    return before.limit == next.start && may_be_same(before.file, next.file) &&
           may_be_same(before.build_id, next.build_id) && fits;
}

void append(std::vector<mapping>& mappings, mapping next) {
    if (mappings.empty() || !continues(mappings.back(), next)) {
        if (mappings.size() == max_mappings) {
            throw error{error_kind::too_large,
                        "there are more than " + std::to_string(max_mappings) + " mappings"};
        }
        mappings.push_back(std::move(next));
        return;
    }
    mapping& before = mappings.back();
    before.limit = next.limit;
    if (!next.file.empty()) {
        before.file = std::move(next.file);
    }
    if (!next.build_id.empty()) {
        before.build_id = std::move(next.build_id);
    }
}

// Whether `file` is named as "libc.so" or "libc.so.6" is.
bool is_library(std::string_view file) {
    constexpr std::string_view suffix = ".so";
    for (std::size_t at = file.find(suffix); at != std::string_view::npos;
         at = file.find(suffix, at + 1)) {
        const std::string_view rest = file.substr(at + suffix.size());
        const bool has_version =
            rest.size() > 1 && (rest.front() == '.' || rest.front() == '_') && is_decimal(rest[1]);
        if (rest.empty() || has_version) {
            return true;
        }
    }
    return false;
}

bool may_be_program(const mapping& each) {
    const bool has_name = !each.file.empty() && each.file.front() != '[';
    return has_name && !is_library(each.file);
}

void move_program_to_front(std::vector<mapping>& mappings) {
    const auto program = std::ranges::find_if(mappings, may_be_program);
    if (program != mappings.end()) {
        std::iter_swap(mappings.begin(), program);
    }
    // Some runtimes move the start of the program's code to large pages without a file.
    if (mappings.size() > 1 && mappings[0].file.starts_with("/anon_hugepage") &&
        mappings[0].limit == mappings[1].start) {
        mappings.erase(mappings.begin());
    }
    constexpr std::uint64_t usual_start = 0x400000;
    if (!mappings.empty() && mappings[0].start - mappings[0].offset == usual_start) {
        mappings[0].start = usual_start;
        mappings[0].offset = 0;
    }
}

} // namespace

std::vector<mapping> parse_memory_map(std::string_view text, std::size_t max_size) {
    std::vector<mapping> mappings;
    definitions names{replaced_limit(text.size(), max_size)};
    std::string storage;
    while (!text.empty()) {
        const std::string_view line = names.apply(without_log_prefix(take_line(text)), storage);
        if (auto parsed = parse_line(line)) {
            if (parsed->has_code) {
                append(mappings, std::move(parsed->read));
            }
        } else {
            names.add(line);
        }
    }
    move_program_to_front(mappings);
    return mappings;
}

#if defined(__linux__)

namespace {

class open_file {
public:
    explicit open_file(const char* path) : number{::open(path, O_RDONLY | O_CLOEXEC)} {}
    ~open_file() { ::close(number); }
    open_file(const open_file&) = delete;
    open_file& operator=(const open_file&) = delete;

    const int number;
};

// All of a file whose size is not known; empty if it cannot be read. Streams of C and C++ would
// take a failed allocation for that, too.
std::string read_all(const char* path) {
    const open_file file{path};
    std::string bytes;
    std::array<char, 16384> piece; // overwritten, so without a value
    ssize_t count = 0;
    do {
        count = ::read(file.number, piece.data(), piece.size());
        bytes.append(piece.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    } while (count > 0 || (count < 0 && errno == EINTR));
    if (count < 0 && errno == ENOMEM) {
        throw std::bad_alloc{};
    }
    return count < 0 ? std::string{} : bytes;
}

struct build_id_search {
    std::vector<mapping>& mappings;
    bool out_of_memory = false;
};

bool contains(const ElfW(Phdr) & outer, const ElfW(Phdr) & inner) {
    return inner.p_vaddr >= outer.p_vaddr && inner.p_memsz <= outer.p_filesz &&
           inner.p_vaddr - outer.p_vaddr <= outer.p_filesz - inner.p_memsz;
}

// Notes are read from memory, where the loader has put them: the file may be another one by now.
std::string loaded_build_id(const dl_phdr_info& object) {
    const std::span headers{object.dlpi_phdr, object.dlpi_phnum};
    for (const ElfW(Phdr) & note : headers) {
        if (note.p_type != PT_NOTE) {
            continue;
        }
        for (const ElfW(Phdr) & loaded : headers) {
            if (loaded.p_type == PT_LOAD && (loaded.p_flags & PF_R) != 0 &&
                contains(loaded, note)) {
                // The loader gives the address as a number.
                const auto* const start =
                    std::bit_cast<const char*>(object.dlpi_addr + note.p_vaddr);
                std::string id =
                    build_id({start, static_cast<std::size_t>(note.p_memsz)}, note.p_align);
                if (!id.empty()) {
                    return id;
                }
            }
        }
    }
    return {};
}

void set_build_ids(const dl_phdr_info& object, std::vector<mapping>& mappings) {
    std::string id;
    for (const ElfW(Phdr) & loaded : std::span{object.dlpi_phdr, object.dlpi_phnum}) {
        if (loaded.p_type != PT_LOAD || (loaded.p_flags & PF_X) == 0) {
            continue;
        }
        const std::uint64_t address = object.dlpi_addr + loaded.p_vaddr;
        for (mapping& m : mappings) {
            if (address >= m.start && address < m.limit && m.build_id.empty()) {
                id = id.empty() ? loaded_build_id(object) : id;
                m.build_id = id;
            }
        }
    }
}

} // namespace

mapping_list process_mappings() {
    std::vector<mapping> mappings = parse_memory_map(read_all("/proc/self/maps"));
    build_id_search search{mappings};
    // Exceptions must not pass through code of C.
    dl_iterate_phdr(
        [](dl_phdr_info* object, std::size_t /*size*/, void* data) {
            auto& of_all = *static_cast<build_id_search*>(data);
            try {
                set_build_ids(*object, of_all.mappings);
            } catch (const std::bad_alloc&) {
                of_all.out_of_memory = true;
            }
            return of_all.out_of_memory ? 1 : 0;
        },
        &search);
    if (search.out_of_memory) {
        throw std::bad_alloc{};
    }
    return std::make_shared<const std::vector<mapping>>(std::move(mappings));
}

// Each object has the same number, and older C libraries give none.
std::uint64_t count_loads() noexcept {
    std::uint64_t loads = 0;
    dl_iterate_phdr(
        [](dl_phdr_info* object, std::size_t size, void* data) {
            if (size >= offsetof(dl_phdr_info, dlpi_adds) + sizeof object->dlpi_adds) {
                *static_cast<std::uint64_t*>(data) = object->dlpi_adds;
            }
            return 1;
        },
        &loads);
    return loads;
}

#else

std::uint64_t count_loads() noexcept { return 0; }

mapping_list process_mappings() { return std::make_shared<const std::vector<mapping>>(); }

#endif

} // namespace pprofdelta
