// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/error.hpp>

#include "base/failure.hpp"

namespace pprofdelta::tool {

/// Whether the first byte of an uncompressed profile is the tag of a field that profiles have, and
/// what follows is not all text, as it is not in the first fields of any profile.
[[nodiscard]] bool begins_like_profile(std::string_view bytes) noexcept;

/// Names the frames of profiles. Several threads may use it.
class frame_namer {
public:
    virtual ~frame_namer() = default;
    /// A copy of an uncompressed profile in which frames have the names that were found.
    /// @param written_nanos time of its file, if the profile does not have its own; 0 if unknown.
    [[nodiscard]] virtual std::string named(std::string_view profile,
                                            std::int64_t written_nanos) = 0;
    /// About each binary so far in which nothing was found.
    [[nodiscard]] virtual std::vector<std::string> warnings() const = 0;
};

/// The options for reading profiles.
struct read_options {
    std::size_t max_size = max_profile_size; ///< The most bytes of a profile, uncompressed.
    /// The type that the numbers of folded stacks count, which they do not say.
    value_type counted{"samples", "count"};
    std::string part{}; ///< The profile of a file with several; empty for the only one.
    std::shared_ptr<frame_namer> names{}; ///< nullptr for no names but those in the profile.
    /// Whether stacks are left out that are of taking a profile.
    bool without_capture = false;
    std::vector<std::pair<std::string, std::string>> renamed_types{}; ///< Old names and new ones.

    /// Reads a URL, and throws failure usage or io; none is read if it is empty.
    std::function<std::string(const std::string& url)> fetch{};

    /// The warnings about the names.
    [[nodiscard]] std::vector<std::string> warnings() const {
        return names ? names->warnings() : std::vector<std::string>{};
    }
    /// Leaves frames as they are.
    [[nodiscard]] read_options without_names() const {
        read_options others = *this;
        others.names = nullptr;
        return others;
    }
    /// Reads no more than `most` bytes, and leaves frames as they are.
    [[nodiscard]] read_options with_size(std::size_t most) const {
        read_options others = without_names();
        others.max_size = most;
        return others;
    }
};

/// A file in memory as it lies on disk.
struct raw_file {
    /// @param max_size the most that is read.
    /// @param may_wait serves a pipe; see read_file().
    /// @throws failure io, malformed.
    raw_file(const std::string& path, std::size_t max_size,
             const std::function<bool()>& may_wait = {});
    /// A file or a URL.
    /// @throws failure usage, io, malformed.
    raw_file(const std::string& path, const read_options& options);
    /// A profile that did not come from a file.
    raw_file(std::string shown_name, std::string content)
        : name{std::move(shown_name)}, bytes{std::move(content)} {}

    std::string name; ///< The name for messages.
    std::string bytes;
    std::int64_t written_nanos = 0; ///< When its file was; 0 if unknown.
};

/// A profile in memory, uncompressed; of one that was text, what it was converted to.
class profile_file {
public:
    /// @param larger called if it has more than the most bytes; returns a larger limit, with which
    ///               it is uncompressed again. None for a limit that stands.
    /// @throws failure malformed; what `larger` throws.
    profile_file(raw_file raw, const read_options& options,
                 const std::function<std::size_t()>& larger = {});
    profile_file(const profile_file&) = delete;
    profile_file& operator=(const profile_file&) = delete;

    /// The name for messages.
    [[nodiscard]] const std::string& name() const noexcept { return m_raw.name; }
    [[nodiscard]] std::string_view bytes() const noexcept { return m_bytes; }
    /// Takes `bytes` for the profile from here on.
    void replace(std::string bytes);
    [[nodiscard]] profile_source source() const noexcept { return m_source; }
    /// The end of a message about types of which none can be cumulative, which says what helps
    /// instead; nullptr where one can.
    [[nodiscard]] const char* hint_at_counters() const noexcept { return m_hint_at_counters; }
    /// The size on disk.
    [[nodiscard]] std::size_t size_on_disk() const noexcept { return m_size_on_disk; }
    [[nodiscard]] codec compression() const noexcept { return m_compression; }
    /// The size of a text is that which it had before it was converted.
    [[nodiscard]] std::size_t uncompressed_size() const noexcept { return m_uncompressed_size; }

private:
    // @param is_last whether it will not be called again, which takes the bytes of the file.
    void uncompress(const read_options& options, bool is_last);
    void refuse_unless_sound() const;

