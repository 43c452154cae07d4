// SPDX-License-Identifier: Apache-2.0
#include "symbols/dwarf_frames.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include <dwarf.h>
#include <elfutils/libdw.h>

namespace pprofdelta::tool {

namespace {

// What lies at which addresses.
template <typename Value>
class address_table {
public:
    // Linkers leave ranges of code that they have dropped at address 0.
    void add(std::uint64_t begin, std::uint64_t end, Value value) {
        if (begin != 0 && begin < end) {
            m_ranges.push_back({begin, end, value});
        }
    }
    void sort() {
        std::stable_sort(m_ranges.begin(), m_ranges.end(), [](const range& a, const range& b) {
            return std::pair{a.begin, a.end} < std::pair{b.begin, b.end};
        });
    }
    // If several begin at the same address, it is the longest; nullptr for none.
    [[nodiscard]] const Value* find(std::uint64_t address) const {
        const auto after = std::upper_bound(
            m_ranges.begin(), m_ranges.end(), address,
            [](std::uint64_t number, const range& each) { return number < each.begin; });
        return after == m_ranges.begin() || address >= std::prev(after)->end
                   ? nullptr
                   : &std::prev(after)->value;
    }

private:
    struct range {
        std::uint64_t begin;
        std::uint64_t end;
        Value value;
    };
    std::vector<range> m_ranges;
};

void add_ranges(address_table<Dwarf_Die>& to, Dwarf_Die die) {
    Dwarf_Addr base = 0;
    Dwarf_Addr begin = 0;
    Dwarf_Addr end = 0;
    std::ptrdiff_t at = 0;
    while ((at = dwarf_ranges(&die, at, &base, &begin, &end)) > 0) {
        to.add(begin, end, die);
    }
}

// Calls `visit(Dwarf_Die& die)` for what lies within `root`, in the order of the file, and for what
// lies within that if it returns true.
template <typename Visit>
void walk(Dwarf_Die root, Visit&& visit) {
    constexpr std::size_t deepest = 200;
    std::vector<Dwarf_Die> path(1);
    if (dwarf_child(&root, path.data()) != 0) {
        return;
    }
    Dwarf_Off last = dwarf_dieoffset(&root);
    while (!path.empty()) {
        // In a damaged file the next one can be one of those before.
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

} // namespace

class dwarf_frames::impl {
public:
    explicit impl(Dwarf* dwarf) {
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

    std::vector<code_frame> find(Dwarf_Addr address) {
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
                frame.system_name = function_name(*call);
                all.push_back(frame);
                const Dwarf_Word file = number_of(*call, DW_AT_call_file);
                frame.file =
                    files == nullptr
                        ? std::string{}
                        : source_path(unit_die, dwarf_filesrc(files, file, nullptr, nullptr));
                frame.line = static_cast<std::int64_t>(number_of(*call, DW_AT_call_line));
            }
            frame.system_name = function_name(*function);
        }
        all.push_back(std::move(frame));
        return all;
    }

private:
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
};

dwarf_frames::dwarf_frames(Dwarf* dwarf) : m_impl{std::make_unique<impl>(dwarf)} {}
dwarf_frames::~dwarf_frames() = default;

std::vector<code_frame> dwarf_frames::find(std::uint64_t address) { return m_impl->find(address); }

} // namespace pprofdelta::tool
