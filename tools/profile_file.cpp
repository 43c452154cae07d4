// SPDX-License-Identifier: Apache-2.0
#include "profile_file.hpp"

#include <pprofdelta/text_profile.hpp>

#include "beside.hpp"
#include "file.hpp"

namespace pprofdelta::tool {

raw_file::raw_file(const std::string& path, std::size_t max_size)
    : name{display_name(path)}, bytes{read_file(path, max_size, "; see --max-size")} {}

profile_file::profile_file(raw_file raw, std::size_t max_size)
    : m_raw{std::move(raw)}, m_size_on_disk{m_raw.bytes.size()}, m_compression{
                                                                     detect_codec(m_raw.bytes)} {
    try {
        m_bytes = decode(m_raw.bytes, m_uncompressed, max_size);
        m_uncompressed_size = m_bytes.size();
        convert_text(max_size);
    } catch (const error& e) {
        const char* const hint = e.kind() == error_kind::too_large ? "; see --max-size" : "";
        throw to_failure(e, m_raw.name, hint);
    }
    refuse_text();
    if (m_bytes.data() != m_raw.bytes.data()) {
        std::string{}.swap(m_raw.bytes); // to assign an empty one would keep the memory
    }
}

void profile_file::replace(std::string bytes) {
    m_uncompressed = std::move(bytes);
    m_bytes = m_uncompressed;
    std::string{}.swap(m_raw.bytes);
}

void profile_file::convert_text(std::size_t max_size) {
    if (is_text_profile(m_bytes)) {
        std::string converted;
        convert_text_profile(m_bytes, converted, max_size);
        m_uncompressed = std::move(converted);
        m_bytes = m_uncompressed;
        m_source = profile_source::text;
    }
}

// What a server sends in place of a profile deserves better than the place of the first bad byte.
void profile_file::refuse_text() const {
    if (const std::string_view unread = unread_format(m_bytes); !unread.empty()) {
        throw failure{exit_status::malformed, m_raw.name + ": this is " + std::string{unread}};
    }
    const std::size_t start = m_bytes.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    if (start == std::string_view::npos) {
        return;
    }
    const std::string_view text = m_bytes.substr(start);
    // A profile's first field would have an impossible wire type.
    if (text.front() == '<') {
        throw failure{exit_status::malformed,
                      m_raw.name + ": this looks like HTML or XML; did curl need -f?"};
    }
    if (text.substr(0, 2) == "{\"" || text.substr(0, 2) == "{\n") {
        throw failure{exit_status::malformed,
                      m_raw.name + ": this looks like JSON; did curl need -f?"};
    }
    if (text.starts_with("goroutine ") &&
        text.substr(0, text.find('\n')).find("]:") != std::string_view::npos) {
        throw failure{exit_status::malformed,
                      m_raw.name + ": this is a dump of Go's goroutines; without ?debug=2 it would "
                                   "be a profile"};
    }
}

std::future<loaded_profile> load_ahead(const std::string& path, std::size_t max_size) {
    const auto load = [=] {
        return std::make_unique<profile_file>(raw_file{path, max_size}, max_size);
    };
    return is_regular_file(path) ? beside(load) : std::async(std::launch::deferred, load);
}

failure to_failure(const error& e, const std::string& names, const char* hint) {
    const bool is_malformed =
        e.kind() == error_kind::malformed || e.kind() == error_kind::too_large;
    return {is_malformed ? exit_status::malformed : exit_status::incompatible,
            names + ": " + e.what() + hint};
}

} // namespace pprofdelta::tool
