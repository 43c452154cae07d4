// SPDX-License-Identifier: Apache-2.0
#include "named_profile.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "profile_builder.hpp"

namespace pprofdelta::test {

std::vector<std::string> choose_names(steering& choices) {
    std::vector<std::string> names{""};
    for (unsigned count = choices.byte() % 8; count > 0; --count) {
        const std::size_t repeats = choices.byte() % 16 == 15 ? 100 : 1;
        const std::string_view part = choices.take(choices.byte() % 32);
        std::string& name = names.emplace_back();
        for (std::size_t i = 0; i < repeats; ++i) {
            name += part;
        }
    }
    return names;
}

profile invent(const std::vector<std::string>& names, steering& choices) {
    const auto name = [&] { return names[choices.byte() % names.size()]; };
    profile p;
    p.types = {{names.front(), "bytes"}, {"delay", names.back()}, {names.front(), "count"}};
    const unsigned functions = 1 + choices.byte() % 8;
    for (unsigned i = 0; i < functions; ++i) {
        add_frame(p, name(), name(), choices.byte());
    }
    p.locations.push_back({functions + 1, 0, 0}); // a frame without a name
    const unsigned samples = choices.byte() % 8;
    for (unsigned i = 0; i < samples; ++i) {
        sample s;
        for (unsigned depth = choices.byte() % 4; depth > 0; --depth) {
            s.stack.push_back(1 + choices.byte() % (functions + 1));
        }
        for (std::size_t j = 0; j < p.types.size(); ++j) {
            const std::uint64_t number = choices.word();
            s.values.push_back(static_cast<std::int64_t>(number << choices.byte() % 64));
        }
        p.samples.push_back(std::move(s));
    }
    return p;
}

profile invent_labelled(const std::vector<std::string>& names, steering& choices) {
    profile p = invent(names, choices);
    for (sample& s : p.samples) {
        for (unsigned count = choices.byte() % 4; count > 0; --count) {
            const unsigned bits = choices.byte();
            label& added = s.labels.emplace_back();
            added.key = names[bits % names.size()];
            if (bits / 16 % 2 == 0) {
                added.str = names[choices.byte() % names.size()];
            } else {
                added.num = static_cast<std::int64_t>(std::uint64_t{choices.word()} << bits / 32);
                added.unit = bits / 64 == 0 ? "bytes" : names[choices.byte() % names.size()];
            }
        }
    }
    return p;
}

} // namespace pprofdelta::test
