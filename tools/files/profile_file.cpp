// SPDX-License-Identifier: Apache-2.0
#include "files/profile_file.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

#include <unistd.h>

#include <pprofdelta/merge.hpp>
#include <pprofdelta/otlp_profile.hpp>
#include <pprofdelta/sample_types.hpp>
#include <pprofdelta/text_profile.hpp>

#include "base/threads.hpp"
#include "files/file.hpp"
#include "files/path_list.hpp"

namespace pprofdelta::tool {

namespace {

struct known_bytes {
    std::string_view bytes;
    std::string_view what;
};

constexpr std::string_view maps_of_bpftrace{
    "maps of bpftrace, which are not supported; stackcollapse-bpftrace.pl folds them"};
constexpr std::string_view in_utf16{
    "text in UTF-16, as PowerShell's > writes it, and not a profile; let the program that makes "
    "the profile write the file itself"};
constexpr std::string_view taken_for_text{
    "an archive that a program took for text and wrote in UTF-8, which cannot be undone; get it as "
    "bytes, such as response.content of Python's requests in place of response.text"};
constexpr std::string_view of_python{
    "a recording of Python's profiling.sampling, which is not supported; python3.15 -m "
    "profiling.sampling replay --collapsed folds it"};
constexpr std::string_view of_callgrind{
    "a profile in the format of Valgrind's callgrind, which has calls and no stacks, and is not "
    "supported; callgrind_annotate and kcachegrind read it"};

// No profile begins so, as these would be fields of kinds that there are not, or of numbers
// that profiles do not have.
constexpr std::array known_starts{
    known_bytes{"\x89PNG", "a picture in PNG"},
    known_bytes{"\xff\xd8\xff", "a picture in JPEG"},
    known_bytes{"GIF8", "a picture in GIF"},
    known_bytes{"%PDF-", "a document in PDF"},
    known_bytes{"\x7f"
                "ELF",
                "a program or library"},
    known_bytes{"PK\x03\x04", "an archive in ZIP; unzip -p decompresses it"},
    known_bytes{"BZh", "an archive of bzip2, which is not supported; bzip2 -dc decompresses it"},
    known_bytes{"\xfd"
                "7zXZ",
                "an archive of xz, which is not supported; xz -dc decompresses it"},
    known_bytes{{"\x5d\0\0", 3},
                "an archive of lzma, which is not supported; xz -dc decompresses it"},
    known_bytes{"\x04\x22\x4d\x18",
                "an archive of lz4, which is not supported; lz4 -dc decompresses it"},
    known_bytes{"\x02\x21\x4c\x18",
                "an archive of lz4, which is not supported; lz4 -dc decompresses it"},
    known_bytes{"LZIP", "an archive of lzip, which is not supported; lzip -dc decompresses it"},
    known_bytes{"\x1f\x9d",
                "an archive of compress (.Z), which is not supported; gzip -dc decompresses it"},
    known_bytes{"\x89LZO", "an archive of lzop, which is not supported; lzop -dc decompresses it"},
    known_bytes{"7z\xbc\xaf", "an archive of 7-Zip, which is not supported; 7z e unpacks it"},
    known_bytes{"\x1f\xef\xbf\xbd", taken_for_text},
    known_bytes{"\x1f\xc2\x8b", taken_for_text},
    known_bytes{"(\xef\xbf\xbd/\xef\xbf\xbd", taken_for_text},
    known_bytes{{"FLR\0", 4},
                "a recording of Java Flight Recorder (JFR), which is not supported; jfrconv of "
                "async-profiler converts it"},
    known_bytes{"JAVA PROFILE 1.",
                "a heap dump of Java (HPROF), which has objects and no stacks; asprof -e alloc -o "
                "collapsed samples allocations"},
    known_bytes{"Nettrace", "a trace of .NET, which is not supported"},
    known_bytes{"\xfb", "data of Python's marshal, as cProfile writes it, which has calls and no "
                        "stacks, and is not supported"},
    known_bytes{"MOJ", "a recording of Austin in its binary format (MOJO), which is not "
                       "supported; mojo2austin of austin-python folds it"},
    known_bytes{"memray", "a recording of memray, which is not supported; memray transform "
                          "speedscope, since version 1.20, makes what is read of it"},
    known_bytes{"HCAT", of_python},
    known_bytes{"TACH", of_python},
    known_bytes{{"gmon\1\0\0\0", 8},
                "a profile of gprof, which has calls and no stacks, and is not supported; gprof "
                "PROGRAM FILE shows it"},
    known_bytes{{"gmon\0\0\0\1", 8},
                "a profile of gprof from another processor, which is not supported"},
    known_bytes{"\x04\x08", "data of Ruby's Marshal, as StackProf writes it, which is not "
                            "supported; stackprof --stackcollapse folds it"},
    known_bytes{
        "NYTProf ",
        "a profile of Perl's Devel::NYTProf, which is not supported; nytprofcalls folds it"},
    known_bytes{"# callgrind format", of_callgrind},
    known_bytes{"File: ", "a report of go tool pprof, which is not supported; give the profile "
                          "itself, or what its -proto writes"},
    known_bytes{"\xff\xfe", in_utf16},
    known_bytes{"\xfe\xff", in_utf16},
    known_bytes{"PERFILE2", "data of perf, which is not supported; perf_to_profile converts it"},
    known_bytes{"2ELIFREP", "data of perf from another processor, which is not supported"},
    known_bytes{"\x89PPDS\r\n\x1a", "a state of pprofdelta, which --state takes"},
};

// Texts, after blanks and empty lines.
constexpr std::array known_texts{
    known_bytes{"version https://git-lfs.github.com/",
                "a pointer of Git LFS to a file; git lfs pull fetches the file itself"},
    known_bytes{"HTTP/", "an answer of HTTP with its headers; leave out -i of curl"},
    known_bytes{"@[", maps_of_bpftrace},
    known_bytes{"version: 1\ncreator: xdebug",
                "a profile of Xdebug, which has calls and no stacks, and is not supported; "
                "xdebug.mode=trace and stackcollapse-xdebug.php make folded stacks"},
    known_bytes{"version: 1\ncreator: ", of_callgrind},
    known_bytes{"--- Execution profile ---",
                "a summary of async-profiler, which is not supported; asprof -o collapsed writes "
                "folded stacks"},
    known_bytes{"JOB \"", "a heap profile of GHC, which has no stacks, and is not supported"},
    known_bytes{"allocator,num_allocations,",
                "a table of memray, which is not supported; memray transform speedscope, since "
                "version 1.20, makes what is read of its recording"},
    known_bytes{"mode: set\n", "a coverage profile of Go; go tool cover shows it"},
    known_bytes{"mode: count\n", "a coverage profile of Go; go tool cover shows it"},
    known_bytes{"mode: atomic\n", "a coverage profile of Go; go tool cover shows it"},
    known_bytes{"goos: ", "the output of Go's benchmarks; go test -bench . -cpuprofile FILE "
                          "writes a profile of them"},
    known_bytes{
        "%% Analysis results:",
        "an analysis of Erlang's fprof, which has calls and no stacks, and is not supported"},
    known_bytes{"v8-version,", "a log of V8, as node --prof writes it, which is not supported; the "
                               "package pprof for Node.js writes profiles instead"},
    known_bytes{
        "Statistical profiling result from ",
        "a report of V8's log, which is not supported; the package pprof for Node.js writes "
        "profiles instead"},
    known_bytes{"Flat profile:", "a report of gprof, which has no stacks, and is not supported"},
};

// Texts in JSON are told apart by names that only they have, which can stand in any order.
constexpr std::array known_jsons{
    known_bytes{"\"preprocessedProfileVersion\"",
                "a profile of Firefox, which is not supported; perf script and "
                "stackcollapse-perf.pl make folded stacks"},
    known_bytes{"\"stackTable\"",
                "a profile for Firefox (gecko), which is not supported; perf script report "
                "stackcollapse folds the data of perf that it is made of"},
    known_bytes{"\"traceEvents\"", "a trace of Chrome, which is not supported"},
    known_bytes{"\"timeDeltas\"", "a CPU profile of V8 (.cpuprofile), which is not supported; the "
                                  "package pprof for Node.js writes profiles instead"},
    known_bytes{"\"selfSize\"", "a heap profile of V8 (.heapprofile), which is not supported; the "
                                "package pprof for Node.js writes profiles instead"},
    known_bytes{"\"resourceProfiles\"", "OTLP as JSON, which is not supported; collectors write it "
                                        "as protobuf with format: proto"},
    known_bytes{"\"snapshot\":", "a heap snapshot of V8, which is not supported"},
    known_bytes{"\"jdk.ExecutionSample\"",
                "a recording of Java Flight Recorder (JFR) as JSON, which is not supported; "
                "jfrconv of async-profiler converts the recording itself"},
    known_bytes{"\"dhatFileVersion\"",
                "a profile of Valgrind's DHAT, which is not supported; dh_view.html shows it"},
    known_bytes{"\"sample_interval_usec\"",
                "a profile of Python's profiling.sampling without stacks (--jsonl), which is not "
                "supported; its --collapsed writes folded stacks"},
};

std::string_view known_json_of(std::string_view text) noexcept {
    constexpr std::size_t most = std::size_t{64} << 10U;
    const std::array<std::string_view, 2> parts{
        text.substr(0, most), text.substr(text.size() - std::min(text.size(), most))};
    for (const auto& [name, what] : known_jsons) {
        for (const std::string_view part : parts) {
            if (part.find(name) != std::string_view::npos) {
                return what;
            }
        }
    }
    return {};
}

// "app 4711 1234.567: 10101 cycles:", and then a frame, "    4a1010 cache+0x10 (/srv/app)", maybe
// after a header of comments.
bool is_of_perf_script(std::string_view text) noexcept {
    while (text.starts_with('#') || text.starts_with('\n')) {
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    }
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) {
        return false;
    }
    std::string_view head = text.substr(0, end);
    head = head.substr(0, head.find_last_not_of(" \r") + 1);
    const std::string_view frame = text.substr(end + 1, 200);
    const std::size_t address = frame.find_first_not_of(" \t");
    return head.ends_with(':') && address != 0 && address != std::string_view::npos &&
           frame.find_first_not_of("0123456789abcdef", address) == frame.find(' ', address) &&
           frame.find(' ', address) > address;
}

bool is_text(std::string_view bytes) noexcept {
    return std::ranges::all_of(bytes, [](char c) {
        return (c >= ' ' && c <= '~') || c == '\n' || c == '\r' || c == '\t';
    });
}

std::string_view first_line(std::string_view bytes) noexcept {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

// Whether a text may be what a server says in place of a profile.
bool is_like_answer(std::string_view text) {
    constexpr std::size_t longest = 4096;
    constexpr std::array words{"error",     "not found", "not allowed", "forbidden",
                               "unauthori", "denied",    "unavailable", "bad request",
                               "timeout",   "timed out", "gateway",     "upstream",
                               "redirect",  "message",   "status",      "no such"};
    const std::string lower = lower_case(std::string{text.substr(0, longest + 1)});
    return text.size() <= longest && std::ranges::any_of(words, [&](const char* word) {
               return lower.find(word) != std::string::npos;
           });
}

// Finds a server's message in JSON, as of Kubernetes: {"kind":"Status","message":"..."}.
std::string message_in(std::string_view json) {
    constexpr std::string_view start{"\"message\":"};
    const std::size_t place = json.find(start);
    if (place == std::string_view::npos || json.size() > std::size_t{64} << 10U) {
        return "";
    }
    json.remove_prefix(place + start.size());
    json.remove_prefix(std::min(json.find_first_not_of(' '), json.size()));
    return json.starts_with('"') ? std::string{json.substr(1, json.find('"', 1) - 1)} : "";
}

// "20 main;run": `perf report -g folded` and `uniq -c` have the number before the stack.
bool begins_with_counts(std::string_view text) noexcept {
    while (text.starts_with('#') || text.starts_with('\n')) {
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    }
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t count = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t blank = line.find_first_not_of("0123456789", count);
    return blank != std::string_view::npos && blank > count && line[blank] == ' ' &&
           line.find(';', blank) != std::string_view::npos;
}

// Whether each of several line feeds follows a carriage return, which chance does not make.
bool has_changed_lines(std::string_view bytes) noexcept {
    std::size_t found = 0;
    for (std::size_t i = bytes.find('\n'); i != std::string_view::npos;
         i = bytes.find('\n', i + 1)) {
        if (i == 0 || bytes[i - 1] != '\r') {
            return false;
        }
        ++found;
    }
    return found > 2;
}

bool is_zlib(std::string_view bytes) noexcept {
    constexpr std::array<std::string_view, 4> starts{"\x78\x01", "\x78\x5e", "\x78\x9c",
                                                     "\x78\xda"};
    return std::ranges::find(starts, bytes.substr(0, 2)) != starts.end();
}

bool is_tar(std::string_view bytes) noexcept {
    constexpr std::size_t place = 257;
    return bytes.size() > place && bytes.substr(place).starts_with("ustar");
}

// Words with a NUL after each: what /debug/pprof/cmdline gives.
bool is_command_line(std::string_view bytes) noexcept {
    constexpr std::size_t longest = std::size_t{128} << 10U;
    return bytes.size() < longest && bytes.find('\0') != std::string_view::npos &&
           (bytes.front() == '/' || bytes.front() == '.' || bytes.front() == '-' ||
            (bytes.front() >= 'a' && bytes.front() <= 'z')) &&
           std::ranges::all_of(bytes,
                               [](char c) { return c == '\0' || (c >= ' ' && c != '\x7f'); });
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

// The format of `bytes` that are no profile, for the end of a message: "this is a picture in PNG".
// Empty for what may be a profile. Bytes must not be compressed. It looks no further than
// is_text_profile() does.
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
    if (bytes.starts_with("go 1.") &&
        bytes.substr(0, 16).find(" trace") != std::string_view::npos) {
        return "this is an execution trace of Go; go tool trace -pprof=TYPE makes profiles of the "
               "types net, sync, syscall and sched of it";
    }
    if (is_tar(bytes)) {
        return "this is an archive of tar; tar -xf unpacks it";
    }
    if (begins_file_of_collector(bytes)) {
        return "this is a file of OTLP messages, each after its size; pprofdelta-otlp(7) shows how "
               "to split it";
    }
    const std::size_t start = bytes.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    if (start == std::string_view::npos) {
        return bytes.empty() ? "it is empty; did the program that writes it fail?"
                             : "it has nothing but blanks; did the program that writes it fail?";
    }
    const std::string_view text = bytes.substr(start);
    if (text.starts_with("H4sI")) {
        return "this is base64 of an archive, which is not supported; base64 -d decodes it";
    }
    if (const auto* const known = std::ranges::find_if(
            known_texts, [&](const known_bytes& each) { return text.starts_with(each.bytes); });
        known != known_texts.end()) {
        return "this is " + std::string{known->what};
    }
    // The first field of a profile would have an impossible wire type here.
    if (text.front() == '<') {
        return "this looks like HTML or XML; did curl need -f?";
    }
    if (text.front() == '[' || text.front() == '{') {
        if (const std::string_view json = known_json_of(text); !json.empty()) {
            return "this is " + std::string{json};
        }
    }
    if (text.front() == '[' || text.substr(0, 2) == "{\"" || text.substr(0, 2) == "{\n" ||
        text.substr(0, 2) == "{}") {
        if (const std::string message = message_in(text); !message.empty()) {
            return "this is an answer in JSON: '" + message + "'; did curl need -f?";
        }
        return is_like_answer(text) ? "this looks like JSON; did curl need -f?"
                                    : "this looks like JSON of a kind that is not supported";
    }
    constexpr std::size_t head = 4096;
    const auto has = [text = text.substr(0, head)](std::string_view part) {
        return text.find(part) != std::string_view::npos;
    };
    const std::string_view line = first_line(text);
    if (line.starts_with("goroutine ") && line.find("]:") != std::string_view::npos) {
        return "this is a dump of Go's goroutines; leave out ?debug=2 to get a profile";
    }
    if (is_of_perf_script(text)) {
        return "this is what perf script prints, which is not supported; stackcollapse-perf.pl "
               "folds it";
    }
    if (line.starts_with("Attaching ") && has("\n@[")) {
        return "this is " + std::string{maps_of_bpftrace};
    }
    if (line.starts_with("Benchmark") && has(" ns/op")) {
        return "this is the output of Go's benchmarks; go test -bench . -cpuprofile FILE writes a "
               "profile of them";
    }
    if (line.starts_with("desc: ") || line.starts_with("cmd: ")) {
        return has("\nevents: ")
                   ? "this is a profile of Valgrind's cachegrind, which has no "
                     "stacks, and is not supported; cg_annotate shows it"
                   : "this is a profile of Valgrind's massif, which is not supported; "
                     "ms_print shows it";
    }
    if (line.starts_with("Version: ") && has("\nFile format: ")) {
        return "this is a trace of Xdebug, which is not supported; stackcollapse-xdebug.php folds "
               "it";
    }
    if (line.find("sample.interval=") != std::string_view::npos) {
        return "this is a profile of R's Rprof, which is not supported; pprofdelta-text(7) shows "
               "how to fold it";
    }
    if (has("\nFull thread dump ")) {
        return "this is a thread dump of Java, which is not supported; stackcollapse-jstack.pl "
               "folds several, as samples";
    }
    if (line.starts_with("Number of samples: ") && has("\nSample interval: ")) {
        return "this is a report of SBCL's sb-sprof, which has no stacks, and is not supported";
    }
    if (has("Time and Allocation Profiling Report")) {
        return "this is a time profile of GHC, which is not supported";
    }
    // "v 10650 3": the version of heaptrack, and that of the file.
    if (line.starts_with("v ") && has("\nX ")) {
        return "this is data of heaptrack, which is not supported; heaptrack_print -F FILE folds "
               "it";
    }
    if (begins_with_counts(text)) {
        return "these may be stacks with the number before each, where folded stacks have it "
               "behind; sed -E 's/^ *([0-9]+) +(.*)/\\2 \\1/' moves it there";
    }
    if (is_command_line(bytes)) {
        return "this looks like the command line of a process, which /debug/pprof/cmdline gives; "
               "profiles have other paths, such as /debug/pprof/heap";
    }
    return "";
}

// The first words of what begins with a line of text; empty for anything else.
std::string start_of_text(std::string_view bytes) {
    constexpr std::size_t most = 60;
    const std::string_view line =
        first_line(bytes.substr(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size())));
    if (line.empty() || !is_text(bytes.substr(0, 256))) {
        return "";
    }
    return std::string{line.substr(0, most)} + (line.size() > most ? "..." : "");
}

exit_status to_status(error_kind kind) {
    switch (kind) {
    case error_kind::malformed:
    case error_kind::too_large:
        return exit_status::malformed;
    case error_kind::incompatible:
    case error_kind::no_cumulative_type:
    case error_kind::reset:
        return exit_status::incompatible;
    case error_kind::invalid_argument:
        break;
    }
    return exit_status::usage;
}

// The option that may help, which the library does not know of.
const char* hint_at_option(const error& e) {
    switch (e.kind()) {
    case error_kind::no_cumulative_type:
        return "; name some with --cumulative, or compare two profiles with pprofdelta --diff";
    case error_kind::reset:
        return "; see --on-reset";
    case error_kind::incompatible:
        return e.has_common_types() ? "; --keep-type of merge keeps those in common" : "";
    case error_kind::malformed:
    case error_kind::too_large:
    case error_kind::invalid_argument:
        break;
    }
    return "";
}

failure to_failure(const error& e, const std::string& names, const char* hint) {
    return {to_status(e.kind()), names + ": " + e.what() + hint};
}

// Some texts do not say that their types are cumulative: gperftools' growth adds up, and folded
// stacks may.
const char* hint_at_counters_of(std::string_view first_line) {
    if (first_line.starts_with("heap_v2/")) {
        return "; jemalloc counts allocations with prof_accum:true, and memory in use can be "
               "compared with pprofdelta --diff";
    }
    const bool is_growth = first_line.find("growth") != std::string_view::npos;
    return first_line.starts_with("heap profile:") && !is_growth
               ? "; compare two profiles with pprofdelta --diff"
               : nullptr;
}

failure not_a_profile(const std::string& name, const std::string& what) {
    return {exit_status::malformed, name + ": not a profile: " + what};
}

} // namespace

