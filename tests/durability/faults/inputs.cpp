// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <iterator>
#include <string_view>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/otlp_profile.hpp>
#include <pprofdelta/text_profile.hpp>

#include "sweep.hpp"

namespace pprofdelta::test {

void sweep_codecs(const std::string& profile) {
    for (const codec each : {codec::none, codec::gzip, codec::zstd}) {
        const std::string name = each == codec::none   ? "none"
                                 : each == codec::gzip ? "gzip"
                                                       : "zstd";
        sweep("encode: " + name, [&](fault& f) {
            std::string out;
            f.allows_in_the_end([&] { out = encode(profile, each); });
            return out;
        });
        const std::string wrapped = encode(profile, each);
        sweep("decode: " + name, [&](fault& f) {
            std::string storage;
            std::string_view out;
            f.allows_in_the_end([&] { out = decode(wrapped, storage); });
            return std::string{out};
        });
    }
}

void sweep_texts(const std::string& testdata) {
    for (const char* const name :
         {"gperftools-counted.cur.heap", "jemalloc.cur.heap", "go-text-mutex.cur.txt"}) {
        std::ifstream file{testdata + "/text/" + name, std::ios::binary};
        const std::string text{std::istreambuf_iterator<char>{file}, {}};
        sweep(std::string{"convert_text_profile: "} + name, [&](fault& f) {
            std::string profile;
            f.allows_in_the_end([&] { convert_text_profile(text, profile); });
            return profile;
        });
    }
}

void sweep_otlp(const std::string& testdata) {
    for (const char* const name : {"go-mutex.cur.otlp", "services.cur.otlp.gz"}) {
        std::ifstream file{testdata + "/otlp/" + name, std::ios::binary};
        const std::string bytes{std::istreambuf_iterator<char>{file}, {}};
        std::string storage;
        const std::string_view otlp = decode(bytes, storage);
        sweep(std::string{"convert_otlp_profile: "} + name, [&](fault& f) {
            std::string profile;
            f.allows_in_the_end([&] {
                require(is_otlp_profile(otlp), "a message is one with or without memory");
                convert_otlp_profile(otlp, profile);
            });
            return profile;
        });
        std::string profile;
        convert_otlp_profile(otlp, profile);
        sweep(std::string{"write_otlp_profile: "} + name, [&](fault& f) {
            std::string again;
            f.allows_in_the_end([&] { static_cast<void>(write_otlp_profile(profile, again)); });
            return again;
        });
    }
}

} // namespace pprofdelta::test
