// SPDX-License-Identifier: Apache-2.0
#include "c_context.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "profile_builder.hpp"
#include "random_profile.hpp"

namespace pprofdelta::test {

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

c_context::c_context(steering& from) : bytes{from} {
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

} // namespace pprofdelta::test