bool begins_like_profile(std::string_view bytes) noexcept {
    constexpr std::string_view tags =
        "\x0a\x12\x1a\x22\x2a\x32\x38\x40\x48\x50\x5a\x60\x68\x6a\x70\x78";
    return !bytes.empty() && !is_text(bytes.substr(0, 256)) &&
           tags.find(bytes.front()) != std::string_view::npos;
}

raw_file::raw_file(const std::string& path, std::size_t max_size,
                   const std::function<bool()>& may_wait)
    : name{display_name(path)} {
    if (path == "-" && ::isatty(STDIN_FILENO) != 0) {
        std::fputs("pprofdelta: waiting for a profile on standard input, which is a terminal\n",
                   stderr);
    }
    if (begins_like_host(path) && kind_of(path) == entry_kind::none) {
        throw failure{exit_status::io,
                      name + ": there is no such file; to read it as a URL, try http://" + path};
    }
    bytes = read_file(path, max_size, "; see --max-size", may_wait);
}

raw_file::raw_file(const std::string& path, const read_options& options)
    : raw_file{options.fetch && is_url(path) ? raw_file{path, options.fetch(path)}
                                             : raw_file{path, options.max_size}} {
    written_nanos = options.names && !is_url(path) ? time_of_file(path) : 0;
}

