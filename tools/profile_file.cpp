// SPDX-License-Identifier: Apache-2.0
#include "profile_file.hpp"

#include <pprofdelta/text_profile.hpp>

#include "beside.hpp"
#include "file.hpp"

namespace pprofdelta::tool {

namespace {

exit_status to_status(error_kind kind) {
    switch (kind) {
    case error_kind::malformed:
    case error_kind::too_large:
        return exit_status::malformed;
    case error_kind::incompatible:
    case error_kind::no_cumulative_type:
    case error_kind::reset:
        return exit_status::incompatible;
    case error_kind::invalid_argument:
        break;
    }
    return exit_status::usage;
}

// The option that may help, which the library does not know of.
const char* hint_at_option(error_kind kind) {
    switch (kind) {
    case error_kind::no_cumulative_type:
        return "; name some with --cumulative, or compare all with --diff";
    case error_kind::reset:
        return "; see --on-reset";
    case error_kind::malformed:
    case error_kind::too_large:
    case error_kind::incompatible:
    case error_kind::invalid_argument:
        break;
    }
    return "";
}

failure to_failure(const error& e, const std::string& names, const char* hint) {
    return {to_status(e.kind()), names + ": " + e.what() + hint};
}

} // namespace

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
        // Only here the limit to a profile's size is the user's.
        const bool has_hint = e.kind() == error_kind::too_large;
        throw to_failure(e, m_raw.name, has_hint ? "; see --max-size" : "");
    }
    refuse_text();
    if (m_bytes.data() != m_raw.bytes.data()) {
        std::string{}.swap(m_raw.bytes); // assigning an empty string would keep the memory
    }
}

void profile_file::convert_text(std::size_t max_size) {
    if (is_text_profile(m_bytes)) {
        std::string converted;
        convert_text_profile(m_bytes, converted, max_size);
        // Of the texts whose types are not known to be cumulative, only gperftools' growth adds up.
        const std::string_view first_line = m_bytes.substr(0, m_bytes.find('\n'));
        m_may_have_counters = first_line.find("growth") != std::string_view::npos;
        m_uncompressed = std::move(converted);
        m_bytes = m_uncompressed;
        m_source = profile_source::text;
    }
}

// If a server sent something else than a profile, the message says so, rather than where the first
// bad byte is.
void profile_file::refuse_text() const {
    if (const std::string_view unread = unread_format(m_bytes); !unread.empty()) {
        throw failure{exit_status::malformed, m_raw.name + ": this is " + std::string{unread}};
    }
    const std::size_t start = m_bytes.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    if (start == std::string_view::npos) {
        return;
    }
    const std::string_view text = m_bytes.substr(start);
    // As a profile, its first field would have an impossible wire type.
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

std::string to_names(error_input input, const std::string& previous, const std::string& current) {
    switch (input) {
    case error_input::previous:
        return previous;
    case error_input::current:
        return current;
    case error_input::both:
    case error_input::state:
    case error_input::unspecified:
        break;
    }
    return previous + " and " + current;
}

failure to_failure(const error& e, const std::string& names) {
    return to_failure(e, names, hint_at_option(e.kind()));
}

failure to_failure(const error& e, const std::string& names, const profile_file& profile) {
    if (e.kind() == error_kind::no_cumulative_type && !profile.may_have_counters()) {
        return to_failure(e, names, "; compare all with --diff");
    }
    return to_failure(e, names);
}

} // namespace pprofdelta::tool
