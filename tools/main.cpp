// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>

#include <pprofdelta/processor.hpp>

#include "base/failure.hpp"
#include "base/lists.hpp"
#include "base/names.hpp"
#include "commands/commands.hpp"
#include "files/file.hpp"
#include "output/status.hpp"

namespace {

using namespace pprofdelta;
using namespace pprofdelta::tool;

int end(exit_status status, const std::string& message) {
    // One line, whatever names of files and types it contains.
    std::fprintf(stderr, "pprofdelta: %s\n", printable(message).c_str());
    return static_cast<int>(status);
}

int out_of_memory() {
    std::fputs("pprofdelta: out of memory\n", stderr);
    return static_cast<int>(exit_status::io);
}

[[noreturn]] void end_without_memory() {
    remove_temporary_file();
    run_status::end_at_once(exit_status::io, "out of memory");
    std::_Exit(out_of_memory());
}

bool is_over = false; // main() returns, and nothing else chooses the status

// libdw calls exit() with status 1, which has another meaning, when memory runs out.
void end_of_library() {
    if (!is_over) {
        end_without_memory();
    }
}

// Room as for an exception. libstdc++ ends the program without one if there is none.
bool is_memory_left() {
    constexpr std::size_t size = 1024;
    void* volatile const block = std::malloc(size); // compilers may leave out what is not volatile
    std::free(block);
    return block != nullptr;
}

// Libraries such as CLI11 allocate in functions that are noexcept.
[[noreturn]] void end_at_once() {
    if (const auto reason = std::current_exception()) {
        try {
            std::rethrow_exception(reason);
        } catch (const std::bad_alloc&) {
            end_without_memory();
        } catch (...) {
            // The run is aborted below, as without an exception.
        }
    } else if (!is_memory_left()) {
        end_without_memory();
    }
    remove_temporary_file();
    run_status::end_at_once(exit_status::io, "the program was aborted");
    std::abort();
}

// Goes before the constructors of global objects: those of Boost.Math allocate, too.
[[gnu::constructor(101)]] void prepare_end() { std::set_terminate(end_at_once); }

// The library ignores a kind of processor that it does not have, which would mislead whoever asks
// for one.
void check_processor_kind() {
    const char* const asked = std::getenv("PPROFDELTA_CPU");
    if (asked == nullptr || *asked == '\0' || processor_kind() == asked) {
        return;
    }
    throw failure{exit_status::usage, "PPROFDELTA_CPU is " + std::string{asked} +
                                          "; this processor supports " +
                                          joined(processor_kinds(), ", ")};
}

// Lets std::bad_alloc through, as memory can also run out for a message.
int run_command_line(int argc, char** argv) {
    try {
        check_processor_kind();
        if (const auto chosen = parse_command_line(argc, argv)) {
            return static_cast<int>(chosen->run());
        }
        return static_cast<int>(exit_status::done);
    } catch (const failure& e) {
        return end(e.status(), e.what());
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& e) {
        return end(exit_status::io, e.what());
    }
}

} // namespace

int main(int argc, char** argv) {
    std::atexit(end_of_library);
    occupy_standard_descriptors();
    // Then a reader that went away, or a file at the size limit, is an error of write(), with a
    // message and a status.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    remove_temporary_file_on_signals();
    int status = 0;
    try {
        status = run_command_line(argc, argv);
    } catch (const std::bad_alloc&) {
        status = out_of_memory();
    }
    is_over = true;
    return status;
}
