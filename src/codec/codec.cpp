// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/codec.hpp>

#include <pprofdelta/error.hpp>

#include "codec/bounded_output.hpp"
#include "codec/gzip.hpp"
#include "codec/zstd.hpp"

namespace pprofdelta {

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
        return {zstd_lowest_level, zstd_highest_level};
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
        throw error{error_kind::invalid_argument,
                    "compression level " + std::to_string(level) + " is out of range"};
    }
    if (to == codec::gzip) {
        const int chosen = level == default_level ? 1 : level;
        std::string out;
        return fast_gzip(bytes, chosen, out) ? out : gzip(bytes, chosen);
    }
    return zstd(bytes, level == default_level ? 3 : level);
}

} // namespace pprofdelta
