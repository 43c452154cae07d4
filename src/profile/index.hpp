// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/value_type.hpp>

#include "base/hash128.hpp"
#include "base/key_table.hpp"
#include "profile/records.hpp"
#include "profile/view.hpp"
#include "wire/packed_numbers.hpp"

namespace pprofdelta {

/// The string table of one profile: the text of each string number, and its hash.
class string_index {
public:
    /// Replaces the content; memory is reused. `view` must outlive the index.
    void build(const profile_view& view);

    [[nodiscard]] std::size_t size() const noexcept { return m_hashes.size(); }

    /// The place of string `number` in the table, with the number's range checked.
    /// @param where the record that holds the number, for errors; empty for a header field.
    /// @throws error malformed
    [[nodiscard]] std::uint32_t check(std::uint64_t number, std::string_view where) const {
        if (number >= m_hashes.size()) {
            fail(number, where);
        }
        return static_cast<std::uint32_t>(number);
    }

    [[nodiscard]] std::string_view text(std::uint32_t index) const noexcept {
        return m_view->at(m_view->strings[index]);
    }
    [[nodiscard]] const hash128& hash(std::uint32_t index) const noexcept {
        return m_hashes[index];
    }

private:
    [[noreturn]] void fail(std::uint64_t number, std::string_view where) const;

    const profile_view* m_view = nullptr;
    std::vector<hash128> m_hashes;
};

/// The most that the types and units of a profile may have together, in bytes: more than anyone
/// reads, and little to copy.
inline constexpr std::size_t max_type_names_size = std::size_t{1} << 20U;

/// The types that a profile measures. Two profiles can be subtracted if they measure the same.
struct profile_types {
    std::vector<value_type> sample_types;
    /// The period's type; both strings are empty if the profile has none.
    value_type period_type;
    bool has_duration = false; ///< Whether all but gauges is of an interval of its own.

    [[nodiscard]] bool has_period_type() const { return period_type != value_type{}; }

    /// Replaces the content; memory is reused.
    /// @throws error malformed; too_large for more types than max_sample_types, or names with more
    ///         bytes than max_type_names_size.
    void read(const profile_view& view, const string_index& strings);

    /// @param reader names the reader that cannot tell types of one name apart.
    /// @throws error incompatible if several sample types are the same.
    void require_distinct(const char* reader) const;
};

/// "alloc_objects/count, alloc_space/bytes"; of very many the first ones.
[[nodiscard]] std::string to_string(const std::vector<value_type>& types);

/// @param asker how the message begins: whose pattern it is, with ": " behind it, or empty.
/// @throws error incompatible, always: no sample type is what `pattern` asks for.
[[noreturn]] void fail_no_match(const value_type_pattern& pattern,
                                const std::vector<value_type>& types,
                                const std::string& asker = {});

/// The places of the types that `pattern` asks for, at least one.
/// @throws error as fail_no_match() does.
[[nodiscard]] std::vector<std::size_t> matching_types(const value_type_pattern& pattern,
                                                      const std::vector<value_type>& types,
                                                      const std::string& asker = {});

/// @throws error incompatible, about both and with both named, unless the sample types are equal in
/// their
///         order, and the period types are equal or one is missing.
void require_same(const profile_types& previous, const profile_types& current);

/// The signs in a profile's mappings of the process that it was taken from: where the kernel has
/// put what it draws an address for, anew for each process.
///
/// Every profile that Go writes on Linux has the mapping [vdso], and so have the lists of mappings
/// of gperftools, tcmalloc and jemalloc. The program itself, if it is position independent, and the
/// dynamic linker say the same without it. Other libraries say nothing: they can be closed, and
/// opened again elsewhere.
struct process_sign {
    /// Addresses, with 0 for unknown and `several` where a profile has more than one. Those of the
    /// program and the linker are where their files would begin, as their mappings can begin
    /// anywhere in these.
    std::uint64_t vdso = 0;
    std::uint64_t program = 0;
    std::uint64_t linker = 0;
    /// The hash of the program's file name without its folder, as programs are started from a new
    /// one with each release; 0 if it is unknown.
    std::uint64_t program_name = 0;

    static constexpr std::uint64_t several = ~std::uint64_t{0};

    /// Takes the next mapping of a profile, of which the first one is that of the program.
    void add(std::string_view file, std::uint64_t start, std::uint64_t offset, bool is_first);

    /// A number that all profiles of a process have in common, and in all likelihood no others; 0
    /// if nothing is known. It tells no address.
    [[nodiscard]] std::uint64_t id() const;

