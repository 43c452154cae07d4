// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "files/state_file.hpp"

namespace pprofdelta::tool {

/// The kinds of files that a run makes.
enum class output_kind : std::uint8_t {
    profile,  ///< It may replace another profile, such as the last delta.
    state,    ///< It may replace another state.
    document, ///< Anything else: for people, or for other programs.
    lock,     ///< Leaves what is in the file alone.
};

/// A file that a run writes.
struct output_path {
    std::string name; ///< Its name in messages, such as "--html".
    std::string path; ///< Empty for none, or for standard output where that is possible.
    output_kind kind;
};

/// The state and its lock; neither if there is no state.
void add_state_outputs(std::vector<output_path>& outputs, const state_options& chosen);

/// The file of a run_status.
[[nodiscard]] output_path status_output(const std::string& path);

/// The inputs and outputs of a run. Before it writes anything, it declares all of that here: no
/// output is an input or goes where another one goes, by whatever names, and no profile, state or
/// file of limits is replaced by something of another kind.
class run_paths {
public:
    /// @throws path_failure for two outputs in one file, or "-" for a path; failure io for a path
    ///         that cannot be followed.
    explicit run_paths(const std::vector<output_path>& outputs);

    /// Declares inputs: paths of which each is read once, or "-" for standard input. A missing file
    /// is left to what opens it. A system call each, if there are outputs.
    /// @throws path_failure for one that is an output, and for standard input if it was declared
    ///         before; failure io for one that cannot be looked at.
    void read(const std::vector<std::string>& paths);
    void read(const std::string& path);

    /// Looks at the files that outputs would replace. The call comes last, as it is said best of an
    /// input that it is one.
    /// @throws path_failure for one of another kind; failure io for one that cannot be read.
    void check_kinds() const;

    /// Keeps the inputs that are declared from here on, for check_late_output() to know them.
    void keep_inputs() { m_keeps_inputs = true; }

    /// Declares the folder of `--state-dir`, in which no output goes.
    /// @throws path_failure for an output in it.
    void forbid_outputs_in(const std::string& state_folder);

    /// Declares that all outputs of check_late_output() are below a folder.
    /// @throws path_failure if that is in the folder of states.
    void expect_outputs_below(const output_path& folder);

    /// Checks an output whose path comes out during the run, and returns the fault as a message;
    /// empty if there is none. Several threads may call this.
    /// @throws failure io for a path that cannot be followed.
    [[nodiscard]] std::string check_late_output(const output_path& output) const;

private:
    using file_id = std::pair<dev_t, ino_t>;

    struct declared {
        output_path output;
        std::string resolved;      // from the root and without links
        std::optional<file_id> id; // of a regular file that is there and would be replaced
    };

    [[nodiscard]] static declared find(const output_path& output);
    [[nodiscard]] std::string fault_beside_others(const declared& output) const;
    [[nodiscard]] std::string fault_of_folder(const declared& output) const;

    std::vector<declared> m_outputs;
    std::string m_folder;       // of states, resolved; empty for none
    std::set<file_id> m_inputs; // those that are kept
    bool m_keeps_inputs = false;
    bool m_late_may_be_in_folder = false;
    bool m_reads_standard_input = false;
};

/// Whether `output`, the value of an option, may be the first file of a pattern that stands after
/// it, as in `-o captures/*`: a profile beside the files, before them in order and called as they
/// are.
[[nodiscard]] bool is_first_of_pattern(const std::string& output,
                                       const std::vector<std::string>& files);

} // namespace pprofdelta::tool
