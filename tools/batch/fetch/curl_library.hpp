// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_FETCH_CURL_LIBRARY_HPP
#define PPROFDELTA_TOOLS_BATCH_FETCH_CURL_LIBRARY_HPP

#include <curl/curl.h>

namespace pprofdelta::tool {

/// The functions of libcurl that the program calls, without "curl_" before their names. The library
/// is loaded at the first use, because the thirty libraries that it needs take longer to load than
/// a run of the program on a small profile takes as a whole.
struct curl_library {
    /// Loads the library at the first call. Any thread may call it.
    /// @throws failure io
    [[nodiscard]] static const curl_library& get();

    decltype(&::curl_global_init) global_init;
    decltype(&::curl_easy_init) easy_init;
    decltype(&::curl_easy_cleanup) easy_cleanup;
    decltype(&::curl_easy_reset) easy_reset;
    decltype(&::curl_easy_setopt) easy_setopt;
    decltype(&::curl_easy_getinfo) easy_getinfo;
    decltype(&::curl_easy_strerror) easy_strerror;
    decltype(&::curl_multi_init) multi_init;
    decltype(&::curl_multi_cleanup) multi_cleanup;
    decltype(&::curl_multi_setopt) multi_setopt;
    decltype(&::curl_multi_add_handle) multi_add_handle;
    decltype(&::curl_multi_remove_handle) multi_remove_handle;
    decltype(&::curl_multi_perform) multi_perform;
    decltype(&::curl_multi_info_read) multi_info_read;
    decltype(&::curl_multi_poll) multi_poll;
    decltype(&::curl_multi_wakeup) multi_wakeup;
    decltype(&::curl_multi_strerror) multi_strerror;
    decltype(&::curl_slist_append) slist_append;
    decltype(&::curl_slist_free_all) slist_free_all;
    decltype(&::curl_url) url;
    decltype(&::curl_url_cleanup) url_cleanup;
    decltype(&::curl_url_get) url_get;
    decltype(&::curl_url_set) url_set;
    decltype(&::curl_free) free;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_FETCH_CURL_LIBRARY_HPP
