// SPDX-License-Identifier: Apache-2.0
#include "batch/plan/targets.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>
#include <utility>

#include "base/failure.hpp"
#include "base/lines.hpp"
#include "batch/plan/series_name.hpp"
#include "batch/plan/target_groups.hpp"

namespace pprofdelta::tool {

namespace {

constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view decimal = "0123456789";

bool is_one_of(char c, std::string_view characters) {
    return characters.find(c) != std::string_view::npos;
}

bool is_unreserved(char c) {
    return is_one_of(c, letters) || is_one_of(c, decimal) || is_one_of(c, "-._~");
}

bool is_port(std::string_view text) {
    unsigned port = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, fault] = std::from_chars(text.data(), end, port);
    return fault == std::errc{} && rest == end && port > 0 && port <= 65535;
}

bool is_name_or_address(std::string_view host) {
    return !host.empty() && std::all_of(host.begin(), host.end(),
                                        [](char c) { return is_unreserved(c) && c != '~'; });
}

// What is in brackets, with the name of an interface behind '%' if there is one.
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
    std::size_t size = text.find(':');
    bool is_host = is_name_or_address(text.substr(0, size));
    if (text.starts_with('[')) {
        size = text.find(']');
        is_host =
            size != std::string_view::npos && is_address_of_version_6(text.substr(1, size - 1));
        size = size == std::string_view::npos || size + 1 == text.size() ? std::string_view::npos
                                                                         : size + 1;
    }
    return is_host && (size == std::string_view::npos ||
                       (text[size] == ':' && is_port(text.substr(size + 1))));
}

// Why a target makes no URL, as the end of a message; empty if it does.
std::string fault_in_target(const std::string& target) {
    if (is_address(target)) {
        return {};
    }
    if (target.find("://") != std::string::npos) {
        return "is a URL; a target is HOST:PORT, and its scheme the label __scheme__";
    }
    if (target.find('/') != std::string::npos) {
        return "has a path; a target is HOST:PORT, and its path the label __profile_path__";
    }
    if (target.find(':') != target.rfind(':') && target.find('[') == std::string::npos) {
        return "is not HOST:PORT; an address of IP version 6 needs brackets";
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
        if (!is_unreserved(c) && !is_one_of(c, "/?%!$&'()*+,;=:@")) {
            return "has a character that a URL has as %XX";
        }
    }
    return last_component(path).empty() ? "has no name of a profile at its end" : "";
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
std::string parameters_of(const target_group& group, bool are_first) {
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

class target_reader {
public:
    target_reader(const std::string& name, const target_plan& plan, batch_items& items)
        : m_name{name}, m_plan{plan}, m_items{items} {}

    void add(const target_group& group) {
        const std::string scheme = label(group, "__scheme__", "http");
        if (scheme != "http" && scheme != "https") {
            refuse(group, "the label __scheme__ is '" + scheme + "', neither http nor https");
        }
        const std::string own_path = label(group, "__profile_path__", "");
        if (!own_path.empty()) {
            if (const std::string fault = fault_in_path(own_path); !fault.empty()) {
                refuse(group, "the label __profile_path__, '" + own_path + "', " + fault);
            }
        }
        const label_texts& labels = m_items.keep(group.labels);
        std::size_t number = 0;
        for (const std::string& target : group.targets) {
            require_target(group, ++number, target);
            const target_labels of_target{labels, m_items.keep(target)};
            const std::string start = series_start(group, target, of_target);
            for (const std::string& path :
                 own_path.empty() ? m_plan.paths : std::vector{own_path}) {
                add_url(group, target, start + series_component(last_component(path)),
                        url_of(group, scheme, target, path), of_target);
            }
        }
    }

private:
    void require_target(const target_group& group, std::size_t number,
                        const std::string& target) const {
        if (target.find('@') != std::string::npos) { // and no message shows it
            refuse(group, "target " + std::to_string(number) +
                              " must not have a user's name or a password; see --header-file");
        }
        if (const std::string fault = fault_in_target(target); !fault.empty()) {
            refuse(group, "the target '" + target + "' " + fault);
        }
    }

    static std::string url_of(const target_group& group, const std::string& scheme,
                              const std::string& target, const std::string& path) {
        const bool has_parameters = path.find('?') != std::string::npos;
        return scheme + "://" + target + path + parameters_of(group, !has_parameters);
    }

    [[noreturn]] void refuse(const target_group& group, const std::string& what) const {
        throw failure{exit_status::usage,
                      m_name + ": group " + std::to_string(group.number) + ": " + what};
    }

    static std::string label(const target_group& group, const char* name, const char* if_empty) {
        const auto label = group.labels.find(name);
        return label == group.labels.end() || label->second.empty() ? if_empty : label->second;
    }

    // The name of a target's series up to that of the profile.
    [[nodiscard]] std::string series_start(const target_group& group, const std::string& target,
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
                refuse(group, fault.append("', which --series names"));
            }
            start += series_component(value) + '/';
        }
        return start;
    }

    void add_url(const target_group& group, const std::string& target, const std::string& series,
                 const std::string& url, const target_labels& labels) {
        if (const std::string fault = fault_in_series_name(series); !fault.empty()) {
            refuse(group, "the name of the series of '" + target + "' " + fault);
        }
        const series_items* const before = m_items.find(series);
        if (!before) {
            m_items.add(m_items.keep(series), m_items.keep(url), labels);
        } else if (before->inputs.front() != url) {
            refuse(group, url + " would be of the same series as " +
                              std::string{before->inputs.front()} +
                              "; their labels need to differ, see --series");
        }
    }

    const std::string& m_name;
    const target_plan& m_plan;
    batch_items& m_items;
};

} // namespace

std::vector<std::string> parse_series_labels(const std::string& text) {
    std::vector<std::string> labels;
    for_each_part(text + '/', '/', [&](std::string_view label, std::size_t /*number*/) {
        if (label.empty()) {
            wrong_usage("--series '" + text + "': it is names of labels with slashes between, as " +
                        default_series_labels);
        }
        labels.emplace_back(label);
    });
    return labels;
}

void add_targets(std::string_view json, const std::string& name, const target_plan& plan,
                 batch_items& items) {
    std::for_each(plan.paths.begin(), plan.paths.end(), require_path);
    target_reader reader{name, plan, items};
    read_target_groups(json, name, [&](const target_group& group) { reader.add(group); });
    if (items.size() == 0) {
        throw failure{exit_status::usage, name + ": there is no target in it"};
    }
}

} // namespace pprofdelta::tool
