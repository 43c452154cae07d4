// SPDX-License-Identifier: Apache-2.0
//
// Makes captures of many processes out of some real profiles: FOLDER/profiles/GROUP/SERIES/NUMBER,
// and FOLDER/manifest with a line for each. SERIES takes the profiles in turn, and has so many of
// the samples of one that its captures have some 20 to 200 kB, or what there is.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <future>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <pprofdelta/codec.hpp>

#include "message_builder.hpp"

namespace {

using namespace pprofdelta::test;

// Field numbers of profile.proto.
constexpr std::uint32_t profile_type = 1;
constexpr std::uint32_t profile_sample = 2;
constexpr std::uint32_t profile_location = 4;
constexpr std::uint32_t profile_string = 6;
constexpr std::uint32_t profile_time = 9;
constexpr std::uint32_t type_name = 1;
constexpr std::uint32_t sample_stack = 1;
constexpr std::uint32_t sample_value = 2;
constexpr std::uint32_t location_id = 1;

constexpr std::uint64_t first_time = 1'700'000'000'000'000'000;
constexpr std::uint64_t minute = 60'000'000'000;
constexpr std::uint64_t last_birth = 60;

/// Numbers that look drawn by chance, and are the same everywhere (splitmix64).
std::uint64_t drawn(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    std::uint64_t mixed = a * 0x9e3779b97f4a7c15U + b * 0xd1342543de82ef95U + c + 1;
    mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
    return mixed ^ (mixed >> 31U);
}

std::uint64_t number_in(const std::string& message, std::uint32_t number) {
    for (const wire_field& field : read_fields(message)) {
        if (field.number == number && !field.is_bytes) {
            return field.value;
        }
    }
    return 0;
}

std::string without(const std::string& message, std::uint32_t first, std::uint32_t second = 0) {
    std::string rest;
    for (const wire_field& field : read_fields(message)) {
        if (field.number != first && field.number != second) {
            rest += field.whole;
        }
    }
    return rest;
}

/// The choice among the captures that one real profile stands for.
struct capture_choice {
    std::uint64_t series = 0; ///< Each has samples and values of its own.
    std::uint64_t number = 0; ///< The number, from 0. Later ones have larger counters.
    double share = 1;         ///< How many of the real profile's samples the series has, at most.
};

/// A real profile, and the captures that many processes of the same program might have had.
///
/// The next capture has growth in 3 % of the samples. Each adds 0.5 % new ones, for the first 60,
/// which stand in front, as Go lists its newest buckets first; ids count locations in the order in
/// which samples meet them, so nearly all differ. Captures are a minute apart.
class grown_profile {
public:
    /// @throws std::runtime_error if `bytes` is not a valid, uncompressed profile.
    explicit grown_profile(std::string_view bytes);

    /// The same choice gives the same bytes on every machine.
    [[nodiscard]] std::string capture(const capture_choice& choice) const;

private:
    struct sample {
        std::vector<std::size_t> stack{}; ///< Places in m_locations.
        std::vector<std::int64_t> values{};
        std::string rest{}; ///< Its other fields as they stand.
    };
    struct chosen {
        const sample* what;
        std::uint64_t born;
        std::int64_t growth;
    };

    [[nodiscard]] std::vector<chosen> choose(const capture_choice& choice) const;
    [[nodiscard]] std::string values_of(const chosen& one, std::int64_t factor) const;

    std::vector<sample> m_samples;
    std::vector<std::string> m_locations; ///< The records without their ids.
    std::vector<bool> m_is_gauge;         ///< One for each value.
    std::string m_rest;                   ///< All other fields but the time.
};

grown_profile::grown_profile(std::string_view bytes) {
    const std::vector<wire_field> fields = read_fields(bytes);
    std::map<std::uint64_t, std::size_t> places;
    std::vector<std::uint64_t> types;
    std::vector<std::string> strings;
    for (const wire_field& field : fields) {
        if (field.number == profile_location) {
            places.emplace(number_in(field.bytes, location_id), m_locations.size());
            m_locations.push_back(without(field.bytes, location_id));
            continue;
        }
        if (field.number == profile_type) {
            types.push_back(number_in(field.bytes, type_name));
        } else if (field.number == profile_string) {
            strings.push_back(field.bytes);
        }
        if (field.number != profile_sample && field.number != profile_time) {
            m_rest += field.whole;
        }
    }
    for (const std::uint64_t type : types) {
        m_is_gauge.push_back(strings.at(type).starts_with("inuse_"));
    }
    for (const wire_field& field : fields) {
        if (field.number != profile_sample) {
            continue;
        }
        sample& added = m_samples.emplace_back();
        added.rest = without(field.bytes, sample_stack, sample_value);
        std::vector<std::uint64_t> ids;
        std::vector<std::uint64_t> values;
        for (const wire_field& part : read_fields(field.bytes)) {
            if (part.number == sample_stack) {
                append_numbers(part, ids);
            } else if (part.number == sample_value) {
                append_numbers(part, values);
            }
        }
        for (const std::uint64_t id : ids) {
            added.stack.push_back(places.at(id));
        }
        added.values.assign(values.begin(), values.end());
        if (values.size() != types.size()) {
            throw std::runtime_error("a sample has not as many values as there are types");
        }
    }
}

std::vector<grown_profile::chosen> grown_profile::choose(const capture_choice& choice) const {
    constexpr std::uint64_t whole = 1'000'000;
    const auto share = static_cast<std::uint64_t>(choice.share * static_cast<double>(whole));
    std::vector<chosen> all;
    for (std::uint64_t i = 0; i < m_samples.size(); ++i) {
        const std::uint64_t draw = drawn(choice.series, i, 0);
        const std::uint64_t birth = 1 + (draw >> 32U) % 200;
        const std::uint64_t born = birth <= last_birth ? birth : 0;
        if (draw % whole >= share || born > choice.number) {
            continue;
        }
        std::int64_t growth = 1;
        for (std::uint64_t number = born + 1; number <= choice.number; ++number) {
            growth += drawn(choice.series, i, number) % 100 < 3 ? 1 : 0;
        }
        all.push_back({.what = &m_samples[i], .born = born, .growth = growth});
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const chosen& a, const chosen& b) { return a.born > b.born; });
    return all;
}

