// SPDX-License-Identifier: Apache-2.0
#include "select/frame_name.hpp"

namespace pprofdelta {

namespace {

std::string binary_name(std::string_view file) {
    const std::string_view base = file.substr(file.rfind('/') + 1); // npos + 1 is 0
    return base.empty() ? "<unknown>" : "[" + std::string{base} + "]";
}

} // namespace

std::string frame_name(const frame_index::frame& frame, const profile_stacks& of) {
    const profile_index& index = of.index();
    const std::string_view binary = index.strings.text(frame.mapping_file);
    if (frame.function == id_map::npos) {
        return binary_name(binary);
    }
    const auto& function = index.functions.at(frame.function);
    const std::string_view name = of.names().text(function.name);
    const std::string_view file = index.strings.text(function.file);
    std::string row;
    switch (of.rules().by) {
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
    case grouping::label: // has no frames
        break;
    }
    return row.empty() ? binary_name(binary) : row;
}

} // namespace pprofdelta
