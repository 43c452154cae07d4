// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <exception>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "base/names.hpp"

namespace pprofdelta::tool {

/// The program's exit statuses, which pprofdelta(1) documents.
enum class exit_status : int {
    done = 0,
    limit_crossed = 1, // nothing else may ever give 1
    usage = 2,
    malformed = 3,
    incompatible = 4,
    io = 5,
};

/// The status of the two that a run that went on ends with. Inputs that do not go together count
/// less than damage.
[[nodiscard]] constexpr exit_status worse_status(exit_status a, exit_status b) noexcept {
    const auto rank = [](exit_status each) {
        return each == exit_status::incompatible ? 1 : static_cast<int>(each);
    };
    return rank(a) < rank(b) ? b : a;
}

/// Ends the program with `status` and one line on standard error. what() is printable, whatever
/// names of files and types it contains.
class failure : public std::runtime_error {
public:
    failure(exit_status status, const std::string& message)
        : std::runtime_error{printable(message)}, m_status{status} {}

    [[nodiscard]] exit_status status() const noexcept { return m_status; }

private:
    exit_status m_status;
};

/// A wrong command line. The place that reads it adds a hint at the help to the message.
class usage_failure : public failure {
public:
    explicit usage_failure(const std::string& what) : failure{exit_status::usage, what} {}
};

/// Files of a run that are in each other's way, so that it must write to none of them.
class path_failure : public usage_failure {
public:
    using usage_failure::usage_failure;
};

[[noreturn]] inline void wrong_usage(const std::string& what) { throw usage_failure{what}; }

/// A failure of a system call on `name`, with the reason from errno.
[[nodiscard]] inline failure io_failure(const std::string& name, const std::string& what,
                                        int error_number = errno) {
    return {exit_status::io,
            name + ": " + what + ": " + std::generic_category().message(error_number)};
}

/// Keeps the first failure of a part, such as a picture, until the other parts are done: the run
/// fails in the end, but its tables are written.
class deferred_error {
public:
    /// Runs a part of the work, unless one before has failed.
    template <typename Work>
    void attempt(Work&& work) {
        if (m_first) {
            return;
        }
        try {
            std::forward<Work>(work)();
        } catch (...) {
            m_first = std::current_exception();
        }
    }

    /// Throws what went wrong, if anything did; for when all else is done.
    void rethrow() const {
        if (m_first) {
            std::rethrow_exception(m_first);
        }
    }

private:
    std::exception_ptr m_first;
};

} // namespace pprofdelta::tool
