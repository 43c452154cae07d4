// SPDX-License-Identifier: Apache-2.0
#include "profile/sample_keys.hpp"

#include "base/in_parts.hpp"
#include "profile/sample_reader.hpp"

namespace pprofdelta {

std::vector<hash128> read_sample_keys(const profile_index& index, std::size_t threads) {
    const std::vector<record>& samples = index.view.samples;
    std::vector<hash128> keys(samples.size());
    in_parts(
        samples.size(), threads, [&](std::size_t /*part*/, std::size_t begin, std::size_t end) {
            sample_reader reader;
            reader.start(index);
            sample_reader::for_each_batch(begin, end, [&](std::size_t start, std::size_t count) {
                reader.read(samples.data() + start, count);
                for (std::size_t i = 0; i < count; ++i) {
                    keys[start + i] = reader.key(i);
                }
            });
        });
    return keys;
}

} // namespace pprofdelta
