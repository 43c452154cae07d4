// SPDX-License-Identifier: Apache-2.0
#include "batch/item_lists.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/failure.hpp"
#include "base/lists.hpp"
#include "base/names.hpp"
#include "base/value_text.hpp"
#include "files/captures.hpp"
#include "files/file.hpp"
#include "files/path_list.hpp"

namespace pprofdelta::tool {

namespace {

// Why it is none, as the end of a message; empty if it is one.
std::string fault_in_entry(std::string_view entry) {
    // A path would end at the NUL, and name another file.
    if (entry.find('\0') != std::string_view::npos) {
        return "it contains a NUL; entries that end with NUL need --null";
    }
    const std::size_t tab = entry.find('\t');
    if (tab == std::string_view::npos) {
        return "there is no TAB between a series and a path or URL";
    }
    const std::string_view series = entry.substr(0, tab);
    if (const std::string fault = fault_in_series_name(series); !fault.empty()) {
        return "the name of the series " + fault;
    }
    const std::string_view input = entry.substr(tab + 1);
    if (input.empty()) {
        return "there is no path or URL after the TAB";
    }
    if (input == "-") {
        return "standard input cannot be an item; to name a file like that, write ./-";
    }
    if (has_credentials(input)) {
        return "a URL must not have a user's name or a password; see --header-file";
    }
    return {};
}

[[noreturn]] void refuse(const std::string& name, const char* kind, std::size_t number,
                         const std::string& fault) {
    throw failure{exit_status::usage, name + kind + std::to_string(number) + ": " + fault};
}

} // namespace

void add_manifest(std::string text, const std::string& name, bool has_nul, batch_items& items) {
    std::string_view rest = items.keep(std::move(text));
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (!has_nul && rest.starts_with(byte_order_mark)) {
        rest.remove_prefix(byte_order_mark.size());
    }
    const auto add = [&](std::string_view entry, std::size_t number) {
        if (entry.empty() || (!has_nul && entry.starts_with('#'))) {
            return;
        }
        if (const std::string fault = fault_in_entry(entry); !fault.empty()) {
            refuse(name, has_nul ? ": entry " : ": line ", number, fault);
        }
        const std::size_t tab = entry.find('\t');
        items.add(entry.substr(0, tab), entry.substr(tab + 1));
    };
    if (has_nul) {
        for_each_part(rest, '\0', add);
    } else {
        for_each_line(rest, add);
    }
}

namespace {

using nlohmann::json;
using namespace std::string_view_literals;

// Targets with the same labels.
struct target_group {
    std::size_t number = 0; // in the list, from 1
    std::vector<std::string> targets{};
    std::map<std::string, std::string> labels{};
};

// A name in a message. It may be as long as the text.
std::string in_quotes(const std::string& name) {
    constexpr std::size_t width = 80;
    return '\'' + shortened(printable(name), width) + '\'';
}

bool is_unreserved(char c) { return is_in_word(c) || contains("-.~"sv, c); }

bool is_port(std::string_view text) { return number_in<std::uint16_t>(text).value_or(0) != 0; }

bool is_name_or_address(std::string_view host) {
    return !host.empty() &&
           std::ranges::all_of(host, [](char c) { return is_unreserved(c) && c != '~'; });
}

// Tells whether the text between brackets is an IPv6 address, which may have '%' and the name of an
// interface behind it.
bool is_address_of_version_6(std::string_view text) {
    const std::size_t zone = std::min(text.find('%'), text.size());
    const std::string_view address = text.substr(0, zone);
    const auto is_in_zone = [](char c) { return is_unreserved(c) || c == '%'; };
    return address.find(':') != std::string_view::npos &&
           address.find_first_not_of("0123456789abcdefABCDEF:.") == std::string_view::npos &&
           std::all_of(text.begin() + static_cast<std::ptrdiff_t>(zone), text.end(), is_in_zone);
}

// HOST, HOST:PORT, and the same with [ADDRESS] for version 6.
bool is_address(std::string_view text) {
    const bool is_in_brackets = text.starts_with('[');
    const std::string_view host =
        text.substr(0, is_in_brackets ? text.find(']') + 1 : text.find(':'));
    const std::string_view rest = text.substr(host.size());
    const bool is_host =
        is_in_brackets ? host.size() > 1 && is_address_of_version_6(host.substr(1, host.size() - 2))
                       : is_name_or_address(host);
    return is_host && (rest.empty() || (rest.front() == ':' && is_port(rest.substr(1))));
}

// Why a target makes no URL, as the end of a message; empty if it does.
std::string fault_in_target(const std::string& target) {
    if (is_address(target)) {
        return {};
    }
    if (target.find("://") != std::string::npos) {
        return "is a URL; a target is HOST:PORT, with its scheme in the label __scheme__";
    }
    if (target.find('/') != std::string::npos) {
        return "has a path; a target is HOST:PORT, with its path in the label __profile_path__";
    }
    if (target.find(':') != target.rfind(':') && target.find('[') == std::string::npos) {
        return "is not HOST:PORT; an IPv6 address needs brackets";
    }
    return "is not HOST:PORT";
}

// The part of a path that names the profile: "heap" of "/debug/pprof/heap?gc=1".
std::string_view last_component(std::string_view path) {
    path = path.substr(0, path.find('?'));
    return path.substr(path.rfind('/') + 1);
}

std::string fault_in_path(const std::string& path) {
    if (!path.starts_with('/')) {
        return "does not begin with a slash";
    }
    for (const char c : path) {
        if (!is_unreserved(c) && !contains("/?%!$&'()*+,;=:@"sv, c)) {
            return "has a character that must be percent-encoded in a URL";
        }
    }
    return last_component(path).empty() ? "does not end with the name of a profile" : "";
}

std::string as_parameter(std::string_view text) {
    std::string result;
    for (const char c : text) {
        constexpr std::string_view digits = "0123456789ABCDEF";
        const unsigned byte = static_cast<unsigned char>(c);
        result += is_unreserved(c) ? std::string{c}
                                   : std::string{'%', digits[byte / 16], digits[byte % 16]};
    }
    return result;
}

// All parameters, in the order of their names.
// @param path precedes them, and may have some.
std::string parameters_of(const target_group& group, const std::string& path) {
    const bool are_first = path.find('?') == std::string::npos;
    constexpr std::string_view prefix = "__param_";
    std::string result;
    for (const auto& [name, value] : group.labels) {
        // An empty label is none.
        if (name.starts_with(prefix) && name.size() > prefix.size() && !value.empty()) {
            result += result.empty() && are_first ? '?' : '&';
            result += as_parameter(name.substr(prefix.size())) + '=' + as_parameter(value);
        }
    }
    return result;
}

void require_path(const std::string& path) {
    if (const std::string fault = fault_in_path(path); !fault.empty()) {
        wrong_usage("--path: '" + path + "' " + fault);
    }
}

// Takes a list of targets in the form of Prometheus' file_sd apart group by group, so that there is
// no tree of the whole, but of the group at hand, and adds the URLs of each. It refuses what it
// does not know, as Prometheus does, and it refuses names that are there twice.
class target_reader {
public:
    target_reader(std::string_view text, const std::string& name, const target_plan& plan,
                  batch_items& items)
        : m_text{text}, m_name{name}, m_plan{plan}, m_items{items} {}

