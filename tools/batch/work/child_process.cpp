// SPDX-License-Identifier: Apache-2.0
#include "batch/work/child_process.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <string_view>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/short_names.hpp"
#include "batch/work/stop_signals.hpp"
#include "files/descriptor.hpp"

namespace pprofdelta::tool {

namespace {

using clock = std::chrono::steady_clock;

// What the C library wants, which does not write to it.
std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    std::transform(texts.begin(), texts.end(), std::back_inserter(pointers),
                   [](const std::string& text) { return const_cast<char*>(text.c_str()); });
    pointers.push_back(nullptr);
    return pointers;
}

std::string text_of(int error) { return std::generic_category().message(error); }

// The settings of a new process, which are given back with it.
class spawn_settings {
public:
    explicit spawn_settings(int output) {
        ::posix_spawn_file_actions_init(&m_files);
        ::posix_spawn_file_actions_addopen(&m_files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        ::posix_spawn_file_actions_adddup2(&m_files, output, STDOUT_FILENO);
        ::posix_spawn_file_actions_adddup2(&m_files, output, STDERR_FILENO);
        ::posix_spawnattr_init(&m_process);
        sigset_t none;
        ::sigemptyset(&none);
        ::posix_spawnattr_setsigmask(&m_process, &none);
        ::posix_spawnattr_setpgroup(&m_process, 0);
        ::posix_spawnattr_setflags(&m_process, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    }
    ~spawn_settings() {
        ::posix_spawn_file_actions_destroy(&m_files);
        ::posix_spawnattr_destroy(&m_process);
    }
    spawn_settings(const spawn_settings&) = delete;
    spawn_settings& operator=(const spawn_settings&) = delete;

    // @returns a number of errno, or 0.
    int start(pid_t& process, const std::vector<std::string>& words,
              const std::vector<std::string>& environment) const {
        return ::posix_spawnp(&process, words.front().c_str(), &m_files, &m_process,
                              pointers_to(words).data(), pointers_to(environment).data());
    }

private:
    posix_spawn_file_actions_t m_files{};
    posix_spawnattr_t m_process{};
};

// The end of what a command prints.
class last_words {
public:
    // @returns whether there may be more.
    bool read_from(int pipe) {
        std::array<char, 4096> bytes{};
        const ssize_t size = ::read(pipe, bytes.data(), bytes.size());
        if (size > 0) {
            constexpr std::size_t most = 4096;
            m_text.append(bytes.data(), static_cast<std::size_t>(size));
            m_text.erase(0, m_text.size() - std::min(m_text.size(), most));
        }
        return size > 0 || (size < 0 && errno == EINTR);
    }

    // The last line that is not empty.
    [[nodiscard]] std::string line() const {
        constexpr std::size_t width = 200;
        const std::string_view blanks = " \t\r\n";
        const std::size_t end = m_text.find_last_not_of(blanks);
        if (end == std::string::npos) {
            return {};
        }
        const std::size_t start = m_text.find_last_of("\r\n", end) + 1;
        return printable(m_text.substr(start, std::min(end + 1 - start, width)));
    }

private:
    std::string m_text;
};

// Whether it has ended, and how, as waitpid(2) has it.
bool has_ended(pid_t process, int& status) {
    const pid_t found = ::waitpid(process, &status, WNOHANG);
    return found == process || (found < 0 && errno != EINTR);
}

// Reads what a command prints until it has ended, or the time is over, its own or that of the run.
// What it has started may go on with the pipe, and is not waited for.
// @returns whether it has ended.
bool wait_for(pid_t process, int pipe, clock::time_point deadline, last_words& words, int& status) {
    bool is_open = true;
    constexpr int longest_pause = 50; // milliseconds
    int pause = longest_pause;
    while (!has_ended(process, status)) {
        if (clock::now() >= deadline || stop_signals::is_late()) {
            return false;
        }
        struct pollfd wanted = {pipe, POLLIN, 0};
        if (::poll(&wanted, is_open ? 1 : 0, pause) > 0) {
            is_open = words.read_from(pipe);
            pause = is_open ? longest_pause : 1; // then the end is near
        } else if (!is_open) {
            pause = std::min(2 * pause, longest_pause);
        }
    }
    while (is_open) {
        struct pollfd wanted = {pipe, POLLIN, 0};
        is_open = ::poll(&wanted, 1, 0) > 0 && words.read_from(pipe);
    }
    return true;
}

// The process groups of what runs, for a signal handler; 0 where there is none.
std::array<std::atomic<pid_t>, most_commands> running{};
static_assert(std::atomic<pid_t>::is_always_lock_free); // as a handler must not wait

// A place there.
class running_group {
public:
    explicit running_group(pid_t process) noexcept {
        for (pid_t nobody = 0; !m_place->compare_exchange_strong(nobody, process); nobody = 0) {
            m_place = m_place + 1 == running.end() ? running.begin() : m_place + 1;
        }
    }
    ~running_group() { *m_place = 0; }
    running_group(const running_group&) = delete;
    running_group& operator=(const running_group&) = delete;

private:
    decltype(running)::iterator m_place = running.begin();
};

// First politely.
void end_group(pid_t process) {
    ::kill(-process, SIGTERM);
    const auto deadline = clock::now() + std::chrono::seconds{1};
    int status = 0;
    bool is_gone = false;
    while (!(is_gone = has_ended(process, status)) && clock::now() < deadline) {
        constexpr std::chrono::milliseconds pause{2};
        std::this_thread::sleep_for(pause);
    }
    ::kill(-process, SIGKILL); // also what it has started
    if (!is_gone) {
        ::waitpid(process, nullptr, 0);
    }
}

} // namespace

command_end run_command(const std::vector<std::string>& words,
                        const std::vector<std::string>& environment,
                        std::chrono::duration<double> timeout) {
    const auto deadline = clock::now() + std::chrono::duration_cast<clock::duration>(timeout);
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        return {{}, "cannot be started: " + text_of(errno)};
    }
    const descriptor output{ends[0]};
    descriptor input{ends[1]};
    pid_t process = 0;
    if (const int fault = spawn_settings{input.number()}.start(process, words, environment);
        fault != 0) {
        return {{}, "cannot be started: " + text_of(fault)};
    }
    const running_group counted{process};
    static_cast<void>(input.close());
    last_words said;
    int end = 0;
    if (!wait_for(process, output.number(), deadline, said, end)) {
        end_group(process);
        return {{},
                stop_signals::is_late() ? "was not waited for, as the run is to end"
                                        : "took too long, see --exec-timeout"};
    }
    const std::string line = said.line().empty() ? "" : ": " + said.line();
    if (WIFSIGNALED(end)) {
        return {{}, "was ended by signal " + std::to_string(WTERMSIG(end)) + line};
    }
    const int status = WEXITSTATUS(end);
    return {status, status == 0 ? "" : "ended with status " + std::to_string(status) + line};
}

void end_commands() noexcept {
    for (const std::atomic<pid_t>& each : running) {
        if (const pid_t process = each; process != 0) {
            ::kill(-process, SIGKILL);
        }
    }
}

} // namespace pprofdelta::tool
