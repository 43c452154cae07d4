// SPDX-License-Identifier: Apache-2.0
#include "input/speedscope.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <pprofdelta/characters.hpp>
#include <pprofdelta/error.hpp>

#include <nlohmann/json.hpp>

#include "base/hash128.hpp"
#include "base/key_table.hpp"
#include "codec/codec.hpp"
#include "traces/records.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

namespace {

[[noreturn]] void refuse(const std::string& what) {
    throw error{error_kind::malformed, "a profile of speedscope: " + what};
}

// The sample type of a unit of speedscope, and the factor of its values.
struct known_unit {
    std::string_view name;
    const char* type;
    const char* unit;
    double factor;
};

constexpr std::array<known_unit, 5> units{{
    {"nanoseconds", "time", "nanoseconds", 1},
    {"microseconds", "time", "nanoseconds", 1e3},
    {"milliseconds", "time", "nanoseconds", 1e6},
    {"seconds", "time", "nanoseconds", 1e9},
    {"bytes", "space", "bytes", 1},
}};

// A text in the texts of all frames.
struct text_range {
    std::uint32_t begin = 0;
    std::uint32_t size = 0;
};

struct frame {
    text_range name;
    text_range file;
    std::int64_t line = 0;
};

// All calls of a frame from one place in the tree of stacks.
struct call {
    std::uint32_t caller = 0; // place of it; its own for the root, which is no call
    std::uint32_t frame = 0;
    double own = 0; // the time without its callees
};

// A profile has samples, or calls and returns in time.
struct timed_profile {
    std::string name;
    std::string type;
    std::string unit;
    std::vector<std::uint32_t> frames; // of all samples, the outermost first
    std::vector<std::uint32_t> ends;   // of each sample, in `frames`
    std::vector<double> weights;
    std::vector<call> calls{1}; // each after its caller
    key_table numbers{};        // of calls, by their callers and frames
    std::uint32_t at_hand = 0;  // the innermost call that has not ended
    double now = 0;             // the time of the last event
};

// A call or a return.
struct call_event {
    std::string type;
    std::optional<double> at;
    std::optional<std::uint32_t> frame;
};

// Takes the parts that matter out of a text, in whatever order they stand:
//
//     {"shared": {"frames": [{"name": "f", "file": "a.py", "line": 3}]},
//      "profiles": [{"type": "sampled", "name": "main", "unit": "seconds",
//                    "samples": [[0, 1]], "weights": [0.5]},
//                   {"type": "evented", "name": "main", "unit": "seconds",
//                    "events": [{"type": "O", "frame": 0, "at": 0.5},
//                               {"type": "C", "frame": 0, "at": 1.5}]}]}
class speedscope_text : public nlohmann::json_sax<nlohmann::json> {
public:
    // @param part the name of the profile to keep; empty for the first one.
    explicit speedscope_text(std::string_view part) : m_part{part} {}

    bool null() override { return true; }
    bool boolean(bool /*value*/) override { return true; }
    bool number_integer(std::int64_t value) override {
        take(static_cast<double>(value), value);
        return true;
    }
    bool number_unsigned(std::uint64_t value) override {
        take(static_cast<double>(value), static_cast<std::int64_t>(std::min<std::uint64_t>(
                                             value, std::numeric_limits<std::int64_t>::max())));
        return true;
    }
    bool number_float(double value, const std::string& /*text*/) override {
        take(value, -1);
        return true;
    }
    bool string(std::string& value) override {
        if (is_at(frame_depth, "shared", "frames")) {
            m_frame.name = m_keys[frame_depth] == "name" ? add(value) : m_frame.name;
            m_frame.file = m_keys[frame_depth] == "file" ? add(value) : m_frame.file;
        } else if (is_at(profile_depth, "profiles")) {
            std::string& key = m_keys[profile_depth];
            (key == "name"   ? m_profile.name
             : key == "type" ? m_profile.type
             : key == "unit" ? m_profile.unit
                             : key) = value;
        } else if (is_in_profile(stack_depth, "events") && m_keys[stack_depth] == "type") {
            m_event.type = value;
        }
        return true;
    }
    bool binary(binary_t& /*value*/) override { return true; }

