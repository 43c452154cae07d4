// SPDX-License-Identifier: Apache-2.0
//
// The sum of profiles. Each one goes through the passes of delta.cpp, with two differences: values
// are added to those before instead of subtracted, and locations, functions and strings are
// numbered on from the profile before, so that only what is new is written. Values are known when
// the last profile was added; all else of the sum is kept as it will be written.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/error.hpp>
#include <pprofdelta/merge.hpp>

#include "base/key_table.hpp"
#include "base/numbers.hpp"
#include "codec/codec.hpp"
#include "delta/passes.hpp"
#include "delta/series.hpp"
#include "merge/sum_table.hpp"
#include "merge/trimmer.hpp"
#include "profile/records.hpp"
#include "profile/samples.hpp"
#include "profile/stacks.hpp"
#include "profile/writer.hpp"
#include "wire/reader.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

namespace {

/// The largest whole number up to which doubles have all.
constexpr double largest_exact = 0x1p53;

bool is_whole(double number) { return number == std::floor(number) && number <= largest_exact; }

/// With halves away from zero; none if it does not fit, as one that saturates would be wrong
/// without a sign of it.
std::optional<std::int64_t> rounded(double number) {
    const double whole = std::round(number);
    if (!(whole >= -0x1p63 && whole < 0x1p63)) {
        return std::nullopt;
    }
    return to_whole(whole);
}

std::optional<std::int64_t> multiplied(std::int64_t value, double weight) {
    if (!is_whole(weight)) {
        return rounded(static_cast<double>(value) * weight);
    }
    std::int64_t product = 0;
    const bool fits = !__builtin_mul_overflow(value, static_cast<std::int64_t>(weight), &product);
    return fits ? std::optional{product} : std::nullopt;
}

std::int64_t require_fit(std::optional<std::int64_t> number) {
    if (!number) {
        fail_overflow();
    }
    return *number;
}

std::optional<std::int64_t> added(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
    std::int64_t sum = 0;
    const bool fits = a && b && !__builtin_add_overflow(*a, *b, &sum);
    return fits ? std::optional{sum} : std::nullopt;
}

/// Rounded as well: small weights can make a mean larger than the sum.
std::int64_t divided(std::int64_t value, double divisor) {
    if (!is_whole(divisor)) {
        return require_fit(rounded(static_cast<double>(value) / divisor));
    }
    const auto by = static_cast<std::int64_t>(divisor);
    const std::int64_t rest = value % by;
    const bool is_up = 2 * magnitude(rest) >= static_cast<std::uint64_t>(by);
    return value / by + (is_up ? (value < 0 ? -1 : 1) : 0);
}

// Longer than any process ran. Since 2001, the time since 1970 is longer, which some profilers have
// there: Pyroscope's, for what it reads from JFR.
constexpr std::int64_t longest_duration = 1'000'000'000'000'000'000;

bool is_zero(const std::int64_t* values, std::size_t count) {
    return std::all_of(values, values + count, [](std::int64_t value) { return value == 0; });
}

// All of the top level but the records that samples refer to. Strings are numbers in the sum.
struct header {
    std::int64_t time_nanos = 0;
    std::int64_t duration_nanos = 0;
    std::optional<std::int64_t> weighted_duration_nanos = 0; // none if it would not fit
    std::size_t without_duration = 0;                        // profiles whose duration is none
    std::int64_t period = 0;
    value_type_record period_type;
    std::uint32_t drop_frames = 0;
    std::uint32_t keep_frames = 0;
    std::uint32_t default_sample_type = 0;
    std::uint32_t doc_url = 0;
};

// A profile without what nothing refers to.
std::string without_unused(const std::string& profile) {
    profile_index index;
    index.build(profile, match_mode::exact);
    profile_writer writer;
    std::string out;
    writer.start(index, nullptr, out);
    stack_reader reader{index};
    for (const record sample : index.view.samples) {
        reader.read(sample);
        writer.write_sample(side::current, sample, reader.values());
    }
    write_locations_and_mappings(writer);
    write_functions(writer);
    write_headers_and_strings(writer, index.view.duration_nanos);
    return out;
}

} // namespace

