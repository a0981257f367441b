// Confidence intervals by Student's t.
#include "sim/engine/confidence.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

namespace weft {
namespace {

// In double throughout: by default Boost.Math computes in long double, and constants of it before
// main, which ends the program under valgrind, whose long double has 64 bits.
using StudentsT = boost::math::students_t_distribution<
    double, boost::math::policies::policy<boost::math::policies::promote_double<false>>>;

}  // namespace

Confidence confidence_95(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  if (values.size() == 1) return {mean, {}};
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  // 2.5 % on either side.
  const double t = boost::math::quantile(StudentsT(count - 1), 0.975);
  return {mean, t * std::sqrt(squares / (count - 1) / count)};
}

}  // namespace weft
