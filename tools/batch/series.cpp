// SPDX-License-Identifier: Apache-2.0
#include "batch/series.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <utility>

#include "base/failure.hpp"
#include "base/names.hpp"

namespace pprofdelta::tool {

namespace {

constexpr std::string_view address_label = "__address__";
constexpr std::string_view instance_label = "instance";

std::string_view find_label(const label_texts& labels, std::string_view name) noexcept {
    const auto place =
        std::lower_bound(labels.begin(), labels.end(), name,
                         [](const auto& label, std::string_view key) { return label.first < key; });
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
    const std::string_view found = find_label(*m_of_group, name);
    return found.empty() && name == instance_label ? m_address : found;
}

label_texts target_labels::all() const {
    label_texts labels;
    if (are_known()) {
        labels = *m_of_group;
        for (const std::string_view name : {address_label, instance_label}) {
            if (find_label(*m_of_group, name).empty()) {
                labels.emplace_back(name, m_address);
            }
        }
    }
    return labels;
}

label_texts target_labels::shown() const {
    label_texts labels;
    if (!are_known()) {
        return labels;
    }
    std::copy_if(m_of_group->begin(), m_of_group->end(), std::back_inserter(labels),
                 [](const auto& label) { return !label.first.starts_with("__"); });
    if (find_label(*m_of_group, instance_label).empty()) {
        const auto place = std::find_if(labels.begin(), labels.end(), [](const auto& label) {
            return label.first > instance_label;
        });
        labels.insert(place, {instance_label, m_address});
    }
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

std::optional<std::uint64_t> number_in(std::string_view text) {
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, fault] = std::from_chars(text.data(), end, number);
    return fault == std::errc{} && rest == end ? std::optional{number} : std::nullopt;
}

// The number in a variable; nothing if it is not set.
std::optional<std::uint64_t> number_of(const environment_lookup& value_of, const char* name) {
    const char* const text = value_of(name);
    if (!text) {
        return std::nullopt;
    }
    const auto number = number_in(text);
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
        const auto number = number_in(all.substr(0, slash));
        const auto count = number_in(all.substr(slash + 1));
        if (number && count && *number >= 1 && *number <= *count) {
            return {*number - 1, *count};
        }
    }
    wrong_usage("--shard: '" + text + "': expected a part of all, such as 2/8, or auto");
}

shard parse_shard(const std::string& text) {
    return parse_shard(text, [](const char* name) { return std::getenv(name); });
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
    for (std::size_t start = 0; start <= name.size();) {
        const std::size_t end = std::min(name.find('/', start), name.size());
        if (std::string fault = fault_in_component(name.substr(start, end - start));
            !fault.empty()) {
            return fault;
        }
        start = end + 1;
    }
    return fault_in_characters(name);
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
        m_series.push_back({name, {}});
    }
    m_last = place->second;
    return m_series[m_last];
}

void batch_items::add(std::string_view name, std::string_view input) {
    series_of(name).inputs.push_back(input);
    ++m_size;
}

void batch_items::add(std::string_view name, std::string_view input, const target_labels& labels) {
    add(name, input);
    m_series_labels.resize(m_series.size());
    m_series_labels[m_last] = labels;
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
    m_places.clear();
    m_last = 0;
    m_size = 0;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        if (!part.has(m_series[i].name)) {
            continue;
        }
        if (i != kept) {
            m_series[kept] = std::move(m_series[i]);
        }
        if (i < m_series_labels.size()) {
            m_series_labels[kept] = m_series_labels[i];
        }
        m_places.emplace(m_series[kept].name, kept);
        m_size += m_series[kept].inputs.size();
        ++kept;
    }
    m_series.resize(kept);
    m_series_labels.resize(std::min(kept, m_series_labels.size()));
}

std::string path_of_input(std::string_view input) {
    return input == "-" ? "./-" : std::string{input};
}

namespace {

[[noreturn]] void refuse_command(const std::string& what) { wrong_usage("--exec: " + what); }

// The name of a placeholder, if `text` begins with one in braces; else nothing.
std::string_view placeholder_at(std::string_view text) {
    constexpr std::string_view letters =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    if (!text.starts_with('{')) {
        return {};
    }
    const std::size_t end = std::min(text.find_first_not_of(letters, 1), text.size());
    const std::string_view name = text.substr(1, end - 1);
    const bool is_name = !name.empty() && (name.front() < '0' || name.front() > '9');
    return is_name && text.substr(end).starts_with('}') ? name : std::string_view{};
}

} // namespace

