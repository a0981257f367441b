// Statistics over runs with different seeds.
#pragma once

#include <optional>
#include <span>

namespace weft {

/// Mean of a sample and how far from it, with 95 % confidence, the mean of the distribution is at
/// most: for independent values of a normal distribution, by Student's t.
struct Confidence {
  double mean = 0;
  std::optional<double> half_width;  ///< None for a single value.
};

/// Of one or more values.
Confidence confidence_95(std::span<const double> values);

}  // namespace weft
