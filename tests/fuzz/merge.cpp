// SPDX-License-Identifier: Apache-2.0
// Three profiles added up: invented ones that the bytes choose, some of them damaged, or the bytes
// themselves. The sum and the mean are the slow reference's, and the sum does not depend on the
// order; a refused profile changes nothing.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/merge.hpp>

#include "canonical.hpp"
#include "fuzz.hpp"
#include "profile_builder.hpp"
#include "profile_reader.hpp"
#include "random_profile.hpp"
#include "slow_sum.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

struct input {
    std::string bytes{};
    std::optional<profile> content{}; ///< If the reference can read them.
    double weight = 1;
    bool is_sound = false;
};

template <typename List>
const auto& choose(const List& list, unsigned choice) {
    return list[choice % std::size(list)];
}

double choose_weight(unsigned choice) {
    static constexpr std::array<double, 12> weights{
        1, 1, 1, 2, 3, 0.5, 0.1, 1.5, 1e-9, 1e6, 9007199254740991, 1e300};
    return choose(weights, choice);
}

// Regular expressions that mean the same to RE2 and to POSIX, whatever they are searched in.
merge_options choose_options(steering& bytes) {
    static const std::vector<std::string> patterns{"f", "main", "[ag]", "f|main", "^f$", "b\\.c"};
    static const std::vector<std::string> types{"alloc_space", "delay/nanoseconds",
                                                "inuse_space/bytes", "b", "none"};
    merge_options chosen;
    chosen.match = static_cast<match_mode>(bytes.byte() % 3);
    const unsigned kinds = bytes.byte();
    const auto has = [kinds](unsigned bit) { return (kinds >> bit & 1U) != 0; };
    if (has(0)) {
        chosen.trim.keep_types.emplace_back(choose(types, bytes.byte()));
    }
    if (has(0) && has(1)) {
        chosen.trim.keep_types.emplace_back(choose(types, bytes.byte()));
    }
    if (has(2)) {
        chosen.trim.drop_labels.push_back(choose(patterns, bytes.byte()));
    }
    if (has(3)) {
        chosen.trim.selection.focus = choose(patterns, bytes.byte());
    }
    if (has(4)) {
        chosen.trim.selection.ignore = choose(patterns, bytes.byte());
    }
    chosen.trim.drop_lines = has(5);
    chosen.trim.for_pgo = has(6);
    if (has(7)) {
        chosen.levels = static_cast<level_policy>(bytes.byte() % 4);
    }
    return chosen;
}

struct written {
    std::string bytes{};
    merge_summary summary{};
};

written written_sum(const profile_sum& of) {
    written out;
    out.summary = of.write(out.bytes);
    return out;
}

void require_reference(const written& found, const canonical& expected, const slow_sum& slow,
                       match_mode match) {
    const std::string fault = find_fault(found.bytes, slow.main() ? &*slow.main() : nullptr);
    require(fault == "none", "a sum is a compact profile: " + fault);
    const profile content = parse(found.bytes).content;
    const std::string different = difference(expected, canonical_form(content, match));
    require(different == "none", "a sum is what the slow reference has: " + different);
    require(content.samples.size() == expected.samples.size(), "samples come once");
    require(found.summary.samples_out == content.samples.size(), "samples_out is right");
    require(found.summary.profiles == slow.size(), "profiles is right");
    require(found.summary.time_nanos == content.time, "time_nanos is right");
    require(found.summary.duration_nanos == content.duration, "duration_nanos is right");
}

void check_mean(const profile_sum& fast, const slow_sum& slow, match_mode match) {
    written mean;
    const bool has_mean = is_accepted([&] { mean.summary = fast.write_mean(mean.bytes); });
    canonical expected;
    require(has_mean == is_accepted([&] { expected = slow.mean(); }),
            "a mean is refused where the slow reference refuses it");
    if (has_mean) {
        require_reference(mean, expected, slow, match);
    }
}

// The sum of a sum alone is the same sum.
void check_again(const std::string& sum, match_mode match) {
    merge_options options;
    options.match = match;
    profile_sum again{options};
    again.add(sum);
    const std::string different =
        difference(canonical_form(parse(sum).content, match),
                   canonical_form(parse(written_sum(again).bytes).content, match));
    require(different == "none", "a sum added up alone is the same: " + different);
}

void check_reversed(std::vector<input> inputs, const merge_options& options,
                    const canonical& expected) {
    std::reverse(inputs.begin(), inputs.end());
    profile_sum fast{options};
    const bool all = std::all_of(inputs.begin(), inputs.end(), [&](const input& each) {
        return is_accepted([&] { fast.add(each.bytes, each.weight); });
    });
    // A sum can be too large on the way, and with the last profile not.
    if (!all) {
        return;
    }
    const profile content = parse(written_sum(fast).bytes).content;
    const canonical headless{add_up(content, options.match), expected.headers};
    const std::string different = difference(expected, headless);
    require(different == "none", "a sum in another order has the same samples: " + different);
}

