// SPDX-License-Identifier: Apache-2.0
// Runs a program and prints the most memory that it had, in KiB, and the microseconds of processor
// that it took: peak PROGRAM [ARGUMENT]...
// The program's standard output is dropped. A process of its own, as the peak of a new process
// starts with the size of the one that made it.
#include <cstdio>

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: peak PROGRAM [ARGUMENT]...\n");
        return 2;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    int status = 0;
    rusage usage{};
    const int fault = ::posix_spawn(&child, argv[1], &actions, nullptr, argv + 1, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (fault != 0 || ::wait4(child, &status, 0, &usage) != child || !WIFEXITED(status)) {
        std::fprintf(stderr, "peak: %s did not end by itself\n", argv[1]);
        return 1;
    }
    const auto microseconds = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1'000'000 +
                              usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
    std::printf("%ld %ld\n", usage.ru_maxrss, microseconds);
    return WEXITSTATUS(status);
}