    raw_file m_raw; // without its bytes once they are inflated
    std::string m_uncompressed;
    std::string_view m_bytes; // one of the two
    profile_source m_source = profile_source::protobuf;
    const char* m_hint_at_counters = nullptr;
    std::size_t m_size_on_disk = 0;
    codec m_compression = codec::none;
    std::size_t m_uncompressed_size = 0;
};

using loaded_profile = std::unique_ptr<profile_file>;
/// One that several may keep.
using shared_profile = std::shared_ptr<const profile_file>;

/// Whether a file is so large that to inflate and index it on another thread saves more time than
/// that takes to start. A pipe or a URL is not: who has to wait for one could not end before it
/// does.
[[nodiscard]] bool should_use_thread(const std::string& path);

/// Reads a file, and inflates it, while something else goes on if it is worth a thread, or else
/// when the result is requested.
[[nodiscard]] std::future<loaded_profile> load_ahead(const std::string& path,
                                                     const read_options& options);

/// The sample types that two profiles have in common, in the order of the first: of those in
/// different units the finer ones.
[[nodiscard]] std::vector<value_type> common_types(const std::vector<type_treatment>& types,
                                                   const std::vector<type_treatment>& others);

/// Gives `profile` these types; see convert_types().
/// @returns whether it has changed.
/// @throws error
bool convert_types(profile_file& profile, const std::vector<value_type>& types);

/// The types that are not among `others`, for a message; empty if all are.
[[nodiscard]] std::string types_without(const std::vector<type_treatment>& types,
                                        const std::vector<type_treatment>& others);

/// A profile that was loaded, and keyed as well if that was worth a thread.
struct read_profile {
    loaded_profile file;
    std::optional<keyed_profile> keyed; ///< The keys of `file`.
};

/// The number of the threads of a run that read the samples of one of its two profiles.
[[nodiscard]] constexpr unsigned threads_for_one(unsigned threads) noexcept {
    return threads < 2 ? 1 : threads / 2;
}

/// Works like load_ahead(), and makes the keys for a delta of the profile. A single thread loads
/// the file when the result is requested, and does not make keys.
[[nodiscard]] std::future<read_profile> read_ahead(const std::string& path,
                                                   const read_options& options, match_mode match,
                                                   unsigned threads);

/// Inflates a file while something else goes on, and makes the keys, if it is worth a thread.
[[nodiscard]] std::future<read_profile> read_ahead(raw_file raw, const read_options& options,
                                                   match_mode match, unsigned threads);

/// The names for an error about one of two profiles, or both.
[[nodiscard]] std::string to_names(error_input input, const std::string& previous,
                                   const std::string& current);

/// The failure that a library error about the profiles `names` means. The message gets a hint at
/// the option that may help, unless there is none.
[[nodiscard]] failure to_failure(const error& e, const std::string& names);

/// The failure with a hint that fits `profile`, which the error is about, alone or beside another.
[[nodiscard]] failure to_failure(const error& e, const std::string& names,
                                 const profile_file& profile);

/// Calls `work` and turns an error of the library into a failure about `names`.
template <typename Work>
auto with_file_context(const std::string& names, Work&& work) {
    try {
        return std::forward<Work>(work)();
    } catch (const error& e) {
        throw to_failure(e, names);
    }
}

/// Calls `work` and turns an error of the library into a failure about one of two profiles or both.
/// @param previous empty if there is but a state.
template <typename Work>
auto with_pair_context(const std::string& previous, const std::string& current, Work&& work) {
    try {
        return std::forward<Work>(work)();
    } catch (const error& e) {
        throw to_failure(e, previous.empty() ? current : to_names(e.input(), previous, current));
    }
}

/// Calls `work` and turns an error of the library into a failure about one profile.
template <typename Work>
auto with_file_context(const profile_file& profile, Work&& work) {
    try {
        return std::forward<Work>(work)();
    } catch (const error& e) {
        throw to_failure(e, profile.name(), profile);
    }
}

} // namespace pprofdelta::tool
