// SPDX-License-Identifier: Apache-2.0
// Bytes taken for a binary, which names what it can of any address, and names added to profiles:
// what is asked first does not change what is found, and nothing but lines, their functions and
// what mappings say of these is added. Or bytes taken for symbols of Rust.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include <pprofdelta/symbolize.hpp>

#include "fuzz.hpp"
#include "profile_builder.hpp"
#include "random_profile.hpp"
#include "symbols/binary.hpp"
#include "symbols/rust_names.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

// A file in memory whose content is replaced.
class file_in_memory {
public:
    file_in_memory()
        : m_number{memfd_create("binary", MFD_CLOEXEC)}, m_path{"/proc/self/fd/" +
                                                                std::to_string(m_number)} {
        require(m_number >= 0, "there is a file in memory");
    }

    const std::string& holding(std::string_view bytes) const {
        require(ftruncate(m_number, 0) == 0 && pwrite(m_number, bytes.data(), bytes.size(), 0) ==
                                                   static_cast<ssize_t>(bytes.size()),
                "the file is written");
        return m_path;
    }

private:
    int m_number;
    std::string m_path;
};

std::unique_ptr<tool::binary> opened(const std::string& path, bool is_shared) {
    std::string fault;
    std::unique_ptr<tool::binary> made = tool::binary::open(path, fault);
    require((made != nullptr) == fault.empty(), "what cannot be opened has a fault");
    if (made && (is_shared || !made->shared_build_id.empty())) {
        made->use_shared(is_shared ? tool::binary::open(path, fault) : nullptr);
    }
    return made;
}

struct symbol_names {
    std::vector<code_frame> frames{};
    std::array<std::string, 2> symbols{};

    bool operator==(const symbol_names&) const = default;
};

symbol_names names_of(tool::binary& in, std::uint64_t address) {
    std::vector<code_frame> frames = in.frames(address);
    const std::string known = frames.empty() ? "" : frames.back().system_name;
    return {std::move(frames), {in.symbol(address, false, known), in.symbol(address, true, "")}};
}

void check_binary(std::string_view bytes, const std::vector<std::uint64_t>& numbers,
                  bool is_shared) {
    static const file_in_memory file;
    const std::string& path = file.holding(bytes);
    const std::unique_ptr<tool::binary> one = opened(path, is_shared);
    if (!one) {
        return;
    }
    const std::unique_ptr<tool::binary> other = opened(path, is_shared);
    require(other && other->build_id == one->build_id &&
                other->has_debug_info() == one->has_debug_info(),
            "a binary is read in one way");
    const std::string& id = one->build_id;
    require(id.size() % 2 == 0 && id.size() <= 2 * bytes.size() &&
                id.find_first_not_of("0123456789abcdef") == std::string::npos,
            "a build id is digits");
    require(one->debug_link().size() <= bytes.size(), "a name lies in the file");
    std::vector<std::uint64_t> addresses;
    for (const std::uint64_t number : numbers) {
        addresses.push_back(number);
        if (const std::optional<std::uint64_t> address = one->address(number % 8192)) {
            addresses.push_back(*address);
        }
    }
    std::vector<symbol_names> found;
    for (const std::uint64_t address : addresses) {
        found.push_back(names_of(*one, address));
        constexpr std::size_t most_inlined = 500;
        require(found.back().frames.size() <= most_inlined + 1, "frames are not without end");
    }
    for (std::size_t i = addresses.size(); i > 0; --i) {
        require(names_of(*other, addresses[i - 1]) == found[i - 1],
                "names do not depend on what was asked before");
    }
}

// Frames that the place and the bytes decide on.
std::vector<code_frame> frames_of(const code_place& place, std::string_view text) {
    const std::size_t choice = place.offset / 16 + place.file.size() + text.size();
    std::vector<code_frame> frames(choice % 4);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const std::string name{text.substr(0, (choice + i) % 8)};
        frames[i] = {name, "_Z" + name, i % 2 == 0 ? "a.c" : "", static_cast<std::int64_t>(i) - 1};
    }
    return frames;
}

// The profile with lines and functions left out where there were none.
profile without_new(profile named, const profile& before) {
    const std::size_t functions = before.functions.size();
    require(named.functions.size() >= functions &&
                named.locations.size() == before.locations.size() &&
                named.mappings.size() == before.mappings.size(),
            "what was there is there");
    for (std::size_t i = 0; i < before.locations.size(); ++i) {
        if (before.locations[i].lines.empty()) {
            named.locations[i].lines.clear();
        }
    }
    for (std::size_t i = 0; i < before.mappings.size(); ++i) {
        named.mappings[i].has_functions = before.mappings[i].has_functions;
        named.mappings[i].unknown = before.mappings[i].unknown;
    }
    named.functions.resize(functions);
    return named;
}

void check_names(std::string_view bytes, std::string_view text) {
    std::size_t asked = 0;
    std::size_t given = 0;
    const frame_finder find = [&](const code_place& place) {
        std::vector<code_frame> frames = frames_of(place, text);
        ++asked;
        given += frames.empty() ? 0 : 1;
        return frames;
    };
    std::string named;
    if (!is_accepted([&] { named = add_names(bytes, find); })) {
        return;
    }
    require(given != 0 || named == bytes, "without names nothing changes");
    const std::size_t left = asked - given;
    asked = 0;
    given = 0;
    require(add_names(named, find) == named && asked == left && given == 0,
            "what has a name is not asked for");
    const std::optional<profile> before = parse_if_valid(bytes);
    if (before) {
        const std::optional<profile> after = parse_if_valid(named);
        require(after.has_value(), "what was named is a profile");
        require(without_new(*after, *before) == *before, "all else is copied as it stands");
    }
}

void check_symbols(std::string_view text) {
    for (const std::string begin : {"_R", "_ZN", ""}) {
        const std::string symbol = begin + std::string{text};
        const std::optional<std::string> name = tool::demangled_rust(symbol);
        constexpr std::size_t most = 4096;
        require(!name || (!name->empty() && name->size() <= std::max(most, 2 * symbol.size())),
                "a name has a size that its symbol allows");
        require(name == tool::demangled_rust(symbol), "a symbol has one name");
    }
}

} // namespace

FUZZ_TARGET(symbolize, data, size) {
    steering bytes{data, size};
    const unsigned kind = bytes.byte();
    if (kind == 0xff) {
        check_symbols(bytes.rest());
        return 0;
    }
    if (kind % 4 == 3) {
        const std::string_view text = bytes.take(8);
        random_series series{kind, bytes.rest()};
        check_names(serialize(series.next(), series.next_layout()), text);
        return 0;
    }
    if (kind % 4 == 2) {
        const std::string_view text = bytes.take(8);
        check_names(bytes.rest(), text);
        return 0;
    }
    std::vector<std::uint64_t> numbers;
    for (unsigned i = 0; i < 4; ++i) {
        numbers.push_back(bytes.word());
    }
    check_binary(bytes.rest(), numbers, kind % 4 == 1);
    return 0;
}
