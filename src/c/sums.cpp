// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <pprofdelta/merge.hpp>

#include "c/guard.hpp"
#include "c/options.hpp"

using namespace pprofdelta;
using namespace pprofdelta::c;

struct pprofdelta_sum {
    profile_sum sum;
    std::string written{};
};

namespace {

using writer = merge_summary (profile_sum::*)(std::string&) const;

pprofdelta_status finish(pprofdelta_sum* sum, writer write, pprofdelta_view* written,
                         pprofdelta_sum_summary* summary, pprofdelta_error* error) noexcept {
    return guarded(error, [&] {
        pprofdelta_view& result = required(written, "written") = {};
        pprofdelta_sum& of = required(sum, "sum");
        const merge_summary totals = (of.sum.*write)(of.written);
        if (summary != nullptr) {
            *summary = {totals.profiles, totals.samples_in, totals.samples_out, totals.time_nanos,
                        totals.duration_nanos};
        }
        result = view_of(of.written);
    });
}

} // namespace

pprofdelta_status pprofdelta_sum_new(const pprofdelta_options* options, pprofdelta_sum** sum,
                                     pprofdelta_error* error) {
    return guarded(error, [&] {
        pprofdelta_sum*& result = required(sum, "sum") = nullptr;
        result = new pprofdelta_sum{profile_sum{options_or_defaults(options).merge}};
    });
}

pprofdelta_status pprofdelta_sum_add(pprofdelta_sum* sum, const void* profile, size_t size,
                                     double weight, pprofdelta_error* error) {
    return guarded(
        error, [&] { required(sum, "sum").sum.add(bytes_of(profile, size, "profile"), weight); });
}

pprofdelta_status pprofdelta_sum_finish(pprofdelta_sum* sum, pprofdelta_view* written,
                                        pprofdelta_sum_summary* summary, pprofdelta_error* error) {
    return finish(sum, &profile_sum::write, written, summary, error);
}

pprofdelta_status pprofdelta_sum_finish_mean(pprofdelta_sum* sum, pprofdelta_view* written,
                                             pprofdelta_sum_summary* summary,
                                             pprofdelta_error* error) {
    return finish(sum, &profile_sum::write_mean, written, summary, error);
}

void pprofdelta_sum_free(pprofdelta_sum* sum) { delete sum; }
