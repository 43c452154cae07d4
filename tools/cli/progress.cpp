// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "files/file.hpp"

namespace pprofdelta::tool {

namespace {

constexpr const char* to_line_start = "\r\x1b[K"; // and erases what is behind it

// "12 s" or "3 min".
std::string time_text(double seconds) {
    constexpr double in_minutes = 120;
    return seconds < in_minutes ? std::to_string(std::lround(seconds)) + " s"
                                : std::to_string(std::lround(seconds / 60)) + " min";
}

} // namespace

progress::progress(std::size_t files, std::size_t size, bool is_wanted)
    : m_files{files}, m_size{size}, m_is_on{is_wanted && standard_error_is_terminal()} {}

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
        line += ", " + time_text(seconds * (1 - part) / part) + " left";
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
