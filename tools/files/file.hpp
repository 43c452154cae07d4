// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <sys/types.h>
#include <unistd.h>

namespace pprofdelta::tool {

/// Owns the number of an open file, or -1. Standard streams stay open.
class descriptor {
public:
    explicit descriptor(int number) : m_number{number} {}
    ~descriptor() {
        if (m_number > STDERR_FILENO) {
            ::close(m_number);
        }
    }
    descriptor(descriptor&& other) noexcept : m_number{std::exchange(other.m_number, -1)} {}
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;
    descriptor& operator=(descriptor&& other) noexcept {
        std::swap(m_number, other.m_number);
        return *this;
    }

    [[nodiscard]] int number() const noexcept { return m_number; }

    /// Some file systems report a full disk only here.
    [[nodiscard]] bool close() { return ::close(std::exchange(m_number, -1)) == 0; }

private:
    int m_number;
};

/// Lets the process open as many files as it may.
/// @returns the number of files; a million for no end.
[[nodiscard]] std::size_t raise_open_files() noexcept;

/// Writes all of `bytes`, in as many calls as it takes.
/// @throws failure io, about `name`.
void write_all(int file, std::string_view bytes, const std::string& name);

/// Makes each signal that asks the program to end call `handler`. One that the parent ignores, as
/// nohup(1) does, stays ignored.
void catch_end_signals(void (*handler)(int));

/// Ends the process by a signal whose default is to do so, as if nobody had caught it. The first
/// process of a container is not ended by its own signals: its status is 128 and the signal's
/// number, as a shell has it. Safe in a signal handler.
[[noreturn]] void end_by_signal(int number) noexcept;

/// Notes that a signal asks the program to end, for is_end_asked(). Safe in a signal handler.
void note_end_signal(int number) noexcept;
[[nodiscard]] bool is_end_asked() noexcept;

/// While there is one, the first signal that would end the program is but noted, for what has
/// something to remove and looks at is_end_asked(). Then the process ends by it.
class delayed_end {
public:
    delayed_end() noexcept;
    ~delayed_end();
    delayed_end(const delayed_end&) = delete;
    delayed_end& operator=(const delayed_end&) = delete;
};

/// When a file counts as written.
enum class durability : bool {
    cached, ///< Once the system has it. A crash of the machine may lose it.
    synced, ///< Once it is safe on disk, which takes the disk's time.
};

/// The end of a temporary file's name, after anything: a point, digits that nobody can guess, and
/// ".tmp".
[[nodiscard]] std::string temporary_ending();

/// Whether that is all that `text` is.
[[nodiscard]] bool is_temporary_ending(std::string_view text) noexcept;

/// Removes what killed runs left beside `target`, as far as that is possible. Nobody else may be
/// writing to `target` at the same time.
void remove_abandoned_files(const std::string& target);

/// Removes the temporary file, if there is one, before the process ends at once, without
/// destructors. Safe in a signal handler.
void remove_temporary_file() noexcept;

/// Makes signals that end the program first remove the temporary file, if there is one.
void remove_temporary_file_on_signals();

/// The folder that a path is in, "." for a name alone.
[[nodiscard]] std::string folder_of(const std::string& path);

/// Whether it is one, or a link to one. A path that cannot be looked at is none: it is refused
/// where it is opened.
[[nodiscard]] bool is_folder(const std::string& path);

/// When a regular file was written, in nanoseconds since 1970; 0 if that cannot be told.
[[nodiscard]] std::int64_t time_of_file(const std::string& path);

/// The kind of an entry, if links are not followed.
enum class entry_kind : std::uint8_t { none, file, folder, other };

/// @throws failure io if it cannot be looked at.
[[nodiscard]] entry_kind kind_of(const std::string& path);

/// Creates a folder in one that is there. It may be there itself.
/// @throws failure io
void make_folder(const std::string& path);

/// Calls `use` with the name of each entry and what it is, in the order of the file system, which
/// mostly knows both. An entry that cannot be looked at is `other`.
/// @throws failure io, also half-way.
void for_each_entry(const std::string& folder,
                    const std::function<void(std::string_view name, entry_kind kind)>& use);

/// Returns once new names in a folder are as safe as their files. Some file systems cannot do this,
/// which is not a failure.
/// @throws failure io, about `name`.
void sync_folder(const std::string& folder, const std::string& name);

/// Keeps two runs from working on one state, by flock(2) on the file `path`, which is created if it
/// does not exist, and stays. The system releases the lock when the process ends, however it ends.
class lock_file {
public:
    /// Waits for the lock.
    /// @param hint the end of the message about one that is not released.
    /// @throws failure io; after `timeout` it names the process that holds the lock.
    lock_file(const std::string& path, std::chrono::duration<double> timeout,
              const char* hint = "");

