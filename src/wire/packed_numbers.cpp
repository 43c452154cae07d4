// SPDX-License-Identifier: Apache-2.0
//
// The one switch between the kinds of processors.
#include "wire/packed_numbers.hpp"

#include <array>
#include <cstdlib>
#include <span>
#include <vector>

#include <pprofdelta/processor.hpp>

#include "wire/packed_kinds.hpp"

namespace pprofdelta {

namespace {

struct kind_list {
    std::array<const packed_kind*, 3> kinds{};
    std::size_t count = 0;
};

kind_list find_kinds() noexcept {
    kind_list list;
    for (const packed_kind* kind : {&portable_kind, neon_kind(), avx2_kind()}) {
        if (kind != nullptr) {
            list.kinds[list.count++] = kind;
        }
    }
    return list;
}

const packed_kind& choose() noexcept {
    const char* const asked = std::getenv("PPROFDELTA_CPU");
    for (const packed_kind* kind : packed_kinds()) {
        if (asked != nullptr && std::string_view{asked} == kind->name) {
            return *kind;
        }
    }
    return *packed_kinds().back();
}

} // namespace

std::span<const packed_kind* const> packed_kinds() noexcept {
    static const kind_list list = find_kinds();
    return {list.kinds.data(), list.count};
}

namespace {

// Portable until it is initialized, which does no harm.
const packed_kind* in_use = &portable_kind;
[[maybe_unused]] const bool is_chosen = (in_use = &choose(), true);

} // namespace

std::size_t decode_ordinals(std::string_view packed, const char* limit, std::size_t known,
                            std::uint32_t* out) noexcept {
    return in_use->decode_ordinals(packed, limit, known, out);
}

bool decode_few(std::string_view packed, const char* limit, std::int64_t* out,
                std::size_t count) noexcept {
    return in_use->decode_few(packed, limit, out, count);
}

char* encode_numbers(char* out, const std::uint32_t* numbers, std::size_t count) noexcept {
    return in_use->encode_numbers(out, numbers, count);
}

std::string_view processor_kind() { return in_use->name; }

std::vector<std::string_view> processor_kinds() {
    std::vector<std::string_view> names;
    names.reserve(packed_kinds().size());
    for (const packed_kind* kind : packed_kinds()) {
        names.emplace_back(kind->name);
    }
    return names;
}

} // namespace pprofdelta
