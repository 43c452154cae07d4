// SPDX-License-Identifier: Apache-2.0
#include <new>
#include <string_view>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/otlp_profile.hpp>
#include <pprofdelta/text_profile.hpp>
#include <pprofdelta/version.hpp>

#include "c/buffer.hpp"
#include "c/guard.hpp"

using namespace pprofdelta;
using namespace pprofdelta::c;

const char* pprofdelta_version(void) { return version(); }

pprofdelta_buffer* pprofdelta_buffer_new(void) { return new (std::nothrow) pprofdelta_buffer; }

void pprofdelta_buffer_free(pprofdelta_buffer* buffer) { delete buffer; }

pprofdelta_status pprofdelta_decode(const void* bytes, size_t size, size_t max_size,
                                    pprofdelta_buffer* storage, pprofdelta_view* profile,
                                    pprofdelta_source* source, pprofdelta_error* error) {
    return guarded(error, [&] {
        pprofdelta_view& result = required(profile, "profile") = {};
        pprofdelta_buffer& room = required(storage, "storage");
        const std::size_t most = max_size == 0 ? max_profile_size : max_size;
        std::string_view read = decode(bytes_of(bytes, size, "bytes"), room.bytes, most);
        pprofdelta_source found = PPROFDELTA_SOURCE_PROTOBUF;
        if (is_text_profile(read)) {
            convert_text_profile(read, room.converted, most);
            found = PPROFDELTA_SOURCE_TEXT;
        } else if (is_otlp_profile(read)) {
            convert_otlp_profile(read, room.converted, most);
            found = PPROFDELTA_SOURCE_OTLP;
        }
        result = view_of(found == PPROFDELTA_SOURCE_PROTOBUF ? read : room.converted);
        if (source != nullptr) {
            *source = found;
        }
    });
}

pprofdelta_status pprofdelta_encode(const void* bytes, size_t size, int to, int level,
                                    pprofdelta_buffer* storage, pprofdelta_view* encoded,
                                    pprofdelta_error* error) {
    return guarded(error, [&] {
        pprofdelta_view& result = required(encoded, "encoded") = {};
        pprofdelta_buffer& room = required(storage, "storage");
        room.bytes =
            encode(bytes_of(bytes, size, "bytes"),
                   chosen<codec>(to, "codec", codec::none, codec::gzip, codec::zstd), level);
        result = view_of(room.bytes);
    });
}
