// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TESTS_FUZZ_C_CONTEXT_HPP
#define PPROFDELTA_TESTS_FUZZ_C_CONTEXT_HPP

#include <string>
#include <vector>

#include <pprofdelta/pprofdelta.h>

#include "c_handles.hpp"
#include "fuzz.hpp"

namespace pprofdelta::test {

/// Requires that an error says what the status does.
/// @returns whether there was none.
bool is_ok(pprofdelta_status status, const pprofdelta_error& error);

struct c_input {
    std::string bytes{};
    int source = PPROFDELTA_SOURCE_PROTOBUF;
};

/// What the calls of one run share.
struct c_context {
    explicit c_context(steering& from);

    const c_input& any_input() { return inputs[bytes.byte() % inputs.size()]; }
    /// Those that were set, or null for the defaults.
    const pprofdelta_options* any_options() {
        return bytes.byte() % 2 == 0 ? nullptr : options.get();
    }

    steering& bytes;
    std::vector<c_input> inputs{};
    pprofdelta_error error{};
    options_handle options{pprofdelta_options_new()};
    buffer_handle storage{pprofdelta_buffer_new()};
};

} // namespace pprofdelta::test

#endif // PPROFDELTA_TESTS_FUZZ_C_CONTEXT_HPP