    void read() {
        // The parser would take it for the end, whatever follows.
        if (const std::size_t position = m_text.find('\0'); position != std::string_view::npos) {
            refuse_text(position);
        }
        try {
            [[maybe_unused]] const json rest =
                json::parse(m_text, [this](int depth, part what, const json& value) {
                    return take(depth, what, value);
                });
        } catch (const json::parse_error& fault) {
            refuse_text(std::min(fault.byte > 0 ? fault.byte - 1 : 0, m_text.size()));
        } catch (const json::out_of_range&) {
            refuse("it is not JSON: a number is too large");
        }
    }

private:
    using part = json::parse_event_t;

    // @param depth is 0 for the list, and 1 for a group.
    // @returns whether the parser is to keep the part.
    bool take(int depth, part what, const json& value) {
        if (depth == 0 && what != part::array_start && what != part::array_end) {
            refuse("it is not an array of groups of targets");
        }
        if (depth == 1 && what == part::object_end) {
            add_group();
            return false;
        }
        if (depth == 1) {
            m_group = {m_group.number + 1};
            m_members.clear();
            if (what != part::object_start) {
                refuse("group " + std::to_string(m_group.number) + " is not an object");
            }
        } else if (depth == 2) {
            take_member(what, value);
        } else if (depth == 3) {
            take_element(what, value);
        }
        return true;
    }

