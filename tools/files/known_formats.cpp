// SPDX-License-Identifier: Apache-2.0
#include "files/known_formats.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/otlp_profile.hpp>
#include <pprofdelta/text_profile.hpp>

namespace pprofdelta::tool {

namespace {

struct known_start {
    std::string_view bytes;
    std::string_view what;
};

// No profile begins so, as these would be fields of kinds that there are not, or of numbers
// that profiles do not have.
constexpr std::array<known_start, 12> known_starts{{
    {"\x89PNG", "a picture in PNG"},
    {"\xff\xd8\xff", "a picture in JPEG"},
    {"GIF8", "a picture in GIF"},
    {"%PDF-", "a document in PDF"},
    {"\x7f"
     "ELF",
     "a program or library"},
    {"PK\x03\x04", "an archive in ZIP"},
    {"BZh", "an archive of bzip2, which is not read"},
    {"\xfd"
     "7zXZ",
     "an archive of xz, which is not read"},
    {{"FLR\0", 4}, "a recording of Java's Flight Recorder (JFR), which is not read"},
    {"PERFILE2", "data of perf, which is not read; perf_to_profile converts it"},
    {"2ELIFREP", "data of perf from another processor, which is not read"},
    {"{\"resourceProfiles\"",
     "OTLP as JSON, which is not read; collectors write it as protobuf too"},
}};

bool is_text(std::string_view bytes) noexcept {
    return std::all_of(bytes.begin(), bytes.end(), [](char c) {
        return (c >= ' ' && c <= '~') || c == '\n' || c == '\r' || c == '\t';
    });
}

std::string_view first_line(std::string_view bytes) noexcept {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

// Whether it is a message behind its size in four bytes: what the file exporter of a collector
// writes, where each message can be compressed by zstd.
bool begins_file_of_collector(std::string_view bytes) noexcept {
    std::uint32_t size = 0;
    if (bytes.size() <= sizeof size) {
        return false;
    }
    for (const char byte : bytes.substr(0, sizeof size)) {
        size = size << 8U | static_cast<unsigned char>(byte);
    }
    const std::string_view message = bytes.substr(sizeof size, size);
    return message.size() == size &&
           (is_otlp_profile(message) || detect_codec(message) == codec::zstd);
}

} // namespace

std::string known_format(std::string_view bytes) {
    // A folded stack of Python may begin as HTML does, and OTLP whose first resource has 91 or 123
    // bytes as JSON.
    if (is_text_profile(bytes) || is_otlp_profile(bytes)) {
        return "";
    }
    if (const std::string_view unread = unread_format(bytes); !unread.empty()) {
        return "this is " + std::string{unread};
    }
    for (const auto& [start, what] : known_starts) {
        if (bytes.starts_with(start)) {
            return "this is " + std::string{what};
        }
    }
    if (begins_file_of_collector(bytes)) {
        return "this is a file of messages of OTLP behind their sizes; pprofdelta-otlp(7) parts it";
    }
    const std::size_t start = bytes.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    if (start == std::string_view::npos) {
        return "";
    }
    const std::string_view text = bytes.substr(start);
    // As a profile, its first field would have an impossible wire type.
    if (text.front() == '<') {
        return "this looks like HTML or XML; did curl need -f?";
    }
    if (text.front() == '[' || text.substr(0, 2) == "{\"" || text.substr(0, 2) == "{\n" ||
        text.substr(0, 2) == "{}") {
        return "this looks like JSON; did curl need -f?";
    }
    const std::string_view line = first_line(text);
    if (line.starts_with("goroutine ") && line.find("]:") != std::string_view::npos) {
        return "this is a dump of Go's goroutines; without ?debug=2 it would be a profile";
    }
    return "";
}

bool begins_like_profile(std::string_view bytes) noexcept {
    constexpr std::string_view tags =
        "\x0a\x12\x1a\x22\x2a\x32\x38\x40\x48\x50\x5a\x60\x68\x6a\x70\x78";
    return !bytes.empty() && !is_text(bytes.substr(0, 256)) &&
           tags.find(bytes.front()) != std::string_view::npos;
}

std::string start_of_text(std::string_view bytes) {
    constexpr std::size_t most = 60;
    const std::string_view line =
        first_line(bytes.substr(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size())));
    if (line.empty() || !is_text(bytes.substr(0, 256))) {
        return "";
    }
    return std::string{line.substr(0, most)} + (line.size() > most ? "..." : "");
}

} // namespace pprofdelta::tool
