// The three ways in which a run can fail, one for each exit status of the `weft` command.
#pragma once

#include <stdexcept>

namespace weft {

/// Unusable arguments or configuration: exit status 2.
struct ConfigError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A check failed (data, order, parity, RTL against model): exit status 1.
struct CheckError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Deadlock or no progress: exit status 3.
struct NoProgressError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace weft
