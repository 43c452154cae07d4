// SPDX-License-Identifier: Apache-2.0
#include "batch/series.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "base/failure.hpp"
#include "base/lists.hpp"
#include "base/names.hpp"
#include "base/value_text.hpp"

namespace pprofdelta::tool {

namespace {

constexpr std::string_view address_label = "__address__";
constexpr std::string_view instance_label = "instance";

std::string_view find_label(const label_texts& labels, std::string_view name) noexcept {
    const auto place = std::ranges::lower_bound(labels, name, {}, &label_texts::value_type::first);
    return place != labels.end() && place->first == name ? place->second : std::string_view{};
}

} // namespace

std::string_view target_labels::value(std::string_view name) const noexcept {
    if (!are_known()) {
        return {};
    }
    if (name == address_label) {
        return m_address;
    }
    const std::string_view found = find_label(*m_group_labels, name);
    return found.empty() && name == instance_label ? m_address : found;
}

label_texts target_labels::all() const {
    label_texts labels;
    if (are_known()) {
        labels = *m_group_labels;
        for (const std::string_view name : {address_label, instance_label}) {
            if (find_label(*m_group_labels, name).empty()) {
                labels.emplace_back(name, m_address);
            }
        }
    }
    return labels;
}

label_texts target_labels::shown() const {
    label_texts labels = all();
    std::erase_if(labels, [](const auto& label) { return label.first.starts_with("__"); });
    std::ranges::sort(labels);
    return labels;
}

namespace {

// FNV-1a, whose last bytes reach few bits, and the last steps of SplitMix64, which spread them.
std::uint64_t hash_of(std::string_view text) noexcept {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    }
    hash = (hash ^ hash >> 30U) * 0xbf58476d1ce4e5b9;
    hash = (hash ^ hash >> 27U) * 0x94d049bb133111eb;
    return hash ^ hash >> 31U;
}

// The number in a variable; nothing if it is not set.
std::optional<std::uint64_t> number_of(const environment_lookup& value_of, const char* name) {
    const char* const text = value_of(name);
    if (!text) {
        return std::nullopt;
    }
    const auto number = number_in<std::uint64_t>(text);
    if (!number) {
        wrong_usage("--shard auto: " + std::string{name} + " is '" + text +
                    "', which is not a number");
    }
    return number;
}

// The tasks of an array have the numbers from MIN to MAX, by STEP. Those of a list such as 1,3,7
// have no such order, from which a task could tell how many come before it.
shard of_slurm(const environment_lookup& value_of, std::uint64_t id) {
    const auto first = number_of(value_of, "SLURM_ARRAY_TASK_MIN");
    const auto last = number_of(value_of, "SLURM_ARRAY_TASK_MAX");
    const auto count = number_of(value_of, "SLURM_ARRAY_TASK_COUNT");
    const std::uint64_t step = number_of(value_of, "SLURM_ARRAY_TASK_STEP").value_or(1);
    if (!first || !count) {
        wrong_usage("--shard auto: SLURM_ARRAY_TASK_ID is set, but SLURM_ARRAY_TASK_MIN or "
                    "SLURM_ARRAY_TASK_COUNT is not");
    }
    const bool is_even = *count > 0 && step > 0 && id >= *first && (id - *first) % step == 0 &&
                         (id - *first) / step < *count &&
                         (!last || (*last >= *first && (*last - *first) / step == *count - 1));
    if (!is_even) {
        wrong_usage("--shard auto: the tasks of the Slurm array are not numbered evenly");
    }
    return {(id - *first) / step, *count};
}

shard of_kubernetes(const environment_lookup& value_of, std::uint64_t index) {
    const auto count = number_of(value_of, "JOB_COMPLETIONS");
    if (!count) {
        wrong_usage("--shard auto: JOB_COMPLETION_INDEX is set, but JOB_COMPLETIONS is not; set it "
                    "to the number of completions");
    }
    if (index >= *count) {
        wrong_usage("--shard auto: JOB_COMPLETION_INDEX is " + std::to_string(index) +
                    ", but JOB_COMPLETIONS is only " + std::to_string(*count));
    }
    return {index, *count};
}

shard of_environment(const environment_lookup& value_of) {
    const auto task = number_of(value_of, "SLURM_ARRAY_TASK_ID");
    const auto pod = number_of(value_of, "JOB_COMPLETION_INDEX");
    if (task && pod) {
        wrong_usage("--shard auto: both SLURM_ARRAY_TASK_ID and JOB_COMPLETION_INDEX are set");
    }
    if (!task && !pod) {
        wrong_usage("--shard auto: neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set");
    }
    return task ? of_slurm(value_of, *task) : of_kubernetes(value_of, *pod);
}

} // namespace