class profile_sum::impl {
public:
    explicit impl(merge_options options)
        : m_match{options.match}, m_levels{options.levels},
          m_ends_last{options.ends_last}, m_trimmer{std::move(options.trim)} {
        m_named.cumulative = std::move(options.cumulative);
        m_named.gauge = std::move(options.gauge);
    }

    profile_info add(std::string_view profile, double weight) {
        if (!(weight > 0 && std::isfinite(weight))) {
            throw error{error_kind::invalid_argument, "a weight must be a positive number"};
        }
        std::optional<std::size_t> samples_in;
        if (!m_trimmer.leaves_all()) {
            samples_in = m_trimmer.trim(profile, m_trimmed);
            profile = m_trimmed;
        }
        m_index.build(profile, m_match);
        if (m_summary.profiles == 0) {
            start();
        } else {
            require_same(m_types, m_index.types);
        }
        identify_mappings();
        profile_info info = info_of(m_index);
        const std::size_t stacks_size = m_stacks.size();
        const std::size_t entries = m_stack_ends.size();
        const std::size_t records_size = m_records.size();
        const std::uint32_t comments = m_comments.size();
        m_table.begin();
        try {
            if (m_summary.profiles != 0) {
                m_writer.go_on(m_index);
            }
            header next = next_header(weight);
            add_comments();
            add_samples(weight);
            write_new_records();
            require_written_size(m_stacks.size() + m_records.size(), max_profile_size);
            // Nothing can fail from here on.
            m_header = next;
        } catch (...) {
            m_table.rollback();
            m_writer.take_back();
            m_comments.truncate(comments);
            m_records.resize(records_size);
            m_stack_ends.resize(entries);
            m_stacks.resize(stacks_size);
            throw;
        }
        const std::int64_t time = m_index.view.time_nanos;
        const bool is_last = m_last_time == 0 || time == 0 || time >= m_last_time;
        m_last_time = is_last ? time : m_last_time;
        m_table.commit(is_last);
        m_writer.keep();
        if (m_index.types.has_period_type()) {
            std::swap(m_types.period_type, m_index.types.period_type);
        }
        ++m_summary.profiles;
        m_summary.samples_in += samples_in.value_or(m_index.view.samples.size());
        m_total_weight += weight;
        return info;
    }

    merge_summary write(std::string& sum) const { return write(sum, m_header.duration_nanos, 1); }
    merge_summary write_mean(std::string& mean) const {
        return write(mean, require_fit(m_header.weighted_duration_nanos), m_total_weight);
    }

    [[nodiscard]] std::size_t size() const noexcept { return m_summary.profiles; }

private:
    // Rows of one process are one, whatever became of its files. Of very many processes the last
    // ones are known.
    void identify_mappings() {
        constexpr std::size_t most_processes = 256;
        const std::uint64_t process = m_index.mappings.process().id();
        if (process == 0) {
            return;
        }
        const auto known = m_processes.find(process);
        if (known != m_processes.end()) {
            static_cast<void>(m_index.identify_mappings_by(known->second, m_match));
            return;
        }
        if (m_processes.size() == most_processes) {
            m_processes.clear();
        }
        const auto all = m_index.mappings.all();
        m_processes.emplace(process, std::vector<mapping_index::mapping>{all.begin(), all.end()});
    }

    // Whatever a first profile has left that could not be added is replaced.
    void start() {
        m_types = m_index.types;
        find_gauges();
        m_types.period_type = {};
        const bool are_kept = m_levels == level_policy::last || m_levels == level_policy::max;
        m_table.configure(m_types.sample_types.size(),
                          are_kept ? m_gauges : std::vector<std::uint32_t>{},
                          m_levels == level_policy::last ? sum_table::keeping::last
                                                         : sum_table::keeping::largest);
        m_values.resize(m_types.sample_types.size());
        m_writer.start(m_index, nullptr, m_records);
        for (const record field : m_index.view.unknown_fields) {
            m_records += m_index.view.at(field);
        }
    }

    void find_gauges() {
        m_gauges.clear();
        if (m_levels == level_policy::sum) {
            return;
        }
        const subtraction_plan plan = plan_subtraction(m_types, m_named);
        for (std::uint32_t i = 0; i < plan.is_cumulative.size(); ++i) {
            if (!plan.is_cumulative[i]) {
                m_gauges.push_back(i);
            }
        }
    }