    friend bool operator==(const process_sign&, const process_sign&) = default;
};

/// Whether a mapping of this file is one that process_sign looks at, wherever it stands.
[[nodiscard]] bool tells_process(std::string_view file);

/// The name of a mapping's file without its folder, on Linux or Windows, and without the note that
/// Linux appends where the file was replaced.
[[nodiscard]] std::string_view file_name_of(std::string_view file);

/// How the processes of two profiles are related.
enum class process_relation : std::uint8_t {
    unknown, ///< The addresses say nothing.
    same,    ///< One process, unless the kernel draws no addresses, as under a debugger.
    another, ///< Two processes, for certain.
};

[[nodiscard]] process_relation relation_of(const process_sign& before, const process_sign& now);

/// Whether the names of both programs are known and differ, so that neither process is a restart of
/// the other.
[[nodiscard]] bool are_other_programs(const process_sign& before, const process_sign& now);

/// Maps the ids of locations, functions or mappings to the places of their records in the profile.
/// Most producers number their records 1, 2, 3 …, which costs nothing here; any other 64-bit ids
/// work too. Memory depends on the number of ids only, never on their values.
class id_map {
public:
    static constexpr std::uint32_t npos = key_table::npos;

    /// Keeps the memory.
    void clear() noexcept;

    /// Gives `id`, which may be 0, the next place: 0 for the first id added.
    /// @returns false if the id was added before.
    [[nodiscard]] bool add(std::uint64_t id);

    /// The place of `id`, or npos. O(1).
    [[nodiscard]] std::uint32_t find(std::uint64_t id) const {
        if (id - 1 < m_sequential) {
            return static_cast<std::uint32_t>(id - 1);
        }
        return m_others.size() == 0 ? npos : find_other(id);
    }

    /// How many ids came first and in order; find(id) is id − 1 for 1 to this.
    [[nodiscard]] std::uint64_t sequential() const noexcept { return m_sequential; }

    [[nodiscard]] std::size_t size() const noexcept { return m_size; }

private:
    [[nodiscard]] std::uint32_t find_other(std::uint64_t id) const;

    std::uint32_t m_size = 0;
    std::uint64_t m_sequential = 0; // ids 1 to this one came first and in order
    key_table m_others;             // all that followed
};

/// The mappings of one profile, by place in its table.
class mapping_index {
public:
    struct mapping {
        /// Build id, or else file; size in whole pages of 4 KiB; file offset. This is
        /// google/pprof's rule (mappingKey in profile/merge.go). The start is left out, so ASLR
        /// does not matter.
        hash128 identity;
        std::uint64_t start = 0;
        std::uint64_t pages = 0;
        std::uint64_t offset = 0;
        std::uint64_t file_name = 0; ///< The hash of file_name_of() it; 0 for none, as the next.
        std::uint64_t build_id = 0;
        std::uint32_t file = 0;
    };

    /// Replaces the content; memory is reused.
    /// @throws error malformed for an id that is 0 or repeated, or a string that is out of range.
    void build(const profile_view& view, const string_index& strings);

    /// Gives mappings the identities that they had in an earlier profile of the same process. There
    /// a mapping is its place in memory, size and offset, whatever its build id and file are now:
    /// while a program runs, its file can be replaced, removed or renamed, and what a profile says
    /// of it changes. Another library that was loaded in the place of one that was closed is only
    /// seen if build id and file name are both known, and both are others.
    /// @returns whether any identity was changed, so that locations have to be built again.
    [[nodiscard]] bool identify_by(std::span<const mapping> earlier);

    [[nodiscard]] std::span<const mapping> all() const noexcept { return m_mappings; }
    /// The place of a mapping id, or id_map::npos.
    [[nodiscard]] std::uint32_t find(std::uint64_t id) const { return m_ids.find(id); }
    [[nodiscard]] const mapping& at(std::uint32_t place) const noexcept {
        return m_mappings[place];
    }
    /// The signs of the process that has the mappings.
    [[nodiscard]] const process_sign& process() const noexcept { return m_process; }

private:
    id_map m_ids;
    std::vector<mapping> m_mappings;
    process_sign m_process;
};

/// The functions of one profile, by place in its table.
class function_index {
public:
    struct function {
        hash128 identity; ///< Name, system name, file and start line.
        std::uint32_t name = 0;
        std::uint32_t file = 0;
    };

    /// Replaces the content; memory is reused.
    /// @throws error malformed for a repeated id, or a string that is out of range.
    void build(const profile_view& view, const string_index& strings);

    /// The place of a function id, or id_map::npos.
    [[nodiscard]] std::uint32_t find(std::uint64_t id) const { return m_ids.find(id); }
    [[nodiscard]] const function& at(std::uint32_t place) const noexcept {
        return m_functions[place];
    }

private:
    id_map m_ids;
    std::vector<function> m_functions;
};

/// The locations of one profile, by place in its table, each with two identities of its frame. The
/// first is equal in two profiles exactly if the frames are the same by the match_mode in use; the
/// second, if they are the same by match_mode::exact. They differ if samples are matched by less
/// than what is written of them.
///
/// Half of each identity is kept. A half is enough to distinguish the frames of a profile, and less
/// to hash.
class location_index {
public:
    /// Replaces the content; memory is reused.
    /// @throws error malformed for a repeated id, or a function that the profile does not have.
    void build(const profile_view& view, const string_index& strings, const mapping_index& mappings,
               const function_index& functions, match_mode match);

    /// The place of a location id, or id_map::npos.
    [[nodiscard]] std::uint32_t find(std::uint64_t id) const { return m_ids.find(id); }

