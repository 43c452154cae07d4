// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_CLI_RUN_STATUS_HPP
#define PPROFDELTA_TOOLS_CLI_RUN_STATUS_HPP

#include <chrono>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "base/failure.hpp"
#include "base/json.hpp"

namespace pprofdelta::tool {

/// What a run did, as one line of JSON for programs that watch it: also of a run that failed, with
/// what was known by then. The members are described in pprofdelta(1).
class run_status {
public:
    /// @param path where it goes; "-" is standard output, and empty nowhere.
    run_status(const std::string& command, std::string path);

    /// @param json the value, such as json_string() makes it.
    void add(std::string_view name, const std::string& json);
    void add_flag(std::string_view name, bool value) {
        add(name, std::string{value ? "true" : "false"});
    }
    /// Adds a member that is a number.
    void add(std::string_view name, std::int64_t number) { add(name, std::to_string(number)); }
    /// Adds messages to people about the run, and prints them on standard error unless `quiet`.
    void warn(const std::vector<std::string>& texts, bool quiet);

    /// Has the line name a report on the profile that was written.
    /// @param output where it is; empty, or "-", for standard output, and nothing is named then.
    void add_report_on(const std::string& output);

    /// What warn() was told so far.
    [[nodiscard]] const std::vector<std::string>& warnings() const noexcept { return m_warnings; }

    /// Returns what `work()` returns, or throws the failure or std::bad_alloc that it throws,
    /// after the line is written.
    /// @throws failure io if the line cannot be written and nothing else failed.
    template <typename Work>
    exit_status report_on(Work&& work) {
        exit_status status = exit_status::done;
        try {
            status = work();
        } catch (const path_failure&) {
            throw; // the line may be what is in the way
        } catch (const failure& e) {
            write_after_failure(e.status(), e.what());
            throw;
        } catch (const std::bad_alloc&) {
            write_after_failure(exit_status::io, "out of memory");
            throw;
        }
        write(status, "null");
        return status;
    }

private:
    void write(exit_status status, const std::string& error);
    void write_after_failure(exit_status status, const char* error) noexcept;

    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
    std::string m_path;
    std::string m_members;
    std::vector<std::string> m_warnings;
    command_list m_next;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_CLI_RUN_STATUS_HPP
