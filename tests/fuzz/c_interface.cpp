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

#include <pprofdelta/codec.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/merge.hpp>

#include "fuzz.hpp"
#include "json.hpp"
#include "profile_builder.hpp"
#include "random_profile.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

template <auto Free>
struct freed_by {
    template <typename Handle>
    void operator()(Handle* handle) const {
        Free(handle);
    }
};

std::string text_of(const pprofdelta_view& view) {
    return view.data == nullptr ? std::string{} : std::string{view.data, view.size};
}

// Requires that an error says what the status does.
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

struct input {
    std::string bytes{};
    int source = PPROFDELTA_SOURCE_PROTOBUF;
};

class session {
public:
    explicit session(steering& bytes) : m_bytes{bytes} {
        const std::string_view choices = bytes.take(bytes.byte() % 64);
        random_series series{bytes.byte(), choices};
        for (unsigned i = 0; i < 3; ++i) {
            m_inputs.push_back({serialize(series.next(), series.next_layout())});
        }
        m_inputs.push_back({std::string{bytes.take(bytes.byte())}});
        m_inputs.push_back({m_inputs[0].bytes.substr(0, m_inputs[0].bytes.size() / 2)});
        m_inputs.push_back({m_inputs[1].bytes, PPROFDELTA_SOURCE_TEXT});
        m_inputs.push_back({"", 2});
    }

    void run() {
        static constexpr std::array calls{
            &session::set_option,  &session::new_computer, &session::compute,
            &session::compute,     &session::prime,        &session::save,
            &session::load,        &session::new_sum,      &session::add,
            &session::add,         &session::report,       &session::report,
            &session::diff,        &session::archive,      &session::scale,
            &session::give_nothing};
        for (unsigned i = 0; i < 24 && !m_bytes.empty(); ++i) {
            (this->*calls[m_bytes.byte() % calls.size()])();
        }
    }

private:
    using options_handle = std::unique_ptr<pprofdelta_options, freed_by<pprofdelta_options_free>>;
    using buffer_handle = std::unique_ptr<pprofdelta_buffer, freed_by<pprofdelta_buffer_free>>;
    using computer_handle =
        std::unique_ptr<pprofdelta_computer, freed_by<pprofdelta_computer_free>>;
    using sum_handle = std::unique_ptr<pprofdelta_sum, freed_by<pprofdelta_sum_free>>;

    const input& any_input() { return m_inputs[m_bytes.byte() % m_inputs.size()]; }