    /// The identities by which samples are matched, by ordinal, which is a place plus 1.
    [[nodiscard]] const std::uint64_t* matched() const noexcept {
        return m_is_exact ? m_exact.data() : m_matched.data();
    }
    /// The identity that says whether two locations are written as one.
    [[nodiscard]] std::uint64_t exact(std::uint32_t place) const noexcept {
        return m_exact[place + 1];
    }
    [[nodiscard]] std::size_t size() const noexcept { return m_exact.size() - 1; }

    /// Whether any location is no frame, and whether one is: Go 1.27 fills the stacks of
    /// threadcreate with locations at the last address.
    [[nodiscard]] bool has_padding() const noexcept { return !m_is_padding.empty(); }
    [[nodiscard]] bool is_padding(std::uint32_t place) const noexcept {
        return place < m_is_padding.size() && m_is_padding[place];
    }

    /// The ordinals of packed ids, by decode_ordinals(). If ids are 1, 2, 3 … in order, they are
    /// the ordinals.
    /// @returns not_decoded for any other ids too.
    [[nodiscard]] std::size_t decode(std::string_view packed, const char* limit,
                                     std::uint32_t* out) const noexcept {
        return m_ids.sequential() == size() ? decode_ordinals(packed, limit, size(), out)
                                            : not_decoded;
    }

private:
    id_map m_ids;
    bool m_is_exact = true;                  // the identities are the same
    std::vector<std::uint64_t> m_exact{0};   // there is no ordinal 0
    std::vector<std::uint64_t> m_matched{0}; // unused if they are the same
    std::vector<bool> m_is_padding;          // by place, as far as any is
};

/// All that is known of one profile before its samples are read.
struct profile_index {
    profile_view view;
    string_index strings;
    profile_types types;
    mapping_index mappings;
    function_index functions;
    location_index locations;

    /// Replaces the content; memory is reused. `bytes` must outlive the use of the index.
    /// @throws error malformed, too_large.
    void build(std::string_view bytes, match_mode match) {
        build_types(bytes);
        build_places(match);
    }

    /// Builds what is needed to read values: there are no mappings, functions and locations.
    void build_types(std::string_view bytes) {
        view.parse(bytes);
        strings.build(view);
        types.read(view, strings);
    }

    /// Does the part of build() besides build_types(), which has to be called before.
    void build_places(match_mode match) {
        mappings.build(view, strings);
        functions.build(view, strings);
        locations.build(view, strings, mappings, functions, match);
    }

    /// Does the same as the next, if the signs say that the profile is of the process of these
    /// mappings.
    [[nodiscard]] bool identify_mappings_by(const process_sign& process,
                                            std::span<const mapping_index::mapping> earlier,
                                            match_mode match) {
        return relation_of(process, mappings.process()) == process_relation::same &&
               identify_mappings_by(earlier, match);
    }

    /// After build(), for a profile of the process that had these mappings; see mapping_index.
    /// @returns whether keys of samples that were made before are others now.
    [[nodiscard]] bool identify_mappings_by(std::span<const mapping_index::mapping> earlier,
                                            match_mode match) {
        const bool is_changed = mappings.identify_by(earlier);
        if (is_changed) {
            locations.build(view, strings, mappings, functions, match);
        }
        return is_changed;
    }

    /// Appends the ordinals of packed locations that `sample` names.
    /// @param ordinals grown as needed; the first `count` are there.
    /// @throws error malformed if the profile does not have one.
    void append_ordinals(std::string_view packed, std::string_view sample,
                         std::vector<std::uint32_t>& ordinals, std::size_t& count) const;

    /// The place of a location that `sample` names.
    /// @throws error malformed if the profile does not have it.
    [[nodiscard]] std::uint32_t location_place(std::uint64_t id, std::string_view sample) const {
        const std::uint32_t place = locations.find(id);
        if (place == id_map::npos) {
            fail_location(id, sample);
        }
        return place;
    }

    /// @throws error malformed unless `sample` has as many values as there are sample types.
    void require_value_count(std::size_t count, std::string_view sample) const {
        if (count != types.sample_types.size()) {
            fail_value_count(count, sample);
        }
    }

private:
    [[noreturn]] void fail_location(std::uint64_t id, std::string_view sample) const;
    [[noreturn]] void fail_value_count(std::size_t count, std::string_view sample) const;
};

/// Calls `visit(const label_record&)` for each label of a sample, all of whose strings are there.
/// @throws error malformed
template <typename Visit>
void for_each_label(const profile_index& index, std::string_view sample, Visit&& visit) {
    read_sample(
        sample, index.view.bytes().data(), ignore_unknown, ignore_unknown,
        [&](std::string_view bytes) {
            const auto label = index.view.read<label_record>(bytes);
            for (const std::uint64_t string : {label.key, label.text, label.unit}) {
                static_cast<void>(index.strings.check(string, bytes));
            }
            visit(label);
        },
        ignore_unknown);
}

} // namespace pprofdelta
