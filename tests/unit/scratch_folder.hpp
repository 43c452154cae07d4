// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

/// A new folder, which is gone with all that is in it when the object is.
class scratch_folder {
public:
    scratch_folder() {
        std::string name = (std::filesystem::temp_directory_path() / "pprofdelta-XXXXXX").native();
        if (::mkdtemp(name.data()) == nullptr) {
            throw std::runtime_error{"no folder for a test"};
        }
        m_path = name;
    }
    ~scratch_folder() {
        std::error_code fault;
        std::filesystem::remove_all(m_path, fault);
    }
    scratch_folder(const scratch_folder&) = delete;
    scratch_folder& operator=(const scratch_folder&) = delete;

    /// The path of something in it.
    [[nodiscard]] std::string operator/(const std::string& name) const {
        return m_path + "/" + name;
    }
    [[nodiscard]] const std::string& path() const noexcept { return m_path; }

    /// The content of a file; "none" if there is no such file.
    [[nodiscard]] std::string content(const std::string& name) const {
        std::ifstream file{*this / name, std::ios::binary};
        return file ? std::string{std::istreambuf_iterator<char>{file}, {}} : "none";
    }
    void write(const std::string& name, const std::string& bytes) const {
        std::ofstream{*this / name, std::ios::binary} << bytes;
    }
    /// How many files there are, at any depth.
    [[nodiscard]] std::size_t files() const {
        std::size_t count = 0;
        for (const auto& entry : std::filesystem::recursive_directory_iterator{m_path}) {
            count += entry.is_regular_file() ? 1 : 0;
        }
        return count;
    }

private:
    std::string m_path;
};
