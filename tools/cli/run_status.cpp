// SPDX-License-Identifier: Apache-2.0
#include "cli/run_status.hpp"

#include <cstdio>
#include <exception>
#include <utility>

#include "base/json.hpp"
#include "base/short_names.hpp"
#include "base/value_text.hpp"
#include "cli/next_commands.hpp"
#include "files/file.hpp"

namespace pprofdelta::tool {

run_status::run_status(const std::string& command, std::string path) : m_path{std::move(path)} {
    add("schema", json_string("pprofdelta/status/1"));
    add("version", "1");
    add("command", json_string(command));
}

void run_status::add(std::string_view name, const std::string& json) {
    m_members += (m_members.empty() ? "\"" : ", \"") + std::string{name} + "\": " + json;
}

void run_status::warn(const std::vector<std::string>& texts, bool quiet) {
    for (const std::string& text : texts) {
        m_warnings.push_back(text);
        if (!quiet) {
            std::fprintf(stderr, "pprofdelta: warning: %s\n", printable(text).c_str());
        }
    }
}

void run_status::add_report_on(const std::string& output) {
    if (!m_path.empty() && can_be_read_again({output})) {
        m_next.push_back(report_of_profile(output));
    }
}

void run_status::write(exit_status status, const std::string& error) {
    if (m_path.empty()) {
        return;
    }
    add("warnings", json_strings(m_warnings));
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - m_start;
    add("seconds", fixed_text(taken.count(), 3));
    add("exit_status", std::to_string(static_cast<int>(status)));
    add("error", error);
    add("next", json_commands(m_next));
    const std::string line = "{" + m_members + "}\n";
    if (m_path == "-") {
        write_standard_output(line);
    } else {
        write_file(m_path, line, durability::cached);
    }
}

// The failure itself is what counts.
void run_status::write_after_failure(exit_status status, const char* error) noexcept {
    try {
        write(status, json_string(error));
    } catch (const std::exception& other) {
        std::fprintf(stderr, "pprofdelta: warning: %s\n", other.what());
    }
}

} // namespace pprofdelta::tool
