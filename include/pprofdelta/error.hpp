// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     try {
//         delta_computer{}.prime("this is no profile");
//     } catch (const error& fault) {
//         const bool is_damaged = fault.kind() == error_kind::malformed;
//         std::cout << fault.what() << (is_damaged ? " (damaged)\n" : "\n");
//     }

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// The category of an error, which tells what a caller can do about it.
enum class error_kind : std::uint8_t {
    malformed,    ///< The bytes are not a valid profile or archive.
    too_large,    ///< A size limit was exceeded; the input may be undamaged.
    incompatible, ///< Each input is valid, but they do not fit each other or the options.
    /// The profile is valid, but none of its sample types is known to be cumulative, or named as
    /// such in delta_options, so a delta_computer has nothing to subtract. diff() works.
    no_cumulative_type,
    reset, ///< A counter reset was found, and the policy is reset_policy::error.
    /// An argument is wrong whatever the inputs are, or the call comes too early: a compression
    /// level out of range, an invalid limit or regular expression, the state of a delta_computer
    /// without a profile.
    invalid_argument,
};

/// The input of a call that an error is about.
///
/// If inputs are added one at a time, each with a call of its own, the error is about the input
/// added last, and the caller knows which one that is.
enum class error_input : std::uint8_t {
    /// The only profile or text that the call takes, or an argument.
    unspecified,
    previous, ///< The first of two profiles.
    /// The second of two profiles. This is the profile that a call of a delta_computer takes; those
    /// before were accepted.
    current,
    /// Two valid profiles that do not go together, or something that both lack. This is the profile
    /// that a call of a delta_computer takes and those before, or the state loaded for them.
    both,
    state, ///< The result of delta_computer::save().
};

/// The only exception that the library throws itself. A std::bad_alloc can also leave any function
/// that is not noexcept, whether its comment says so or not.
///
/// what() is a single line, without the name of the file, which the library does not know. It may
/// quote strings of the input, whose control characters are escaped as in "\x00".
class error : public std::runtime_error {
public:
    error(error_kind kind, const std::string& message);

    /// @param offset the place of the fault in the input, in bytes; see offset().
    error(error_kind kind, const std::string& message, std::uint64_t offset);
    /// @param has_common_types see has_common_types().
    error(error_kind kind, const std::string& message, error_input input,
          bool has_common_types = false);

    [[nodiscard]] error_kind kind() const noexcept { return m_kind; }

    /// Returns the input that the error is about, for messages that name files.
    [[nodiscard]] error_input input() const noexcept { return m_input; }

    /// Sets input(), unless it is already specified or the kind is invalid_argument: the code where
    /// an error occurs knows best.
    void set_input(error_input input) noexcept;

    /// Returns the byte offset in the *uncompressed* profile for a fault in a profile, or in the
    /// compressed bytes for a fault in an archive. Empty if no single place is to blame. what()
    /// contains it, too.
    [[nodiscard]] std::optional<std::uint64_t> offset() const noexcept { return m_offset; }

    /// Returns whether the sample types of two profiles differ, but some are in both, so that the
    /// profiles go together with trim_options::keep_types.
    [[nodiscard]] bool has_common_types() const noexcept { return m_has_common_types; }

private:
    error_kind m_kind;
    error_input m_input = error_input::unspecified;
    std::optional<std::uint64_t> m_offset;
    bool m_has_common_types = false;
};

} // namespace pprofdelta

#pragma GCC visibility pop
