// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_CLI_SERIES_FOLDER_HPP
#define PPROFDELTA_TOOLS_CLI_SERIES_FOLDER_HPP

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "files/file.hpp"

namespace pprofdelta::tool {

/// The name of something in a folder, or below it, as a path.
[[nodiscard]] std::string path_in(const std::string& folder, const std::string& name);

/// A window of time of which `merge --into` makes one profile. While it does, what it adds up lies
/// in a hidden folder, whose name alone says what counts of it. So each delta counts once whenever
/// a run is killed, and whoever looks:
///
///     .20261121T090000Z.1h           all in there but hidden files
///     .20261121T090000Z.1h.summed    the file `.sum` and nothing else
struct merge_window {
    std::string sum; ///< The name of the sum, `20261121T090000Z.1h.pb.gz`.
    bool is_summed = false;

    static constexpr const char* made = ".sum"; ///< The sum before it is in its place.

    [[nodiscard]] std::string hidden_name() const;
};

/// What a hidden folder of this name is about; nothing of any other name.
[[nodiscard]] std::optional<merge_window> window_of_folder(std::string_view name);

/// The length of the window that a sum is of, by its name, or of the name of none 0.
[[nodiscard]] std::chrono::seconds window_in_name(std::string_view name);

/// A file by the name that it has in its series, which is not that in its path while it is in a
/// hidden folder.
struct series_file {
    std::string name;
    std::string path;

    friend auto operator<=>(const series_file&, const series_file&) = default;
};

/// Appends what counts of a hidden folder in the folder of a series, if it is one of a window.
/// @throws failure io
void add_hidden_files(const std::string& folder, std::string_view name,
                      std::vector<series_file>& to);

/// How long runs wait for each other: what a year of minutes in one series takes.
constexpr std::chrono::minutes series_patience{10};

/// The lock that `merge --into` holds on a series.
[[nodiscard]] std::string series_lock_path(const std::string& folder);

/// Keeps `merge --into` from moving files in the folder of a series while they are listed and read.
/// The first run creates the file of the lock, and nothing else does.
class series_reader {
public:
    /// Waits for a run at work.
    /// @throws failure io
    explicit series_reader(std::string folder);

    /// Whether the first run began beside this: what was listed may not be all, or be there twice.
    /// @throws failure io
    [[nodiscard]] bool is_overtaken() const;
    [[nodiscard]] const std::string& folder() const noexcept { return m_folder; }

private:
    std::string m_folder;
    lock_file m_lock;
};

/// Those of all folders that a run lists and reads.
class series_readers {
public:
    void add(const std::string& folder);
    /// @throws failure io if a first run has begun.
    void require_undisturbed() const;

private:
    std::vector<series_reader> m_all;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_CLI_SERIES_FOLDER_HPP
