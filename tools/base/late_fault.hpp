// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BASE_LATE_FAULT_HPP
#define PPROFDELTA_TOOLS_BASE_LATE_FAULT_HPP

#include <exception>
#include <utility>

namespace pprofdelta::tool {

/// What goes wrong with a picture is a failure of the run, but no reason to go without the tables.
class late_fault {
public:
    /// Does a part of the work, unless one before has failed.
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

    [[nodiscard]] bool came() const noexcept { return m_first != nullptr; }

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

#endif // PPROFDELTA_TOOLS_BASE_LATE_FAULT_HPP
