// SPDX-License-Identifier: Apache-2.0
// Calls of the interface in C in any order, with any arguments: each says how it ended in one way,
// what fails changes nothing, and what does not is what C++ makes of the same.
#include <pprofdelta/pprofdelta.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/merge.hpp>

#include "c_handles.hpp"
#include "fuzz.hpp"
#include "json.hpp"
#include "profile_builder.hpp"
#include "random_profile.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

/// Requires that an error says what the status does.
/// @returns whether there was none.
bool is_ok(pprofdelta_status status, const pprofdelta_error& error) {
    require(error.status == status, "an error has the status");
    require(std::memchr(error.message, 0, sizeof error.message) != nullptr, "a message ends");
    const std::string_view message = error.message;
    require(std::none_of(message.begin(), message.end(),
                         [](char c) {
                             const auto byte = static_cast<unsigned char>(c);
                             return byte < 0x20U || byte == 0x7fU;
                         }),
            "a message is one line");
    require(message.empty() == (status == PPROFDELTA_OK), "a failure has a message, success none");
    require(status != PPROFDELTA_INTERNAL, "there is no fault of the library");
    return status == PPROFDELTA_OK;
}

struct c_input {
    std::string bytes{};
    int source = PPROFDELTA_SOURCE_PROTOBUF;
};

/// The parts that the calls of one run share.
struct c_context {
    explicit c_context(steering& from) : bytes{from} {
        const std::string_view choices = bytes.take(bytes.byte() % 64);
        random_series series{bytes.byte(), choices};
        for (unsigned i = 0; i < 3; ++i) {
            inputs.push_back({serialize(series.next(), series.next_layout())});
        }
        inputs.push_back({std::string{bytes.take(bytes.byte())}});
        inputs.push_back({inputs[0].bytes.substr(0, inputs[0].bytes.size() / 2)});
        inputs.push_back({inputs[1].bytes, PPROFDELTA_SOURCE_TEXT});
        inputs.push_back({"", 2});
    }

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

/// A computer of the interface in C, and one in C++ that has to say the same.
class c_computer {
public:
    explicit c_computer(c_context& context) : m_context{context} {}

