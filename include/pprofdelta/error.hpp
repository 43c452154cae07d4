// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_ERROR_HPP
#define PPROFDELTA_ERROR_HPP

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// What went wrong, and so what a caller can do about it.
enum class error_kind : std::uint8_t {
    malformed,    ///< The bytes are not a valid profile or archive.
    too_large,    ///< A size limit was exceeded; nothing says that the input is damaged.
    incompatible, ///< Each input is valid, but they do not go together, or with the options.
    /// The profile is valid, but no sample type of it is known to be cumulative, or named as such
    /// in delta_options: there is nothing that a delta_computer could subtract. diff() would.
    no_cumulative_type,
    reset, ///< Counters started over and reset_policy::error asked not to go on.
    /// An argument is wrong whatever the inputs are, or it is too early for the call: a compression
    /// level out of range, a limit or a regular expression that cannot be read, the state of a
    /// delta_computer without a profile.
    invalid_argument,
};

/// Which input of a call an error is about.
///
/// Where inputs are added one at a time, each with a call of its own, the error is about what was
/// added last, and the caller knows which one that is.
enum class error_input : std::uint8_t {
    /// The only profile or text that the call takes, or none of its inputs: an argument.
    unspecified,
    previous, ///< The first one of two profiles.
    /// The second one of two profiles. Of a delta_computer the profile that the call takes: those
    /// before were sound.
    current,
    /// Two valid profiles that do not go together, or what both lack. Of a delta_computer the
    /// profile that the call takes and the ones before, or the state that was loaded for them.
    both,
    state, ///< What delta_computer::save() wrote.
};

/// The one exception that the library throws on purpose. Besides, std::bad_alloc can pass through
/// all functions that are not noexcept, whether or not they say so.
///
/// what() is a single line without the file's name, which the library does not know. It may quote
/// strings of the input, whose control characters are written as escapes such as "\x00".
class error : public std::runtime_error {
public:
    error(error_kind kind, const std::string& message);

    /// @param offset where in the input the fault lies, in bytes; see offset().
    error(error_kind kind, const std::string& message, std::uint64_t offset);
    error(error_kind kind, const std::string& message, error_input input);

    [[nodiscard]] error_kind kind() const noexcept { return m_kind; }

    /// For a message that names files.
    [[nodiscard]] error_input input() const noexcept { return m_input; }

    /// Says what input() is. Where the error came about knows best: once it is specified, and where
    /// an argument is to blame, nothing changes.
    void set_input(error_input input) noexcept;

    /// Byte offset in the *uncompressed* profile for a fault in a profile, in the compressed bytes
    /// for a fault in an archive. Empty where no single place is to blame. Also part of what().
    [[nodiscard]] std::optional<std::uint64_t> offset() const noexcept { return m_offset; }

private:
    error_kind m_kind;
    error_input m_input = error_input::unspecified;
    std::optional<std::uint64_t> m_offset;
};

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_ERROR_HPP
