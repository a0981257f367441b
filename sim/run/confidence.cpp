// Confidence intervals by Student's t.
#include "sim/run/confidence.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

namespace weft {
namespace {

// Uses double throughout: by default Boost.Math computes in long double, and makes constants of it
// before main, which ends the program under valgrind, whose long double has 64 bits.
using StudentsT = boost::math::students_t_distribution<
    double, boost::math::policies::policy<boost::math::policies::promote_double<false>>>;

}  // namespace

double student_t(double level, double freedom) {
  // The same probability is left out on either side.
  return boost::math::quantile(StudentsT(freedom), (1 + level) / 2);
}

Confidence confidence(std::span<const double> values, double level) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  if (values.size() == 1) return {mean, {}};
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, student_t(level, count - 1) * std::sqrt(squares / (count - 1) / count)};
}

}  // namespace weft