    bool start_object(std::size_t /*size*/) override {
        begin();
        if (is_at(frame_depth, "shared", "frames")) {
            m_frame = {};
        } else if (is_at(profile_depth, "profiles")) {
            m_profile = {};
        } else if (is_in_profile(stack_depth, "events")) {
            m_event = {};
        }
        return true;
    }
    bool key(std::string& name) override {
        if (m_depth < m_keys.size()) {
            m_keys[m_depth] = name;
        }
        return true;
    }
    bool end_object() override {
        if (is_at(frame_depth, "shared", "frames")) {
            frames.push_back(m_frame);
        } else if (is_at(profile_depth, "profiles")) {
            end_profile();
        } else if (is_in_profile(stack_depth, "events")) {
            end_event();
        }
        --m_depth;
        return true;
    }
    bool start_array(std::size_t /*size*/) override {
        begin();
        return true;
    }
    bool end_array() override {
        if (is_in_profile(stack_depth, "samples")) {
            m_profile.ends.push_back(static_cast<std::uint32_t>(m_profile.frames.size()));
        }
        --m_depth;
        return true;
    }
    bool parse_error(std::size_t position, const std::string& /*token*/,
                     const nlohmann::json::exception& /*fault*/) override {
        throw error{error_kind::malformed,
                    "a profile of speedscope: this is no sound JSON, or it was cut off",
                    position == 0 ? 0 : position - 1};
    }

    [[nodiscard]] std::string_view text(text_range range) const {
        return std::string_view{m_texts}.substr(range.begin, range.size);
    }

    std::vector<frame> frames;
    std::vector<std::string> names; // of the profiles of types that are known
    std::optional<timed_profile> chosen;

private:
    // The number of objects and arrays around the members of each.
    static constexpr std::size_t profile_depth = 3;
    static constexpr std::size_t frame_depth = 4;
    static constexpr std::size_t list_depth = 4;
    static constexpr std::size_t stack_depth = 5;

    void begin() {
        ++m_depth;
        if (m_depth < m_keys.size()) {
            m_keys[m_depth].clear();
        }
    }

    // Whether what comes is so deep, in the members of these names.
    [[nodiscard]] bool is_at(std::size_t depth, std::string_view first,
                             std::string_view second = {}) const {
        return m_depth == depth && m_keys[1] == first && m_keys[2] == second;
    }
    [[nodiscard]] bool is_in_profile(std::size_t depth, std::string_view member) const {
        return is_at(depth, "profiles") && m_keys[profile_depth] == member;
    }

    // @param whole -1 for a number that is not whole.
    void take(double value, std::int64_t whole) {
        const auto frame_number = [&] {
            if (whole < 0 || whole > std::numeric_limits<std::uint32_t>::max()) {
                refuse("a frame of a sample is no number of a frame");
            }
            return static_cast<std::uint32_t>(whole);
        };
        if (is_in_profile(stack_depth, "samples")) {
            m_profile.frames.push_back(frame_number());
        } else if (is_in_profile(stack_depth, "events")) {
            if (m_keys[stack_depth] == "frame") {
                m_event.frame = frame_number();
            } else if (m_keys[stack_depth] == "at") {
                m_event.at = value;
            }
        } else if (is_in_profile(list_depth, "weights")) {
            m_profile.weights.push_back(value);
        } else if (is_at(frame_depth, "shared", "frames") && m_keys[frame_depth] == "line") {
            m_frame.line = std::max<std::int64_t>(whole, 0);
        }
    }

    text_range add(const std::string& text) {
        const text_range range{static_cast<std::uint32_t>(m_texts.size()),
                               static_cast<std::uint32_t>(text.size())};
        m_texts += text;
        return range;
    }

