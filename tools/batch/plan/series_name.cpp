// SPDX-License-Identifier: Apache-2.0
#include "batch/plan/series_name.hpp"

#include <algorithm>

#include "base/characters.hpp"

namespace pprofdelta::tool {

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
        return "has a component that begins with a point";
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

} // namespace pprofdelta::tool
