// SPDX-License-Identifier: Apache-2.0
#include "report/frame_name.hpp"

namespace pprofdelta {

namespace {

std::string_view up_to_last(std::string_view text, char mark) {
    const std::size_t end = text.rfind(mark);
    return end == std::string_view::npos ? std::string_view{} : text.substr(0, end);
}

std::string binary_name(std::string_view file) {
    const std::string_view base = file.substr(file.rfind('/') + 1); // npos + 1 is 0
    return base.empty() ? "<unknown>" : "[" + std::string{base} + "]";
}

// The function alone: a return type, template arguments and parameters have names of their own.
std::string_view cut_arguments(std::string_view function) {
    const std::size_t end = function.find_first_of("<(");
    return function.substr(0, end);
}

} // namespace

std::string_view package_name(std::string_view function, std::string_view file) {
    if (function.find("::") != std::string_view::npos) {
        const std::string_view name = cut_arguments(function);
        const std::size_t end = name.rfind("::");
        return end == std::string_view::npos ? std::string_view{} : name.substr(0, end);
    }
    for (const std::string_view ending : {".java", ".kt", ".scala"}) {
        if (file.ends_with(ending)) {
            return up_to_last(up_to_last(cut_arguments(function), '.'), '.');
        }
    }
    if (file.empty() || file.ends_with(".go") || file.ends_with(".s")) {
        // Type arguments can have slashes as well.
        const std::string_view name = function.substr(0, function.find('['));
        const std::size_t last = name.rfind('/') + 1;
        const std::size_t dot = name.find('.', last);
        return dot == std::string_view::npos ? std::string_view{} : name.substr(0, dot);
    }
    return up_to_last(file, '/');
}

std::string frame_name(const frame_index::frame& frame, const profile_index& index, grouping by) {
    const std::string_view binary = index.strings.text(frame.mapping_file);
    if (frame.function == id_map::npos) {
        return binary_name(binary);
    }
    const auto& function = index.functions.at(frame.function);
    const std::string_view name = index.strings.text(function.name);
    const std::string_view file = index.strings.text(function.file);
    std::string row;
    switch (by) {
    case grouping::function:
        row = name;
        break;
    case grouping::file:
        row = file;
        break;
    case grouping::package:
        row = package_name(name, file);
        break;
    case grouping::line:
        row = std::string{name} + (name.empty() || file.empty() ? "" : " ") + std::string{file};
        if (!row.empty() && frame.line != 0) {
            row += ":" + std::to_string(frame.line);
        }
        break;
    }
    return row.empty() ? binary_name(binary) : row;
}

} // namespace pprofdelta