// Requires that a sum is that of these alone.
void require_sum_of(const std::vector<const input*>& added, const profile_sum& found,
                    const merge_options& options) {
    require(found.size() == added.size(), "what is refused is not counted");
    if (added.empty()) {
        return;
    }
    profile_sum sound{options};
    for (const input* const each : added) {
        sound.add(each->bytes, each->weight);
    }
    require(written_sum(found).bytes == written_sum(sound).bytes,
            "what is refused changes nothing");
}

/// Adds one profile to both sums.
/// @returns whether there is anything left to compare.
bool add(const input& next, std::vector<const input*>& added, profile_sum& fast, slow_sum& slow,
         const merge_options& options) {
    const bool is_added = is_accepted([&] { fast.add(next.bytes, next.weight); });
    if (!is_added) {
        require_sum_of(added, fast, options);
    } else if (!next.content) {
        return false;
    } else {
        added.push_back(&next);
    }
    if (is_added || next.is_sound) {
        require(is_added == is_accepted([&] { slow.add(*next.content, next.weight); }),
                "a profile is added where the slow reference adds it");
    }
    return true;
}

// @param promise which of those is looked at that take a sum more: all of them would take as long
//                as the rest.
void check(const std::vector<input>& inputs, const merge_options& options, unsigned promise) {
    profile_sum fast{options};
    slow_sum slow{options};
    std::vector<const input*> added;
    for (const input& each : inputs) {
        if (!add(each, added, fast, slow, options)) {
            return;
        }
    }
    std::size_t samples_in = 0;
    for (const input* const each : added) {
        samples_in += each->content->samples.size();
    }
    if (slow.size() == 0) {
        std::string none;
        require(!is_accepted([&] { fast.write(none); }), "there is no sum of nothing");
        return;
    }
    const written sum = written_sum(fast);
    const canonical expected = slow.sum();
    require_reference(sum, expected, slow, options.match);
    require(sum.summary.samples_in == samples_in, "samples_in is right");
    if (promise % 4 == 0) {
        check_mean(fast, slow, options.match);
    } else if (promise % 4 == 1) {
        require(written_sum(fast).bytes == sum.bytes, "a sum can be written again");
    } else if (promise % 4 == 2) {
        check_again(sum.bytes, options.match);
    } else if (added.size() == inputs.size() && options.levels != level_policy::last) {
        // Which levels are the last ones depends on the order, where there are no times.
        check_reversed(inputs, options, expected);
    }
}

input taken(std::string_view bytes, double weight) {
    return {std::string{bytes}, parse_if_valid(bytes), weight, false};
}

// What the compiler of Go looks for is in no other profile.
void become_cpu_profile(profile& in, unsigned choice) {
    const value_type cpu =
        choice % 2 == 0 ? value_type{"samples", "count"} : value_type{"cpu", "nanoseconds"};
    in.types[choice / 2 % in.types.size()] = cpu;
}

input invented(random_series& series, const merge_options& options, unsigned kind,
               steering& damage) {
    profile content = series.next();
    if (options.trim.for_pgo) {
        become_cpu_profile(content, damage.byte());
    }
    input out{serialize(content, series.next_layout()), content, choose_weight(kind / 8), true};
    if (kind % 8 == 7) {
        for (unsigned i = 0; i < 2; ++i) {
            const std::size_t place = damage.word() % out.bytes.size();
            out.bytes[place] = static_cast<char>(damage.byte());
        }
        out.content = parse_if_valid(out.bytes);
        out.is_sound = false;
    }
    return out;
}

} // namespace

FUZZ_TARGET(merge, data, size) {
    steering bytes{data, size};
    const merge_options options = choose_options(bytes);
    const unsigned kind = bytes.byte();
    std::array<std::uint8_t, 3> kinds{bytes.byte(), bytes.byte(), bytes.byte()};
    std::vector<input> inputs;
    if (kind % 2 == 0) {
        for (const std::size_t i : {0U, 1U}) {
            const std::size_t length = bytes.word() % 4096;
            inputs.push_back(taken(bytes.take(length), choose_weight(kinds[i] / 8U)));
        }
        inputs.push_back(taken(bytes.rest(), choose_weight(kinds[2] / 8U)));
        check(inputs, options, kind / 2);
        return 0;
    }
    const std::string_view what = bytes.take(32);
    steering damage{reinterpret_cast<const std::uint8_t*>(what.data()), what.size()};
    const std::string_view choices = bytes.rest();
    random_series series{kind, choices};
    inputs.push_back(invented(series, options, kinds[0], damage));
    inputs.push_back(invented(series, options, kinds[1], damage));
    if (kinds[1] % 8U == 6) { // what was refused for its weight comes again
        inputs.push_back(inputs.back());
        inputs.back().weight = 1;
    }
    // Another process, which has the same types if the bytes choose them.
    random_series other{kind + 1, choices.substr(0, std::size_t{4} * (kinds[2] % 4U))};
    inputs.push_back(invented(other, options, kinds[2], damage));
    check(inputs, options, kind / 2);
    return 0;
}
