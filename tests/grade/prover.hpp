// Proofs that no legal input shows a fault, and inputs that show one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tests/grade/frames.hpp"
#include "tests/grade/passes.hpp"

namespace weft::grade {

/// How much a proof may cost.
struct Effort {
  std::uint64_t conflicts = 5000;  ///< Of each question to the solver.
  unsigned depth = 4;              ///< Cycles of an induction.
  unsigned cycles = 6;             ///< Of inputs searched.
  double seconds = 300;            ///< Of all; a tenth of them for what holds of the registers.
};

/// Inputs that show a fault: from the state that the recording has before a record on, for each
/// further cycle the netlist's input bits.
struct Witness {
  std::size_t record = 0;
  std::vector<std::vector<bool>> inputs;
  std::vector<std::uint32_t> flops;  ///< That were given another value first (`deep`).
};

/// Legal inputs are those under which the RTL's assertions and assumptions hold. They, and what was
/// found to hold of the registers from reset on, are assumed of the block without the fault.
class Prover {
 public:
  /// A clause of flops: flop times 2, plus 1 if it is to be 0.
  using Clause = std::vector<std::uint32_t>;

  /// Looks for clauses that hold in all states of `passes` and by induction in all.
  Prover(Passes& passes, const Effort& effort);

  std::size_t clauses() const { return clauses_.size(); }
  /// Whether it is certain that the fault changes no output, whatever the inputs. `differed`: the
  /// flops that it changed in simulation, a first guess at those that it may change.
  /// Induction over `from` to `to` cycles.
  bool redundant(const Fault& fault, const std::vector<std::uint8_t>& differed, unsigned from,
                 unsigned to);
  /// Whether from here on only inputs count in which bits that have one value in the whole
  /// recording keep it.
  void hold(bool held) { hold_ = held; }
  /// Whether `hold` excludes any inputs.
  bool holds_inputs() const { return holds_inputs_; }
  /// Inputs that show fault number `index` of `spread` from a snapshot on, of those from `first` to
  /// before `end`; simulated. With `deep` registers of which a bit had one value in the whole
  /// recording, though it might have another one, begin with any value: counters.
  std::optional<Witness> witness(const Fault& fault, const Spread& spread, std::size_t index,
                                 std::size_t first, std::size_t end, bool deep);

 private:
  void find_clauses();
  bool keep_clauses(std::vector<Clause> all);
  std::vector<Clause> candidates();
  bool holds_at_reset(const Clause& clause) const;
  void assume(Sat& sat, Frames& frames, unsigned frame);
  bool step_holds(const Fault& fault, std::vector<std::uint8_t>& differ, unsigned depth,
                  bool& outputs_differ);
  bool first_cycles_hold(const Fault& fault, const std::vector<std::uint8_t>& differ,
                         unsigned cycles);
  bool reset_holds(const Fault& fault, const std::vector<std::uint8_t>& differ);
  std::vector<Lit> differences(Frames& frames, unsigned frame,
                               const std::vector<std::uint8_t>& differ);

  Passes& passes_;
  const Netlist& netlist_;
  const Watched& watched_;
  Effort effort_;
  std::vector<std::int8_t> held_;  // By input bit.
  bool hold_ = false, holds_inputs_ = false;
  // By flop: it had one value, or another one of its register had, and no clause says why.
  std::vector<std::uint8_t> still_;
  std::vector<Clause> clauses_;
};

}  // namespace weft::grade
