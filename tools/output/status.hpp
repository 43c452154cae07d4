// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/failure.hpp"
#include "base/json.hpp"

namespace pprofdelta::tool {

// Commands that outputs for programs name, for what one asks next.

/// Whether a command may read them once more: all are files, and no pipes.
[[nodiscard]] bool can_be_read_again(const std::vector<std::string>& files);

/// The words of options as command_options::collect_given() has them: of those in `names`, or if
/// they are not `wanted`, of all others.
[[nodiscard]] std::vector<std::string> words_of(const std::vector<std::string>& options,
                                                const std::vector<std::string>& names, bool wanted);

/// The regular expression of a name that matches no other.
[[nodiscard]] std::string regex_matching_only(const std::string& name);

/// `pprofdelta COMMAND OPTION... FILE...`
[[nodiscard]] std::vector<std::string> next_command(const std::string& command,
                                                    const std::vector<std::string>& options,
                                                    const std::vector<std::string>& files);

/// The command that shows what is in a profile.
[[nodiscard]] std::vector<std::string> report_of_profile(const std::string& profile);

/// The command that shows who calls the function of a row, in the difference of two captures.
/// @param words are those of words_of(); those that choose samples and frames count here too.
[[nodiscard]] std::vector<std::string> report_of_callers(const std::vector<std::string>& words,
                                                         const std::string& type,
                                                         const std::string& row,
                                                         const std::vector<std::string>& files);

/// The record of a run, as one line of JSON for programs that watch it: also of a run that failed,
/// with what was known by then. The members are described in pprofdelta(1).
class run_status {
public:
    /// @param path takes the line; "-" is standard output, and empty nowhere.
    /// @param quiet has warnings go there only.
    run_status(const std::string& command, std::string path, bool quiet = false);

    void add(std::string_view name, const std::string& text);
    void add(std::string_view name, const std::vector<std::string>& texts);
    void add(std::string_view name, std::int64_t number);
    /// Adds several, each with its name.
    void add(std::initializer_list<std::pair<std::string_view, std::uint64_t>> numbers);
    /// Adds the files that the run reads, and its state; empty for none.
    void add_inputs(const std::vector<std::string>& files, const std::string& state);
    void add_flag(std::string_view name, bool value);
    /// Adds null for an empty text.
    void add_or_null(std::string_view name, const std::string& text);
    /// Adds objects that are JSON already.
    void add_objects(std::string_view name, const std::vector<std::string>& objects);
    /// Adds messages to people about the run, and prints them on standard error.
    void warn(const std::vector<std::string>& texts, bool quiet);
    void warn(const std::vector<std::string>& texts) { warn(texts, m_quiet); }
    /// Adds nothing for an empty text.
    void warn(const std::string& text) {
        warn(text.empty() ? std::vector<std::string>{} : std::vector{text});
    }
    [[nodiscard]] bool is_quiet() const noexcept { return m_quiet; }

    /// Makes the line name a report on the profile that was written.
    /// @param output is its path; empty, or "-", for standard output, and nothing is named then.
    void add_report_on(const std::string& output);

    /// The warnings so far.
    [[nodiscard]] const std::vector<std::string>& warnings() const noexcept { return m_warnings; }

    /// Returns what `work()` returns, or throws what it throws, after the line is written.
    /// @throws failure io if the line cannot be written and nothing else failed.
    template <typename Work>
    exit_status report_on(Work&& work) {
        exit_status status = exit_status::done;
        try {
            const in_work here{*this};
            status = work();
        } catch (const path_failure&) {
            throw; // the line may be what is in the way
        } catch (const failure& e) {
            write_after_failure(e.status(), e.what());
            throw;
        } catch (const std::bad_alloc&) {
            write_after_failure(exit_status::io, "out of memory");
            throw;
        } catch (const std::exception& e) {
            write_after_failure(exit_status::io, e.what());
            throw;
        }
        write(status, "");
        return status;
    }

    /// Writes the line of a run that ends at once, within report_on() or not, without a return to
    /// it.
    static void end_at_once(exit_status status, const char* error) noexcept;

private:
    // There is one for as long as the work goes on.
    class in_work {
    public:
        explicit in_work(run_status& status) noexcept { running = &status; }
        ~in_work() { running = nullptr; }
        in_work(const in_work&) = delete;
        in_work& operator=(const in_work&) = delete;
    };

    static run_status* running;

    void add_value(std::string_view name, const ordered_json& value);
    /// @param error empty for none.
    void write(exit_status status, const std::string& error);
    void write_after_failure(exit_status status, const char* error) noexcept;

    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
    std::string m_path;
    bool m_quiet;
    std::string m_members;
    std::vector<std::string> m_warnings;
    command_list m_next;
};

/// The progress of a run, as a line on standard error that is written again and again, if that is a
/// terminal and the run takes more than a second.
class progress {
public:
    /// @param files       how many there are.
    /// @param size        is that of all of them, in bytes; 0 if it is not known.
    /// @param is_wanted   false for nothing at all.
    progress(std::size_t files, std::size_t size, bool is_wanted);
    ~progress();
    progress(const progress&) = delete;
    progress& operator=(const progress&) = delete;

    /// One file of so many bytes is done, or failed.
    void add(std::size_t size, bool is_failed = false);

    /// Takes the line away until the next file, for a message to stand in its place.
    void clear() noexcept;
    /// Takes the line away, as the destructor does.
    void end() noexcept;

private:
    using clock = std::chrono::steady_clock;

    void show(clock::duration since_start);

    std::size_t m_files;
    std::size_t m_size;
    bool m_is_on;
    bool m_is_shown = false;
    std::size_t m_files_done = 0;
    std::size_t m_files_failed = 0;
    std::size_t m_size_done = 0;
    clock::time_point m_start = clock::now();
    clock::time_point m_next = m_start + std::chrono::seconds{1};
};

} // namespace pprofdelta::tool