    /// Waits for a lock that many can have at once, and none beside the one above. Creates nothing,
    /// so that what is only read can be locked; without a file, or where nothing can be locked, it
    /// locks nothing.
    /// @throws failure io
    [[nodiscard]] static lock_file shared(const std::string& path,
                                          std::chrono::duration<double> timeout);

    /// Whether there is a file that could be locked.
    [[nodiscard]] bool is_there() const noexcept { return m_file.number() >= 0; }

private:
    explicit lock_file(descriptor file) : m_file{std::move(file)} {}

    descriptor m_file;
};

/// XXH3 of 64 bits, the same on every machine. Good enough to see that two contents differ, not
/// against somebody who wants them to look alike.
[[nodiscard]] std::uint64_t content_hash(std::string_view bytes) noexcept;

/// XXH3 of 128 bits (XXH128) in 32 hexadecimal digits, as `xxhsum -H2` has it, of a delta behind
/// its place: the series and its number there, each of which ends with NUL. Equal deltas are common
/// where profiles have no time, so their bytes alone would not do. Different for all that are not
/// made to collide.
[[nodiscard]] std::string delta_id(std::string_view series, std::uint64_t number,
                                   std::string_view bytes);

/// 16 hexadecimal digits.
[[nodiscard]] std::string hash_text(std::uint64_t hash);

/// The name of a file in messages: "-" is "standard input".
[[nodiscard]] std::string display_name(const std::string& path);

/// The whole content of a file, of a pipe, or for "-" of standard input.
/// @param hint     the end of the message about a file that is too large.
/// @param may_wait is asked every 50 ms while a pipe has nothing to read, or nobody who writes, and
///                 no more is read once it says no; empty to wait for ever.
/// @throws failure io; usage for a folder; malformed if it has more than `max_size` bytes, after
///         reading no more than those.
[[nodiscard]] std::string read_file(const std::string& path, std::size_t max_size,
                                    const char* hint = "",
                                    const std::function<bool()>& may_wait = {});

/// The file that `path` is a symbolic link to, even if it does not exist yet, or else `path`.
[[nodiscard]] std::string resolve_links(const std::string& path);

/// The target of `path` in a folder of /proc that has the open files of a process, such as
/// "/proc/7/fd/1" for /dev/stdout and for what a shell puts in the place of >(command). Empty for
/// what names no open file.
[[nodiscard]] std::string open_file(const std::string& path);

/// Whether `path` names this process's standard output: "-", /dev/stdout and the like.
[[nodiscard]] bool is_standard_output(const std::string& path);

/// Whether what is printed on standard output and standard error comes to one place, such as a
/// terminal or a log.
[[nodiscard]] bool standard_outputs_are_one() noexcept;

/// The size in bytes. 0 for what is no file: a pipe, which may keep its reader waiting, a device,
/// or standard input.
[[nodiscard]] std::size_t regular_file_size(const std::string& path) noexcept;

/// Whether there is a file.
/// @throws failure io; malformed if it is a pipe, a device or a folder.
[[nodiscard]] bool regular_file_exists(const std::string& path);

/// A file that is written part by part. A regular file is replaced as a whole or, if finish() is
/// not called, not at all: a temporary file beside it, whose name nobody can guess, takes its place
/// once it is complete. There can be one of these at a time. Permissions stay as they were.
/// Anything else, such as a pipe or a device, is written to directly, and so is what a process has
/// open, whatever that is: a log that a shell opened with >> keeps what it has.
class file_output {
public:
    /// @throws failure io
    explicit file_output(const std::string& path);
    ~file_output();
    file_output(const file_output&) = delete;
    file_output& operator=(const file_output&) = delete;

    /// @throws failure io
    void write(std::string_view bytes);
    /// @throws failure io
    void finish(durability when);

private:
    std::string m_name;                  // for messages
    std::string m_target;                // that is replaced; empty for what is written to directly
    std::optional<mode_t> m_permissions; // of the target; none if there is no file yet
    descriptor m_file{-1};
};

/// Makes `bytes` the content of `path`, as file_output does.
/// @throws failure io
void write_file(const std::string& path, std::string_view bytes, durability when);

/// Returns once the bytes are passed on, or, for a file, when `when` says.
/// @throws failure io, also if the reader of a pipe went away.
void write_standard_output(std::string_view bytes, durability when = durability::cached);

/// Writes to a file, or if `path` is empty to standard output.
/// @throws failure io
void write_output(const std::string& path, std::string_view bytes, durability when);

/// Output that was requested takes this way, unlike what may be lost, such as a warning.
/// @throws failure io
void write_standard_error(std::string_view bytes);

/// The number of columns of the terminal that is standard output, or 80 if it does not say; 0 if
/// standard output is not a terminal.
[[nodiscard]] std::size_t standard_output_width();

/// Ensures that no file that is opened later gets the number of a standard stream that was closed
/// when the program began.
void occupy_standard_descriptors();

} // namespace pprofdelta::tool
