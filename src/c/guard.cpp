// SPDX-License-Identifier: Apache-2.0
#include "c/guard.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>

namespace pprofdelta::c {

namespace {

pprofdelta_status status_of(error_kind kind) noexcept {
    switch (kind) {
    case error_kind::malformed:
        return PPROFDELTA_MALFORMED;
    case error_kind::too_large:
        return PPROFDELTA_TOO_LARGE;
    case error_kind::incompatible:
        return PPROFDELTA_INCOMPATIBLE;
    case error_kind::no_cumulative_type:
        return PPROFDELTA_NO_CUMULATIVE_TYPE;
    case error_kind::reset:
        return PPROFDELTA_RESET;
    case error_kind::invalid_argument:
        return PPROFDELTA_INVALID_ARGUMENT;
    }
    return PPROFDELTA_INTERNAL;
}

pprofdelta_input input_of(error_input input) noexcept {
    switch (input) {
    case error_input::unspecified:
        break;
    case error_input::previous:
        return PPROFDELTA_INPUT_PREVIOUS;
    case error_input::current:
        return PPROFDELTA_INPUT_CURRENT;
    case error_input::both:
        return PPROFDELTA_INPUT_BOTH;
    case error_input::state:
        return PPROFDELTA_INPUT_STATE;
    }
    return PPROFDELTA_INPUT_UNSPECIFIED;
}

// Not in the middle of a character of UTF-8.
std::size_t fitting(std::string_view text, std::size_t most) noexcept {
    if (text.size() <= most) {
        return text.size();
    }
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0U) == 0x80U) {
        --most;
    }
    return most;
}

pprofdelta_status fill(pprofdelta_error* to, pprofdelta_status status, std::string_view message,
                       pprofdelta_input input = PPROFDELTA_INPUT_UNSPECIFIED,
                       std::int64_t offset = -1) noexcept {
    if (to != nullptr) {
        *to = {status, input, offset, {}};
        std::memcpy(to->message, message.data(), fitting(message, sizeof to->message - 1));
    }
    return status;
}

} // namespace

pprofdelta_status status_of_exception(pprofdelta_error* to) noexcept {
    try {
        throw;
    } catch (const error& e) {
        const std::int64_t offset = e.offset() ? static_cast<std::int64_t>(*e.offset()) : -1;
        return fill(to, status_of(e.kind()), e.what(), input_of(e.input()), offset);
    } catch (const std::bad_alloc&) {
        return fill(to, PPROFDELTA_OUT_OF_MEMORY, "out of memory");
    } catch (const std::exception& e) {
        return fill(to, PPROFDELTA_INTERNAL, e.what());
    } catch (...) {
        return fill(to, PPROFDELTA_INTERNAL, "unknown fault");
    }
}

} // namespace pprofdelta::c

const char* pprofdelta_status_name(int status) {
    switch (status) {
    case PPROFDELTA_OK:
        return "ok";
    case PPROFDELTA_INVALID_ARGUMENT:
        return "invalid argument";
    case PPROFDELTA_MALFORMED:
        return "malformed";
    case PPROFDELTA_INCOMPATIBLE:
        return "incompatible";
    case PPROFDELTA_OUT_OF_MEMORY:
        return "out of memory";
    case PPROFDELTA_TOO_LARGE:
        return "too large";
    case PPROFDELTA_NO_CUMULATIVE_TYPE:
        return "no cumulative type";
    case PPROFDELTA_RESET:
        return "reset";
    case PPROFDELTA_INTERNAL:
        return "internal";
    }
    return "unknown";
}
