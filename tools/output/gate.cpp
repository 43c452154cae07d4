// SPDX-License-Identifier: Apache-2.0
#include "output/gate.hpp"

#include <pprofdelta/delta.hpp>

#include "base/names.hpp"
#include "base/value_text.hpp"
#include "files/file.hpp"

namespace pprofdelta::tool {

exit_status report_limits(const std::vector<document::limit>& limits, run_status& line,
                          bool annotations, bool may_lack_match, bool are_in_table) {
    std::vector<std::string> errors;
    std::vector<std::string> warnings;
    std::vector<std::string> annotated; // of these one for each limit
    std::vector<std::string> objects;
    std::string text;
    bool is_open = false;
    bool is_gone = false; // as a benchmark that did not run
    for (const document::limit& limit : limits) {
        const bool is_unknown = limit.as == document::judged::unknown;
        objects.push_back(limit.json);
        const bool is_lacking = !limit.has_match || limit.is_gone;
        // That no function matches is why a limit on two profiles is unknown.
        if (is_lacking && (limit.is_gone || !is_unknown || !limit.must_match)) {
            const char* const what = limit.limit.starts_with("label:") ? "label" : "function";
            warnings.push_back(limit.limit + ": no " + what + " matches" +
                               (limit.is_gone ? " any more, though one did before: did the "
                                                "benchmark run, or has it another name?"
                                              : ""));
        }
        if (is_unknown) {
            warnings.push_back(limit.text);
        }
        if (is_lacking || is_unknown) {
            annotated.push_back(warnings.back());
        }
        if (limit.as == document::judged::crossed) {
            errors.push_back("limit crossed: " + printable(limit.text));
            text += "pprofdelta: " + printable(errors.back()) + "\n";
        }
        is_gone |= limit.is_gone;
        is_open |= (is_unknown && limit.must_be_judged) ||
                   (!limit.has_match && limit.must_match && !may_lack_match);
    }
    line.warn(warnings, line.is_quiet() && !is_open && !is_gone);
    line.add_objects("limits", objects);
    text = are_in_table ? "" : text;
    if (annotations) {
        text += github_annotations(errors, annotated);
    }
    write_standard_error(text);
    return !errors.empty() ? exit_status::limit_crossed
           : is_open       ? exit_status::incompatible
                           : exit_status::done;
}

void require_samples(std::int64_t samples, const std::string& current) {
    if (samples == 0) {
        throw failure{exit_status::incompatible,
                      current + ": no samples, so no limit can be judged: did the benchmarks run? "
                                "If it may be empty, see --allow-empty"};
    }
}

static std::string describe(normalization normalize, const std::vector<double>& factors,
                            const std::vector<type_treatment>& types) {
    std::string text = std::string{"previous values normalized by "} + to_string(normalize);
    for (std::size_t i = 0; i < types.size(); ++i) {
        text += (i == 0 ? ": " : ", ") + to_string(types[i].type) + " x" + factor_text(factors[i]);
    }
    return text;
}

comparison::comparison(std::optional<normalization> normalize, const profile_file& before,
                       const profile_file& now)
    : previous{before}, current{now} {
    if (previous.source() != current.source()) {
        throw failure{exit_status::incompatible, previous.name() + " and " + current.name() +
                                                     ": one is " + to_string(previous.source()) +
                                                     " and the other " +
                                                     to_string(current.source()) +
                                                     ": stacks of different formats do not match"};
    }
    if (normalize) {
        scaled = with_both_profiles([&](std::string_view one, std::string_view other) {
            return pprofdelta::normalize(one, other, *normalize);
        });
        normalized_by = normalize;
        normalization_text = describe(*normalize, scaled.factors, list_types(current.bytes()));
    }
}

gate::gate(const limit_options& chosen, std::optional<normalization> normalize,
           stack_selection frames)
    : m_normalize{normalize}, m_frames{std::move(frames)} {
    limit_input options = read_limits(chosen, normalize);
    m_least = read_min_amount(options.min_amount);
    m_limits = std::move(options.limits);
}

void gate::judge(const viewed_profiles& profiles, const std::string& previous,
                 const std::string& current) {
    if (is_on()) {
        m_judgements = with_pair_context(previous, current, [&] {
            return pprofdelta::judge(m_limits, profiles, m_least, m_frames);
        });
    }
}

} // namespace pprofdelta::tool
