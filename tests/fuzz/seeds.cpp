// SPDX-License-Identifier: Apache-2.0
// Writes the inputs that fuzzing starts from, a folder for each target: seeds FOLDER
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/delta.hpp>

#include "profile_builder.hpp"
#include "random_profile.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

class folder {
public:
    folder(const std::filesystem::path& parent, const std::string& target)
        : m_path{parent / target} {
        std::filesystem::create_directories(m_path);
    }

    void add(const std::string& name, const std::string& bytes) const {
        std::ofstream file;
        file.exceptions(std::ios::badbit | std::ios::failbit);
        file.open(m_path / name, std::ios::binary);
        file << bytes << std::flush;
    }

private:
    std::filesystem::path m_path;
};

std::string profile_of(std::uint32_t seed, int which = 0) {
    random_series series{seed};
    std::string bytes;
    for (int i = 0; i <= which; ++i) {
        bytes = serialize(series.next(), series.next_layout());
    }
    return bytes;
}

// Two profiles, the first one with its size in front.
std::string pair_of(std::uint32_t seed) {
    const std::string previous = profile_of(seed).substr(0, 4095);
    std::string pair{static_cast<char>(previous.size() & 0xffU),
                     static_cast<char>(previous.size() >> 8U), '\0', '\0'};
    return pair.append(previous).append(profile_of(seed, 1));
}

