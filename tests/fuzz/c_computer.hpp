// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TESTS_FUZZ_C_COMPUTER_HPP
#define PPROFDELTA_TESTS_FUZZ_C_COMPUTER_HPP

#include <optional>
#include <string>

#include <pprofdelta/delta.hpp>

#include "c_context.hpp"

namespace pprofdelta::test {

/// A computer of the interface in C, and one in C++ that has to say the same.
class c_computer {
public:
    explicit c_computer(c_context& context) : m_context{context} {}

    /// With the options that were set, or the defaults.
    void make();
    void compute();
    void prime();
    void save();
    /// Loads what was saved, or something like it.
    void load();

private:
    // What a computer knows; empty if that is nothing.
    std::string known();

    // Calls `in_c()`, which is to change a computer, and `in_cpp()`, which is what it does in C++.
    template <typename InC, typename InCpp>
    void change(InC&& in_c, InCpp&& in_cpp);

    c_context& m_context;
    computer_handle m_computer{};
    std::optional<delta_computer> m_expected{}; // if it has the default options
    std::string m_state{};
};

} // namespace pprofdelta::test

#endif // PPROFDELTA_TESTS_FUZZ_C_COMPUTER_HPP
