// SPDX-License-Identifier: Apache-2.0
// Reads the URLs of standard input, for a script that is the server. Each line is a command:
//
//   add URL, release, stop, end
//
// The end of the input is `end`, which destroys the fetcher. Each result is a line of the number of
// its URL, from 0, "yes" or "no" for whether it may come back, and the error, or the body in
// hexadecimal digits behind "=". The arguments are options, NAME=VALUE.
#include <cstddef>
#include <cstdio>
#include <iostream>
#include <mutex>
#include <queue>
#include <string>
#include <string_view>
#include <utility>

#include <pprofdelta/characters.hpp>

#include "base/failure.hpp"
#include "batch/fetcher.hpp"
#include "batch/item_lists.hpp"

using namespace pprofdelta::tool;

namespace {

void set(fetch_options& options, const std::string& name, const std::string& value) {
    if (name == "timeout") {
        options.timeout_seconds = std::stod(value);
    } else if (name == "connect-timeout") {
        options.connect_timeout_seconds = std::stod(value);
    } else if (name == "retries") {
        options.retries = static_cast<unsigned>(std::stoul(value));
    } else if (name == "retry-seconds") {
        options.retry_seconds = std::stod(value);
    } else if (name == "connections") {
        options.connections = static_cast<unsigned>(std::stoul(value));
    } else if (name == "per-host") {
        options.per_host = static_cast<unsigned>(std::stoul(value));
    } else if (name == "max-size") {
        options.max_size = std::stoul(value);
    } else if (name == "memory") {
        options.memory = std::stoul(value);
    } else if (name == "header-file") {
        options.headers = read_header_file(value);
    } else if (name == "ca-file") {
        options.ca_file = value;
    } else if (name == "cert") {
        options.cert_file = value;
    } else if (name == "key") {
        options.key_file = value;
    } else {
        wrong_usage(name + ": there is no such option");
    }
}

// The room of results that were not released, in their order. Results come on another thread.
std::mutex mutex;
std::queue<std::size_t> rooms;

void print(std::size_t id, const fetched& result) {
    {
        const std::lock_guard lock{mutex};
        rooms.push(result.room);
    }
    const std::string what =
        result.error.empty() ? "=" + pprofdelta::hexadecimal(result.body) : result.error;
    std::printf("%zu %s %s\n", id, result.may_come_back ? "yes" : "no", what.c_str());
    std::fflush(stdout);
}

void obey_input(fetcher& worker) {
    constexpr std::string_view add = "add ";
    std::size_t number = 0;
    std::string line;
    while (std::getline(std::cin, line) && line != "end") {
        if (line.starts_with(add)) {
            worker.add(number++, line.substr(add.size()));
        } else if (line == "release") {
            const std::lock_guard lock{mutex};
            worker.release(rooms.front());
            rooms.pop();
        } else if (line == "stop") {
            worker.stop();
        }
    }
}

} // namespace

int main(int argc, char** argv) {
    try {
        fetch_options options;
        for (int i = 1; i < argc; ++i) {
            const std::string argument = argv[i];
            const std::size_t end = argument.find('=');
            set(options, argument.substr(0, end), argument.substr(end + 1));
        }
        {
            const auto worker = fetcher::start(std::move(options), print);
            obey_input(*worker);
        }
        std::puts("ended");
        return 0;
    } catch (const failure& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return static_cast<int>(e.status());
    }
}
