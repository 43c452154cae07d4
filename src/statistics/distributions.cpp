// SPDX-License-Identifier: Apache-2.0
#include "statistics/distributions.hpp"

#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/polygamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

namespace pprofdelta {

namespace {

using in_double = boost::math::policies::policy<
    boost::math::policies::promote_double<false>,
    boost::math::policies::overflow_error<boost::math::policies::ignore_error>>;
using students_t = boost::math::students_t_distribution<double, in_double>;
using fisher_f = boost::math::fisher_f_distribution<double, in_double>;

} // namespace

double digamma(double x) { return boost::math::digamma(x, in_double{}); }

double trigamma(double x) { return boost::math::trigamma(x, in_double{}); }

double tetragamma(double x) { return boost::math::polygamma(2, x, in_double{}); }

double students_t_above(double t, double freedom) {
    return boost::math::cdf(boost::math::complement(students_t{freedom}, t));
}

double students_t_with_tail(double tail, double freedom) {
    return boost::math::quantile(boost::math::complement(students_t{freedom}, tail));
}

double fisher_f_above(double ratio, double freedom, double freedom_below) {
    return boost::math::cdf(boost::math::complement(fisher_f{freedom, freedom_below}, ratio));
}

double beta_quantile(double a, double b, double part) {
    return boost::math::ibeta_inv(a, b, part, in_double{});
}

} // namespace pprofdelta
