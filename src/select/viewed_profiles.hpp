// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/error.hpp>
#include <pprofdelta/report.hpp>

#include "base/errors.hpp"
#include "profile/index.hpp"
#include "profile/stacks.hpp"

namespace pprofdelta {

/// The place of the sample type to report on: the one asked for, else the default one of the
/// profile, else the last one.
/// @throws error incompatible unless there is one type to report on, and one alone.
[[nodiscard]] std::size_t choose_type(const profile_index& index, const report_options& options);

/// Finds the place of a type among several.
/// @throws error incompatible unless there is one type like that, and one alone.
[[nodiscard]] std::size_t find_type(const value_type_pattern& pattern,
                                    const std::vector<value_type>& types);

/// The type for a report on one profile, as make_report() says.
[[nodiscard]] std::size_t choose_type_of_one(const profile_index& index,
                                             const report_options& options);

/// The one of the two profiles that a value comes from.
using side_of_pair = std::int64_t value_pair::*;

/// One profile, indexed when that is first needed.
class lazy_index {
public:
    /// @param bytes must outlive this.
    /// @param input is what an error about the bytes names.
    lazy_index(std::string_view bytes, error_input input) : m_bytes{bytes}, m_input{input} {}

    /// The index with what it takes to read values; the rest may be missing.
    /// @throws error malformed, too_large
    [[nodiscard]] const profile_index& with_types();
    /// All of the index.
    [[nodiscard]] const profile_index& whole();
    /// All of the index, with these sample types if that takes another order, units or names that
    /// are known to mean the same.
    /// @param types empty for any.
    [[nodiscard]] const profile_index& whole_as(const std::vector<value_type>& types);
    /// The total of each sample type over all samples.
    [[nodiscard]] const std::vector<std::int64_t>& totals();
    [[nodiscard]] const std::vector<sample_size>& sizes() {
        static_cast<void>(totals());
        return m_sizes;
    }

    [[nodiscard]] std::size_t size() const noexcept { return m_bytes.size(); }

private:
    std::string_view m_bytes;
    error_input m_input;
    std::string m_converted; // the profile with other types
    profile_index m_index;
    bool m_has_types = false;
    bool m_is_whole = false;
    std::optional<std::vector<std::int64_t>> m_totals;
    std::vector<sample_size> m_sizes;
};

/// Two profiles of the same sample types.
struct compared_profiles {
    const profile_index& before;
    const profile_index& now;
};

class viewed_profiles::impl {
public:
    explicit impl(std::string_view profile) : m_current{profile, error_input::unspecified} {}
    impl(std::string_view previous, std::string_view current)
        : m_current{current, error_input::current} {
        m_previous.emplace(previous, error_input::previous);
    }
    explicit impl(const computed_delta& delta);

    /// @throws error malformed, too_large; invalid_argument if the types of a computed_delta are
    ///         not as many as its delta has.
    [[nodiscard]] static impl& of(const viewed_profiles& profiles);

    /// nullptr for none.
    [[nodiscard]] const computed_delta* delta() const noexcept {
        return m_delta ? &*m_delta : nullptr;
    }
    [[nodiscard]] bool has_previous() const noexcept { return m_previous.has_value(); }
    [[nodiscard]] lazy_index& previous() noexcept { return *m_previous; }
    [[nodiscard]] lazy_index& current() noexcept { return m_current; }
    /// The delta, or else the current profile.
    [[nodiscard]] lazy_index& main() noexcept { return m_changes ? *m_changes : m_current; }

    /// The previous profile, which there must be, and the current one.
    /// @throws error malformed, too_large, incompatible.
    [[nodiscard]] compared_profiles pair();

    /// The meaning of the values of a sample type: they belong to both profiles, or to main().
    [[nodiscard]] report::content content_of(std::size_t type) const noexcept;

    /// Calls `read(index, side)` for each profile that the values of a type are of.
    template <typename Read>
    void for_each_side(std::size_t type, Read&& read) {
        if (content_of(type) != report::content::comparison) {
            read(main().whole(), &value_pair::current);
            return;
        }
        const compared_profiles both = pair();
        about_input(error_input::previous, [&] { read(both.before, &value_pair::previous); });
        about_input(error_input::current, [&] { read(both.now, &value_pair::current); });
    }

    /// The number of bytes of the profiles that the values of a type come from.
    [[nodiscard]] std::size_t size_of(std::size_t type) noexcept {
        return content_of(type) == report::content::comparison
                   ? m_previous->size() + m_current.size()
                   : main().size();
    }

private:
    std::optional<computed_delta> m_delta;
    std::optional<lazy_index> m_previous;
    lazy_index m_current;
    std::optional<lazy_index> m_changes; // the bytes of the delta
};

/// The place of the sample type to report on, as make_report() says. Reads stacks if the totals do
/// not tell what changed.
/// @throws error as make_report().
[[nodiscard]] std::size_t choose_type(viewed_profiles::impl& views, const report_options& options);

} // namespace pprofdelta