command_template::command_template(std::string_view text,
                                   const std::vector<std::string_view>& known,
                                   bool others_are_labels) {
    if (text.find('\0') != std::string_view::npos) {
        refuse_command("the command has a NUL");
    }
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
            if (!others_are_labels && std::find(known.begin(), known.end(), name) == known.end()) {
                refuse_command("'{" + std::string{name} +
                               "}' is not a placeholder; labels need --targets");
            }
            m_words.back().push_back({std::string{name}, true});
            text.remove_prefix(name.size() + 2);
        } else {
            text.remove_prefix(append_character(text, quote));
        }
    }
    if (quote != '\0') {
        refuse_command(std::string{"there is no closing "} + quote);
    }
    if (m_words.empty()) {
        refuse_command("there is no command");
    }
}

// @returns how much of the text it took, with a backslash before it.
std::size_t command_template::append_character(std::string_view text, char quote) {
    const bool is_escaped = text.front() == '\\' && quote != '\'' && text.size() > 1 &&
                            (quote == '\0' || text[1] == '"' || text[1] == '\\');
    std::vector<piece>& word = m_words.back();
    if (word.empty() || word.back().is_placeholder) {
        word.emplace_back();
    }
    word.back().text += text[is_escaped ? 1 : 0];
    return is_escaped ? 2 : 1;
}

std::vector<std::string> command_template::words(const placeholder_values& values) const {
    std::vector<std::string> all;
    for (const std::vector<piece>& each : m_words) {
        std::string word;
        for (const piece& part : each) {
            const auto value = values.find(part.text);
            if (!part.is_placeholder) {
                word += part.text;
            } else if (value != values.end()) {
                if (word.empty() && value->second.starts_with('-')) {
                    throw failure{exit_status::io,
                                  "--exec: {" + part.text +
                                      "} begins with '-', so the command would take it for an "
                                      "option; put some text before it"};
                }
                word += value->second;
            }
        }
        all.push_back(std::move(word));
    }
    return all;
}

namespace {

[[noreturn]] void refuse(const std::string& what) { wrong_usage("--output: " + what); }

// With zeros in front.
std::string digits(std::uint64_t number, std::size_t least) {
    std::string text = std::to_string(number);
    text.insert(0, least - std::min(least, text.size()), '0');
    return text;
}

// Files' names have up to 255 bytes, and the rest of the template needs some, too. What is longer
// comes from a strange profile or target, and must not stop its series.
std::string short_component(std::string_view value) {
    constexpr std::size_t longest = 64;
    std::string text = series_component(value);
    if (text.size() > longest) {
        std::size_t size = longest;
        while (is_continuation(text[size])) {
            --size;
        }
        text.resize(size);
    }
    return text;
}

// Above its fixed folder a template may lead anywhere; there the names of series have no part.
void require_paths_downwards(std::string_view text) {
    const std::size_t first = text.find('{');
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find('/', start), text.size());
        const std::string_view component = text.substr(start, end - start);
        if (end == text.size() && (component.empty() || component == "." || component == "..")) {
            refuse("the template names a folder");
        }
        if (component == ".." && start > first) {
            refuse("the template has '..' after a placeholder");
        }
        start = end + 1;
    }
}

} // namespace

std::string time_in_path(std::int64_t nanos) {
    constexpr std::int64_t a_second = 1'000'000'000;
    constexpr std::int64_t a_day = 86'400 * a_second;
    // Downwards, also before 1970. <chrono> would overflow for the first times of all.
    const std::int64_t rest = (nanos % a_day + a_day) % a_day;
    const std::int64_t days = nanos / a_day - (nanos % a_day < 0 ? 1 : 0);
    const std::chrono::year_month_day date{
        std::chrono::sys_days{std::chrono::days{static_cast<int>(days)}}};
    const auto part = [&](std::int64_t unit, std::int64_t most, std::size_t least) {
        return digits(static_cast<std::uint64_t>(rest / unit % most), least);
    };
    return digits(static_cast<std::uint64_t>(static_cast<int>(date.year())), 4) +
           digits(static_cast<unsigned>(date.month()), 2) +
           digits(static_cast<unsigned>(date.day()), 2) + 'T' + part(3600 * a_second, 24, 2) +
           part(60 * a_second, 60, 2) + part(a_second, 60, 2) + '.' + part(1, a_second, 9) + 'Z';
}