bool shard::has(std::string_view series) const noexcept {
    return count < 2 || hash_of(series) % count == index;
}

std::string to_string(const shard& part) {
    return part.count < 2 ? "" : std::to_string(part.index + 1) + "/" + std::to_string(part.count);
}

shard parse_shard(const std::string& text, const environment_lookup& value_of) {
    if (text == "auto") {
        return of_environment(value_of);
    }
    const std::size_t slash = text.find('/');
    if (slash != std::string::npos) {
        const std::string_view all = text;
        const auto number = number_in<std::uint64_t>(all.substr(0, slash));
        const auto count = number_in<std::uint64_t>(all.substr(slash + 1));
        if (number && count && *number >= 1 && *number <= *count) {
            return {*number - 1, *count};
        }
    }
    wrong_usage("--shard: '" + text + "': expected a part of all, such as 2/8, or auto");
}

namespace {

std::string fault_in_characters(std::string_view name) {
    while (!name.empty()) {
        const auto [size, code] = first_character(name);
        if (size == 0) {
            return "is not UTF-8";
        }
        if (!is_shown(code)) {
            return "has the control character U+" + hexadecimal(code, 4);
        }
        name.remove_prefix(size);
    }
    return {};
}

std::string fault_in_component(std::string_view component) {
    if (component.empty()) {
        return "has an empty component";
    }
    if (component.starts_with('.')) {
        return "has a component that begins with a dot";
    }
    if (component.size() > max_component_size) {
        return "has a component of more than " + std::to_string(max_component_size) + " bytes";
    }
    return {};
}

} // namespace

std::string fault_in_series_name(std::string_view name) {
    if (name.empty()) {
        return "is empty";
    }
    if (name.size() > max_series_name_size) {
        return "has more than " + std::to_string(max_series_name_size) + " bytes";
    }
    if (name.starts_with('/')) {
        return "begins with a slash";
    }
    if (name.ends_with('/')) {
        return "ends with a slash";
    }
    std::string fault;
    for_each_part(name, '/', [&fault](std::string_view component, std::size_t) {
        fault = fault.empty() ? fault_in_component(component) : fault;
    });
    return fault.empty() ? fault_in_characters(name) : fault;
}

std::string series_component(std::string_view text) {
    if (text.empty()) {
        return "%";
    }
    std::string result;
    for (bool is_start = true; !text.empty(); is_start = false) {
        const auto [size, code] = first_character(text);
        const std::string_view bytes = text.substr(0, std::max<std::size_t>(size, 1));
        if (size != 0 && is_shown(code) && code != '/' && code != '%' &&
            (code != '.' || !is_start)) {
            result += bytes;
        } else {
            for (const char byte : bytes) {
                result += '%' + hexadecimal(static_cast<unsigned char>(byte), 2);
            }
        }
        text.remove_prefix(bytes.size());
    }
    return result;
}

namespace {

// Short texts share a block, as each in memory of its own would take twice what it has.
constexpr std::size_t block_size = std::size_t{64} << 10U;
constexpr std::size_t short_size = 4096;

} // namespace

std::string_view batch_items::keep(std::string text) {
    if (text.size() > short_size) {
        return m_texts.emplace_back(std::move(text));
    }
    if (m_blocks.empty() || m_blocks.back().capacity() - m_blocks.back().size() < text.size()) {
        m_blocks.emplace_back().reserve(block_size);
    }
    std::string& block = m_blocks.back();
    const std::size_t start = block.size();
    block += text;
    return std::string_view{block}.substr(start);
}

series_items& batch_items::series_of(std::string_view name) {
    // Lists mostly have the items of a series one after the other.
    if (m_last < m_series.size() && m_series[m_last].name == name) {
        return m_series[m_last];
    }
    const auto [place, is_new] = m_places.try_emplace(name, m_series.size());
    if (is_new) {
        m_series.push_back({name});
    }
    m_last = place->second;
    return m_series[m_last];
}

void batch_items::add(std::string_view name, std::string_view input) {
    series_of(name).inputs.push_back(input);
    ++m_size;
}

const label_texts& batch_items::keep(const std::map<std::string, std::string>& labels) {
    label_texts& kept = m_labels.emplace_back();
    for (const auto& [name, value] : labels) {
        if (!value.empty()) {
            kept.emplace_back(keep(name), keep(value));
        }
    }
    return kept;
}

const series_items* batch_items::find(std::string_view name) const {
    const auto place = m_places.find(name);
    return place == m_places.end() ? nullptr : &m_series[place->second];
}

void batch_items::keep_shard(const shard& part) {
    std::erase_if(m_series, [&part](const series_items& each) { return !part.has(each.name); });
    m_places.clear();
    m_last = 0;
    m_size = 0;
    for (const series_items& each : m_series) {
        m_places.emplace(each.name, m_places.size());
        m_size += each.inputs.size();
    }
}

