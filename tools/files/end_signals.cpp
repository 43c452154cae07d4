// SPDX-License-Identifier: Apache-2.0
#include "files/end_signals.hpp"

#include <csignal>
#include <initializer_list>

#include <unistd.h>

namespace pprofdelta::tool {

void catch_end_signals(void (*handler)(int)) {
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    for (const int number : {SIGHUP, SIGINT, SIGTERM, SIGXCPU}) {
        struct sigaction before = {};
        if (::sigaction(number, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) {
            ::sigaction(number, &action, nullptr);
        }
    }
}

void end_by_signal(int number) noexcept {
    ::signal(number, SIG_DFL);
    sigset_t only; // in its handler it is blocked
    ::sigemptyset(&only);
    ::sigaddset(&only, number);
    ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
    ::raise(number);
    constexpr int of_signals = 128;
    ::_exit(of_signals + number);
}

} // namespace pprofdelta::tool
