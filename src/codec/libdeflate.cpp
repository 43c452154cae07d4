// SPDX-License-Identifier: Apache-2.0
#include "codec/gzip.hpp"

#include <memory>
#include <new>
#include <span>

#ifdef PPROFDELTA_HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif

#include "codec/decoded_output.hpp"

namespace pprofdelta {

#ifdef PPROFDELTA_HAVE_LIBDEFLATE

namespace {

struct free_decompressor {
    void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
};
struct free_compressor {
    void operator()(libdeflate_compressor* c) const { libdeflate_free_compressor(c); }
};

// Whether the member that `bytes` begin with has a checksum of its header (RFC 1952, FHCRC).
bool has_header_checksum(std::string_view bytes) noexcept {
    constexpr std::size_t flags = 3;
    constexpr unsigned fhcrc = 2;
    return bytes.size() > flags && (static_cast<unsigned char>(bytes[flags]) & fhcrc) != 0;
}

} // namespace

bool fast_gunzip(std::string_view bytes, std::string& out, std::size_t max_size) {
    const std::unique_ptr<libdeflate_decompressor, free_decompressor> decompressor{
        libdeflate_alloc_decompressor()};
    if (!decompressor) {
        throw std::bad_alloc{};
    }
    decoded_output output{out, bytes.size(), gzip_stated_size(bytes), max_size};
    std::size_t consumed = 0;
    while (consumed < bytes.size()) {
        if (has_header_checksum(bytes.substr(consumed))) {
            return false; // libdeflate skips it
        }
        const std::span<char> room = output.room();
        std::size_t taken = 0;
        std::size_t written = 0;
        const libdeflate_result result = libdeflate_gzip_decompress_ex(
            decompressor.get(), bytes.data() + consumed, bytes.size() - consumed, room.data(),
            room.size(), &taken, &written);
        if (result == LIBDEFLATE_INSUFFICIENT_SPACE) {
            // From the start of the member again: libdeflate keeps nothing between calls.
            output.grow();
            continue;
        }
        if (result != LIBDEFLATE_SUCCESS) {
            return false;
        }
        consumed += taken;
        output.add(written);
    }
    output.finish();
    return true;
}

bool fast_gzip(std::string_view bytes, int level, std::string& out) {
    const std::unique_ptr<libdeflate_compressor, free_compressor> compressor{
        libdeflate_alloc_compressor(level)};
    if (!compressor) {
        throw std::bad_alloc{};
    }
    out.resize(libdeflate_gzip_compress_bound(compressor.get(), bytes.size()));
    out.resize(libdeflate_gzip_compress(compressor.get(), bytes.data(), bytes.size(), out.data(),
                                        out.size()));
    return true;
}

#else

bool fast_gunzip(std::string_view /*bytes*/, std::string& /*out*/, std::size_t /*max_size*/) {
    return false;
}

bool fast_gzip(std::string_view /*bytes*/, int /*level*/, std::string& /*out*/) { return false; }

#endif

} // namespace pprofdelta