    // The call at hand has the time up to the next call or return.
    void end_event() {
        timed_profile& of = m_profile;
        if (!m_event.at || !m_event.frame || (m_event.type != "O" && m_event.type != "C")) {
            refuse("an event has no time or no frame, or is neither a call nor a return");
        }
        const double gone = *m_event.at - of.now;
        if (of.at_hand != 0) {
            if (!(gone >= 0)) {
                refuse("its events go back in time");
            }
            of.calls[of.at_hand].own += gone;
        }
        of.now = *m_event.at;
        if (m_event.type == "O") {
            const std::array<std::uint32_t, 2> key{of.at_hand, *m_event.frame};
            const std::uint32_t known = of.numbers.size();
            const std::uint32_t number = of.numbers.find_or_add(hash_bytes(&key, sizeof key));
            if (number == known) {
                of.calls.push_back({of.at_hand, *m_event.frame});
            }
            of.at_hand = number + 1;
        } else if (of.at_hand != 0 && of.calls[of.at_hand].frame == *m_event.frame) {
            of.at_hand = of.calls[of.at_hand].caller;
        } else {
            refuse("a call returns that is not the innermost one");
        }
    }

    void end_profile() {
        if (m_profile.type != "sampled" && m_profile.type != "evented") {
            return;
        }
        if (m_profile.at_hand != 0) {
            refuse("a call does not return");
        }
        names.push_back(m_profile.name);
        if (!chosen && (m_part.empty() || m_part == m_profile.name)) {
            chosen = std::move(m_profile);
        }
        m_profile = {};
    }

    std::string_view m_part;
    std::size_t m_depth = 0;
    std::array<std::string, stack_depth + 1> m_keys; // by depth
    std::string m_texts;
    frame m_frame;
    timed_profile m_profile;
    call_event m_event;
};

// The names of profiles, for a message.
std::string list_of(const std::vector<std::string>& names) {
    constexpr std::size_t most = 8;
    constexpr std::size_t longest = 60;
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < most; ++i) {
        text += (i == 0 ? "'" : ", '") + printable(names[i].substr(0, longest)) + "'";
    }
    return text + (names.size() > most ? ", ..." : "");
}

// The one that is asked for.
timed_profile take_chosen(speedscope_text& text, std::string_view part) {
    if (text.names.empty()) {
        refuse("it has no profile with samples, or with calls and returns in time");
    }
    const auto same = std::ranges::count(text.names, part);
    if (part.empty() ? text.names.size() > 1 : same != 1) {
        throw error{error_kind::invalid_argument,
                    "a profile of speedscope: " +
                        (part.empty() ? "it has " + std::to_string(text.names.size()) + " profiles"
                         : same == 0  ? "no profile has this name"
                                      : std::to_string(same) + " profiles have this name") +
                        ", and one has to be chosen: " + list_of(text.names)};
    }
    return std::move(*text.chosen);
}

// Weights are whole numbers of what they count. A nanosecond is no matter.
std::int64_t value_of(double weight, const known_unit* unit) {
    constexpr double largest = std::uint64_t{1} << 53U;
    constexpr double nothing = 1e-9; // of a number
    const bool is_time = unit != nullptr && std::string_view{unit->unit} == "nanoseconds";
    const double value = unit == nullptr ? weight : weight * unit->factor;
    const double nearest = std::round(value);
    if (!(std::fabs(value) <= largest)) {
        refuse("a weight is too large");
    }
    if (!is_time && std::fabs(value - nearest) > nothing * std::fabs(value)) {
        refuse("a weight has a fraction, but values of a profile are whole numbers");
    }
    return static_cast<std::int64_t>(nearest);
}

// Writes the frames that samples have, each as a function and a location.
class frame_records {
public:
    frame_records(const speedscope_text& text, trace_records& records)
        : m_text{text}, m_records{records}, m_ids(text.frames.size()) {}

