// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/failure.hpp"
#include "files/file.hpp"
#include "files/path_list.hpp"
#include "files/profile_file.hpp"

namespace pprofdelta::tool {

// The folder of a series, in which merge --into makes sums.

/// The name of something in a folder, or below it, as a path.
[[nodiscard]] std::string path_in(const std::string& folder, const std::string& name);

/// A window of time of which `merge --into` makes one profile. While it does, what it adds up lies
/// in a hidden folder, whose name alone says what counts of it. Hence each delta counts once
/// whenever a run is killed, and whoever looks:
///
///     .20261121T090000Z.1h           all in there but hidden files
///     .20261121T090000Z.1h.summed    the file `.sum` and nothing else
struct merge_window {
    std::string sum; ///< The name of the sum, `20261121T090000Z.1h.pb.gz`.
    bool is_summed = false;

    static constexpr const char* made = ".sum"; ///< The sum before it is in its place.

    [[nodiscard]] std::string hidden_name() const;
};

/// The window that a hidden folder of this name is about; nothing for any other name.
[[nodiscard]] std::optional<merge_window> window_of_folder(std::string_view name);

/// The length of the window that a sum is of, by its name, or of the name of none 0.
[[nodiscard]] std::chrono::seconds window_in_name(std::string_view name);

/// Whether the name that `batch` gave a delta, or `merge --into` a sum, says that it ended after a
/// moment, in seconds since 1970. Other names say nothing.
[[nodiscard]] bool is_named_after(std::string_view name, std::int64_t moment);

/// A file by the name that it has in its series, which is not that in its path while it is in a
/// hidden folder.
struct series_file {
    std::string name;
    std::string path;
    entry_kind kind = entry_kind::other; ///< If links are not followed.

    /// A link to a file is one, too.
    [[nodiscard]] bool is_file() const {
        std::error_code gone;
        return kind == entry_kind::file ||
               (kind == entry_kind::other && std::filesystem::is_regular_file(path, gone));
    }
};

/// The time that runs wait for each other: what a year of minutes in one series takes.
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

/// All that is in a folder, in the natural order of names, and what counts of hidden folders of
/// windows as if it lay there. The folder without a name is the current one.
/// @param held gets the folder; nullptr for none.
/// @throws failure io
[[nodiscard]] std::vector<series_file> entries_in(const std::string& folder, series_readers* held);

// Choice and reading of files

/// The files that are meant: each name is a file, a URL, a folder for the captures in it, or, if
/// there is nothing of that name, a pattern of glob(7). The files of a folder or a pattern are in
/// the natural order of names. The captures in a folder are all files in it and in the folders
/// below it, but hidden ones and what runs leave there besides, such as *.state and *.json. Links
/// to folders are not followed, and what a pattern matches can be a folder, too. Files that `merge
/// --into` has in hidden folders are taken as far as they count, and what is no file is not.
/// @param held gets the folders that were listed, and outlives the reading; nullptr not to wait for
///             runs that move what is in them.
/// @throws failure io for a folder that cannot be read; usage for one without captures, and for a
///         pattern without files.
[[nodiscard]] std::vector<std::string> find_files(const std::vector<std::string>& names,
                                                  series_readers* held);
/// Those, and what is in the list.
/// @throws failure usage also if there is nothing.
[[nodiscard]] std::vector<std::string> find_files(const std::vector<std::string>& names,
                                                  const list_options& list, series_readers* held);

/// Names as a shell puts them for a pattern, such as 1, 10, 2, in their natural order; others as
/// they are.
[[nodiscard]] std::vector<std::string> without_shell_order(std::vector<std::string> names);

/// One that is given twice, by whatever paths; empty if none is.
[[nodiscard]] std::string find_repeated(const std::vector<std::string>& files);

/// @throws usage_failure for one that is given twice.
void require_different(const std::vector<std::string>& files);

/// The names as messages and tables have them.
[[nodiscard]] std::vector<std::string> names_of(const std::vector<std::string>& files);

/// Reads profiles in their order, each once, as it may come from a pipe.
/// @param prepare   is called with the place of each profile and the profile while the one before
///                  it is used, maybe on another thread. The function that it returns then uses the
///                  profile.
/// @param pass_over is called with the place of a damaged profile and the failure about it, if it
///                  is there, and then the next profile follows.
/// @throws failure
void read_all(const std::vector<std::string>& files, const read_options& options,
              const std::function<std::function<void()>(std::size_t place,
                                                        const shared_profile& profile)>& prepare,
              const std::function<void(std::size_t place, const failure&)>& pass_over = {});

} // namespace pprofdelta::tool
