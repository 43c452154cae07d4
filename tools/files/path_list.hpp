// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pprofdelta::tool {

/// Whether it begins with http:// or https://, in letters of any case. Anything else is a path.
[[nodiscard]] bool is_url(std::string_view input) noexcept;

/// Whether a URL has a user's name or a password before its host. They would be in results and
/// messages.
[[nodiscard]] bool has_credentials(std::string_view url) noexcept;

/// Whether it may be a URL without http://, such as "localhost:6060/debug/pprof/heap".
[[nodiscard]] bool begins_like_host(std::string_view path) noexcept;

/// A path in a list of them, and how much its profile counts.
struct listed_path {
    std::string path;
    double weight = 1;
};

/// The paths of a text: one on each line, behind which a TAB and a weight may follow. Empty lines
/// are passed over, and a line may end as on Windows.
/// @param name is that of the text, for messages.
/// @throws failure usage for a weight that is none or has no path, with the line, and for a text
///         with NUL.
[[nodiscard]] std::vector<listed_path> paths_of_lines(std::string_view text,
                                                      const std::string& name);

/// The paths of a text in which each ends with NUL, and may have any other character.
[[nodiscard]] std::vector<listed_path> paths_with_nul(std::string_view text);

/// A file with more paths of profiles.
struct list_options {
    std::string file;     ///< Empty for none; "-" is standard input.
    bool has_nul = false; ///< Each path there ends with NUL.
};
/// The paths of `--files-from`, which are files or URLs; none if it was not given.
/// @throws failure io, usage.
[[nodiscard]] std::vector<listed_path> paths_in(const list_options& list);
/// @throws failure usage also for a weight.
[[nodiscard]] std::vector<std::string> paths_without_weights(const list_options& list);

/// @throws usage_failure for a URL that has a user's name or a password.
void refuse_credentials(const std::vector<std::string>& files);

/// A positive decimal number.
/// @param where it stands, for the message.
/// @throws usage_failure
[[nodiscard]] double parse_weight(std::string_view text, const std::string& where);

/// The names of files where others see them, who need not know the folders of this machine: each
/// path without its folders, or with as many of the last ones as it takes to tell all apart. A path
/// below /dev, such as a pipe, stays as it is.
[[nodiscard]] std::vector<std::string> file_labels(const std::vector<std::string>& paths);

} // namespace pprofdelta::tool
