// SPDX-License-Identifier: Apache-2.0
#include "codec/codec.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <span>

#include <sys/mman.h>

#include <pprofdelta/codec.hpp>

#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#ifdef PPROFDELTA_HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif

#include "base/errors.hpp"

namespace pprofdelta {

namespace {

// A block of memory that takes only the pages that were written to, and grows without a copy.
class pages {
public:
    pages() = default;
    ~pages() {
        if (m_data != nullptr) {
            munmap(m_data, m_size);
        }
    }
    pages(const pages&) = delete;
    pages& operator=(const pages&) = delete;

    [[nodiscard]] char* data() noexcept { return m_data; }
    [[nodiscard]] std::size_t size() const noexcept { return m_size; }

    // Keeps the bytes written so far; data() changes.
    // @param size more than it has.
    // @throws std::bad_alloc if there are no addresses for so much.
    void grow(std::size_t size) {
        void* const grown = m_data != nullptr
                                ? mremap(m_data, m_size, size, MREMAP_MAYMOVE)
                                : mmap(nullptr, size, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (grown == MAP_FAILED) {
            throw std::bad_alloc{};
        }
        m_data = static_cast<char*>(grown);
        m_size = size;
#ifdef MADV_HUGEPAGE
        // Advice: a tenth of the faults, where the system has large pages.
        madvise(m_data, m_size, MADV_HUGEPAGE);
#endif
    }

    // Replaces `out` by the first `size` bytes. Each page is given back once it is copied, so
    // that they are not held twice.
    // @throws std::bad_alloc
    void move_to(std::string& out, std::size_t size) {
        constexpr std::size_t piece = std::size_t{4} << 20U; // a whole number of pages of any kind
        out.clear();
        out.reserve(size);
        for (std::size_t start = 0; start < size; start += piece) {
            out.append(m_data + start, std::min(piece, size - start));
            madvise(m_data + start, std::min(piece, m_size - start), MADV_DONTNEED);
        }
    }

private:
    char* m_data = nullptr;
    std::size_t m_size = 0;
};

constexpr std::size_t mebibyte = std::size_t{1} << 20U;

// Profiles shrink to a fifth or so. Who says more than this is asked to show it.
constexpr std::size_t likely_ratio = 64;
// A block is zeroed whole before anything proves that it is needed. This ratio keeps that cheap.
constexpr std::size_t usual_ratio = 8;

// The place where a codec puts what it uncompresses, which takes at most 64 MiB more than that: a
// string as long as it is small, and then pages, as a string would be filled with zeros first, and
// be copied each time that it grows.
class decoded_output {
public:
    // @param out          is replaced by finish(); unspecified before. Its capacity is used first.
    // @param archive_size how much there is to uncompress.
    // @param stated       is the size that the archive says comes of it; believed as far as that is
    //                     likely for one of its size.
    // @throws std::bad_alloc
    decoded_output(std::string& out, std::size_t archive_size, std::size_t stated,
                   std::size_t max_size)
        : m_out{out}, m_max_size{max_size},
          m_max_in_string{std::max({32 * mebibyte, archive_size * usual_ratio, out.capacity()})} {
        // One byte more than there may be is room enough to see that there is too much.
        const std::size_t likely = std::max(mebibyte, archive_size * likely_ratio);
        resize(std::min({stated, likely, max_size}) + 1);
    }

    // The place for the next bytes; never empty.
    // @throws error too_large; std::bad_alloc.
    [[nodiscard]] std::span<char> room() {
        if (m_used == m_size) {
            grow();
        }
        char* const begin = m_pages.size() == 0 ? m_out.data() : m_pages.data();
        return {begin + m_used, m_size - m_used};
    }

    // Marks `size` more bytes of the room as used.
    void add(std::size_t size) noexcept { m_used += size; }

