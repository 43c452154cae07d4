// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/merge.hpp>

#include "cli/options.hpp"
#include "output/paths.hpp"

namespace pprofdelta::tool {

/// Names and values of labels. A value that is empty is no label, as in Prometheus.
using label_texts = std::vector<std::pair<std::string_view, std::string_view>>;

/// The labels of a target, as Prometheus has them: those of its group, `__address__`, and
/// `instance`, which is the address if the group has none. Those that begin with "__" are for
/// making names and URLs of, and go no further.
///
/// A view: the group's labels and all texts must outlive it. It has no labels without a group.
class target_labels {
public:
    target_labels() = default;
    /// @param group has labels in the order of their names, and none empty.
    target_labels(const label_texts& group, std::string_view address)
        : m_group_labels{&group}, m_address{address} {}

    /// Whether there is a target.
    [[nodiscard]] bool are_known() const noexcept { return m_group_labels != nullptr; }
    /// Empty for one that is not there. O(log labels)
    [[nodiscard]] std::string_view value(std::string_view name) const noexcept;
    /// All, in any order.
    [[nodiscard]] label_texts all() const;
    /// Those that go with the target's profiles, in the order of their names.
    [[nodiscard]] label_texts shown() const;

private:
    const label_texts* m_group_labels = nullptr;
    std::string_view m_address;
};

/// The part of all series that one of several runs does. Each series is in exactly one of `count`
/// parts, the same one on every machine and in every version.
struct shard {
    std::uint64_t index = 0; ///< Less than `count`.
    std::uint64_t count = 1;

    [[nodiscard]] bool has(std::string_view series) const noexcept;
};

/// Returns the shard as users write it, such as "2/8"; empty for all series.
[[nodiscard]] std::string to_string(const shard& part);

/// The value of an environment variable, or nullptr, as from getenv(3).
using environment_lookup = std::function<const char*(const char* name)>;

/// "2/8" is the second of eight parts. "auto" takes what Slurm says to the tasks of an array
/// (SLURM_ARRAY_TASK_ID, _MIN, _MAX, _STEP and _COUNT), or Kubernetes to the pods of an indexed job
/// (JOB_COMPLETION_INDEX; JOB_COMPLETIONS is the user's to set).
/// @throws usage_failure, also if not each of the array's parts has a task.
/// @param value_of the environment, if it is not that of this program.
[[nodiscard]] shard parse_shard(const std::string& text,
                                const environment_lookup& value_of = std::getenv);

/// The sizes are in bytes. A file's name has up to 255 on most file systems, and outputs have
/// endings.
inline constexpr std::size_t max_component_size = 200;
inline constexpr std::size_t max_series_name_size = 1000;

/// Why `name` cannot be the name of a series, as the end of a message: "begins with a slash". Empty
/// if it can: if it is a path downwards from some folder, of components that neither are empty nor
/// begin with a point, in UTF-8 and without control characters. A name of this kind is the only one
/// for its path.
[[nodiscard]] std::string fault_in_series_name(std::string_view name);

/// `text` as one component of a name, other than that of any other text. Bytes that no component
/// may have become %XX, as do '/', '%' and a point at the start; the empty text is "%". It may be
/// too long.
[[nodiscard]] std::string series_component(std::string_view text);

/// The profiles of one series, in their order.
struct series_items {
    std::string_view name;
    std::vector<std::string_view> inputs{}; ///< Paths and URLs.
    target_labels labels{};                 ///< None if they are not those of a target.
};

/// The items of a run. Their strings lie in a few long texts, so many items take little memory.
class batch_items {
public:
    batch_items() = default;
    batch_items(batch_items&&) = default; // a copy would share the texts

    /// Keeps `text` as long as this lives, wherever this is moved to.
    /// @returns the place of the kept text.
    std::string_view keep(std::string text);

    /// The series `name`, which must be kept, or a new one. Takes time in proportion to the
    /// logarithm of the number of series, whatever their names.
    series_items& series_of(std::string_view name);

    /// Appends to the series `name`. The two must be kept.
    void add(std::string_view name, std::string_view input);

    /// Keeps labels of several targets, and their texts.
    const label_texts& keep(const std::map<std::string, std::string>& labels);

    /// The series in the order of their first inputs.
    [[nodiscard]] const std::vector<series_items>& series() const noexcept { return m_series; }

    /// The series `name`; nullptr if it has no input yet. Good until the next one is added.
    [[nodiscard]] const series_items* find(std::string_view name) const;

    /// The number of items.
    [[nodiscard]] std::size_t size() const noexcept { return m_size; }