profile_file::profile_file(raw_file raw, const read_options& options,
                           const std::function<std::size_t()>& larger)
    : m_raw{std::move(raw)}, m_size_on_disk{m_raw.bytes.size()}, m_compression{
                                                                     detect_codec(m_raw.bytes)} {
    try {
        try {
            uncompress(options, larger == nullptr);
        } catch (const error& e) {
            if (e.kind() != error_kind::too_large || !larger) {
                throw;
            }
            uncompress(options.with_size(larger()), true);
        }
    } catch (const error& e) {
        if (e.kind() == error_kind::malformed && m_compression != codec::none &&
            has_changed_lines(m_raw.bytes)) {
            throw not_a_profile(m_raw.name,
                                "each LF of this archive became CR LF, as in a terminal or by "
                                "Git's autocrlf; get it again without that");
        }
        // The limit to a profile's size is the user's only here.
        const bool has_hint = e.kind() == error_kind::too_large;
        throw to_failure(e, m_raw.name,
                         has_hint                                   ? "; see --max-size"
                         : e.kind() == error_kind::invalid_argument ? "; see --profile"
                                                                    : "");
    }
    if (m_source == profile_source::protobuf &&
        (!begins_like_profile(m_bytes) || is_zlib(m_bytes) || m_raw.name.ends_with(".br"))) {
        refuse_unless_sound();
    }
    if (options.names) {
        replace(with_file_context(
            *this, [&] { return options.names->named(m_bytes, m_raw.written_nanos); }));
    }
    if (!options.renamed_types.empty()) {
        replace(
            with_file_context(*this, [&] { return rename_types(m_bytes, options.renamed_types); }));
    }
    if (options.without_capture) {
        trim_options left;
        left.selection.without_capture = true;
        replace(with_file_context(*this, [&] { return trim(m_bytes, left); }));
    }
    if (m_bytes.data() != m_raw.bytes.data()) {
        std::string{}.swap(m_raw.bytes);
    }
}

