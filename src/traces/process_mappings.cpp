// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/process_mappings.hpp>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "traces/elf_notes.hpp"
#include "traces/memory_map.hpp"

#if defined(__linux__)
#include <fcntl.h>
#include <link.h>
#include <unistd.h>
#endif

namespace pprofdelta {

#if defined(__linux__)

namespace {

class open_file {
public:
    explicit open_file(const char* path) : m_number{::open(path, O_RDONLY | O_CLOEXEC)} {}
    ~open_file() {
        if (m_number >= 0) {
            ::close(m_number);
        }
    }
    open_file(const open_file&) = delete;
    open_file& operator=(const open_file&) = delete;

    // As read() does, but for signals.
    [[nodiscard]] ssize_t read(char* to, std::size_t size) const {
        ssize_t count = 0;
        do {
            count = ::read(m_number, to, size);
        } while (count < 0 && errno == EINTR);
        return count;
    }

private:
    int m_number;
};

// All of a file whose size is not known; empty if it cannot be read. A stream of the standard
// library would take a failed allocation for that, too.
std::string read_all(const char* path) {
    const open_file file{path};
    constexpr std::size_t piece = 16384;
    std::string bytes;
    std::size_t size = 0;
    ssize_t count = 0;
    do {
        bytes.resize(size + piece);
        count = file.read(bytes.data() + size, piece);
        size += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
    } while (count > 0);
    if (count < 0 && errno == ENOMEM) {
        throw std::bad_alloc{};
    }
    bytes.resize(count < 0 ? 0 : size);
    return bytes;
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
                // What the loader gives is a number.
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

#else

mapping_list process_mappings() { return std::make_shared<const std::vector<mapping>>(); }

#endif

} // namespace pprofdelta
