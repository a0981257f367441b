// Statistics over runs with different seeds, or over parts of a run.
#pragma once

#include <optional>
#include <span>

namespace weft {

/// Mean of a sample and how far from it, with some confidence, the mean of the distribution is at
/// most: for independent values of a normal distribution, by Student's t.
struct Confidence {
  double mean = 0;
  std::optional<double> half_width;  ///< None for a single value.
};

/// Of one or more values. `level`: such as 0.95.
Confidence confidence(std::span<const double> values, double level);
inline Confidence confidence_95(std::span<const double> values) {
  return confidence(values, 0.95);
}

/// How many standard errors an estimate with `freedom` degrees of freedom is at most off, with
/// confidence `level`.
double student_t(double level, double freedom);

}  // namespace weft
