// SPDX-License-Identifier: Apache-2.0
#include "batch/fetch/curl_library.hpp"

#include <string>

#include <dlfcn.h>

#include "base/failure.hpp"

namespace pprofdelta::tool {

namespace {

[[noreturn]] void fail(const std::string& why) {
    throw failure{exit_status::io, "URLs cannot be read without libcurl: " + why};
}

// Never closed: functions of it may run until the process ends.
void* open_library() {
    // The second is the same with another library for TLS, as Debian has it.
    for (const char* const name : {"libcurl.so.4", "libcurl-gnutls.so.4"}) {
        if (void* const library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
            return library;
        }
    }
    fail("there is no libcurl.so.4");
}

template <typename Function>
void find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    if (function == nullptr) {
        fail(std::string{"it has no "} + name + "()");
    }
}

curl_library load() {
    void* const library = open_library();
    curl_library curl{};
    find(library, "curl_global_init", curl.global_init);
    find(library, "curl_easy_init", curl.easy_init);
    find(library, "curl_easy_cleanup", curl.easy_cleanup);
    find(library, "curl_easy_reset", curl.easy_reset);
    find(library, "curl_easy_setopt", curl.easy_setopt);
    find(library, "curl_easy_getinfo", curl.easy_getinfo);
    find(library, "curl_easy_strerror", curl.easy_strerror);
    find(library, "curl_multi_init", curl.multi_init);
    find(library, "curl_multi_cleanup", curl.multi_cleanup);
    find(library, "curl_multi_setopt", curl.multi_setopt);
    find(library, "curl_multi_add_handle", curl.multi_add_handle);
    find(library, "curl_multi_remove_handle", curl.multi_remove_handle);
    find(library, "curl_multi_perform", curl.multi_perform);
    find(library, "curl_multi_info_read", curl.multi_info_read);
    find(library, "curl_multi_poll", curl.multi_poll);
    find(library, "curl_multi_wakeup", curl.multi_wakeup);
    find(library, "curl_multi_strerror", curl.multi_strerror);
    find(library, "curl_slist_append", curl.slist_append);
    find(library, "curl_slist_free_all", curl.slist_free_all);
    find(library, "curl_url", curl.url);
    find(library, "curl_url_cleanup", curl.url_cleanup);
    find(library, "curl_url_get", curl.url_get);
    find(library, "curl_url_set", curl.url_set);
    find(library, "curl_free", curl.free);
    if (curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        fail("it cannot be initialized");
    }
    return curl;
}

} // namespace

const curl_library& curl_library::get() {
    static const curl_library library = load();
    return library;
}

} // namespace pprofdelta::tool