    // Those that were set, or the defaults.
    const pprofdelta_options* any_options() {
        return m_bytes.byte() % 2 == 0 ? nullptr : m_options.get();
    }

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
        const unsigned choice = m_bytes.byte();
        std::string name = known[choice % known.size()][0];
        std::string value = known[choice % known.size()][1];
        if (choice >= 225) {
            name = choice % 2 == 0 ? name : std::string{m_bytes.take(3)};
            value = m_bytes.take(m_bytes.byte() % 32);
        }
        const std::string before = report_with_options();
        const auto status =
            pprofdelta_options_set(m_options.get(), name.c_str(), value.c_str(), &m_error);
        if (!is_ok(status, m_error)) {
            require(status == PPROFDELTA_INVALID_ARGUMENT, "an option is wrong or right");
            require(report_with_options() == before, "an option that is refused changes nothing");
        }
    }

    // What shows most options.
    std::string report_with_options() {
        static const std::array<std::string, 2> profiles = [] {
            profile p;
            p.types = heap_types();
            p.samples.push_back({{add_frame(p, "f"), add_frame(p, "g", "a.c", 1)}, {3, 4, 5, 6}});
            const std::string before = serialize(p);
            p.samples[0].values = {5, 3, 2, 1};
            return std::array{before, serialize(p)};
        }();
        const pprofdelta_report_input before{profiles[0].data(), profiles[0].size(), 0, nullptr};
        const pprofdelta_report_input now{profiles[1].data(), profiles[1].size(), 0, nullptr};
        pprofdelta_view json{};
        pprofdelta_error error{};
        is_ok(pprofdelta_report_on(&before, &now, m_options.get(), m_storage.get(), &json, &error),
              error);
        return error.message + text_of(json);
    }

    void new_computer() {
        const pprofdelta_options* const options = any_options();
        pprofdelta_computer* made = nullptr;
        if (is_ok(pprofdelta_computer_new(options, &made, &m_error), m_error)) {
            m_computer.reset(made);
            m_expected.reset();
            if (options == nullptr) {
                m_expected.emplace();
            }
        }
        require((made != nullptr) == (m_error.status == PPROFDELTA_OK), "a handle or a failure");
    }

    // What a computer knows; empty if that is nothing.
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
            new_computer();
            if (!m_computer) {
                return;
            }
        }
        const std::string before = known();
        const bool is_done = is_ok(in_c(), m_error);
        require(is_done || known() == before, "a call that fails changes nothing");
        if (m_expected && m_error.status != PPROFDELTA_INVALID_ARGUMENT) {
            require(is_done == is_accepted(in_cpp), "C does what C++ does");
            require(!m_expected->has_previous() || known() == m_expected->save(),
                    "C knows what C++ knows");
        }
    }

    void compute() {
        const input& given = any_input();
        pprofdelta_view delta{"left over", 9};
        pprofdelta_summary summary{};
        std::string found;
        std::string expected;
        change(
            [&] {
                const auto status = pprofdelta_computer_compute(
                    m_computer.get(), given.bytes.data(), given.bytes.size(), given.source, &delta,
                    &summary, &m_error);
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
        const input& given = any_input();
        change(
            [&] {
                return pprofdelta_computer_prime(m_computer.get(), given.bytes.data(),
                                                 given.bytes.size(), given.source, &m_error);
            },
            [&] { m_expected->prime(given.bytes, static_cast<profile_source>(given.source)); });
    }

    void save() {
        if (m_computer) {
            m_state = known();
        }
    }

    void load() {
        if (m_bytes.byte() % 4 == 0 && !m_state.empty()) {
            m_state[m_bytes.byte() % m_state.size()] = static_cast<char>(m_bytes.byte());
        }
        change(
            [&] {
                return pprofdelta_computer_load(m_computer.get(), m_state.data(), m_state.size(),
                                                &m_error);
            },
            [&] { m_expected->load(m_state); });
    }

    void new_sum() {
        const pprofdelta_options* const options = any_options();
        pprofdelta_sum* made = nullptr;
        if (is_ok(pprofdelta_sum_new(options, &made, &m_error), m_error)) {
            m_sum.reset(made);
            m_expected_sum.reset();
            if (options == nullptr) {
                m_expected_sum = std::make_unique<profile_sum>();
            }
        }
        require((made != nullptr) == (m_error.status == PPROFDELTA_OK), "a handle or a failure");
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
        const input& given = any_input();
        const double weight = weights[m_bytes.byte() % weights.size()];
        if (!m_sum) {
            new_sum();
            if (!m_sum) {
                return;
            }
        }
        const std::string before = finished();
        const bool is_added = is_ok(pprofdelta_sum_add(m_sum.get(), given.bytes.data(),
                                                       given.bytes.size(), weight, &m_error),
                                    m_error);
        require(is_added || finished() == before, "what is refused changes no sum");
        if (m_expected_sum) {
            require(is_added == is_accepted([&] { m_expected_sum->add(given.bytes, weight); }),
                    "C adds what C++ adds");
        }
        static_cast<void>(finished());
        pprofdelta_view mean{};
        is_ok(pprofdelta_sum_finish_mean(m_sum.get(), &mean, nullptr, &m_error), m_error);
    }

    void report() {
        const input& previous = any_input();
        const input& current = any_input();
        const pprofdelta_options* const options = any_options();
        const pprofdelta_report_input before{previous.bytes.data(), previous.bytes.size(),
                                             previous.source, "before"};
        const pprofdelta_report_input now{current.bytes.data(), current.bytes.size(),
                                          current.source, nullptr};
        const bool is_alone = m_bytes.byte() % 4 == 0;
        pprofdelta_view json{};
        if (is_ok(pprofdelta_report_on(is_alone ? nullptr : &before, &now, options, m_storage.get(),
                                       &json, &m_error),
                  m_error)) {
            require(is_alone || previous.source == current.source,
                    "text and protobuf are not compared");
            const json_value whole = parse_json(text_of(json));
            require(is_alone == (whole.at("previous").text == "null"), "a report has its inputs");
        }
        require((json.data != nullptr) == (m_error.status == PPROFDELTA_OK),
                "a report or a failure");
    }

    void diff() {
        const input& previous = any_input();
        const input& current = any_input();
        const pprofdelta_options* const options = any_options();
        pprofdelta_view delta{};
        const bool is_done =
            is_ok(pprofdelta_diff(previous.bytes.data(), previous.bytes.size(),
                                  current.bytes.data(), current.bytes.size(), options,
                                  m_storage.get(), &delta, nullptr, &m_error),
                  m_error);
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
        const input& given = any_input();
        const int to = m_bytes.byte() % 4;
        const int level = m_bytes.byte() % 4 - 1;
        pprofdelta_view encoded{};
        if (!is_ok(pprofdelta_encode(given.bytes.data(), given.bytes.size(), to, level,
                                     m_storage.get(), &encoded, &m_error),
                   m_error)) {
            return;
        }
        const buffer_handle room{pprofdelta_buffer_new()};
        pprofdelta_view decoded{};
        pprofdelta_source source{};
        const bool is_done = is_ok(pprofdelta_decode(encoded.data, encoded.size, 1U << 16U,
                                                     room.get(), &decoded, &source, &m_error),
                                   m_error);
        // What looks like an archive or a text is taken for that.
        require(to == PPROFDELTA_CODEC_NONE || !is_done || source == PPROFDELTA_SOURCE_TEXT ||
                    text_of(decoded) == given.bytes,
                "what was written is read");
    }

    void scale() {
        const input& previous = any_input();
        const input& current = any_input();
        pprofdelta_view scaled{};
        is_ok(pprofdelta_normalize(previous.bytes.data(), previous.bytes.size(),
                                   current.bytes.data(), current.bytes.size(), m_bytes.byte() % 3,
                                   m_storage.get(), &scaled, &m_error),
              m_error);
        require((scaled.data != nullptr) == (m_error.status == PPROFDELTA_OK),
                "a scaled profile or a failure");
    }

    // Null, where something has to be.
    void give_nothing() {
        const std::string& bytes = m_inputs[0].bytes;
        const pprofdelta_report_input now{bytes.data(), bytes.size(), 0, nullptr};
        const pprofdelta_report_input none{nullptr, 1, 0, nullptr};
        pprofdelta_view view{"left over", 9};
        const auto call = [&] {
            switch (m_bytes.byte() % 8) {
            case 0:
                return pprofdelta_computer_compute(nullptr, bytes.data(), bytes.size(), 0, &view,
                                                   nullptr, &m_error);
            case 1:
                return pprofdelta_computer_save(nullptr, &view, &m_error);
            case 2:
                return pprofdelta_sum_finish(nullptr, &view, nullptr, &m_error);
            case 3:
                return pprofdelta_report_on(&none, &now, nullptr, m_storage.get(), &view, &m_error);
            case 4:
                return pprofdelta_report_on(&now, nullptr, nullptr, m_storage.get(), &view,
                                            &m_error);
            case 5:
                return pprofdelta_diff(nullptr, 1, bytes.data(), bytes.size(), nullptr,
                                       m_storage.get(), &view, nullptr, &m_error);
            case 6:
                return pprofdelta_encode(bytes.data(), bytes.size(), 0, 0, nullptr, &view,
                                         &m_error);
            default:
                return pprofdelta_decode(nullptr, 1, 0, m_storage.get(), &view, nullptr, &m_error);
            }
        };
        require(call() == PPROFDELTA_INVALID_ARGUMENT && !is_ok(m_error.status, m_error),
                "nothing is refused");
        require(view.data == nullptr && view.size == 0, "a failure has no result");
    }

    steering& m_bytes;
    std::vector<input> m_inputs;
    pprofdelta_error m_error{};
    options_handle m_options{pprofdelta_options_new()};
    buffer_handle m_storage{pprofdelta_buffer_new()};
    computer_handle m_computer;
    std::optional<delta_computer> m_expected; // if it has the default options
    std::string m_state;
    sum_handle m_sum;
    std::unique_ptr<profile_sum> m_expected_sum;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    steering bytes{data, size};
    session{bytes}.run();
    return 0;
}
