// SPDX-License-Identifier: Apache-2.0
// libcurl takes URLs apart, so that this is the host that it will ask.
#include "batch/fetch/url_origin.hpp"

#include <memory>
#include <new>

#include "batch/fetch/curl_library.hpp"

namespace pprofdelta::tool {

namespace {

struct end_url {
    void operator()(CURLU* url) const { curl_library::get().url_cleanup(url); }
};

// In lower case; empty if the URL has no such part.
std::string part_of(CURLU* url, CURLUPart part) {
    const curl_library& curl = curl_library::get();
    char* piece = nullptr;
    if (curl.url_get(url, part, &piece, CURLU_DEFAULT_PORT) != CURLUE_OK) {
        return {};
    }
    std::string text;
    for (const char* c = piece; *c != '\0'; ++c) {
        text += *c >= 'A' && *c <= 'Z' ? static_cast<char>(*c - 'A' + 'a') : *c;
    }
    curl.free(piece);
    return text;
}

} // namespace

std::optional<url_origin> origin_of(const std::string& url) {
    const curl_library& curl = curl_library::get();
    const std::unique_ptr<CURLU, end_url> parsed{curl.url()};
    if (!parsed) {
        throw std::bad_alloc{};
    }
    // As a C string it would end at a NUL.
    if (url.find('\0') != std::string::npos ||
        curl.url_set(parsed.get(), CURLUPART_URL, url.c_str(), CURLU_NON_SUPPORT_SCHEME) !=
            CURLUE_OK) {
        return std::nullopt;
    }
    url_origin origin;
    origin.scheme = part_of(parsed.get(), CURLUPART_SCHEME);
    const std::string host = part_of(parsed.get(), CURLUPART_HOST);
    if (host.empty()) {
        return std::nullopt;
    }
    origin.host = host + ":" + part_of(parsed.get(), CURLUPART_PORT);
    origin.has_password = !part_of(parsed.get(), CURLUPART_USER).empty() ||
                          !part_of(parsed.get(), CURLUPART_PASSWORD).empty();
    return origin;
}

std::string fault_in_redirect(const std::string& from, const std::string& to, bool has_secrets) {
    const std::optional<url_origin> before = origin_of(from);
    const std::optional<url_origin> after = origin_of(to);
    if (!before || !after) {
        return "it redirects to what is no URL of a host";
    }
    if (after->scheme != before->scheme) {
        return "it redirects from " + before->scheme + " to " + after->scheme +
               ", which is not followed";
    }
    if (after->host != before->host && (has_secrets || before->has_password)) {
        return "it redirects to " + after->host +
               ", which must not get the headers, the certificate or the password";
    }
    return {};
}

} // namespace pprofdelta::tool