void profile_file::uncompress(const read_options& options, bool is_last) {
    m_bytes = decode(m_raw.bytes, m_uncompressed, options.max_size);
    // Some versions of dd-trace-go compress heap profiles twice.
    if (m_compression != codec::none && detect_codec(m_bytes) != codec::none) {
        m_raw.bytes.swap(m_uncompressed);
        m_bytes = decode(m_raw.bytes, m_uncompressed, options.max_size);
    }
    m_uncompressed_size = m_bytes.size();
    if (const std::string known = known_format(m_bytes); !known.empty()) {
        throw not_a_profile(m_raw.name, known);
    }
    if (is_last && m_bytes.data() != m_raw.bytes.data()) {
        std::string{}.swap(m_raw.bytes); // before what follows takes its memory
    }
    std::string converted;
    if (is_text_profile(m_bytes)) {
        convert_text_profile(m_bytes, converted, options.max_size, options.counted, options.part);
        m_hint_at_counters = hint_at_counters_of(m_bytes.substr(0, m_bytes.find('\n')));
        m_source = profile_source::text;
        replace(std::move(converted));
    } else if (is_otlp_profile(m_bytes)) {
        convert_otlp_profile(m_bytes, converted, options.max_size);
        m_source = profile_source::otlp;
        replace(std::move(converted));
    }
}

