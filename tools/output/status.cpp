// SPDX-License-Identifier: Apache-2.0
#include "output/status.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <system_error>

#include <nlohmann/json.hpp>

#include <unistd.h>

#include "base/lists.hpp"
#include "base/names.hpp"
#include "base/value_text.hpp"
#include "files/file.hpp"

namespace pprofdelta::tool {

bool can_be_read_again(const std::vector<std::string>& files) {
    return std::ranges::all_of(files, [](const std::string& file) {
        std::error_code fault;
        return !file.starts_with('-') && std::filesystem::is_regular_file(file, fault) &&
               open_file(file).empty();
    });
}

std::vector<std::string> words_of(const std::vector<std::string>& options,
                                  const std::vector<std::string>& names, bool wanted) {
    std::vector<std::string> words;
    for (const std::string& option : options) {
        const std::size_t end = option.find_first_of(" =");
        const std::string name = option.substr(0, end);
        if (contains(names, name) != wanted) {
            continue;
        }
        if (end != std::string::npos && option[end] == ' ') {
            words.insert(words.end(), {name, option.substr(end + 1)});
        } else {
            words.push_back(option);
        }
    }
    return words;
}

std::string regex_matching_only(const std::string& name) {
    return "^" + with_backslashes(name, "\\.+*?()|[]{}^$") + "$";
}

std::vector<std::string> next_command(const std::string& command,
                                      const std::vector<std::string>& options,
                                      const std::vector<std::string>& files) {
    std::vector<std::string> words{"pprofdelta", command};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), files.begin(), files.end());
    return words;
}

std::vector<std::string> report_of_profile(const std::string& profile) {
    return next_command("report", {"--format", "json"}, {profile});
}

std::vector<std::string> report_of_callers(const std::vector<std::string>& words,
                                           const std::string& type, const std::string& row,
                                           const std::vector<std::string>& files) {
    std::vector<std::string> options =
        words_of(words,
                 {"--by", "--focus", "--hide", "--ignore", "--label", "--label-root", "--max-size",
                  "--no-capture", "--no-label", "--profile", "--rename", "--rename-type",
                  "--show-from", "--symbolize", "--trim-path", "--unit"},
                 true);
    options.insert(options.begin(), {"--format", "json", "--diff", "--sample-type", type,
                                     "--callers", regex_matching_only(row)});
    return next_command("report", options, files);
}

run_status* run_status::running = nullptr;

run_status::run_status(const std::string& command, std::string path, bool quiet)
    : m_path{std::move(path)}, m_quiet{quiet} {
    add("schema", "pprofdelta/status/1");
    add("version", 1);
    add("command", command);
}

void run_status::add_value(std::string_view name, const ordered_json& value) {
    if (m_path.empty()) {
        return;
    }
    m_members += (m_members.empty() ? "" : ", ") + to_text(std::string{name}, json_layout::line) +
                 ": " + to_text(value, json_layout::line);
}

void run_status::add(std::string_view name, const std::string& text) { add_value(name, text); }
void run_status::add(std::string_view name, const std::vector<std::string>& texts) {
    add_value(name, texts);
}
void run_status::add(std::string_view name, std::int64_t number) { add_value(name, number); }
void run_status::add(std::initializer_list<std::pair<std::string_view, std::uint64_t>> numbers) {
    for (const auto& [name, number] : numbers) {
        add_value(name, number);
    }
}
void run_status::add_inputs(const std::vector<std::string>& files, const std::string& state) {
    add("inputs", mapped(files, display_name));
    add_or_null("state", state);
}

void run_status::add_flag(std::string_view name, bool value) { add_value(name, value); }
void run_status::add_or_null(std::string_view name, const std::string& text) {
    add_value(name, text_or_null(text));
}

void run_status::add_objects(std::string_view name, const std::vector<std::string>& objects) {
    add_value(name, mapped(objects, written));
}

void run_status::warn(const std::vector<std::string>& texts, bool quiet) {
    for (const std::string& text : texts) {
        m_warnings.push_back(text);
        if (!quiet) {
            std::fprintf(stderr, "pprofdelta: warning: %s\n", printable(text).c_str());
        }
    }
}

void run_status::add_report_on(const std::string& output) {
    if (!m_path.empty() && can_be_read_again({output})) {
        m_next.push_back(report_of_profile(output));
    }
}

void run_status::write(exit_status status, const std::string& error) {
    if (m_path.empty()) {
        return;
    }
    add("warnings", m_warnings);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - m_start;
    add_value("seconds", written(fixed_text(taken.count(), 3)));
    add("exit_status", static_cast<int>(status));
    add_or_null("error", error);
    add_value("next", m_next);
    const std::string line = "{" + m_members + "}\n";
    if (m_path == "-") {
        write_standard_output(line);
    } else {
        write_file(m_path, line, durability::cached);
    }
}

// The failure itself is what counts.
void run_status::write_after_failure(exit_status status, const char* error) noexcept {
    try {
        write(status, error);
    } catch (const std::exception& other) {
        std::fprintf(stderr, "pprofdelta: warning: %s\n", other.what());
    }
}

void run_status::end_at_once(exit_status status, const char* error) noexcept {
    if (running != nullptr) {
        running->write_after_failure(status, error);
    }
}

namespace {

constexpr const char* to_line_start = "\r\x1b[K"; // and erases what is behind it

// "12 s" or "3 min".
std::string elapsed_text(double seconds) {
    constexpr double in_minutes = 120;
    return seconds < in_minutes ? std::to_string(std::lround(seconds)) + " s"
                                : std::to_string(std::lround(seconds / 60)) + " min";
}

} // namespace

progress::progress(std::size_t files, std::size_t size, bool is_wanted)
    : m_files{files}, m_size{size}, m_is_on{is_wanted && ::isatty(STDERR_FILENO) != 0} {}

progress::~progress() { end(); }

void progress::add(std::size_t size, bool is_failed) {
    constexpr auto interval = std::chrono::milliseconds{200};
    ++m_files_done;
    m_files_failed += is_failed ? 1 : 0;
    m_size_done += size;
    const clock::time_point now = clock::now();
    if (m_is_on && now >= m_next) {
        m_next = now + interval;
        show(now - m_start);
    }
}

void progress::show(clock::duration since_start) {
    // Files differ in size, and sizes may not be known.
    const double part = m_size != 0
                            ? static_cast<double>(m_size_done) / static_cast<double>(m_size)
                            : static_cast<double>(m_files_done) / static_cast<double>(m_files);
    constexpr std::size_t width = 30;
    const auto filled =
        static_cast<std::size_t>(std::clamp(part, 0.0, 1.0) * static_cast<double>(width));
    std::string line = to_line_start;
    line += "[" + std::string(filled, '=') + std::string(width - filled, ' ') + "] " +
            std::to_string(m_files_done) + " of " + std::to_string(m_files) + " files";
    if (m_files_failed != 0) {
        line += ", " + std::to_string(m_files_failed) + " failed";
    }
    const double seconds = std::chrono::duration<double>(since_start).count();
    line += ", " + std::to_string(std::lround(static_cast<double>(m_files_done) / seconds)) + "/s";
    if (part > 0 && part < 1) {
        line += ", " + elapsed_text(seconds * (1 - part) / part) + " left";
    }
    std::fputs(line.c_str(), stderr);
    m_is_shown = true;
}

void progress::clear() noexcept {
    if (m_is_shown) {
        std::fputs(to_line_start, stderr);
        m_is_shown = false;
    }
}

void progress::end() noexcept {
    clear();
    m_is_on = false;
}

} // namespace pprofdelta::tool
