// SPDX-License-Identifier: Apache-2.0
// Three profiles added up: invented ones that the bytes choose, some of them damaged, or the bytes
// themselves. The output is compact and has the sums of all types, the sum of a sum is the same and
// does not depend on the order; a refused profile changes nothing. The rest of sums is compared
// with google/pprof by tests/pprof.
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

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

struct input {
    std::string bytes{};
    std::optional<profile> content{}; ///< If the reference can read them.
    double weight = 1;
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

// Returns what is in a sum, which is compact.
profile require_compact(const written& found, std::size_t profiles) {
    const std::string fault = find_fault(found.bytes);
    require(fault == "none", "a sum is a compact profile: " + fault);
    profile content = parse(found.bytes).content;
    require(!has_doubles(found.bytes), "a record is there once");
    require(found.summary.samples_out == content.samples.size(), "samples_out is right");
    require(found.summary.profiles == profiles, "profiles is right");
    require(found.summary.time_nanos == content.time, "time_nanos is right");
    require(found.summary.duration_nanos == content.duration, "duration_nanos is right");
    return content;
}

void check_mean(const profile_sum& of) {
    written mean;
    if (is_accepted([&] { mean.summary = of.write_mean(mean.bytes); })) {
        require_compact(mean, of.size());
    }
}

// If all samples and types are added up as they are, so are the types.
void check_totals(const profile& sum, const std::vector<const input*>& added,
                  const merge_options& options) {
    if (!options.trim.are_empty() || options.levels != level_policy::sum) {
        return;
    }
    std::vector<std::int64_t> expected(sum.types.size());
    for (const input* const each : added) {
        const std::vector<std::int64_t> own = sums(*each->content);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            expected[i] = wrapping_sum(expected[i], own[i]);
        }
    }
    const bool is_plain = std::all_of(added.begin(), added.end(),
                                      [](const input* each) { return each->weight == 1; });
    require(!is_plain || sums(sum) == expected, "a sum has the sums of all types");
}

// The sum of a sum alone is the same sum.
void check_again(const std::string& sum, match_mode match) {
    profile_sum again{{.match = match}};
    again.add(sum);
    const std::string different =
        difference(canonical_form(parse(sum).content, match),
                   canonical_form(parse(written_sum(again).bytes).content, match));
    require(different == "none", "a sum added up alone is the same: " + different);
}

void check_reversed(std::vector<input> inputs, const merge_options& options, const profile& sum) {
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
    const std::string different =
        difference({add_up(sum, options.match), {}}, {add_up(content, options.match), {}});
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

// @param promise chooses among the checks that take one more sum: all of them would take as long as
//                the rest.
void check(const std::vector<input>& inputs, const merge_options& options, unsigned promise) {
    profile_sum fast{options};
    std::vector<const input*> added;
    std::size_t samples_in = 0;
    for (const input& each : inputs) {
        if (!is_accepted([&] { fast.add(each.bytes, each.weight); })) {
            require_sum_of(added, fast, options);
        } else if (!each.content) {
            return;
        } else {
            added.push_back(&each);
            samples_in += each.content->samples.size();
        }
    }
    if (added.empty()) {
        std::string none;
        require(!is_accepted([&] { fast.write(none); }), "there is no sum of nothing");
        return;
    }
    const written sum = written_sum(fast);
    const profile content = require_compact(sum, added.size());
    require(sum.summary.samples_in == samples_in, "samples_in is right");
    check_totals(content, added, options);
    if (promise % 4 == 0) {
        check_mean(fast);
    } else if (promise % 4 == 1) {
        require(written_sum(fast).bytes == sum.bytes, "a sum can be written again");
    } else if (promise % 4 == 2) {
        check_again(sum.bytes, options.match);
    } else if (added.size() == inputs.size() && options.levels != level_policy::last) {
        // The last levels depend on the order, where there are no times.
        check_reversed(inputs, options, content);
    }
}

input taken(std::string_view bytes, double weight) {
    return {std::string{bytes}, parse_if_valid(bytes), weight};
}

// The compiler of Go looks for what is in no other profile.
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
    input out{serialize(content, series.next_layout()), content, choose_weight(kind / 8)};
    if (kind % 8 == 7) {
        for (unsigned i = 0; i < 2; ++i) {
            const std::size_t place = damage.word() % out.bytes.size();
            out.bytes[place] = static_cast<char>(damage.byte());
        }
        out.content = parse_if_valid(out.bytes);
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
