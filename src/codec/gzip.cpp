// SPDX-License-Identifier: Apache-2.0
#include "codec/gzip.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <span>

#include <zlib.h>

#include <pprofdelta/error.hpp>

#include "codec/decoded_output.hpp"

namespace pprofdelta {

namespace {

constexpr int window_bits = 15;
constexpr int gzip_only = 16; // zlib adds this to the window bits to mean a gzip wrapper
constexpr std::size_t smallest_member = 18;

// zlib counts in unsigned int, which may be shorter than a buffer's length.
uInt clamp(std::size_t size) {
    return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}

// zlib never writes through next_in, but its type says that it might.
Bytef* input_pointer(const char* data) {
    return const_cast<Bytef*>(reinterpret_cast<const Bytef*>(data));
}

Bytef* output_pointer(char* data) { return reinterpret_cast<Bytef*>(data); }

class inflater {
public:
    inflater() {
        if (inflateInit2(&m_stream, window_bits + gzip_only) != Z_OK) {
            throw std::bad_alloc{};
        }
    }
    ~inflater() { inflateEnd(&m_stream); }
    inflater(const inflater&) = delete;
    inflater& operator=(const inflater&) = delete;

    z_stream& stream() { return m_stream; }

private:
    z_stream m_stream{};
};

class deflater {
public:
    explicit deflater(int level) {
        constexpr int best_memory = 9;
        const int result = deflateInit2(&m_stream, level, Z_DEFLATED, window_bits + gzip_only,
                                        best_memory, Z_DEFAULT_STRATEGY);
        if (result == Z_STREAM_ERROR) {
            throw error{error_kind::invalid_argument,
                        "gzip level " + std::to_string(level) + " is not within 0 to 9"};
        }
        if (result != Z_OK) {
            throw std::bad_alloc{};
        }
    }
    ~deflater() { deflateEnd(&m_stream); }
    deflater(const deflater&) = delete;
    deflater& operator=(const deflater&) = delete;

    z_stream& stream() { return m_stream; }

private:
    z_stream m_stream{};
};

} // namespace

bool is_gzip(std::string_view bytes) noexcept { return bytes.substr(0, 2) == "\x1f\x8b"; }

std::size_t gzip_stated_size(std::string_view bytes) noexcept {
    std::size_t size = 0;
    if (bytes.size() >= smallest_member) {
        for (std::size_t i = 0; i < 4; ++i) {
            const auto byte = static_cast<unsigned char>(bytes[bytes.size() - 4 + i]);
            size |= static_cast<std::size_t>(byte) << (8 * i);
        }
    }
    return size;
}

void gunzip(std::string_view bytes, std::string& out, std::size_t max_size) {
    inflater inflate_state;
    z_stream& stream = inflate_state.stream();
    std::size_t consumed = 0;
    decoded_output output{out, bytes.size(), gzip_stated_size(bytes), max_size};
    while (true) {
        const std::span<char> room = output.room();
        const uInt most = clamp(room.size());
        const uInt size = clamp(bytes.size() - consumed);
        stream.next_in = input_pointer(bytes.data() + consumed);
        stream.avail_in = size;
        stream.next_out = output_pointer(room.data());
        stream.avail_out = most;
        const int result = inflate(&stream, Z_NO_FLUSH);
        consumed += size - stream.avail_in;
        output.add(most - stream.avail_out);

        if (result == Z_STREAM_END) {
            if (consumed == bytes.size()) {
                break;
            }
            if (!is_gzip(bytes.substr(consumed))) {
                throw error{error_kind::malformed,
                            "something that is not gzip follows the compressed profile", consumed};
            }
            inflateReset(&stream);
        } else if (result == Z_MEM_ERROR) {
            throw std::bad_alloc{};
        } else if (result == Z_DATA_ERROR || result == Z_NEED_DICT) {
            const std::string reason = stream.msg != nullptr ? stream.msg : "dictionary needed";
            throw error{error_kind::malformed, "damaged gzip data: " + reason, consumed};
        } else if (consumed == bytes.size() && stream.avail_out != 0) {
            throw error{error_kind::malformed, "truncated gzip data", bytes.size()};
        }
    }
    output.finish();
}

std::string gzip(std::string_view bytes, int level) {
    deflater deflate_state{level};
    z_stream& stream = deflate_state.stream();
    std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
    std::size_t consumed = 0;
    std::size_t produced = 0;
    int result = Z_OK;
    while (result != Z_STREAM_END) {
        if (produced == out.size()) {
            out.resize(out.size() * 2); // zlib before 1.3 can give too small a bound for level 0
        }
        const uInt size = clamp(bytes.size() - consumed);
        const uInt room = clamp(out.size() - produced);
        stream.next_in = input_pointer(bytes.data() + consumed);
        stream.avail_in = size;
        stream.next_out = output_pointer(out.data() + produced);
        stream.avail_out = room;
        const bool last = consumed + size == bytes.size();
        result = deflate(&stream, last ? Z_FINISH : Z_NO_FLUSH);
        consumed += size - stream.avail_in;
        produced += room - stream.avail_out;
    }
    out.resize(produced);
    return out;
}

} // namespace pprofdelta