    /// Drops the series of other shards; the texts stay.
    void keep_shard(const shard& part);

private:
    std::deque<std::string> m_texts; // which moves none of them when it grows
    std::deque<std::string> m_blocks;
    std::deque<label_texts> m_labels;
    std::vector<series_items> m_series;
    std::map<std::string_view, std::size_t> m_places; // in m_series
    std::size_t m_last = 0;                           // the series of the last item
    std::size_t m_size = 0;
};

/// The path that an input is which is no URL: "-" is a file of that name, not standard input.
[[nodiscard]] std::string path_of_input(std::string_view input);

/// A part of a template: a text with a placeholder behind it, or without one.
struct template_piece {
    std::string text{};
    std::string placeholder{};
};

/// The values of placeholders by name. A missing one is empty.
using placeholder_values = std::map<std::string, std::string, std::less<>>;

/// A command to run for each delta: `curl -fsS -T {file} 'https://host/{series}'`. There is no
/// shell: words are divided at blanks, but for what is in quotes or behind a backslash, as a shell
/// would, and a value is never more than a part of one word, whatever it has.
class command_template {
public:
    /// None.
    command_template() = default;
    /// @param has_labels whether other names in braces are those of labels. Other braces stand for
    ///                   themselves.
    /// @throws usage_failure for a text without a word, a quote that does not end, or another name
    ///         in braces.
    command_template(std::string_view text, bool has_labels);

    [[nodiscard]] bool is_empty() const noexcept { return m_words.empty(); }

    /// The words of the command for one delta.
    /// @throws failure io for a word that begins with a value that begins with '-': the command
    ///         would take it for an option.
    [[nodiscard]] std::vector<std::string> words(const placeholder_values& values) const;

private:
    [[nodiscard]] template_piece& open_piece();

    std::vector<std::vector<template_piece>> m_words;
};

/// The parts of a delta's path.
struct output_parts {
    std::string_view series; ///< A name without fault.
    std::int64_t time_nanos = 0;
    std::uint64_t number = 0;
    std::string_view type; ///< Any text.
    target_labels labels{};
};

/// The paths of deltas: `out/{series}/{time}.pb.gz`. Deltas of different series have different
/// paths, if their numbers and times are the same or not.
class output_template {
public:
    /// @param has_labels whether other words in braces are names of labels.
    /// @throws usage_failure for a text without {series}, without both of {time} and {n}, with
    ///         other braces, that names no file, that leads out of a folder again, or in which one
    ///         could not tell where a series' name ends.
    explicit output_template(const std::string& text, bool has_labels = false);

    [[nodiscard]] std::string path(const output_parts& parts) const;

    /// The folder that all paths are below: what comes before the first component with a
    /// placeholder, up to and with a slash. It may be empty.
    [[nodiscard]] const std::string& folder() const noexcept { return m_folder; }

    /// The names of labels that paths have values of.
    [[nodiscard]] std::vector<std::string> labels() const;

private:
    [[nodiscard]] bool has(std::string_view placeholder) const;
    [[nodiscard]] bool are_apart(std::size_t one, std::size_t other) const;
    void require_separated_series() const;

    std::vector<template_piece> m_pieces;
    std::string m_folder;
};

/// `nanos` since 1970 in UTC, as in 20261122T223412.123456789Z. The length is the same for all
/// times, which lie between 1677 and 2262, so that texts are in the order of times.
[[nodiscard]] std::string time_in_path(std::int64_t nanos);

/// The rule for how often a run waits for the disk.
enum class flush_rule : std::uint8_t {
    item,   ///< Files are synced for each item.
    series, ///< Files are synced for each series, and for a part of one with many items.
    group,  ///< Files are synced for some dozens of items of any series.
    none,   ///< Never: safe when the program is killed, not when the machine fails.
};

/// The command that takes each delta.
struct exec_options {
    command_template command; ///< Empty for none.
    double timeout_seconds = 60;
    unsigned retries = 2;
};

/// How all items are treated.
struct batch_plan {
    delta_options delta;
    trim_options trim;         ///< The part that deltas keep. Limits are judged before.
    bool add_labels = false;   ///< Those of targets to each sample.
    bool wants_totals = false; ///< The totals of each delta, for results.
    bool wants_rates = false;  ///< The rates of the functions of each delta, for metrics.
    output_template output{"{series}/{n}.pb.gz"};
    profile_output form;
    limit_options limits;
    exec_options exec;
    flush_rule flush = flush_rule::group;
    std::size_t group = 64; ///< The most items of a group.
    bool from_scratch = false;
    bool in_order_of_time = false; ///< The inputs of a series, rather than as they stand.
    read_options input;
    std::size_t max_fetched_size = max_profile_size; ///< The most bytes of a profile from a URL.
    std::size_t memory = std::size_t{1} << 30U;      ///< The memory that workers share.
    std::string run{};                ///< The start of the names of this run's journals.
    const run_paths* paths = nullptr; ///< The paths of the run, which deltas keep clear of.
};

} // namespace pprofdelta::tool
