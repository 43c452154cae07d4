// SPDX-License-Identifier: Apache-2.0
#include "batch/work/results.hpp"

#include <cstdio>
#include <numeric>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/short_names.hpp"
#include "document/delta_findings.hpp"

namespace pprofdelta::tool {

namespace {

// Ends a line that a killed run wrote in part, so that the next one is whole.
void end_last_line(int file, const std::string& path) {
    char last = '\n';
    const off_t size = ::lseek(file, 0, SEEK_END);
    if (size > 0 && ::pread(file, &last, 1, size - 1) == 1 && last != '\n') {
        write_all(file, "\n", path);
    }
}

} // namespace

std::size_t batch_counts::failed() const noexcept {
    return of(item_status::malformed) + of(item_status::incompatible) + of(item_status::io) +
           of(item_status::unsent);
}

exit_status batch_counts::status(double allowed) const noexcept {
    constexpr double percent = 100;
    const std::size_t tried = std::accumulate(items.begin(), items.end(), std::size_t{0}) -
                              of(item_status::skipped) - of(item_status::sent);
    if (static_cast<double>(failed()) * percent > allowed * static_cast<double>(tried)) {
        return of(item_status::io) + of(item_status::unsent) != 0 ? exit_status::io
               : of(item_status::malformed) != 0                  ? exit_status::malformed
                                                                  : exit_status::incompatible;
    }
    return of(item_status::limit_crossed) != 0 ? exit_status::limit_crossed : exit_status::done;
}

batch_results::batch_results(std::string path, std::size_t items, bool quiet)
    : m_path{std::move(path)}, m_is_quiet{quiet}, m_progress{items, 0, !quiet} {
    if (m_path.empty()) {
        return;
    }
    if (m_path == "-") {
        m_file = descriptor{STDOUT_FILENO};
        return;
    }
    m_file = descriptor{::open(m_path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)};
    if (m_file.number() < 0) {
        throw io_failure(m_path, "cannot be opened");
    }
    end_last_line(m_file.number(), m_path);
}

void batch_results::count(const item_outcome& outcome) {
    ++m_counts.items[static_cast<std::size_t>(outcome.status)];
    if (outcome.labels.are_known()) {
        const std::string_view job = outcome.labels.value("job");
        ++m_counts.jobs[std::string{job.empty() ? "targets" : job}]
                       [static_cast<std::size_t>(outcome.status)];
    }
    m_counts.rates.add(outcome.rates);
    if (outcome.input.empty()) { // of an earlier run
        m_counts.left_unsent += outcome.is_failure() ? 1 : 0;
        return;
    }
    if (outcome.status != item_status::skipped) {
        m_counts.resets += outcome.summary.reset ? 1 : 0;
        m_counts.bytes_in += outcome.bytes_in;
        m_counts.bytes_in_on_disk += outcome.bytes_in_on_disk;
        m_counts.bytes_out_on_disk += outcome.bytes_out_on_disk;
    }
    m_progress.add(outcome.bytes_in_on_disk, outcome.is_failure());
}

void batch_results::tell(const item_outcome& outcome) {
    if (outcome.is_failure() && !m_is_quiet) {
        m_progress.clear();
        std::fprintf(stderr, "pprofdelta: %s: %s\n", printable(std::string{outcome.series}).c_str(),
                     printable(outcome.error).c_str());
    }
    if (!m_is_quiet) {
        for (const std::string& each : series_findings(outcome.summary)) {
            m_progress.clear();
            std::fprintf(stderr, "pprofdelta: warning: %s: %s\n",
                         printable(std::string{outcome.series}).c_str(), each.c_str());
        }
    }
    if (!outcome.crossed.empty()) {
        m_progress.clear();
        std::fprintf(stderr, "pprofdelta: %s: limit crossed: %s\n",
                     printable(std::string{outcome.series}).c_str(),
                     printable(outcome.crossed).c_str());
    }
}

void batch_results::warn(const std::string& text) {
    const std::lock_guard lock{m_mutex};
    m_warnings.push_back(text);
    if (!m_is_quiet) {
        m_progress.clear();
        std::fprintf(stderr, "pprofdelta: warning: %s\n", printable(text).c_str());
    }
}

std::vector<std::string> batch_results::warnings() {
    const std::lock_guard lock{m_mutex};
    return m_warnings;
}

void batch_results::end() {
    const std::lock_guard lock{m_mutex};
    m_progress.end();
}

void batch_results::add(const std::vector<item_outcome>& outcomes) {
    std::string lines;
    const std::lock_guard lock{m_mutex};
    for (const item_outcome& each : outcomes) {
        count(each);
        tell(each);
        if (m_file.number() >= 0) {
            lines += to_json_line(each);
        }
    }
    if (!lines.empty()) {
        try {
            // At once, so that those of several runs are not mixed.
            write_all(m_file.number(), lines, m_path == "-" ? "standard output" : m_path);
        } catch (const failure&) {
            m_file = descriptor{-1};
            throw;
        }
    }
}

} // namespace pprofdelta::tool
