// SPDX-License-Identifier: Apache-2.0
#include "commands/profile_inputs.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <future>
#include <optional>
#include <thread>
#include <utility>

#include "base/failure.hpp"
#include "batch/fetch/fetcher.hpp"
#include "batch/plan/items.hpp"
#include "cli/option_values.hpp"
#include "files/file.hpp"

namespace pprofdelta::tool {

void add_profile_inputs(command_options& options, profile_inputs& chosen) {
    add_urls(options, chosen.urls);
    options.add_value(
        "--seconds", "SEC",
        [&chosen](const std::string& given) { chosen.seconds = parse_seconds("--seconds", given); },
        "Read one URL twice, so far apart, as PREV and CUR");
}

void check_profile_inputs(const profile_inputs& chosen, std::vector<std::string>& files,
                          bool has_state) {
    check_urls(chosen.urls);
    if (std::any_of(files.begin(), files.end(), has_credentials)) {
        wrong_usage("a URL must not have a user's name or a password; see --header-file");
    }
    if (chosen.seconds == 0) {
        return;
    }
    if (has_state || files.size() != 1 || !is_url(files.front())) {
        wrong_usage("--seconds needs one URL, which is read twice, and no state");
    }
    files.push_back(files.front());
}

std::vector<std::string> paths_of(const std::vector<std::string>& files,
                                  const profile_inputs& chosen) {
    std::vector<std::string> paths = chosen.urls.files();
    paths.insert(paths.end(), files.begin(), files.end());
    std::erase_if(paths, [](const std::string& each) { return each.empty() || is_url(each); });
    return paths;
}

namespace {

using steady_time = std::chrono::steady_clock::time_point;

std::string read_url(const std::string& url, const fetch_options& options) {
    std::promise<fetched> promise;
    fetcher reader{options,
                   [&](std::size_t, fetched result) { promise.set_value(std::move(result)); }};
    reader.add(0, url);
    fetched answer = promise.get_future().get();
    if (!answer.error.empty()) {
        throw failure{exit_status::io, url + ": " + answer.error};
    }
    return std::move(answer.body);
}

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
    std::optional<fetch_options> options;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (!is_url(files[i])) {
            continue;
        }
        if (!options) {
            options = chosen.urls.with_headers();
            options->max_size = options->memory = max_size;
        }
        m_answers[i] = read_url(files[i], *options);
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
