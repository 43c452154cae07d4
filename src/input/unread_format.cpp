// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <pprofdelta/text_profile.hpp>

#include "base/text.hpp"

namespace pprofdelta {

namespace {

// One of the words that CPU profiles consist of, which have the size and order of the machine's.
std::uint64_t word_at(std::string_view bytes, std::size_t place, std::size_t size,
                      bool is_big_endian) noexcept {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const std::size_t byte = is_big_endian ? i : size - 1 - i;
        word = word << 8U | static_cast<unsigned char>(bytes[place * size + byte]);
    }
    return word;
}

// They begin with the words 0, 3, the kind of program, the period and 0. No protobuf begins with a
// byte of 0.
std::string_view unread_cpu_profile(std::string_view bytes) noexcept {
    constexpr std::size_t header_words = 5;
    for (const std::size_t size : {4U, 8U}) {
        for (const bool is_big_endian : {false, true}) {
            if (bytes.size() < header_words * size) {
                continue;
            }
            std::array<std::uint64_t, header_words> words{};
            for (std::size_t i = 0; i < header_words; ++i) {
                words[i] = word_at(bytes, i, size, is_big_endian);
            }
            const bool is_header = words[0] == 0 && words[1] == 3 && words[3] != 0 && words[4] == 0;
            if (is_header && words[2] == 0) {
                return "a CPU profile in the binary format of gperftools, which is not supported; "
                       "go tool pprof -proto converts it";
            }
            if (is_header && words[2] == 1) {
                return "a CPU profile of Java in a binary format, which is not supported; go tool "
                       "pprof -proto converts it";
            }
        }
    }
    return {};
}

// Go's for what it counts by stack: "goroutine profile: total 5".
std::string_view unread_count_profile(std::string_view line) noexcept {
    constexpr std::string_view total = " profile: total ";
    const std::size_t place = line.find(total);
    if (place == 0 || place == std::string_view::npos || line.find_first_of(" \t") != place ||
        !is_all(line.substr(place + total.size()), is_decimal)) {
        return {};
    }
    const std::string_view name = line.substr(0, place);
    if (name == "goroutine") {
        return "a goroutine profile of Go as text, which is not supported; leave out ?debug=1 to "
               "get protobuf";
    }
    if (name == "threadcreate") {
        return "a threadcreate profile of Go as text, which is not supported; leave out ?debug=1 "
               "to get protobuf";
    }
    return "a count profile of Go as text, which is not supported; leave out ?debug=1 to get "
           "protobuf";
}

struct unread_text {
    std::string_view start;
    std::string_view message;
};

constexpr std::array<unread_text, 4> unread_texts{{
    {"--- heapz ",
     "a heap profile of Java as text, which is not supported; go tool pprof -proto converts it"},
    {"--- threadz ",
     "a list of C++ threads as text, which is not supported; go tool pprof -proto converts it"},
    {"--- Thread ",
     "a list of C++ threads as text, which is not supported; go tool pprof -proto converts it"},
    {"%warn", "a heap profile of tcmalloc without data, because sampling was off; see "
              "TCMALLOC_SAMPLE_PARAMETER"},
}};

// The first line that is neither empty nor a comment.
std::string_view first_line(std::string_view text) noexcept {
    std::string_view line;
    while (!text.empty() && (line.empty() || line.front() == '#')) {
        line = trim(take_line(text));
    }
    return line;
}

} // namespace

std::string_view unread_format(std::string_view bytes) noexcept {
    if (is_text_profile(bytes)) {
        return {};
    }
    if (const std::string_view format = unread_cpu_profile(bytes); !format.empty()) {
        return format;
    }
    constexpr std::size_t longest_start = 4096;
    const std::string_view line = first_line(bytes.substr(0, longest_start));
    const auto* const format =
        std::find_if(unread_texts.begin(), unread_texts.end(),
                     [line](const unread_text& each) { return line.starts_with(each.start); });
    return format == unread_texts.end() ? unread_count_profile(line) : format->message;
}

} // namespace pprofdelta