    /// The computer has the options that were set, or the defaults.
    void make() {
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

    void compute() {
        const c_input& given = m_context.any_input();
        pprofdelta_view delta{"left over", 9};
        pprofdelta_summary summary{};
        std::string found;
        std::string expected;
        change(
            [&] {
                const auto status = pprofdelta_computer_compute(
                    m_computer.get(), given.bytes.data(), given.bytes.size(), given.source, &delta,
                    &summary, &m_context.error);
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

    void prime() {
        const c_input& given = m_context.any_input();
        change(
            [&] {
                return pprofdelta_computer_prime(m_computer.get(), given.bytes.data(),
                                                 given.bytes.size(), given.source,
                                                 &m_context.error);
            },
            [&] { m_expected->prime(given.bytes, static_cast<profile_source>(given.source)); });
    }

    void save() {
        if (m_computer) {
            m_state = known();
        }
    }

    /// Loads what was saved, or something like it.
    void load() {
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

private:
    // The state of a computer; empty if it has none.
    std::string known() {
        pprofdelta_view state{};
        pprofdelta_error error{};
        const auto status = pprofdelta_computer_save(m_computer.get(), &state, &error);
        const bool has_previous = pprofdelta_computer_has_previous(m_computer.get()) == 1;
        require(is_ok(status, error) == has_previous, "what has a profile before can be saved");
        return text_of(state);
    }

    // Calls `in_c()`, which is to change a computer, and `in_cpp()`, which is what it does in C++.
    template <typename InC, typename InCpp>
    void change(InC&& in_c, InCpp&& in_cpp) {
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

    c_context& m_context;
    computer_handle m_computer{};
    std::optional<delta_computer> m_expected{}; // if it has the default options
    std::string m_state{};
};

class session {
public:
    explicit session(steering& bytes) : m_context{bytes} {}

    void run() {
        static constexpr std::array calls{
            &session::set_option, &session::new_computer, &session::compute, &session::compute,
            &session::prime,      &session::save,         &session::load,    &session::new_sum,
            &session::add,        &session::add,          &session::report,  &session::report,
            &session::diff,       &session::archive,      &session::scale,   &session::scale};
        for (unsigned i = 0; i < 24 && !m_context.bytes.empty(); ++i) {
            (this->*calls[m_context.bytes.byte() % calls.size()])();
        }
    }

private:
    void set_option() {
        static constexpr std::array<std::array<const char*, 2>, 25> known{{
            {"cumulative", "alloc_space"},
            {"cumulative", "x/y"},
            {"gauge", "alloc_objects"},
            {"match", "line"},
            {"match", "Exact"},
            {"on-reset", "error"},
            {"on-reset", "negative"},
            {"first", "skip"},
            {"drop-negative", "yes"},
            {"threads", "2"},
            {"threads", "0"},
            {"levels", "max"},
            {"keep-type", "alloc_space"},
            {"drop-label", "f"},
            {"drop-label", "("},
            {"drop-lines", "yes"},
            {"for-pgo", "yes"},
            {"focus", "f|main"},
            {"focus", "("},
            {"diff", "yes"},
            {"by", "package"},
            {"order", "percent"},
            {"sample-type", "none"},
            {"top", "1"},
            {"limit", "each:alloc_space>+1"},
        }};
        const unsigned choice = m_context.bytes.byte();
        std::string name = known[choice % known.size()][0];
        std::string value = known[choice % known.size()][1];
        if (choice >= 225) {
            name = choice % 2 == 0 ? name : std::string{m_context.bytes.take(3)};
            value = m_context.bytes.take(m_context.bytes.byte() % 32);
        }
        const auto status = pprofdelta_options_set(m_context.options.get(), name.c_str(),
                                                   value.c_str(), &m_context.error);
        if (!is_ok(status, m_context.error)) {
            require(status == PPROFDELTA_INVALID_ARGUMENT, "an option is wrong or right");
        }
    }

    void new_computer() { m_computer.make(); }
    void compute() { m_computer.compute(); }
    void prime() { m_computer.prime(); }
    void save() { m_computer.save(); }
    void load() { m_computer.load(); }

    void new_sum() {
        const pprofdelta_options* const options = m_context.any_options();
        pprofdelta_sum* made = nullptr;
        if (is_ok(pprofdelta_sum_new(options, &made, &m_context.error), m_context.error)) {
            m_sum.reset(made);
            m_expected_sum.reset();
            if (options == nullptr) {
                m_expected_sum = std::make_unique<profile_sum>();
            }
        }
        require((made != nullptr) == (m_context.error.status == PPROFDELTA_OK),
                "a handle or a failure");
    }

    std::string finished() {
        pprofdelta_view written{};
        pprofdelta_sum_summary summary{};
        pprofdelta_error error{};
        if (!is_ok(pprofdelta_sum_finish(m_sum.get(), &written, &summary, &error), error)) {
            return error.message;
        }
        if (m_expected_sum) {
            std::string expected;
            const merge_summary wanted = m_expected_sum->write(expected);
            require(text_of(written) == expected && summary.profiles == wanted.profiles &&
                        summary.samples_out == wanted.samples_out,
                    "a sum is that of C++");
        }
        return text_of(written);
    }

    void add() {
        static constexpr std::array<double, 6> weights{1, 1, 2, 0.5, 0, -1};
        const c_input& given = m_context.any_input();
        const double weight = weights[m_context.bytes.byte() % weights.size()];
        if (!m_sum) {
            new_sum();
            if (!m_sum) {
                return;
            }
        }
        const std::string before = finished();
        const bool is_added =
            is_ok(pprofdelta_sum_add(m_sum.get(), given.bytes.data(), given.bytes.size(), weight,
                                     &m_context.error),
                  m_context.error);
        require(is_added || finished() == before, "what is refused changes no sum");
        if (m_expected_sum) {
            require(is_added == is_accepted([&] { m_expected_sum->add(given.bytes, weight); }),
                    "C adds what C++ adds");
        }
        static_cast<void>(finished());
        pprofdelta_view mean{};
        is_ok(pprofdelta_sum_finish_mean(m_sum.get(), &mean, nullptr, &m_context.error),
              m_context.error);
    }

    void report() {
        const c_input& previous = m_context.any_input();
        const c_input& current = m_context.any_input();
        const pprofdelta_options* const options = m_context.any_options();
        const pprofdelta_report_input before{previous.bytes.data(), previous.bytes.size(),
                                             previous.source, "before"};
        const pprofdelta_report_input now{current.bytes.data(), current.bytes.size(),
                                          current.source, nullptr};
        const bool is_alone = m_context.bytes.byte() % 4 == 0;
        pprofdelta_view json{};
        if (is_ok(pprofdelta_report_on(is_alone ? nullptr : &before, &now, options,
                                       m_context.storage.get(), &json, &m_context.error),
                  m_context.error)) {
            require(is_alone || previous.source == current.source,
                    "text and protobuf are not compared");
            const test::json whole = parse_json(text_of(json));
            require(is_alone == (whole.at("previous").is_null()), "a report has its inputs");
        }
        require((json.data != nullptr) == (m_context.error.status == PPROFDELTA_OK),
                "a report or a failure");
    }

    void diff() {
        const c_input& previous = m_context.any_input();
        const c_input& current = m_context.any_input();
        const pprofdelta_options* const options = m_context.any_options();
        pprofdelta_view delta{};
        const bool is_done =
            is_ok(pprofdelta_diff(previous.bytes.data(), previous.bytes.size(),
                                  current.bytes.data(), current.bytes.size(), options,
                                  m_context.storage.get(), &delta, nullptr, &m_context.error),
                  m_context.error);
        if (options == nullptr) {
            std::string expected;
            require(is_done == is_accepted([&] {
                        pprofdelta::diff(previous.bytes, current.bytes, {}, expected);
                    }),
                    "C refuses what C++ refuses");
            require(!is_done || text_of(delta) == expected, "a diff is that of C++");
        }
    }

    // Something is written, and read again.
    void archive() {
        const c_input& given = m_context.any_input();
        const int to = m_context.bytes.byte() % 4;
        const int level = m_context.bytes.byte() % 4 - 1;
        pprofdelta_view encoded{};
        if (!is_ok(pprofdelta_encode(given.bytes.data(), given.bytes.size(), to, level,
                                     m_context.storage.get(), &encoded, &m_context.error),
                   m_context.error)) {
            return;
        }
        const buffer_handle room{pprofdelta_buffer_new()};
        pprofdelta_view decoded{};
        pprofdelta_source source{};
        const bool is_done =
            is_ok(pprofdelta_decode(encoded.data, encoded.size, 1U << 16U, room.get(), &decoded,
                                    &source, &m_context.error),
                  m_context.error);
        // Bytes that look like an archive or a text are taken for that.
        require(to == PPROFDELTA_CODEC_NONE || !is_done || source == PPROFDELTA_SOURCE_TEXT ||
                    text_of(decoded) == given.bytes,
                "what was written is read");
    }

    void scale() {
        const c_input& previous = m_context.any_input();
        const c_input& current = m_context.any_input();
        pprofdelta_view scaled{};
        is_ok(pprofdelta_normalize(previous.bytes.data(), previous.bytes.size(),
                                   current.bytes.data(), current.bytes.size(),
                                   m_context.bytes.byte() % 3, m_context.storage.get(), &scaled,
                                   &m_context.error),
              m_context.error);
        require((scaled.data != nullptr) == (m_context.error.status == PPROFDELTA_OK),
                "a scaled profile or a failure");
    }

    c_context m_context;
    c_computer m_computer{m_context};
    sum_handle m_sum;
    std::unique_ptr<profile_sum> m_expected_sum; // if it has the default options
};

} // namespace

FUZZ_TARGET(c_interface, data, size) {
    steering bytes{data, size};
    session{bytes}.run();
    return 0;
}