    // Makes at least twice the room, for a codec that needs all of it at once.
    // @throws error too_large if it has more than `max_size` already; std::bad_alloc.
    void grow() {
        require_within(m_size, m_max_size);
        constexpr std::size_t least = std::size_t{64} << 10U;
        // max_size + 1 would be 0 for the largest number.
        resize(std::min(std::max(m_size * 2, least), m_max_size) + 1);
    }

    // @throws error too_large; std::bad_alloc.
    void finish() {
        require_within(m_used, m_max_size);
        if (m_pages.size() == 0) {
            m_out.resize(m_used);
        } else {
            m_pages.move_to(m_out, m_used);
        }
    }

private:
    void resize(std::size_t size) {
        if (size <= m_max_in_string) {
            m_out.resize(size);
        } else {
            const bool is_first = m_pages.size() == 0;
            m_pages.grow(size);
            if (is_first) {
                std::memcpy(m_pages.data(), m_out.data(), m_used);
                std::string{}.swap(m_out);
            }
        }
        m_size = size;
    }

    std::string& m_out;
    std::size_t m_max_size;
    std::size_t m_max_in_string;
    pages m_pages; // empty as long as `m_out` is used
    std::size_t m_size = 0;
    std::size_t m_used = 0;
};

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

// Frees an object of a library by that library's own function.
template <auto Free>
struct freed_by {
    template <typename State>
    void operator()(State* state) const {
        Free(state);
    }
};

// The four bytes at `begin` as a number, of which the first is the lowest.
std::uint32_t number_at(std::string_view bytes, std::size_t begin) noexcept {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < sizeof number; ++i) {
        number |= std::uint32_t{static_cast<unsigned char>(bytes[begin + i])} << (8 * i);
    }
    return number;
}

// Returns the uncompressed size that the last member states, modulo 2^32; 0 if the archive is too
// short to state one.
std::size_t gzip_stated_size(std::string_view bytes) noexcept {
    return bytes.size() < smallest_member ? 0 : number_at(bytes, bytes.size() - 4);
}

void require_memory(std::size_t zstd_result) {
    if (ZSTD_isError(zstd_result) != 0) {
        throw std::bad_alloc{};
    }
}

} // namespace

bool is_gzip(std::string_view bytes) noexcept { return bytes.substr(0, 2) == "\x1f\x8b"; }

void gunzip(std::string_view bytes, std::string& out, std::size_t max_size) {
    z_stream stream{};
    if (inflateInit2(&stream, window_bits + gzip_only) != Z_OK) {
        throw std::bad_alloc{};
    }
    const std::unique_ptr<z_stream, freed_by<inflateEnd>> end{&stream};
    std::size_t consumed = 0;
    decoded_output output{out, bytes.size(), gzip_stated_size(bytes), max_size};
    while (true) {
        const std::span<char> room = output.room();
        const uInt room_size = clamp(room.size());
        const uInt size = clamp(bytes.size() - consumed);
        stream.next_in = input_pointer(bytes.data() + consumed);
        stream.avail_in = size;
        stream.next_out = output_pointer(room.data());
        stream.avail_out = room_size;
        const int result = inflate(&stream, Z_NO_FLUSH);
        consumed += size - stream.avail_in;
        output.add(room_size - stream.avail_out);

        if (result == Z_STREAM_END) {
            if (consumed == bytes.size()) {
                break;
            }
            if (!is_gzip(bytes.substr(consumed))) {
                throw error{error_kind::malformed,
                            "trailing data that is not gzip follows the compressed profile",
                            consumed};
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
    constexpr int best_memory = 9;
    z_stream stream{};
    if (deflateInit2(&stream, level, Z_DEFLATED, window_bits + gzip_only, best_memory,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        throw std::bad_alloc{};
    }
    const std::unique_ptr<z_stream, freed_by<deflateEnd>> end{&stream};
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

#ifdef PPROFDELTA_HAVE_LIBDEFLATE

namespace {

// Whether the member that `bytes` begin with has a checksum of its header (RFC 1952, FHCRC).
bool has_header_checksum(std::string_view bytes) noexcept {
    constexpr std::size_t flags = 3;
    constexpr unsigned fhcrc = 2;
    return bytes.size() > flags && (static_cast<unsigned char>(bytes[flags]) & fhcrc) != 0;
}

// gzip() by way of libdeflate. `level` is from 0 to 9.
// @returns false without libdeflate.
bool fast_gzip(std::string_view bytes, int level, std::string& out) {
    const std::unique_ptr<libdeflate_compressor, freed_by<libdeflate_free_compressor>> compressor{
        libdeflate_alloc_compressor(level)};
    if (!compressor) {
        throw std::bad_alloc{};
    }
    out.resize(libdeflate_gzip_compress_bound(compressor.get(), bytes.size()));
    out.resize(libdeflate_gzip_compress(compressor.get(), bytes.data(), bytes.size(), out.data(),
                                        out.size()));
    return true;
}

} // namespace

bool fast_gunzip(std::string_view bytes, std::string& out, std::size_t max_size) {
    const std::unique_ptr<libdeflate_decompressor, freed_by<libdeflate_free_decompressor>>
        decompressor{libdeflate_alloc_decompressor()};
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
            // The member is started again: libdeflate keeps nothing between calls.
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

#else

bool fast_gunzip(std::string_view /*bytes*/, std::string& /*out*/, std::size_t /*max_size*/) {
    return false;
}

namespace {

bool fast_gzip(std::string_view /*bytes*/, int /*level*/, std::string& /*out*/) { return false; }

} // namespace

#endif

bool is_zstd(std::string_view bytes) noexcept {
    if (bytes.size() < 4) {
        return false;
    }
    const std::uint32_t magic = number_at(bytes, 0);
    return magic == ZSTD_MAGICNUMBER ||
           (magic & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
}

namespace {

// Decompresses the frame that `bytes` begin with in one piece, which needs no window, however large
// the frame says that it is: `zstd --long=31` and `--max` state 2 GiB behind a pipe for few bytes.
// @returns the size of the frame, or an error of zstd's.
std::size_t unzstd_at_once(ZSTD_DCtx& context, std::string_view bytes, decoded_output& out) {
    const std::size_t size = ZSTD_findFrameCompressedSize(bytes.data(), bytes.size());
    if (ZSTD_isError(size) != 0) {
        return size;
    }
    while (true) {
        const std::span<char> room = out.room();
        require_memory(ZSTD_DCtx_reset(&context, ZSTD_reset_session_only));
        const std::size_t written =
            ZSTD_decompressDCtx(&context, room.data(), room.size(), bytes.data(), size);
        if (ZSTD_isError(written) == 0) {
            out.add(written);
            return size;
        }
        if (ZSTD_getErrorCode(written) != ZSTD_error_dstSize_tooSmall) {
            return written;
        }
        out.grow(); // from the start of the frame again, as zstd keeps nothing between calls
    }
}

// @param frame  begins with the frame that has the fault.
// @param offset is that of the fault.
[[noreturn]] void refuse_zstd(std::size_t result, std::string_view frame, std::size_t offset) {
    switch (ZSTD_getErrorCode(result)) {
    case ZSTD_error_memory_allocation:
        throw std::bad_alloc{};
    case ZSTD_error_dictionary_wrong:
        throw error{error_kind::malformed,
                    "this was compressed by zstd with dictionary " +
                        std::to_string(ZSTD_getDictID_fromFrame(frame.data(), frame.size())) +
                        ", which is not supported; zstd -d -D DICTIONARY decompresses it"};
    default:
        throw error{error_kind::malformed,
                    std::string{"damaged zstd data: "} + ZSTD_getErrorName(result), offset};
    }
}

} // namespace

void unzstd(std::string_view bytes, std::string& out, std::size_t max_size) {
    const std::unique_ptr<ZSTD_DCtx, freed_by<ZSTD_freeDCtx>> context{ZSTD_createDCtx()};
    if (!context) {
        throw std::bad_alloc{};
    }
    // The first frame's header may tell its size.
    const auto stated = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
    const bool known = stated != ZSTD_CONTENTSIZE_UNKNOWN && stated != ZSTD_CONTENTSIZE_ERROR;
    decoded_output result{out, bytes.size(), known ? static_cast<std::size_t>(stated) : mebibyte,
                          max_size};

    ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
    std::size_t pending = 0; // what the frame at hand still needs; 0 at a frame's end
    std::size_t frame = 0;   // where it begins
    while (input.pos != input.size || pending != 0) {
        if (pending == 0 && !is_zstd(bytes.substr(input.pos))) {
            throw error{error_kind::malformed,
                        "trailing data that is not zstd follows the compressed profile", input.pos};
        }
        frame = pending == 0 ? input.pos : frame;
        const std::span<char> room = result.room();
        ZSTD_outBuffer output{room.data(), room.size(), 0};
        const std::size_t read_before = input.pos;
        pending = ZSTD_decompressStream(context.get(), &output, &input);
        if (ZSTD_isError(pending) != 0) {
            if (ZSTD_getErrorCode(pending) == ZSTD_error_frameParameter_windowTooLarge) {
                pending = unzstd_at_once(*context, bytes.substr(frame), result);
                input.pos = frame;
            }
            if (ZSTD_isError(pending) != 0) {
                refuse_zstd(pending, bytes.substr(frame), input.pos);
            }
            input.pos += pending;
            pending = 0;
            continue;
        }
        if (pending != 0 && input.pos == read_before && output.pos == 0) {
            throw error{error_kind::malformed, "truncated zstd data", bytes.size()};
        }
        result.add(output.pos);
    }
    result.finish();
}

std::string zstd(std::string_view bytes, int level) {
    const std::unique_ptr<ZSTD_CCtx, freed_by<ZSTD_freeCCtx>> context{ZSTD_createCCtx()};
    if (!context) {
        throw std::bad_alloc{};
    }
    require_memory(ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level));
    require_memory(ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1));
    std::string out(ZSTD_compressBound(bytes.size()), '\0');
    const std::size_t size =
        ZSTD_compress2(context.get(), out.data(), out.size(), bytes.data(), bytes.size());
    require_memory(size); // the buffer is large enough, so only memory can be short
    out.resize(size);
    return out;
}

codec detect_codec(std::string_view bytes) noexcept {
    if (is_gzip(bytes)) {
        return codec::gzip;
    }
    return is_zstd(bytes) ? codec::zstd : codec::none;
}

std::string_view decode(std::string_view bytes, std::string& storage, std::size_t max_size) {
    switch (detect_codec(bytes)) {
    case codec::gzip:
        if (!fast_gunzip(bytes, storage, max_size)) {
            gunzip(bytes, storage, max_size);
        }
        return storage;
    case codec::zstd:
        unzstd(bytes, storage, max_size);
        return storage;
    case codec::none:
        break;
    }
    require_within(bytes.size(), max_size);
    return bytes;
}

level_range levels(codec to) noexcept {
    switch (to) {
    case codec::gzip:
        return {0, 9};
    case codec::zstd:
        return {1, 19}; // higher levels need much memory to decompress
    case codec::none:
        break;
    }
    return {0, 0};
}

std::string encode(std::string_view bytes, codec to, int level) {
    if (to == codec::none) {
        return std::string{bytes};
    }
    if (level != default_level && (level < levels(to).lowest || level > levels(to).highest)) {
        refuse("compression level " + std::to_string(level) + " is out of range");
    }
    if (to == codec::gzip) {
        const int chosen = level == default_level ? 1 : level;
        std::string out;
        return fast_gzip(bytes, chosen, out) ? out : gzip(bytes, chosen);
    }
    return zstd(bytes, level == default_level ? 3 : level);
}

} // namespace pprofdelta