std::string path_of_input(std::string_view input) {
    return input == "-" ? "./-" : std::string{input};
}

namespace {

// The placeholders of a command that describe a delta.
constexpr std::array<std::string_view, 8> command_values{"file",   "from", "id",   "n",
                                                         "series", "time", "type", "until"};

[[noreturn]] void refuse_command(const std::string& what) { wrong_usage("--exec: " + what); }

// The name of a placeholder, if `text` begins with one in braces; else nothing.
std::string_view placeholder_at(std::string_view text) {
    const std::size_t end = text.find('}');
    if (!text.starts_with('{') || end == std::string_view::npos) {
        return {};
    }
    const std::string_view name = text.substr(1, end - 1);
    const bool is_name = !name.empty() && (name.front() < '0' || name.front() > '9') &&
                         std::ranges::all_of(name, is_in_word);
    return is_name ? name : std::string_view{};
}

} // namespace

command_template::command_template(std::string_view text, bool has_labels) {
    char quote = '\0';
    bool is_in_word = false;
    while (!text.empty()) {
        const char c = text.front();
        if (quote == '\0' && std::string_view{" \t\n\r"}.find(c) != std::string_view::npos) {
            is_in_word = false;
            text.remove_prefix(1);
            continue;
        }
        if (!std::exchange(is_in_word, true)) {
            m_words.emplace_back();
        }
        if (quote == '\0' ? c == '\'' || c == '"' : c == quote) {
            quote = quote == '\0' ? c : '\0';
            text.remove_prefix(1);
        } else if (const std::string_view name = placeholder_at(text); !name.empty()) {
            if (!has_labels && !contains(command_values, name)) {
                refuse_command("'{" + std::string{name} +
                               "}' is not a placeholder; labels need --targets");
            }
            open_piece().placeholder = name;
            text.remove_prefix(name.size() + 2);
        } else { // a character, which may have a backslash before it
            const bool is_escaped = c == '\\' && quote != '\'' && text.size() > 1 &&
                                    (quote == '\0' || text[1] == '"' || text[1] == '\\');
            open_piece().text += text[is_escaped ? 1 : 0];
            text.remove_prefix(is_escaped ? 2 : 1);
        }
    }
    if (quote != '\0') {
        refuse_command(std::string{"there is no closing "} + quote);
    }
    if (m_words.empty()) {
        refuse_command("there is no command");
    }
}

// The last piece of the last word, which has no placeholder yet.
template_piece& command_template::open_piece() {
    std::vector<template_piece>& word = m_words.back();
    return word.empty() || !word.back().placeholder.empty() ? word.emplace_back() : word.back();
}

std::vector<std::string> command_template::words(const placeholder_values& values) const {
    std::vector<std::string> all;
    for (const std::vector<template_piece>& each : m_words) {
        std::string word;
        for (const auto& [text, placeholder] : each) {
            word += text;
            const auto value = placeholder.empty() ? values.end() : values.find(placeholder);
            if (value == values.end()) {
                continue;
            }
            if (word.empty() && value->second.starts_with('-')) {
                throw failure{exit_status::io,
                              "--exec: {" + placeholder +
                                  "} begins with '-', so the command would take it for an option; "
                                  "put some text before it"};
            }
            word += value->second;
        }
        all.push_back(std::move(word));
    }
    return all;
}

namespace {

[[noreturn]] void refuse_template(const std::string& what) { wrong_usage("--output: " + what); }

// The number has zeros in front.
std::string digits(std::uint64_t number, std::size_t least) {
    std::string text = std::to_string(number);
    text.insert(0, least - std::min(least, text.size()), '0');
    return text;
}

// Files' names have up to 255 bytes, and the rest of the template needs some, too. A longer one
// comes from a strange profile or target, and must not stop its series.
std::string short_component(std::string_view value) {
    constexpr std::size_t longest = 64;
    return std::string{start_of(series_component(value), longest)};
}

// Whether it stands for something of the delta itself. Any other name is that of a label.
bool is_field(std::string_view placeholder) {
    return placeholder == "series" || placeholder == "time" || placeholder == "n" ||
           placeholder == "type";
}

// A template may lead anywhere above its fixed folder; there the names of series have no part.
void require_paths_downwards(std::string_view text) {
    const std::size_t first = text.find('{');
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find('/', start), text.size());
        const std::string_view component = text.substr(start, end - start);
        if (end == text.size() && (component.empty() || component == "." || component == "..")) {
            refuse_template("the template names a folder");
        }
        if (component == ".." && start > first) {
            refuse_template("the template has '..' after a placeholder");
        }
        start = end + 1;
    }
}

} // namespace

