// All faults of a block: detected, proved redundant, or missed.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "tests/grade/prover.hpp"

namespace weft::grade {

struct MissedFault {
  Fault fault;
  std::uint32_t faults = 1;        ///< That are the same.
  bool tried = false;              ///< Whether there was time for a proof.
  std::optional<Witness> witness;  ///< Inputs that show it.
  /// No inputs show it in which the bits that have one value in the whole recording keep it.
  bool held = false;
  bool deep = false;  ///< The witness begins with values of flops that never occurred.
};

struct Grades {
  std::size_t illegal = 0;  ///< Records in which an assertion of the RTL does not hold.
  std::uint64_t nets = 0, faults = 0, detected = 0, redundant = 0, missed = 0;
  std::uint64_t witnesses = 0, held = 0, deep = 0;  ///< Of those missed.
  std::size_t clauses = 0;                          ///< Proved of the registers.
  std::vector<Fault> redundant_faults;              ///< One of each class.
  std::vector<MissedFault> missed_faults;

  /// Detected ones among those that are not redundant.
  double share() const {
    return faults == redundant
               ? 1
               : static_cast<double>(detected) / static_cast<double>(faults - redundant);
  }
};

/// The block with its assertions, as a kernel in which nets can be forced.
std::shared_ptr<const GateLibrary> load(RtlSpec spec);

/// Grades all faults; proofs end after `effort.seconds`.
Grades grade(Passes& passes, const Effort& effort);

}  // namespace weft::grade
