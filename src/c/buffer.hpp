// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_C_BUFFER_HPP
#define PPROFDELTA_SRC_C_BUFFER_HPP

#include <string>

#include <pprofdelta/pprofdelta.h>

struct pprofdelta_buffer {
    std::string bytes{};
    std::string converted{}; ///< The profile that `bytes` are as text.
};

#endif // PPROFDELTA_SRC_C_BUFFER_HPP