    // Takes a member of a group.
    void take_member(part what, const json& value) {
        if (what == part::key) {
            m_member = value.get<std::string>();
            if (m_member != "targets" && m_member != "labels") {
                refuse_group(in_quotes(m_member) + " is neither 'targets' nor 'labels'");
            }
            require_first(m_members.insert(m_member).second, m_member);
            return;
        }
        const bool has_targets = m_member == "targets";
        const part start = has_targets ? part::array_start : part::object_start;
        const part end = has_targets ? part::array_end : part::object_end;
        if (what != start && what != end && !value.is_null()) {
            refuse_group(has_targets ? "its targets are not an array"
                                     : "its labels are not an object");
        }
    }

    // Takes an element of the targets or the labels of a group.
    void take_element(part what, const json& value) {
        const bool is_target = m_member == "targets";
        if (what == part::key) {
            m_label = value.get<std::string>();
            require_first(m_group.labels.try_emplace(m_label).second, m_label);
        } else if (what != part::value || !value.is_string()) {
            refuse_group((is_target ? "target " + std::to_string(m_group.targets.size() + 1)
                                    : "the label " + in_quotes(m_label)) +
                         " is not a string");
        } else if (is_target) {
            m_group.targets.push_back(value.get<std::string>());
        } else {
            m_group.labels[m_label] = value.get<std::string>();
        }
    }

    // Other readers would take the last one, or the first one.
    void require_first(bool is_first, const std::string& name) const {
        if (!is_first) {
            refuse_group(in_quotes(name) + " appears twice");
        }
    }

    // @param position is that in the text of what no JSON can have there.
    [[noreturn]] void refuse_text(std::size_t position) const {
        const std::string_view before = m_text.substr(0, position);
        const auto lines = std::ranges::count(before, '\n');
        const std::size_t column = before.size() - (before.rfind('\n') + 1);
        refuse("line " + std::to_string(lines + 1) + ", column " + std::to_string(column + 1) +
               ": it is not JSON");
    }

    [[noreturn]] void refuse(const std::string& what) const {
        throw failure{exit_status::usage, m_name + ": " + what};
    }

    [[noreturn]] void refuse_group(const std::string& what) const {
        tool::refuse(m_name, ": group ", m_group.number, what);
    }

    // Adds the targets of the current group.
    void add_group() {
        const std::string scheme = label("__scheme__", "http");
        if (scheme != "http" && scheme != "https") {
            refuse_group("the label __scheme__ is '" + scheme + "', neither http nor https");
        }
        const std::string own_path = label("__profile_path__", "");
        if (const std::string fault = own_path.empty() ? "" : fault_in_path(own_path);
            !fault.empty()) {
            refuse_group("the label __profile_path__, '" + own_path + "', " + fault);
        }
        const label_texts& labels = m_items.keep(m_group.labels);
        std::size_t number = 0;
        for (const std::string& target : m_group.targets) {
            require_target(++number, target);
            const target_labels of_target{labels, m_items.keep(target)};
            const std::string start = series_start(target, of_target);
            for (const std::string& path :
                 own_path.empty() ? m_plan.paths : std::vector{own_path}) {
                std::string url{scheme};
                url.append("://").append(target).append(path).append(parameters_of(m_group, path));
                add_url(target, start + series_component(last_component(path)), url, of_target);
            }
        }
    }