// A file that does not begin like a profile may still be one of a later version of the format.
void profile_file::refuse_unless_sound() const {
    try {
        static_cast<void>(list_types(m_bytes));
    } catch (const error& e) {
        if (e.kind() == error_kind::malformed) {
            const std::string start = start_of_text(m_bytes);
            throw not_a_profile(
                m_raw.name,
                !start.empty() ? "this is text that begins with '" + start + "'" +
                                     (is_like_answer(m_bytes) ? "; did curl need -f?" : "")
                : is_zlib(m_bytes)
                    ? "this is an archive of zlib without the header of gzip, which is not "
                      "supported; pigz -dc and zlib-flate -uncompress decompress it"
                : m_raw.name.ends_with(".br")
                    ? "this is an archive of brotli, which is not supported; brotli -dc "
                      "decompresses it"
                    : e.what());
        }
    }
}

void profile_file::replace(std::string bytes) {
    m_uncompressed = std::move(bytes);
    m_bytes = m_uncompressed;
    std::string{}.swap(m_raw.bytes); // assigning an empty string would keep the memory
}

namespace {

const type_treatment* find_type(const std::vector<type_treatment>& types,
                                const value_type& wanted) {
    const auto same = std::ranges::find(types, wanted, &type_treatment::type);
    const auto found =
        same != types.end() ? same : std::ranges::find_if(types, [&](const type_treatment& each) {
            return are_comparable(each.type, wanted);
        });
    return found == types.end() ? nullptr : &*found;
}

// The type of others that one of `types` is the same as; nullptr if there is none, or if another
// one of these has a name that is closer to it.
const type_treatment* match_of(const type_treatment& each, const std::vector<type_treatment>& types,
                               const std::vector<type_treatment>& others) {
    const type_treatment* const other = find_type(others, each.type);
    return other != nullptr && find_type(types, other->type) == &each ? other : nullptr;
}

} // namespace

