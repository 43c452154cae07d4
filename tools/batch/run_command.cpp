// SPDX-License-Identifier: Apache-2.0
#include "batch/run_command.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/lists.hpp"
#include "base/names.hpp"
#include "base/threads.hpp"
#include "batch/stop_signals.hpp"
#include "files/file.hpp"

namespace pprofdelta::tool {

namespace {

using clock = std::chrono::steady_clock;

// Returns pointers of the type that the C library asks for, which does not write to them.
std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
    std::vector<char*> pointers =
        mapped(texts, [](const std::string& text) { return const_cast<char*>(text.c_str()); });
    pointers.push_back(nullptr);
    return pointers;
}

std::string text_of(int error) { return std::generic_category().message(error); }

// Starts a command that prints to `output`.
// @returns a number of errno, or 0.
int start(pid_t& process, const std::vector<std::string>& words,
          const std::vector<std::string>& environment, int output) {
    const std::vector<char*> arguments = pointers_to(words);
    const std::vector<char*> variables = pointers_to(environment);
    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
    posix_spawnattr_t settings;
    ::posix_spawnattr_init(&settings);
    sigset_t none;
    ::sigemptyset(&none);
    ::posix_spawnattr_setsigmask(&settings, &none);
    sigset_t own; // which this program ignores, and a shell could not get back
    ::sigemptyset(&own);
    ::sigaddset(&own, SIGPIPE);
    ::sigaddset(&own, SIGXFSZ);
    ::posix_spawnattr_setsigdefault(&settings, &own);
    ::posix_spawnattr_setpgroup(&settings, 0);
    ::posix_spawnattr_setflags(&settings, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                              POSIX_SPAWN_SETPGROUP);
    const int fault = ::posix_spawnp(&process, words.front().c_str(), &files, &settings,
                                     arguments.data(), variables.data());
    ::posix_spawnattr_destroy(&settings);
    ::posix_spawn_file_actions_destroy(&files);
    return fault;
}

// Reads what a command prints, of which `text` keeps the end.
// @returns whether there may be more.
bool read_end(int pipe, std::string& text) {
    constexpr std::size_t most = 4096;
    std::array<char, most> bytes{};
    const ssize_t size = ::read(pipe, bytes.data(), bytes.size());
    if (size > 0) {
        text.append(bytes.data(), static_cast<std::size_t>(size));
        text.erase(0, text.size() - std::min(text.size(), most));
    }
    return size > 0 || (size < 0 && errno == EINTR);
}

// The last line that is not empty.
std::string last_line(const std::string& text) {
    constexpr std::size_t width = 200;
    const std::size_t end = text.find_last_not_of(" \t\r\n");
    if (end == std::string::npos) {
        return {};
    }
    const std::size_t start = text.find_last_of("\r\n", end) + 1;
    return printable(text.substr(start, std::min(end + 1 - start, width)));
}

// Whether it has ended, and how, as waitpid(2) has it.
bool has_ended(pid_t process, int& status) {
    const pid_t found = ::waitpid(process, &status, WNOHANG);
    return found == process || (found < 0 && errno != EINTR);
}

// Reads what a command prints until it has ended, or the time is over, its own or that of the run.
// Waits for the process alone: children that it left behind may keep the pipe open.
// @returns whether it has ended.
bool wait_for(pid_t process, int pipe, clock::time_point deadline, std::string& text, int& status) {
    bool is_open = true;
    while (!has_ended(process, status)) {
        if (clock::now() >= deadline || stop_signals::is_late()) {
            return false;
        }
        struct pollfd wanted = {pipe, POLLIN, 0};
        const int pause = is_open ? 50 : 2; // milliseconds; then the end is near
        if (::poll(&wanted, is_open ? 1 : 0, pause) > 0) {
            is_open = read_end(pipe, text);
        }
    }
    while (is_open) {
        struct pollfd wanted = {pipe, POLLIN, 0};
        is_open = ::poll(&wanted, 1, 0) > 0 && read_end(pipe, text);
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
    int status = 0;
    const bool is_gone =
        poll_until(clock::now() + std::chrono::seconds{1}, std::chrono::milliseconds{2},
                   [&] { return has_ended(process, status); });
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
    if (const int fault = start(process, words, environment, input.number()); fault != 0) {
        return {{}, "cannot be started: " + text_of(fault)};
    }
    const running_group counted{process};
    static_cast<void>(input.close());
    std::string said;
    int end = 0;
    if (!wait_for(process, output.number(), deadline, said, end)) {
        end_group(process);
        return {{},
                stop_signals::is_late() ? "was not waited for, because the run is ending"
                                        : "took too long, see --exec-timeout"};
    }
    std::string line = last_line(said);
    line.insert(0, line.empty() ? "" : ": ");
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
