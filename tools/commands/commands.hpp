// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/failure.hpp"
#include "cli/command_options.hpp"
#include "output/status.hpp"

namespace pprofdelta::tool {

/// A job of the program, with its options.
class command {
public:
    virtual ~command() = default;

    virtual void add_options(command_options& options) = 0;
    /// Checks what single options cannot, and adds what is implied.
    /// @throws failure usage
    virtual void check() = 0;
    /// @throws failure
    [[nodiscard]] virtual exit_status run() const {
        run_status status{name, status_file, quiet};
        status.warn(notes);
        return status.report_on([&] { return work(status); });
    }

    std::string name;               ///< Its own.
    std::vector<std::string> notes; ///< Warnings about its options.

protected:
    /// Reads inputs, computes, writes what was asked for, and then tells what there is to be told.
    [[nodiscard]] virtual exit_status work(run_status& status) const = 0;

    std::string status_file; ///< The file for the run_status; empty for none.
    bool quiet = false;
};

/// The facts about a command that are known before its options are declared. Declaring them takes a
/// part of a short run that is worth saving, so only those of one command are.
struct command_kind {
    const char* name;
    const char* summary;
    const char* usage; ///< The lines that its help begins with.
    std::unique_ptr<command> (*make)();
    /// The options that -h shows; if none are named, it shows all.
    std::vector<std::string> common{};
};

template <typename Command>
std::unique_ptr<command> make_command() {
    return std::make_unique<Command>();
}

extern const command_kind delta_kind;
extern const command_kind report_kind;
extern const command_kind compare_kind;
extern const command_kind trend_kind;
extern const command_kind merge_kind;
extern const command_kind batch_kind;
extern const command_kind top_kind;
extern const command_kind export_kind;
extern const command_kind info_kind;

/// Reads the command line. Returns nullptr if there is nothing more to do, as --help or --version
/// was answered on standard output.
/// @throws failure usage; io if the answer cannot be written.
[[nodiscard]] std::unique_ptr<command> parse_command_line(int argc, char** argv);

} // namespace pprofdelta::tool