    void add_samples(double weight) {
        m_reader.start(m_index);
        const std::vector<record>& samples = m_index.view.samples;
        sample_reader::for_each_batch(0, samples.size(), [&](std::size_t first, std::size_t count) {
            m_reader.read(samples.data() + first, count);
            for (std::size_t i = 0; i < count; ++i) {
                m_table.prefetch(m_reader.key(i));
            }
            for (std::size_t i = 0; i < count; ++i) {
                const std::int64_t* values = m_reader.values(i);
                if (weight != 1) {
                    std::transform(values, values + m_values.size(), m_values.begin(),
                                   [weight](std::int64_t value) {
                                       return require_fit(multiplied(value, weight));
                                   });
                    values = m_values.data();
                }
                if (!is_zero(values, m_values.size())) {
                    add_sample(samples[first + i], m_reader.key(i), values);
                }
            }
        });
    }

    void add_sample(record sample, const hash128& key, const std::int64_t* values) {
        const std::uint32_t entry = m_table.find_or_add(key);
        if (entry == m_stack_ends.size()) {
            m_writer.append_stack(m_stacks, side::current, sample);
            m_stack_ends.push_back(m_stacks.size());
        }
        if (!m_table.add(entry, values)) {
            fail_overflow();
        }
    }

    void write_new_records() {
        write_locations_and_mappings(m_writer);
        write_functions(m_writer);
        write_strings(m_writer);
    }

    // By google/pprof's rules, in combineHeaders() of profile/merge.go.
    [[nodiscard]] header next_header(double weight) {
        const profile_view& view = m_index.view;
        header next = m_header;
        const auto use_first = [this](std::uint32_t& string, std::uint64_t number) {
            if (string == 0) {
                string = m_writer.use_header(number);
            }
        };
        if (m_summary.profiles == 0) {
            next = {};
            next.drop_frames = m_writer.use_header(view.drop_frames);
            next.keep_frames = m_writer.use_header(view.keep_frames);
        }
        const bool is_better =
            m_ends_last ? view.time_nanos > next.time_nanos : view.time_nanos < next.time_nanos;
        if (next.time_nanos == 0 || (view.time_nanos != 0 && is_better)) {
            next.time_nanos = view.time_nanos;
        }
        if (view.duration_nanos > longest_duration) {
            ++next.without_duration;
        } else {
            next.duration_nanos = require_fit(added(next.duration_nanos, view.duration_nanos));
            next.weighted_duration_nanos =
                added(next.weighted_duration_nanos, multiplied(view.duration_nanos, weight));
        }
        if (next.period == 0 || next.period < view.period) {
            next.period = view.period;
        }
        if (!view.period_types.empty() && next.period_type.type == 0 &&
            next.period_type.unit == 0) {
            const auto type = view.read<value_type_record>(view.period_types.back());
            next.period_type = {m_writer.use_header(type.type), m_writer.use_header(type.unit)};
        }
        use_first(next.default_sample_type, view.default_sample_type);
        use_first(next.doc_url, view.doc_url);
        return next;
    }

    void add_comments() {
        const profile_view& view = m_index.view;
        for (const record numbers : view.comments) {
            for_each_packed(view.at(numbers), view.bytes().data(), [&](std::uint64_t number) {
                m_comments.find_or_add({m_writer.use_header(number), 0});
            });
        }
    }

    merge_summary write(std::string& out, std::int64_t duration_nanos, double divisor) const {
        if (m_summary.profiles == 0) {
            throw error{error_kind::invalid_argument, "no profile has been added yet"};
        }
        merge_summary summary = m_summary;
        summary.time_nanos = m_header.time_nanos;
        summary.duration_nanos = divided(duration_nanos, divisor);
        summary.without_duration = m_header.without_duration;
        out = m_records;
        append_samples(out, divisor, summary);
        append_headers(out, summary.duration_nanos);
        require_written_size(out.size(), max_profile_size);
        if (summary.samples_out != m_table.size()) {
            out = without_unused(out);
        }
        return summary;
    }

