// SPDX-License-Identifier: Apache-2.0
#include "capture_files.hpp"

#include <algorithm>
#include <filesystem>
#include <new>
#include <system_error>

#include <glob.h>

#include "failure.hpp"

namespace pprofdelta::tool {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_in(const std::string& folder) {
    std::vector<std::string> files;
    std::error_code fault;
    for (fs::directory_iterator entry{folder, fault}, end; !fault && entry != end;
         entry.increment(fault)) {
        const bool is_hidden = entry->path().filename().native().starts_with('.');
        if (!is_hidden && entry->is_regular_file(fault)) {
            files.push_back(entry->path().native());
        }
    }
    if (fault) {
        throw failure{exit_status::io, folder + ": cannot read the folder: " + fault.message()};
    }
    std::sort(files.begin(), files.end());
    if (files.empty()) {
        throw failure{exit_status::usage, folder + ": there is no file in this folder"};
    }
    return files;
}

class glob_result {
public:
    explicit glob_result(const std::string& pattern) {
        // NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread changes the locale or the users
        m_status = ::glob(pattern.c_str(), 0, nullptr, &m_found);
    }
    ~glob_result() { ::globfree(&m_found); }
    glob_result(const glob_result&) = delete;
    glob_result& operator=(const glob_result&) = delete;

    [[nodiscard]] std::vector<std::string> files() const {
        if (m_status == GLOB_NOSPACE) {
            throw std::bad_alloc{};
        }
        std::vector<std::string> files;
        for (std::size_t i = 0; m_status == 0 && i < m_found.gl_pathc; ++i) {
            std::error_code fault; // what cannot be looked at is refused when it is opened
            if (!fs::is_directory(m_found.gl_pathv[i], fault)) {
                files.emplace_back(m_found.gl_pathv[i]);
            }
        }
        return files;
    }

private:
    glob_t m_found{};
    int m_status = 0;
};

bool is_pattern(const std::string& name) { return name.find_first_of("*?[") != std::string::npos; }

} // namespace

std::vector<std::string> find_files(const std::vector<std::string>& names) {
    std::vector<std::string> files;
    for (const std::string& name : names) {
        std::error_code fault;
        const fs::file_status status = fs::status(name, fault);
        std::vector<std::string> found{name};
        if (fs::is_directory(status)) {
            found = files_in(name);
        } else if (!fs::exists(status) && is_pattern(name)) {
            found = glob_result{name}.files();
            if (found.empty()) {
                throw failure{exit_status::usage, name + ": no file matches"};
            }
        }
        files.insert(files.end(), found.begin(), found.end());
    }
    return files;
}

} // namespace pprofdelta::tool