std::string grown_profile::values_of(const chosen& one, std::int64_t factor) const {
    std::string packed;
    for (std::size_t i = 0; i < m_is_gauge.size(); ++i) {
        const std::int64_t growth = m_is_gauge[i] ? 1 + one.growth % 3 : one.growth;
        packed += varint(static_cast<std::uint64_t>(one.what->values[i] * factor * growth));
    }
    return packed;
}

std::string grown_profile::capture(const capture_choice& choice) const {
    const auto factor = static_cast<std::int64_t>(1 + drawn(choice.series, 0, 1) % 5);
    std::vector<std::uint64_t> ids(m_locations.size(), 0);
    std::vector<std::size_t> met;
    message_builder fields;
    for (const chosen& one : choose(choice)) {
        std::string packed;
        for (const std::size_t place : one.what->stack) {
            if (ids[place] == 0) {
                met.push_back(place);
                ids[place] = met.size();
            }
            packed += varint(ids[place]);
        }
        fields.bytes(profile_sample, message_builder()
                                         .bytes(sample_stack, packed)
                                         .bytes(sample_value, values_of(one, factor))
                                         .raw(one.what->rest)
                                         .str());
    }
    for (const std::size_t place : met) {
        fields.bytes(
            profile_location,
            message_builder().number(location_id, ids[place]).raw(m_locations[place]).str());
    }
    fields.number(profile_time, first_time + choice.number * minute + choice.series);
    return m_rest + fields.str();
}

struct real_profile {
    grown_profile profile;
    double size; ///< The size that the file has.
};

real_profile read(const std::string& path) {
    std::ifstream file;
    file.exceptions(std::ios::failbit | std::ios::badbit);
    file.open(path, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    std::string storage;
    const std::string packed = bytes.str();
    return {.profile = grown_profile{pprofdelta::decode(packed, storage)},
            .size = static_cast<double>(packed.size())};
}

void write(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream file;
    file.exceptions(std::ios::failbit | std::ios::badbit);
    file.open(path, std::ios::binary);
    file << bytes;
    file.close();
}

std::string digits(std::uint64_t number, std::size_t count) {
    const std::string text = std::to_string(number);
    return std::string(count - std::min(count, text.size()), '0') + text;
}

/// A hundred series to a folder.
std::string series_name(std::uint64_t series) {
    return digits(series / 100, 3) + "/service-" + digits(series, 5);
}

struct fleet {
    std::filesystem::path folder;
    std::uint64_t series;
    std::uint64_t captures;
    std::vector<real_profile> profiles;
};

std::filesystem::path path_of(const fleet& all, std::uint64_t series, std::uint64_t number) {
    return all.folder / "profiles" / series_name(series) / (digits(number, 4) + ".pb.gz");
}

void write_series(const fleet& all, std::uint64_t series) {
    const real_profile& real = all.profiles[series % all.profiles.size()];
    // Evenly on a scale of powers.
    const double size = 20e3 * std::pow(8.0, static_cast<double>(series * 37 % 100) / 100);
    const double share = std::min(0.95, size / real.size);
    std::filesystem::create_directories(path_of(all, series, 0).parent_path());
    for (std::uint64_t number = 0; number < all.captures; ++number) {
        const std::string profile =
            real.profile.capture({.series = series, .number = number, .share = share});
        write(path_of(all, series, number), pprofdelta::encode(profile, pprofdelta::codec::gzip));
    }
}

void write_all(const fleet& all) {
    std::atomic<std::uint64_t> next{0};
    const auto work = [&] {
        for (std::uint64_t series = next++; series < all.series; series = next++) {
            write_series(all, series);
        }
    };
    std::vector<std::future<void>> workers;
    for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
        workers.push_back(std::async(std::launch::async, work));
    }
    for (std::future<void>& worker : workers) {
        worker.get();
    }
    std::string manifest;
    for (std::uint64_t series = 0; series < all.series; ++series) {
        for (std::uint64_t number = 0; number < all.captures; ++number) {
            manifest += series_name(series) + '\t' + path_of(all, series, number).string() + '\n';
        }
    }
    write(all.folder / "manifest", manifest);
}

} // namespace

int main(int argc, char** argv) try {
    if (argc < 5) {
        std::fputs("usage: make-fleet FOLDER SERIES CAPTURES PROFILE...\n", stderr);
        return 2;
    }
    fleet all{.folder = std::filesystem::absolute(argv[1]),
              .series = std::stoull(argv[2]),
              .captures = std::stoull(argv[3]),
              .profiles = {}};
    for (int i = 4; i < argc; ++i) {
        all.profiles.push_back(read(argv[i]));
    }
    write_all(all);
    return 0;
} catch (const std::exception& e) {
    std::fprintf(stderr, "make-fleet: %s\n", e.what());
    return 1;
}
