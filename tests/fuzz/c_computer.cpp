// SPDX-License-Identifier: Apache-2.0
#include "c_computer.hpp"

namespace pprofdelta::test {

void c_computer::make() {
    const pprofdelta_options* const options = m_context.any_options();
    pprofdelta_computer* made = nullptr;
    if (is_ok(pprofdelta_computer_new(options, &made, &m_context.error), m_context.error)) {
        m_computer.reset(made);
        m_expected.reset();
        if (options == nullptr) {
            m_expected.emplace();
        }
    }
    require((made != nullptr) == (m_context.error.status == PPROFDELTA_OK),
            "a handle or a failure");
}

std::string c_computer::known() {
    pprofdelta_view state{};
    pprofdelta_error error{};
    const auto status = pprofdelta_computer_save(m_computer.get(), &state, &error);
    const bool has_previous = pprofdelta_computer_has_previous(m_computer.get()) == 1;
    require(is_ok(status, error) == has_previous, "what has a profile before can be saved");
    return text_of(state);
}

template <typename InC, typename InCpp>
void c_computer::change(InC&& in_c, InCpp&& in_cpp) {
    if (!m_computer) {
        make();
        if (!m_computer) {
            return;
        }
    }
    const std::string before = known();
    const bool is_done = is_ok(in_c(), m_context.error);
    require(is_done || known() == before, "a call that fails changes nothing");
    if (m_expected && m_context.error.status != PPROFDELTA_INVALID_ARGUMENT) {
        require(is_done == is_accepted(in_cpp), "C does what C++ does");
        require(!m_expected->has_previous() || known() == m_expected->save(),
                "C knows what C++ knows");
    }
}

void c_computer::compute() {
    const c_input& given = m_context.any_input();
    pprofdelta_view delta{"left over", 9};
    pprofdelta_summary summary{};
    std::string found;
    std::string expected;
    change(
        [&] {
            const auto status = pprofdelta_computer_compute(m_computer.get(), given.bytes.data(),
                                                            given.bytes.size(), given.source,
                                                            &delta, &summary, &m_context.error);
            require((delta.data != nullptr) == (status == PPROFDELTA_OK),
                    "a failure has no result");
            found = text_of(delta);
            return status;
        },
        [&] {
            const delta_summary wanted = m_expected->compute(
                given.bytes, expected, static_cast<profile_source>(given.source));
            require(found == expected, "a delta is that of C++");
            require(summary.samples_kept == wanted.samples_kept &&
                        summary.reset == (wanted.reset ? 1 : 0) &&
                        summary.negative_samples == wanted.negative_samples,
                    "a summary is that of C++");
        });
}

void c_computer::prime() {
    const c_input& given = m_context.any_input();
    change(
        [&] {
            return pprofdelta_computer_prime(m_computer.get(), given.bytes.data(),
                                             given.bytes.size(), given.source, &m_context.error);
        },
        [&] { m_expected->prime(given.bytes, static_cast<profile_source>(given.source)); });
}

void c_computer::save() {
    if (m_computer) {
        m_state = known();
    }
}

void c_computer::load() {
    if (m_context.bytes.byte() % 4 == 0 && !m_state.empty()) {
        m_state[m_context.bytes.byte() % m_state.size()] =
            static_cast<char>(m_context.bytes.byte());
    }
    change(
        [&] {
            return pprofdelta_computer_load(m_computer.get(), m_state.data(), m_state.size(),
                                            &m_context.error);
        },
        [&] { m_expected->load(m_state); });
}

} // namespace pprofdelta::test