output_template::output_template(const std::string& text, bool has_labels) {
    constexpr std::size_t longest = 4096; // as paths have them
    if (text.size() > longest || text.find('\0') != std::string::npos) {
        refuse("the template is not a path");
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
        field next = field_called(name);
        const bool may_be_label =
            !name.empty() && name.find_first_of("{/") == std::string_view::npos;
        if (next == field::none && has_labels && may_be_label) {
            next = field::label;
            m_pieces.back().label = name;
        }
        if (next == field::none) {
            const std::size_t size = end == std::string_view::npos ? end : end - brace + 1;
            refuse("'" + std::string{rest.substr(brace, size)} +
                   "' is not one of {series}, {time}, {n} and {type}" +
                   (may_be_label ? "; labels need --targets" : ""));
        }
        m_pieces.back().next = next;
        rest.remove_prefix(end + 1);
    }
    require_fields();
    require_paths_downwards(text);
    require_separated_series();
    const std::string& start = m_pieces.front().text;
    m_folder = start.substr(0, start.rfind('/') + 1);
}

output_template::field output_template::field_called(std::string_view name) {
    return name == "series" ? field::series
           : name == "time" ? field::time
           : name == "n"    ? field::number
           : name == "type" ? field::type
                            : field::none;
}

bool output_template::has(field wanted) const {
    return std::any_of(m_pieces.begin(), m_pieces.end(),
                       [&](const piece& each) { return each.next == wanted; });
}

std::vector<std::string> output_template::labels() const {
    std::vector<std::string> names;
    for (const piece& each : m_pieces) {
        if (each.next == field::label) {
            names.push_back(each.label);
        }
    }
    return names;
}

void output_template::require_fields() const {
    if (!has(field::series)) {
        refuse("the template lacks {series}, so all series would share one path");
    }
    if (!has(field::time) && !has(field::number)) {
        refuse("the template lacks {time} and {n}, so all deltas of a series would share one path");
    }
}

// Whether the end of one can be told from the beginning of the other, of which one is a series. A
// number is digits only, and a type and a label have no slash; a time is as long as any other, and
// ends with a letter.
bool output_template::are_apart(std::size_t one, std::size_t other) const {
    const auto is_component = [this](std::size_t place) {
        return m_pieces[place].next == field::type || m_pieces[place].next == field::label;
    };
    const bool needs_slash = is_component(one) || is_component(other);
    for (std::size_t i = one + 1; i <= other; ++i) {
        const std::string& text = m_pieces[i].text;
        if (needs_slash ? text.find('/') != std::string::npos
                        : text.find_first_not_of("0123456789") != std::string::npos ||
                              (i < other && m_pieces[i].next == field::time)) {
            return true;
        }
    }
    return false;
}

// Otherwise two series could overwrite each other's deltas.
void output_template::require_separated_series() const {
    for (std::size_t i = 0; i < m_pieces.size(); ++i) {
        for (std::size_t j = i + 1; j < m_pieces.size(); ++j) {
            const field one = m_pieces[i].next;
            const field other = m_pieces[j].next;
            const auto is_pair = [&](field wanted) {
                return (one == field::series && other == wanted) ||
                       (one == wanted && other == field::series);
            };
            if (is_pair(field::number) && !are_apart(i, j)) {
                refuse("the template needs more than digits between {series} and {n}");
            }
            if (is_pair(field::type) && !are_apart(i, j)) {
                refuse("the template needs a slash between {series} and {type}");
            }
            if (is_pair(field::label) && !are_apart(i, j)) {
                refuse("the template needs a slash between {series} and a label");
            }
        }
    }
}

std::string output_template::path(const output_parts& parts) const {
    std::string result;
    for (const piece& each : m_pieces) {
        result += each.text;
        switch (each.next) {
        case field::none:
            break;
        case field::series:
            result += parts.series;
            break;
        case field::time:
            result += time_in_path(parts.time_nanos);
            break;
        case field::number:
            result += digits(parts.number, 6);
            break;
        case field::type:
            result += short_component(parts.type);
            break;
        case field::label:
            result += short_component(parts.labels.value(each.label));
            break;
        }
    }
    return result;
}

} // namespace pprofdelta::tool