    void require_target(std::size_t number, const std::string& target) const {
        if (target.find('@') != std::string::npos) { // and no message shows it
            refuse_group("target " + std::to_string(number) +
                         " must not have a user's name or a password; see --header-file");
        }
        if (const std::string fault = fault_in_target(target); !fault.empty()) {
            refuse_group("the target '" + target + "' " + fault);
        }
    }

    [[nodiscard]] std::string label(const char* name, const char* if_empty) const {
        const auto label = m_group.labels.find(name);
        return label == m_group.labels.end() || label->second.empty() ? if_empty : label->second;
    }

    // The name of a target's series up to that of the profile.
    [[nodiscard]] std::string series_start(const std::string& target,
                                           const target_labels& labels) const {
        std::string start;
        for (const std::string& each : m_plan.series) {
            std::string_view value = labels.value(each);
            if (value.empty() && each == "job") {
                value = "targets";
            }
            if (value.empty()) {
                std::string fault = "the target '";
                fault.append(target).append("' has no label '").append(each);
                refuse_group(fault.append("', which --series names"));
            }
            start += series_component(value) + '/';
        }
        return start;
    }

    void add_url(const std::string& target, const std::string& series, const std::string& url,
                 const target_labels& labels) {
        if (const std::string fault = fault_in_series_name(series); !fault.empty()) {
            refuse_group("the name of the series of '" + target + "' " + fault);
        }
        const series_items* const before = m_items.find(series);
        if (!before) {
            m_items.add(m_items.keep(series), m_items.keep(url));
            m_items.series_of(series).labels = labels;
        } else if (before->inputs.front() != url) {
            refuse_group(url + " would have the same series as " +
                         std::string{before->inputs.front()} +
                         "; use --series to name labels that differ");
        }
    }

