// SPDX-License-Identifier: Apache-2.0
// Bytes taken for a state: as they are, with the checksum put right, or as the body of a state.
// One that is accepted is saved again as it was, and can be gone on from.
#include <cstring>
#include <string>
#include <string_view>

#include <pprofdelta/state.hpp>

#include "base/hash128.hpp"
#include "delta/state_format.hpp"
#include "fuzz.hpp"
#include "profile_builder.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

constexpr std::size_t checksum_size = 16;
constexpr std::size_t max_body = std::size_t{1} << 20U;

void put(std::string& out, std::uint64_t number, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) {
        out += static_cast<char>(number >> (8 * i) & 0xffU);
    }
}

// The state gets the checksum that covers all that comes before.
std::string seal(std::string state) {
    const hash128 sum = hash_bytes(state);
    put(state, little_endian(sum.low), 8);
    put(state, little_endian(sum.high), 8);
    return state;
}

std::string wrap(std::string_view body, std::uint32_t version) {
    std::string state{"\x89PPDS\r\n\x1a"};
    put(state, version, 4);
    put(state, 0, 4);
    put(state, body.size(), 8);
    return seal(state.append(body));
}

std::string reseal(std::string_view state) {
    const std::size_t covered = state.size() < checksum_size ? 0 : state.size() - checksum_size;
    return seal(std::string{state.substr(0, covered)});
}

// A state's own size is believed within limits, which are too wide for a fuzzer.
bool is_large(std::string_view state) {
    std::uint64_t size = 0;
    constexpr std::size_t size_place = 16;
    if (state.size() >= size_place + sizeof size) {
        std::memcpy(&size, state.data() + size_place, sizeof size);
    }
    return little_endian(size) > max_body;
}

delta_options options_of(const state_info& info) {
    delta_options options;
    options.match = info.match;
    for (const auto& [type, kind] : info.types) {
        auto& list = kind == value_kind::cumulative ? options.cumulative
                     : kind == value_kind::interval ? options.interval
                                                    : options.gauge;
        list.emplace_back(to_string(type));
    }
    return options;
}

// Goes on with a profile of the same types, made of the same.
void go_on(delta_computer& computer, const state_info& info) {
    profile next;
    for (const auto& each : info.types) {
        next.types.push_back(each.type);
    }
    next.samples.push_back({{add_frame(next, "f")}, {}});
    next.samples.back().values.assign(next.types.size(), 1);
    std::string delta;
    const delta_summary summary = computer.compute(serialize(next), delta, info.source);
    require(!summary.first, "a state is gone on from");
    (void)computer.save();
}

void check(const std::string& state) {
    if (is_large(state)) {
        return;
    }
    state_info info;
    if (!is_accepted([&] { info = read_state_info(state); })) {
        delta_computer computer;
        require(!is_accepted([&] { computer.load(state); }), "a bad state is not loaded");
        require(!computer.has_previous(), "a bad state leaves nothing behind");
        return;
    }
    // Names of types may be ambiguous, which options cannot resolve.
    delta_computer computer{options_of(info)};
    if (!is_accepted([&] { computer.load(state); })) {
        return;
    }
    require(computer.has_previous(), "a loaded state is a profile before");
    const std::string again = computer.save();
    const state_info info_again = read_state_info(again);
    require(info_again.samples == info.samples && info_again.vanished == info.vanished,
            "no sample is lost or made up");
    delta_computer second{options_of(info)};
    second.load(again);
    require(second.save() == again, "a state is saved as it was loaded");
    go_on(second, info);
}

} // namespace

FUZZ_TARGET(state, data, size) {
    steering bytes{data, size};
    const unsigned kind = bytes.byte();
    const std::string rest{bytes.rest()};
    switch (kind % 3) {
    case 0:
        check(rest);
        break;
    case 1:
        check(reseal(rest));
        break;
    default:
        check(wrap(rest, 3));
        check(wrap(rest, state_version));
        break;
    }
    return 0;
}
