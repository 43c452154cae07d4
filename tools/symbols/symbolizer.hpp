// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_SYMBOLS_SYMBOLIZER_HPP
#define PPROFDELTA_TOOLS_SYMBOLS_SYMBOLIZER_HPP

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/symbolize.hpp>

#include "symbols/binary.hpp"

namespace pprofdelta::tool {

/// The name that google/pprof shows by default for a function that the linker calls `symbol`: of
/// one of C++ without return type, parameters and template arguments, such as "ns::list::insert"
/// for
/// "_ZN2ns4listIiE6insertEi"; else the name itself.
[[nodiscard]] std::string demangled(const std::string& symbol);

/// A name in the form of C++'s ABI that is demangled already, in full, made as short.
[[nodiscard]] std::string simplified(const std::string& full_name);

/// Finds binaries by what mappings say of them, and names in these. Each mapping is looked for
/// once, and each place in it.
class symbolizer {
public:
    /// @param path folders and files, with colons in between, where binaries and debugging
    ///             information are looked for before they are where the profile says.
    /// @param trimmed folders that source files get no beginning of, with colons in between.
    symbolizer(const std::string& path, const std::string& trimmed);

    /// What add_names() asks for. No fault of a binary is an error: what cannot be named has no
    /// frames.
    [[nodiscard]] std::vector<code_frame> frames(const code_place& place);

    /// Says on standard error of which mappings nothing could be named, and why: one line for each.
    void warn() const;

private:
    struct mapped_file {
        std::string name;
        std::string fault;             // why there is no binary
        std::unique_ptr<binary> code;  // nullptr if there is none to be used
        std::unique_ptr<binary> debug; // nullptr unless split off
        std::map<std::uint64_t, std::vector<code_frame>> known; // by offset
        bool has_names = false;
    };
    // A file that may be the one.
    struct candidate {
        std::string path;
        bool needs_build_id; // as it has another name, or none
    };

    mapped_file& find(const code_place& place);
    void open(mapped_file& file, const std::string& path, const std::string& build_id) const;
    [[nodiscard]] std::vector<candidate> candidates(const std::string& path,
                                                    const std::string& build_id) const;
    [[nodiscard]] std::unique_ptr<binary> split_debug_info(const std::string& path,
                                                           const binary& of) const;
    [[nodiscard]] std::vector<std::string> by_build_id(const std::string& build_id) const;
    void find_shared(binary& of) const;
    std::vector<code_frame> look_up(mapped_file& file, std::uint64_t offset);
    const std::string& readable(const std::string& symbol);

    [[nodiscard]] std::string trimmed(std::string file) const;

    std::vector<std::string> m_path;
    std::vector<std::string> m_trimmed; // each with a slash at the end
    std::map<std::pair<std::string, std::string>, mapped_file> m_files; // by path and build id
    std::map<std::string, std::string> m_readable;                      // by symbol
};

/// Copies of profiles whose frames have the names that binaries have for them.
/// @param is_quiet whether nothing is said of those that have none.
[[nodiscard]] std::vector<std::string>
named_by_binaries(const std::vector<std::string_view>& profiles, const std::string& path,
                  const std::string& trimmed, bool is_quiet);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_SYMBOLS_SYMBOLIZER_HPP
