// SPDX-License-Identifier: Apache-2.0
#include "codec/zstd.hpp"

#include <cstdint>
#include <memory>
#include <new>
#include <span>

#include <zstd.h>
#include <zstd_errors.h>

#include <pprofdelta/error.hpp>

#include "codec/decoded_output.hpp"

namespace pprofdelta {

namespace {

struct free_zstd_decompressor {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};
struct free_zstd_compressor {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

void require_memory(std::size_t result) {
    if (ZSTD_isError(result) != 0) {
        throw std::bad_alloc{};
    }
}

} // namespace

bool is_zstd(std::string_view bytes) noexcept {
    if (bytes.size() < 4) {
        return false;
    }
    std::uint32_t magic = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        magic |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    }
    return magic == ZSTD_MAGICNUMBER ||
           (magic & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
}

void unzstd(std::string_view bytes, std::string& out, std::size_t max_size) {
    const std::unique_ptr<ZSTD_DCtx, free_zstd_decompressor> context{ZSTD_createDCtx()};
    if (!context) {
        throw std::bad_alloc{};
    }
    // The first frame's header may tell its size.
    const auto stated = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
    const bool known = stated != ZSTD_CONTENTSIZE_UNKNOWN && stated != ZSTD_CONTENTSIZE_ERROR;
    constexpr std::size_t usual = std::size_t{1} << 20U;
    decoded_output result{out, bytes.size(), known ? static_cast<std::size_t>(stated) : usual,
                          max_size};

    ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
    std::size_t pending = 0; // what the frame at hand still needs; 0 at a frame's end
    while (true) {
        if (input.pos == input.size && pending == 0) {
            break;
        }
        if (pending == 0 && !is_zstd(bytes.substr(input.pos))) {
            throw error{error_kind::malformed,
                        "something that is not zstd follows the compressed profile", input.pos};
        }
        const std::span<char> room = result.room();
        ZSTD_outBuffer output{room.data(), room.size(), 0};
        const std::size_t read_before = input.pos;
        pending = ZSTD_decompressStream(context.get(), &output, &input);
        if (ZSTD_isError(pending) != 0) {
            if (ZSTD_getErrorCode(pending) == ZSTD_error_memory_allocation) {
                throw std::bad_alloc{};
            }
            throw error{error_kind::malformed,
                        std::string{"damaged zstd data: "} + ZSTD_getErrorName(pending), input.pos};
        }
        if (pending != 0 && input.pos == read_before && output.pos == 0) {
            throw error{error_kind::malformed, "truncated zstd data", bytes.size()};
        }
        result.add(output.pos);
    }
    result.finish();
}

std::string zstd(std::string_view bytes, int level) {
    const std::unique_ptr<ZSTD_CCtx, free_zstd_compressor> context{ZSTD_createCCtx()};
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

} // namespace pprofdelta
