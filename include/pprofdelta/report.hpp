// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_REPORT_HPP
#define PPROFDELTA_REPORT_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/value_type.hpp>

namespace pprofdelta {

/// A value in two profiles, in the unit of its sample type.
struct value_pair {
    std::int64_t previous = 0;
    std::int64_t current = 0;
};

/// What the frames of a row have in common.
enum class grouping : std::uint8_t {
    function, ///< The name of the function, or of the binary, in brackets, if there is none.
    file,     ///< The source file.
    package,  ///< The package, namespace or folder, as far as names and files tell.
    line,     ///< Name, source file and line.
};

/// "function", "file", "package" or "line".
[[nodiscard]] const char* to_string(grouping by) noexcept;

struct report_options {
    grouping by = grouping::function;
    /// The sample type to report on. The default is what pprof shows first: the default_sample_type
    /// of the profile, or else the last type.
    std::optional<value_type_pattern> sort;
};

struct report {
    struct total {
        value_type type;
        value_pair value; ///< Over all samples.
    };
    struct row {
        std::string name; ///< Any bytes.
        value_pair flat;  ///< Of samples whose innermost frame is in this row.
        /// Of samples with a frame in this row. A sample counts once, however many frames it has
        /// here.
        value_pair cumulative;
    };

    std::vector<total> totals; ///< In the profile's order.
    std::size_t type = 0;      ///< Which of them the rows are about.
    /// All rows in which something changed, ordered by the size of the flat change, then of the
    /// cumulative change, then by name.
    std::vector<row> rows;
};

/// Compares two profiles, as `go tool pprof -top -diff_base` does. Inlined functions are frames.
/// Unlike in pprof, drop_frames leaves out no frames. Values wrap around at 64 bits.
///
/// Only what is needed is read: a fault in the stack of a sample without a value is not found. To
/// check whole profiles, make a delta of them.
///
/// Cost: time linear in the profiles, and the time to sort the rows.
/// @throws error malformed; too_large, also for a location with more than 1000 lines, or stacks
///         with far more inlined frames than the profile has bytes; incompatible for profiles that
///         do not go together, or a type to report on that matches no type or several.
[[nodiscard]] report make_report(std::string_view previous, std::string_view current,
                                 const report_options& options = {});

/// A value as pprof prints it, such as "1.50MB" of 1572864 bytes: a kB has 1024 bytes. Units that
/// are neither of memory nor of time are left out. The decimal point is a point in every locale.
[[nodiscard]] std::string human(std::int64_t value, std::string_view unit);

} // namespace pprofdelta

#endif // PPROFDELTA_REPORT_HPP