    void append_samples(std::string& out, double divisor, merge_summary& summary) const {
        const std::size_t type_count = m_types.sample_types.size();
        std::vector<std::int64_t> values(type_count);
        std::vector<double> divisors(type_count, divisor);
        for (const std::uint32_t gauge : m_gauges) {
            divisors[gauge] = m_levels == level_policy::mean ? m_total_weight : 1;
        }
        std::string packed(number_field_room<std::int64_t>(type_count), '\0');
        std::size_t begin = 0;
        for (std::uint32_t entry = 0; entry < m_table.size(); ++entry) {
            const std::string_view stack{m_stacks.data() + begin, m_stack_ends[entry] - begin};
            begin = m_stack_ends[entry];
            m_table.read(entry, values.data());
            std::transform(values.begin(), values.end(), divisors.begin(), values.begin(), divided);
            if (is_zero(values.data(), type_count)) {
                continue;
            }
            const char* const end =
                encode_number_field(packed.data(), field::sample::value, values.data(), type_count);
            const std::string_view encoded{packed.data(),
                                           static_cast<std::size_t>(end - packed.data())};
            append_parts(out, field::profile::sample, stack, encoded);
            require_written_size(out.size(), max_profile_size);
            ++summary.samples_out;
        }
    }

    void append_headers(std::string& out, std::int64_t duration_nanos) const {
        const auto append = [&out](field::profile f, std::int64_t number) {
            append_number(out, f, static_cast<std::uint64_t>(number));
        };
        append(field::profile::drop_frames, m_header.drop_frames);
        append(field::profile::keep_frames, m_header.keep_frames);
        append(field::profile::time_nanos, m_header.time_nanos);
        append(field::profile::duration_nanos, duration_nanos);
        number_fields<2> period_type;
        period_type.add(field::value_type::type, m_header.period_type.type);
        period_type.add(field::value_type::unit, m_header.period_type.unit);
        if (!period_type.bytes().empty()) {
            append_bytes(out, field::profile::period_type, period_type.bytes());
        }
        append(field::profile::period, m_header.period);
        std::vector<std::uint32_t> comments(m_comments.size());
        for (std::uint32_t i = 0; i < comments.size(); ++i) {
            comments[i] = static_cast<std::uint32_t>(m_comments[i].low);
        }
        std::string packed;
        append_numbers(out, field::profile::comment, comments.data(), comments.size(), packed);
        append(field::profile::default_sample_type, m_header.default_sample_type);
        append(field::profile::doc_url, m_header.doc_url);
    }

    match_mode m_match;
    level_policy m_levels;
    bool m_ends_last;
    delta_options m_named; // which types are cumulative, and which are gauges
    trimmer m_trimmer;

    // The sum.
    merge_summary m_summary;
    double m_total_weight = 0;
    profile_types m_types;
    std::vector<std::uint32_t> m_gauges; // their places, unless they are added up
    std::int64_t m_last_time = 0;        // of the profile with the last levels, or 0 if it has none
    header m_header;
    key_table m_comments; // their string numbers
    sum_table m_table;
    std::string m_stacks;                  // of each entry of the table, all but its values
    std::vector<std::size_t> m_stack_ends; // in m_stacks
    std::string m_records; // sample types, and all that samples refer to, as they will be written
    profile_writer m_writer;

    // The call at hand.
    std::string m_trimmed;
    profile_index m_index;
    std::map<std::uint64_t, std::vector<mapping_index::mapping>> m_processes;
    sample_reader m_reader;
    std::vector<std::int64_t> m_values;
};

profile_sum::profile_sum(merge_options options)
    : m_impl{std::make_unique<impl>(std::move(options))} {}
profile_sum::~profile_sum() = default;
profile_sum::profile_sum(profile_sum&&) noexcept = default;
profile_sum& profile_sum::operator=(profile_sum&&) noexcept = default;

profile_info profile_sum::add(std::string_view profile, double weight) {
    return m_impl->add(profile, weight);
}

std::size_t profile_sum::size() const noexcept { return m_impl->size(); }

merge_summary profile_sum::write(std::string& sum) const { return m_impl->write(sum); }

merge_summary profile_sum::write_mean(std::string& mean) const { return m_impl->write_mean(mean); }

std::string trim(std::string_view profile, const trim_options& options) {
    std::string left;
    trimmer{options}.trim(profile, left);
    return left;
}

} // namespace pprofdelta