std::vector<value_type> common_types(const std::vector<type_treatment>& types,
                                     const std::vector<type_treatment>& others) {
    std::vector<value_type> common;
    for (const type_treatment& each : types) {
        if (const type_treatment* const other = match_of(each, types, others)) {
            common.push_back({each.type.type, finer(each.type, other->type).unit});
        }
    }
    return common;
}

bool convert_types(profile_file& profile, const std::vector<value_type>& types) {
    std::optional<std::string> converted;
    if (!types.empty()) {
        converted = pprofdelta::convert_types(profile.bytes(), types);
    }
    if (converted) {
        profile.replace(std::move(*converted));
    }
    return converted.has_value();
}

std::string types_without(const std::vector<type_treatment>& types,
                          const std::vector<type_treatment>& others) {
    std::string text;
    for (const type_treatment& each : types) {
        if (match_of(each, types, others) == nullptr) {
            text += (text.empty() ? "" : ", ") + to_string(each.type);
        }
    }
    return text;
}

namespace {

// The size on disk from which a thread is worth its start.
constexpr std::size_t worth_thread = std::size_t{64} << 10U;

// @param size is that of the file on disk.
// @param load returns the raw file.
template <typename Load>
std::future<read_profile> read_beside(std::size_t size, Load load, const read_options& options,
                                      match_mode match, unsigned threads) {
    const bool on_thread = threads > 1 && size >= worth_thread;
    return run_async(on_thread, [=] {
        read_profile read;
        read.file = std::make_unique<profile_file>(load(), options);
        if (on_thread) {
            with_file_context(*read.file, [&] {
                read.keyed.emplace(read.file->bytes(), match, threads_for_one(threads));
            });
        }
        return read;
    });
}

} // namespace