    std::string_view m_text;
    const std::string& m_name;
    const target_plan& m_plan;
    batch_items& m_items;
    target_group m_group;
    std::set<std::string> m_members; // that the group has so far
    std::string m_member;            // the one at hand
    std::string m_label;
};

} // namespace

std::vector<std::string> parse_series_labels(const std::string& text) {
    std::vector<std::string> labels;
    for_each_part(text + '/', '/', [&](std::string_view label, std::size_t /*number*/) {
        if (label.empty()) {
            wrong_usage("--series '" + text +
                        "': expected names of labels separated by slashes, as in " +
                        default_series_labels);
        }
        labels.emplace_back(label);
    });
    return labels;
}

void add_targets(std::string_view list, const std::string& name, const target_plan& plan,
                 batch_items& items) {
    std::ranges::for_each(plan.paths, require_path);
    target_reader{list, name, plan, items}.read();
    if (items.size() == 0) {
        throw failure{exit_status::usage, name + ": it lists no target"};
    }
}

namespace {

namespace fs = std::filesystem;

// A folder, and what its series is called; empty for the root.
struct visited_folder {
    std::string path;
    std::string series;
};

struct content {
    std::vector<std::string> profiles; // paths
    std::vector<std::string> folders;  // names
};

// Nothing of a folder that may be gone and is.
content content_of(const std::string& folder, bool may_be_gone) {
    while (true) {
        const series_reader reader{folder};
        content inside;
        try {
            for (const series_file& each : entries_in(folder, nullptr)) {
                if (each.name.starts_with('.')) {
                    continue;
                }
                if (each.kind == entry_kind::folder) {
                    inside.folders.push_back(each.name);
                } else if (is_name_of_profile(each.name) && each.is_file()) {
                    inside.profiles.push_back(each.path);
                }
            }
        } catch (const failure&) {
            if (!may_be_gone || kind_of(folder) != entry_kind::none) {
                throw;
            }
        }
        if (!reader.is_overtaken()) {
            return inside;
        }
    }
}

// The name of the folder that `root` is, whatever path leads to it.
std::string name_of_root(const std::string& root) {
    std::error_code fault;
    const fs::path path = fs::canonical(root, fault);
    if (fault) {
        throw failure{exit_status::io, root + ": cannot find the folder: " + fault.message()};
    }
    return series_component(path.has_filename() ? path.filename().native() : path.native());
}

} // namespace

bool is_name_of_profile(std::string_view name) {
    for (const std::string_view ending : {".gz", ".zst"}) {
        if (name.ends_with(ending)) {
            name.remove_suffix(ending.size());
            break;
        }
    }
    constexpr std::array<std::string_view, 5> endings{".pb", ".pprof", ".prof", ".heap", ".otlp"};
    return std::ranges::any_of(endings,
                               [&](std::string_view ending) { return name.ends_with(ending); });
}

std::vector<std::string> profiles_in(const std::string& folder) {
    return content_of(folder, false).profiles;
}

void for_each_series(const std::string& root,
                     const std::function<void(const std::string&, const std::string&,
                                              const std::vector<std::string>&)>& use) {
    // Folders can lie deeper than a stack of calls goes.
    std::vector<visited_folder> to_do{{root, ""}};
    std::string of_root; // the name of the series that it is
    bool has_any = false;
    while (!to_do.empty()) {
        const visited_folder folder = std::move(to_do.back());
        to_do.pop_back();
        const bool is_root = folder.series.empty();
        // Collectors may remove old folders at the same time.
        const content inside = content_of(folder.path, !is_root);
        if (!inside.profiles.empty()) {
            const std::string name = is_root ? name_of_root(root) : folder.series;
            if (const std::string fault = fault_in_series_name(name); !fault.empty()) {
                throw failure{exit_status::usage,
                              folder.path + ": the name of its series " + fault};
            }
            if (name == of_root) {
                throw failure{exit_status::usage, folder.path + ": the name of its series, " +
                                                      name +
                                                      ", is also that of the profiles above it"};
            }
            of_root = is_root ? name : of_root;
            has_any = true;
            use(name, folder.path, inside.profiles);
        }
        for (auto name = inside.folders.rbegin(); name != inside.folders.rend(); ++name) {
            to_do.push_back({(fs::path{folder.path} / *name).native(),
                             folder.series + (is_root ? "" : "/") + series_component(*name)});
        }
    }
    if (!has_any) {
        throw failure{exit_status::usage,
                      root + ": there is no profile in this folder: no *.pb, *.pprof, *.prof, "
                             "*.heap or *.otlp, with or without .gz or .zst"};
    }
}

void add_tree(const std::string& root, batch_items& items) {
    for_each_series(root, [&](const std::string& name, const std::string&,
                              const std::vector<std::string>& profiles) {
        const std::string_view kept = items.keep(name);
        for (const std::string& profile : profiles) {
            items.add(kept, items.keep(profile));
        }
    });
}

namespace {

constexpr std::size_t largest_file = std::size_t{1} << 20U;

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }

// Tells whether a name is a token of RFC 9110.
bool is_token(std::string_view name) {
    return !name.empty() && std::ranges::all_of(name, [](char c) {
        return is_in_word(c) || contains("!#$%&'*+-.^`|~"sv, c);
    });
}

} // namespace

std::vector<std::string> read_header_file(const std::string& path) {
    const std::string text = read_file(path, largest_file);
    std::vector<std::string> headers;
    for_each_line(text, [&](std::string_view line, std::size_t number) {
        if (line.empty() || line.starts_with('#')) {
            return;
        }
        const std::size_t colon = line.find(':');
        const std::string_view header = line.substr(0, colon);
        const std::string_view value = trimmed(line.substr(colon + 1)); // npos + 1 is 0
        const char* const fault =
            colon == std::string_view::npos          ? "expected a header such as \"Name: value\""
            : !is_token(header)                      ? "not a header name"
            : value.empty()                          ? "the header has no value"
            : std::ranges::any_of(value, is_control) ? "the header has a control character"
                                                     : nullptr;
        if (fault != nullptr) {
            wrong_usage(display_name(path) + ": line " + std::to_string(number) + ": " + fault);
        }
        headers.push_back(std::string{header} + ": " + std::string{value});
    });
    return headers;
}

} // namespace pprofdelta::tool
