// Statistics over runs with different seeds, or over parts of a run.
#pragma once

#include <optional>
#include <span>

namespace weft {

/// Mean of a sample, and the most that the distribution's mean is off it, with some confidence: for
/// independent values of a normal distribution, by Student's t.
struct Confidence {
  double mean = 0;
  std::optional<double> half_width;  ///< None for a single value.
};

/// Confidence interval of one or more values. `level`: such as 0.95.
Confidence confidence(std::span<const double> values, double level);
inline Confidence confidence_95(std::span<const double> values) {
  return confidence(values, 0.95);
}

/// Most standard errors that an estimate with `freedom` degrees of freedom is off, with confidence
/// `level`.
double student_t(double level, double freedom);

}  // namespace weft
