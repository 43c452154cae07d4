// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include <pprofdelta/pprofdelta.h>

namespace pprofdelta::test {

template <auto Free>
struct freed_by {
    template <typename Handle>
    void operator()(Handle* handle) const {
        Free(handle);
    }
};

using options_handle = std::unique_ptr<pprofdelta_options, freed_by<pprofdelta_options_free>>;
using buffer_handle = std::unique_ptr<pprofdelta_buffer, freed_by<pprofdelta_buffer_free>>;
using computer_handle = std::unique_ptr<pprofdelta_computer, freed_by<pprofdelta_computer_free>>;
using sum_handle = std::unique_ptr<pprofdelta_sum, freed_by<pprofdelta_sum_free>>;

/// The bytes of a view; none of one that has none.
inline std::string text_of(const pprofdelta_view& view) {
    return view.data == nullptr ? std::string{} : std::string{view.data, view.size};
}

} // namespace pprofdelta::test