    std::uint32_t id_of(std::uint32_t number) {
        if (number >= m_ids.size()) {
            refuse("a sample has frame " + std::to_string(number) + " of " +
                   std::to_string(m_ids.size()));
        }
        std::uint32_t& id = m_ids[number];
        if (id == 0) {
            const frame& of = m_text.frames[number];
            const std::string_view name = m_text.text(of.name);
            const std::string_view file = m_text.text(of.file);
            const std::uint32_t known = m_functions.size();
            const std::uint32_t function =
                m_functions.find_or_add(hash_words(hash_bytes(name), hash_bytes(file)));
            if (function == known) {
                m_records.add_function(function + 1U, name, file);
            }
            id = ++m_last;
            const trace_records::frame_line line{.function = function + 1U, .number = of.line};
            m_records.add_location(id, 0, mapping_search::npos, {&line, 1});
        }
        return id;
    }

    // pyinstrument writes the own time of a function as a callee of this name.
    [[nodiscard]] bool is_own_time(std::uint32_t number) const {
        return number < m_ids.size() && m_text.text(m_text.frames[number].name) == "[self]" &&
               m_text.frames[number].file.size == 0;
    }

private:
    const speedscope_text& m_text;
    trace_records& m_records;
    std::vector<std::uint32_t> m_ids; // of locations, by frame; 0 for none yet
    std::uint32_t m_last = 0;
    key_table m_functions;
};

} // namespace

bool is_speedscope(std::string_view bytes) noexcept {
    constexpr std::size_t most = std::size_t{64} << 10U;
    constexpr std::string_view schema{"speedscope.app/file-format"};
    const std::size_t start = std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size());
    return start < most && bytes.substr(start, 1) == "{" &&
           (bytes.substr(0, most).find(schema) != std::string_view::npos ||
            bytes.substr(bytes.size() - std::min(bytes.size(), most)).find(schema) !=
                std::string_view::npos);
}

void convert_speedscope(std::string_view text, std::string& profile, std::size_t max_size,
                        const value_type& counted, std::string_view part) {
    speedscope_text read{part};
    nlohmann::json::sax_parse(text.begin(), text.end(), &read);
    const timed_profile of = take_chosen(read, part);
    if (of.weights.size() != of.ends.size()) {
        refuse("it has " + std::to_string(of.ends.size()) + " samples and " +
               std::to_string(of.weights.size()) + " weights");
    }
    const auto* unit = std::ranges::find(units, of.unit, &known_unit::name);
    if (unit == units.end()) {
        if (of.unit != "none") {
            refuse("its unit '" + printable(of.unit) + "' is unknown");
        }
        unit = nullptr;
    }
    trace_records records;
    records.start(unit == nullptr ? std::array{counted}
                                  : std::array{value_type{unit->type, unit->unit}},
                  profile);
    frame_records frames{read, records};
    std::vector<std::uint32_t> ids; // the innermost first
    std::string locations;
    std::string packed;
    const auto add_sample = [&](double weight) {
        locations.clear();
        append_numbers(locations, field::sample::location_id, ids.data(), ids.size(), packed);
        records.add_sample(locations, std::array{value_of(weight, unit)}, {});
        require_within(records.size(), max_size);
        ids.clear();
    };
    auto begin = of.frames.begin();
    for (std::size_t i = 0; i < of.ends.size(); ++i) {
        const auto end = of.frames.begin() + of.ends[i];
        std::transform(begin, end, std::back_inserter(ids),
                       [&](std::uint32_t number) { return frames.id_of(number); });
        std::ranges::reverse(ids);
        begin = end;
        add_sample(of.weights[i]);
    }
    for (const call& each : of.calls) {
        if (value_of(each.own, unit) == 0) {
            continue;
        }
        for (const call* at = &each; at != &of.calls.front(); at = &of.calls[at->caller]) {
            if (at != &each || !frames.is_own_time(at->frame)) {
                ids.push_back(frames.id_of(at->frame));
            }
        }
        add_sample(each.own);
    }
    records.finish({});
    require_within(profile.size(), max_size);
}

} // namespace pprofdelta
