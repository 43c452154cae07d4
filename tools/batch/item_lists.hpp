// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "batch/series.hpp"

namespace pprofdelta::tool {

/// Adds what a manifest lists: on each line a series, a TAB, and a path or URL, which may have TABs
/// itself. Empty lines and those that begin with '#' are passed over; a line may end as on Windows,
/// and the text may begin with a mark of byte order. All bytes stand for themselves if lines end
/// with NUL in place of line breaks. A manifest without any item is fine: a pipe may bring none.
/// @param name    is that of the manifest, for messages.
/// @param has_nul whether entries end with NUL rather than as lines do.
/// @throws failure usage, with the line, for one without TAB, a name that no series can have, or an
///         input that is none. The content of `items` is then of no use.
void add_manifest(std::string text, const std::string& name, bool has_nul, batch_items& items);

/// The usual place of profiles, which Go's net/http/pprof serves.
inline constexpr const char* default_profile_path = "/debug/pprof/allocs";

/// The labels that name a target's series by default.
inline constexpr const char* default_series_labels = "job/__address__";

/// The names of labels in `text`, which slashes are between.
/// @throws usage_failure for an empty one.
[[nodiscard]] std::vector<std::string> parse_series_labels(const std::string& text);

/// The paths to read from each target, and the names of their series.
struct target_plan {
    /// The paths from the server's root; parameters may follow after '?'.
    std::vector<std::string> paths;
    std::vector<std::string> series; ///< Labels whose values make the name of a series.
};

/// Adds the URLs of a list of targets in the form of Prometheus' file_sd. Each target and path is a
/// series of the values of the labels in `plan.series`, and the last component of the path, each by
/// series_component() and with a slash between. The label `job` is "targets" if there is none. The
/// labels `__scheme__` and `__profile_path__` take the place of http and of all paths, and
/// `__param_NAME` are the parameters of the URL. A target that is there again is passed over.
/// Memory is in proportion to the items, not to the text.
/// @param name  is that of the text, for messages.
/// @throws usage_failure for a wrong path.
/// @throws failure usage, with the place, for what is not a list of targets, for an address or a
///         label that makes no URL, for a target without a label that makes its name, for two URLs
///         in one series, and if there is no target.
void add_targets(std::string_view list, const std::string& name, const target_plan& plan,
                 batch_items& items);

/// Whether a file is called as profiles are: *.pb, *.pprof, *.prof, *.heap and *.otlp, also
/// with .gz or .zst behind it.
[[nodiscard]] bool is_name_of_profile(std::string_view name);

/// The paths of the profiles in a folder, in the order of their names. Hidden files are passed
/// over, and so is what is no file. Files that `merge --into` has in hidden folders are among them
/// as far as they count.
/// @throws failure io
[[nodiscard]] std::vector<std::string> profiles_in(const std::string& folder);

/// Each folder below `root` with profiles is a series with the name of its path from there, each
/// component by series_component(), and `root` itself is one with the name of `root`. They are in
/// the order of their names. Hidden folders are passed over, and links to folders are not followed.
/// @param use is called with the name, the path of the folder, and profiles_in() it.
/// @throws failure io for a folder that cannot be read; usage if there is no profile, for a folder
///         whose name is too long for a series, and for two that would be the same one.
void for_each_series(const std::string& root,
                     const std::function<void(const std::string& name, const std::string& folder,
                                              const std::vector<std::string>& profiles)>& use);

/// Adds the profiles of each of these series.
void add_tree(const std::string& root, batch_items& items);

/// The headers of a file with a line "Name: value" for each, comments that begin with "#", and
/// empty lines. Lines may end as on Windows. No message has anything of a line, as headers are
/// secrets.
/// @throws failure usage for what is no header, with the number of its line; io.
[[nodiscard]] std::vector<std::string> read_header_file(const std::string& path);

} // namespace pprofdelta::tool
