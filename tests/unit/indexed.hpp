// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TESTS_UNIT_INDEXED_HPP
#define PPROFDELTA_TESTS_UNIT_INDEXED_HPP

#include <string>

#include "profile/index.hpp"
#include "profile/view.hpp"

namespace pprofdelta::test {

/// A profile with the index of its strings, and of its functions or mappings.
template <typename Index>
struct indexed {
    explicit indexed(const std::string& from) : bytes{from} {
        view.parse(bytes);
        strings.build(view);
        records.build(view, strings);
    }

    std::string bytes;
    profile_view view;
    string_index strings;
    Index records;
};

} // namespace pprofdelta::test

#endif // PPROFDELTA_TESTS_UNIT_INDEXED_HPP