bool should_use_thread(const std::string& path) { return regular_file_size(path) >= worth_thread; }

std::future<loaded_profile> load_ahead(const std::string& path, const read_options& options) {
    return run_async(should_use_thread(path), [=] {
        return std::make_unique<profile_file>(raw_file{path, options}, options);
    });
}

std::future<read_profile> read_ahead(const std::string& path, const read_options& options,
                                     match_mode match, unsigned threads) {
    const auto load = [=] { return raw_file{path, options}; };
    return read_beside(regular_file_size(path), load, options, match, threads);
}

std::future<read_profile> read_ahead(raw_file raw, const read_options& options, match_mode match,
                                     unsigned threads) {
    // Shared, as what runs on a thread has to be copied to it.
    const auto shared = std::make_shared<raw_file>(std::move(raw));
    const auto load = [shared] { return std::move(*shared); };
    return read_beside(shared->bytes.size(), load, options, match, threads);
}

std::string to_names(error_input input, const std::string& previous, const std::string& current) {
    return input == error_input::previous  ? previous
           : input == error_input::current ? current
                                           : previous + " and " + current;
}

failure to_failure(const error& e, const std::string& names) {
    return to_failure(e, names, hint_at_option(e));
}

failure to_failure(const error& e, const std::string& names, const profile_file& profile) {
    if (e.kind() == error_kind::no_cumulative_type && profile.hint_at_counters() != nullptr) {
        return to_failure(e, names, profile.hint_at_counters());
    }
    return to_failure(e, names);
}

} // namespace pprofdelta::tool