void add_archives(const folder& to) {
    const std::string bytes = profile_of(1);
    const std::string gzip = encode(bytes, codec::gzip);
    const std::string zstd = encode(bytes, codec::zstd);
    to.add("plain", bytes);
    to.add("gzip", gzip);
    to.add("gzip-stored", encode(bytes.substr(0, 100), codec::gzip, 0));
    to.add("gzip-two-members", gzip + gzip);
    to.add("gzip-trailed", gzip + "trailing");
    to.add("gzip-cut", gzip.substr(0, gzip.size() / 2));
    to.add("gzip-bomb", encode(std::string(200'000, 'a'), codec::gzip));
    to.add("zstd", zstd);
    to.add("zstd-two-frames", zstd + zstd);
    to.add("zstd-skippable", std::string{"\x50\x2a\x4d\x18\x02\x00\x00\x00xy", 10} + zstd);
    to.add("zstd-trailed", zstd + "trailing");
    to.add("zstd-cut", zstd.substr(0, zstd.size() / 2));
    to.add("zstd-bomb", encode(std::string(200'000, 'a'), codec::zstd));
}

void add_states(const folder& to) {
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
        delta_options options;
        options.cumulative.emplace_back(to_string(random_series{seed}.next().types.front()));
        options.match = static_cast<match_mode>(seed % 3);
        delta_computer computer{options};
        computer.prime(profile_of(seed, 0));
        computer.prime(profile_of(seed, 1));
        const std::string state = computer.save();
        const std::string name = std::to_string(seed);
        to.add("whole-" + name, '\0' + state);
        to.add("resealed-" + name, '\1' + state);
        if (seed == 0) {
            // Of profiles that were made of text, as the head says.
            std::string text = state;
            text[12] = '\1';
            to.add("resealed-text", '\1' + text);
        }
        // The head has 24 bytes and the checksum 16.
        to.add("body-" + name, '\2' + state.substr(24, state.size() - 40));
    }
}

void add_limits(const folder& to) {
    const std::string values(16, '\1');
    int number = 0;
    for (const char* text :
         {"space>10", "space/bytes>+10%", " space > +1.50 MiB ", "delay>2ms", "a/b/c>+0.1%\na/b>5",
          "func:main:n>+5%\nflat:g$:n>0", "func:a::b>c:n>+999999999999999999%",
          "flat:^(x{3}|[:a-c])+$:space>1kB", "n>.5\nn>5.\nn>1e3",
          "each:cum:n>0\nspace/bytes>+1TiB\nn>+5/s\neach:n>+1%",
          "label:tenant=^a:n>+1\nlabel:size=4kb::space>1kB\nlabel:none=:delay>0",
          R"(func:(?i)\bMAIN\.\pL*?$|[^\d\s]{2}\Qx(\E:n>+5%)"}) {
        to.add(std::to_string(number++), values + '\2' + text);
    }
}

void add_reports(const folder& to) {
    const std::string names{
        "\x01\x04\1\x0cmain.f<T>::|`\1\x06\"\\\n\x1b\xff_\x0f\x06h\xc3\xa9llo\1\4a/b.", 39};
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
        const std::string name = std::to_string(seed);
        std::string choices;
        for (unsigned i = 0; i < 160; ++i) {
            choices += static_cast<char>(i * (seed + 3) + i / 7 + seed);
        }
        to.add("named-" + name, names + choices);
        to.add("bytes-" + name, static_cast<char>(2 * seed) + pair_of(seed));
    }
}

// Profiles with labels of five names, some of which mean something in a line or a pattern.
void add_labelled(const folder& to, char first) {
    const std::string names{"\5\1\1a\1\5b;c d\1\6size.b\1\3\xff\n9\1\5bytes", 31};
    for (std::uint32_t seed = 0; seed < 16; ++seed) {
        std::string choices;
        for (std::uint32_t i = 0; i < 300; ++i) {
            choices += static_cast<char>((i * 2654435761U + seed * 40503U) >> (9 + seed % 5));
        }
        to.add("named-" + std::to_string(seed), first + names + choices);
    }
    to.add("bytes", '\0' + profile_of(3));
}

void add_batches(const folder& to) {
    using namespace std::string_literals;
    to.add("lines", "lout/{series}/{time}.pb.gz\n# web\nweb/1\ta.pb.gz\r\nweb/1\tb.pb.gz\n\n"
                    "web/2\thttps://h:6060/debug/pprof/heap?gc=1\n");
    to.add("lines-alike", "lout/{series}-{n}\na\t1\na-000001\t1\na-1000001\t2\na/b\t3\n");
    to.add("line-upwards", "l{series}/{n}\na/../b\t1\n");
    to.add("lines-odd-types", "l{n}/{type}/{series}\n\xef\xbb\xbf"
                              "a\t../x\nb\t..\nc\t\xff/\x01\n");
    to.add("nul", "0{type}/{series}/{time}\na\tx\ny\0#b\tz\t\0"s);
    to.add("targets", R"(jout/{n}x{series}
[{"targets": ["a:1", "[::1]:6060"], "labels": {"job": "web", "__scheme__": "https",
  "__profile_path__": "/x/heap", "__param_gc": "1 &"}},
 {"targets": ["a:1", "c"], "labels": {"env": ""}}])");
    to.add("targets-odd-job", R"(j{series}/{n}
[{"targets": ["a", "a"], "labels": {"job": "../\u0000%\ud83d\ude00"}}])");
    to.add("target-with-password", "j{series}{n}\n[{\"targets\": [\"me:secret@a\"]}]");
    to.add("targets-not-json", R"(j{series}-{type}
[{"labels": [[[[{"a": 1)");
    to.add("targets-clash", R"(j../{series}{time}
[{"targets": ["a"]}, {"targets": ["a"], "labels": {"__scheme__": "https"}}])");
}

void add_commands(const folder& to) {
    int number = 0;
    for (const char* text :
         {"a\nb", "--diff\n--match=line\n-o\nc\na\n-",
          "--state\ns\n--first\nskip\n--lock-timeout=1.5",
          "--cumulative\nx/y\n--gauge=z\n--max-size\n10M\na\nb", "info\n--json\na\nb", "-h",
          "--version", "help\nreport", "--compress\nzstd\n--level=19\n-qvf\na\nb",
          "--fail-on\nx>1\n--limits\nl\n--annotations\ngithub\na\nb",
          "report\n--format\njson\n-o\nr\n--by\nline\n--sample-type\nx\n--top\n5\na\nb",
          "report\n--format=text\n--\n-a\n-b", "--on-reset\nnegative\n--drop-negative\na\nb",
          "__complete\n3\nreport\na\n--fail-on\neach:x\nb",
          "__complete\n1\nmerge\n--files-from=x"}) {
        to.add(std::to_string(number++), text);
    }
}

template <typename Number>
std::string one(Number byte) {
    return {static_cast<char>(byte)};
}

// Three profiles, the first two with their sizes in front.
std::string three_of(std::uint32_t seed) {
    const std::string last = profile_of(seed, 2);
    std::string pair = pair_of(seed);
    const std::size_t first = pair.size() - profile_of(seed, 1).size();
    const std::string second = pair.substr(first, 4095);
    pair.resize(first);
    const std::string size{static_cast<char>(second.size() & 0xffU),
                           static_cast<char>(second.size() >> 8U), '\0', '\0'};
    return pair.append(size).append(second).append(last);
}

void add_merges(const folder& to) {
    // Options come first, then the kind of input, and a byte for the weight of each.
    for (unsigned seed = 0; seed < 8; ++seed) {
        const std::string name = std::to_string(seed);
        to.add("bytes-" + name,
               one(seed) + one(0) + one(0) + std::string(3, '\0') + three_of(seed));
        to.add("weighted-" + name, one(seed) + one(0) + one(2 * seed + 1) + one(24 + 8 * seed) +
                                       one(40) + one(96) + std::string(44, '\5'));
        to.add("too-large-" + name, one(seed) + one(0) + one(2 * seed + 1) + one(0) + one(88 + 6) +
                                        one(0) + std::string(32, '\0') + one(40 * seed) +
                                        std::string(4, '\5'));
        to.add("damaged-" + name, one(seed) + one(0) + one(2 * seed + 1) + one(0) + one(7) +
                                      one(0) + one(40 * seed) + one(seed / 3) +
                                      std::string(42, '\5'));
    }
    // Each kind of trimming, and all.
    for (unsigned bit = 0; bit < 8; ++bit) {
        for (unsigned seed = 0; seed < 4; ++seed) {
            const unsigned kinds = bit == 7 ? 0x3fU : 1U << bit;
            const auto name = "trimmed-" + std::to_string(bit) + "-" + std::to_string(seed);
            const unsigned choices = bit == 7 ? 5 : bit == 0 || (bit >= 2 && bit <= 4) ? 1 : 0;
            std::string text{static_cast<char>(seed % 3), static_cast<char>(kinds)};
            text.append(choices, static_cast<char>(seed));
            text += static_cast<char>(2 * (bit + 8 * seed) + 1);
            text.append(3, '\0').append(32, '\0').append(6, static_cast<char>(seed * 40));
            to.add(name, text);
        }
    }
}

// A byte for each of `count` choices, all different for each seed.
std::string choices_of(unsigned seed, unsigned count) {
    std::string bytes;
    for (unsigned i = 0; i < count; ++i) {
        bytes += static_cast<char>(i * (2 * seed + 3) + i / 7 + seed);
    }
    return bytes;
}

// For the targets of several captures: options, the kind of captures, and these.
void add_captures(const folder& to) {
    for (unsigned seed = 0; seed < 12; ++seed) {
        const std::string name = std::to_string(seed);
        const std::string options = one(seed * 21) + one(seed * 43) + one(20) + "<a`|b";
        const std::string first = profile_of(seed);
        const std::string second = profile_of(seed, 1);
        const auto sized = [](unsigned choice, const std::string& profile) {
            return one(choice) + one(profile.size() & 0xffU) + one(profile.size() >> 8U) + profile;
        };
        to.add("bytes-" + name, options + one(0) + one(1) + sized(0, first) + sized(1, second));
        to.add("named-" + name, options + one(1) + choices_of(seed, 160));
        // All of one process, on both sides in turn; and with what has to be refused.
        const std::string turns{"\x00\x10\x00\x10\x00\x10\x00\x10\x00", seed < 2 ? 9U : 5U};
        const std::string faults{"\x00\x0d\x10\x1e\x0f\x00\x1d", 7};
        const std::string rest(40, static_cast<char>(seed * 7));
        to.add("series-" + name, options + one(4 * seed + 2) + one(turns.size()) + turns + rest);
        to.add("faults-" + name, options + one(4 * seed + 2) + one(faults.size()) + faults + rest);
    }
}

void add_calls(const folder& to) {
    const std::string text = "--- mutex:\ncycles/second=2400000000\n77 3 @ 0x401001\n";
    for (unsigned seed = 0; seed < 24; ++seed) {
        to.add(std::to_string(seed), one(8) + choices_of(seed, 8) + one(seed) + one(text.size()) +
                                         text + choices_of(seed, 96));
    }
}

void add_named(const folder& to) {
    for (unsigned seed = 0; seed < 8; ++seed) {
        const std::string name = std::to_string(seed);
        to.add("names-" + name, one(4 * seed + 3) + "a<b>::c\xff");
        to.add("names-bytes-" + name, one(4 * seed + 2) + "a<b>::c\xff" + profile_of(seed));
    }
}

void add_texts(const folder& to) {
    const std::string map = "MAPPED_LIBRARIES:\n"
                            "400000-500000 r-xp 00000000 fe:00 17 /bin/server\n"
                            "where=/lib\n 7f0000-7f8000: $where/libc.so.6 (@2000) 87c4\n";
    const std::string sample = "  1: 16 [ 3: 48] @ 0x401001 0x7f1001\n# comment\n";
    for (const char* kind : {"heap/1048576", "heap_v2/524288", "heapprofile", "growth"}) {
        const std::string method{kind};
        std::string text = "heap profile: 1: 16 [3: 48] @ ";
        text.append(method).append("\n").append(sample).append(map);
        to.add(method.substr(0, method.find('/')), text);
    }
    to.add("jemalloc", "heap_v2/4096\n t*: 1: 16 [3: 48]\n t0: 1: 16 [3: 48]\n@ 0x401001\n"
                       " t*: 1: 16 [3: 48]\n t0: 1: 16 [3: 48]\n" +
                           map);
    to.add("mutex", "--- mutex:\ncycles/second=2400000000\nsampling period=5\n77 3 @ 0x401001\n");
    to.add("contention", "--- contentionz 1 ---\nms since reset = 5\ndiscarded samples = 0\n"
                         "77 3 @ 0x401001\n--- Memory map: ---\n" +
                             map);
}

void add_all(const std::filesystem::path& parent) {
    add_archives({parent, "codec"});
    add_states({parent, "state"});
    add_limits({parent, "limits"});
    add_reports({parent, "report"});
    add_labelled({parent, "selection"}, '\1');
    add_labelled({parent, "export"}, '\1');
    add_commands({parent, "command_line"});
    add_batches({parent, "batch_inputs"});
    add_merges({parent, "merge"});
    add_texts({parent, "text"});
    add_captures({parent, "compare"});
    add_captures({parent, "trend"});
    add_calls({parent, "c_interface"});
    add_named({parent, "symbolize"}); // tests/fuzz/binaries has the others
    const folder profiles{parent, "profile"};
    const folder series{parent, "delta"};
    const folder pairs{parent, "diff"};
    const folder normalized{parent, "normalize"};
    const folder graphs{parent, "flame_graph"};
    for (std::uint32_t seed = 0; seed < 24; ++seed) {
        const std::string name = std::to_string(seed);
        const char byte = static_cast<char>(seed * 11);
        const std::string options{static_cast<char>(seed * 2)};
        profiles.add(name, profile_of(seed));
        series.add(name, options + byte + std::string(96, byte) + std::string(40, '\5'));
        pairs.add("bytes-" + name, (options + '\0').append(pair_of(seed)));
        const char invented = static_cast<char>(2 * seed + 1);
        pairs.add("invented-" + name, options + invented);
        if (seed < 8) {
            const char given = static_cast<char>(2 * seed);
            normalized.add("bytes-" + name, given + pair_of(seed));
            normalized.add("invented-" + name, {invented});
            const std::string choices{byte, '<', '&', '\xff', '"'};
            graphs.add("bytes-" + name, given + choices + pair_of(seed));
            graphs.add("invented-" + name, invented + choices);
        }
    }
}

} // namespace

int main(int argc, char** argv) try {
    if (argc != 2) {
        std::fprintf(stderr, "usage: seeds FOLDER\n");
        return 2;
    }
    add_all(argv[1]);
    return 0;
} catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
