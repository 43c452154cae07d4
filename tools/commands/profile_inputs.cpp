// SPDX-License-Identifier: Apache-2.0
#include "commands/profile_inputs.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <thread>
#include <utility>

#include "base/failure.hpp"
#include "batch/plan/items.hpp"
#include "cli/option_values.hpp"
#include "files/file.hpp"

namespace pprofdelta::tool {

void add_profile_inputs(command_options& options, profile_inputs& chosen) {
    add_urls(options, chosen.urls);
    options.add_value(
        "--seconds", "SEC",
        [&chosen](const std::string& word) { chosen.seconds = parse_seconds("--seconds", word); },
        "Read one URL twice, so far apart, as PREV and CUR");
}

void check_profile_inputs(const profile_inputs& chosen, std::vector<std::string>& files,
                          bool has_state) {
    check_urls(chosen.urls);
    refuse_credentials(files);
    if (chosen.seconds == 0) {
        return;
    }
    if (has_state || files.size() != 1 || !is_url(files.front())) {
        wrong_usage("--seconds needs one URL, which is read twice, and no state");
    }
    files.push_back(files.front());
}

namespace {

using steady_time = std::chrono::steady_clock::time_point;

void wait_until(steady_time end, bool is_shown) {
    constexpr std::chrono::seconds step{1};
    while (std::chrono::steady_clock::now() < end) {
        const auto left = end - std::chrono::steady_clock::now();
        const auto seconds = std::chrono::ceil<std::chrono::seconds>(left);
        if (is_shown) {
            std::fprintf(stderr, "\r\x1b[K%lld s until the second reading",
                         static_cast<long long>(seconds.count()));
        }
        std::this_thread::sleep_until(std::min(end, end - seconds + step));
    }
    if (is_shown) {
        std::fputs("\r\x1b[K", stderr);
    }
}

} // namespace

read_inputs::read_inputs(const std::vector<std::string>& files, const profile_inputs& chosen,
                         std::size_t max_size, bool quiet)
    : m_files{files}, m_max_size{max_size} {
    url_reader reader{chosen.urls, max_size};
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (!is_url(files[i])) {
            continue;
        }
        m_answers[i] = reader.read(files[i]);
        if (i == 0 && chosen.seconds > 0) {
            const auto pause = std::chrono::duration<double>{chosen.seconds};
            wait_until(std::chrono::steady_clock::now() +
                           std::chrono::ceil<std::chrono::steady_clock::duration>(pause),
                       !quiet && standard_error_is_terminal());
        }
    }
}

raw_file read_inputs::take(std::size_t place) {
    const auto answer = m_answers.find(place);
    return answer == m_answers.end() ? raw_file{m_files[place], m_max_size}
                                     : raw_file{m_files[place], std::move(answer->second)};
}

} // namespace pprofdelta::tool
