// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_C_COMMON_HPP
#define PPROFDELTA_SRC_C_COMMON_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/error.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/merge.hpp>
#include <pprofdelta/pprofdelta.h>
#include <pprofdelta/report.hpp>

struct pprofdelta_buffer {
    std::string bytes{};
    std::string converted{}; ///< The profile that `bytes` are as text.
};

namespace pprofdelta::c {

/// The status of the exception that is being handled, with which it fills `to` if that is not null.
/// Allocates nothing.
pprofdelta_status status_of_exception(pprofdelta_error* to) noexcept;

/// Calls `work()`, and lets no exception through.
template <typename Work>
pprofdelta_status guarded(pprofdelta_error* error, Work&& work) noexcept {
    try {
        std::forward<Work>(work)();
    } catch (...) {
        return status_of_exception(error);
    }
    if (error != nullptr) {
        *error = {PPROFDELTA_OK, PPROFDELTA_INPUT_UNSPECIFIED, -1, {}};
    }
    return PPROFDELTA_OK;
}

/// What `given` points to.
/// @throws error invalid_argument if it is null.
template <typename Type>
Type& required(Type* object, const char* what) {
    if (object == nullptr) {
        throw error{error_kind::invalid_argument, std::string{what} + " is null"};
    }
    return *object;
}

/// @throws error invalid_argument for null bytes of a size.
[[nodiscard]] inline std::string_view bytes_of(const void* bytes, std::size_t size,
                                               const char* what) {
    if (bytes == nullptr && size != 0) {
        throw error{error_kind::invalid_argument, std::string{what} + " is null"};
    }
    return {static_cast<const char*>(bytes), size};
}

[[nodiscard]] inline pprofdelta_view view_of(std::string_view bytes) noexcept {
    return {bytes.data(), bytes.size()};
}

/// The enumerator of C++ that stands at the place `given` among `all`.
/// @throws error invalid_argument if there is none.
template <typename Type, typename... All>
Type chosen(int number, const char* what, All... all) {
    const Type known[] = {all...};
    if (number < 0 || number >= static_cast<int>(sizeof...(all))) {
        throw error{error_kind::invalid_argument,
                    "there is no " + std::string{what} + " " + std::to_string(number)};
    }
    return known[number];
}

/// @param given a pprofdelta_source.
[[nodiscard]] inline profile_source source_of(int source) {
    return chosen<profile_source>(source, "source", profile_source::protobuf, profile_source::text,
                                  profile_source::otlp);
}

} // namespace pprofdelta::c

struct pprofdelta_options {
    pprofdelta::delta_options delta{};
    pprofdelta::merge_options merge{}; ///< What others have as well is the same there.
    pprofdelta::report_options report{};
    bool diff = false;
    std::size_t top = 20;
    std::vector<pprofdelta::limit> limits{};
    std::optional<pprofdelta::amount> min_amount{};
};

namespace pprofdelta::c {

/// What is given, or the defaults if that is null.
[[nodiscard]] inline const pprofdelta_options&
options_or_defaults(const pprofdelta_options* options) {
    static const pprofdelta_options defaults{};
    return options == nullptr ? defaults : *options;
}

} // namespace pprofdelta::c

#endif // PPROFDELTA_SRC_C_COMMON_HPP