std::string time_in_path(std::int64_t nanos) {
    // Downwards, also before 1970.
    const std::int64_t rest = (nanos % nanos_per_second + nanos_per_second) % nanos_per_second;
    const std::int64_t seconds = nanos / nanos_per_second - (nanos % nanos_per_second < 0 ? 1 : 0);
    return utc_text(seconds, "%Y%m%dT%H%M%S.") + digits(static_cast<std::uint64_t>(rest), 9) + 'Z';
}

output_template::output_template(const std::string& text, bool has_labels) {
    constexpr std::size_t longest = 4096; // as paths have them
    if (text.size() > longest || text.find('\0') != std::string::npos) {
        refuse_template("the template is not a path");
    }
    std::string_view rest = text;
    for (;;) {
        const std::size_t brace = rest.find_first_of("{}");
        m_pieces.push_back({std::string{rest.substr(0, brace)}});
        if (brace == std::string_view::npos) {
            break;
        }
        const std::size_t end = rest.find('}', brace);
        const std::string_view name = end == brace || end == std::string_view::npos
                                          ? std::string_view{}
                                          : rest.substr(brace + 1, end - brace - 1);
        const bool may_be_label =
            !name.empty() && name.find_first_of("{/") == std::string_view::npos;
        if (!is_field(name) && !(has_labels && may_be_label)) {
            const std::size_t size = end == std::string_view::npos ? end : end - brace + 1;
            refuse_template("'" + std::string{rest.substr(brace, size)} +
                            "' is not one of {series}, {time}, {n} and {type}" +
                            (may_be_label ? "; labels need --targets" : ""));
        }
        m_pieces.back().placeholder = name;
        rest.remove_prefix(end + 1);
    }
    if (!has("series")) {
        refuse_template("the template lacks {series}, so all series would share one path");
    }
    if (!has("time") && !has("n")) {
        refuse_template(
            "the template lacks {time} and {n}, so all deltas of a series would share one path");
    }
    require_paths_downwards(text);
    require_separated_series();
    const std::string& start = m_pieces.front().text;
    m_folder = start.substr(0, start.rfind('/') + 1);
}

bool output_template::has(std::string_view placeholder) const {
    return std::ranges::find(m_pieces, placeholder, &template_piece::placeholder) != m_pieces.end();
}

std::vector<std::string> output_template::labels() const {
    std::vector<std::string> names;
    for (const template_piece& each : m_pieces) {
        if (!each.placeholder.empty() && !is_field(each.placeholder)) {
            names.push_back(each.placeholder);
        }
    }
    return names;
}

// Whether the end of one can be told from the beginning of the other, of which one is a series. A
// number is digits only, and a type and a label have no slash; a time is as long as any other, and
// ends with a letter.
bool output_template::are_apart(std::size_t one, std::size_t other) const {
    const auto is_series_or_number = [this](std::size_t place) {
        return m_pieces[place].placeholder == "series" || m_pieces[place].placeholder == "n";
    };
    const bool needs_slash = !is_series_or_number(one) || !is_series_or_number(other);
    for (std::size_t i = one + 1; i <= other; ++i) {
        const std::string& text = m_pieces[i].text;
        if (needs_slash ? text.find('/') != std::string::npos
                        : text.find_first_not_of("0123456789") != std::string::npos ||
                              (i < other && m_pieces[i].placeholder == "time")) {
            return true;
        }
    }
    return false;
}

// Otherwise two series could overwrite each other's deltas.
void output_template::require_separated_series() const {
    for (std::size_t i = 0; i < m_pieces.size(); ++i) {
        for (std::size_t j = i + 1; j < m_pieces.size(); ++j) {
            const bool is_first = m_pieces[i].placeholder == "series";
            const std::string& other = m_pieces[is_first ? j : i].placeholder;
            if ((!is_first && m_pieces[j].placeholder != "series") || other.empty() ||
                other == "series" || other == "time" || are_apart(i, j)) {
                continue;
            }
            if (other == "n") {
                refuse_template("the template needs more than digits between {series} and {n}");
            }
            refuse_template("the template needs a slash between {series} and " +
                            std::string{other == "type" ? "{type}" : "a label"});
        }
    }
}

std::string output_template::path(const output_parts& parts) const {
    std::string result;
    for (const template_piece& each : m_pieces) {
        const std::string& name = each.placeholder;
        result += each.text;
        if (name == "series") {
            result += parts.series;
        } else if (name == "time") {
            result += time_in_path(parts.time_nanos);
        } else if (name == "n") {
            result += digits(parts.number, 6);
        } else if (name == "type") {
            result += short_component(parts.type);
        } else if (!name.empty()) {
            result += short_component(parts.labels.value(name));
        }
    }
    return result;
}

} // namespace pprofdelta::tool
