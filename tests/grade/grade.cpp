// Grading: simulation first, then proofs of what it does not show.
#include "tests/grade/grade.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

namespace weft::grade {

namespace {

constexpr unsigned kSnapshots = 12, kFewSnapshots = 2;

// What is likely and cheap comes first. True for a redundant fault, of which the prover may first
// be told to hold inputs.
bool settle(Prover& prover, const Spread& spread, std::size_t index, const Effort& effort,
            MissedFault& missed) {
  const Fault& fault = missed.fault;
  const auto& differed = spread.differed[index];
  const auto shown = [&](std::size_t first, std::size_t end, bool deep) {
    missed.witness = prover.witness(fault, spread, index, first, end, deep);
    missed.deep = deep && missed.witness;
    return missed.witness.has_value();
  };
  prover.hold(prover.holds_inputs());
  if (shown(0, kFewSnapshots, false)) return false;
  prover.hold(false);
  if (prover.redundant(fault, differed, 1, 1)) return true;
  prover.hold(prover.holds_inputs());
  missed.held = prover.holds_inputs() && prover.redundant(fault, differed, 1, 1);
  const bool deep = !missed.held && shown(0, kFewSnapshots, true);
  prover.hold(false);
  if (deep) return false;
  if (prover.redundant(fault, differed, 2, effort.depth)) return true;
  if (!shown(0, kSnapshots, false)) shown(0, kFewSnapshots, true);
  return false;
}

}  // namespace

std::shared_ptr<const GateLibrary> load(RtlSpec spec) {
  spec.assertions = true;
  return GateLibrary::load(spec, lane_width(), true);
}

Grades grade(Passes& passes, const Effort& effort) {
  const FaultList list(passes.block().library().netlist(), passes.watched());
  const std::size_t records = passes.recording().records();
  Grades grades;
  grades.illegal = passes.broken_checks();
  grades.nets = list.nets();
  grades.faults = 2 * grades.nets;
  grades.redundant = list.unread();

  // Most faults show soon; the others are simulated from the beginning, together.
  std::vector<std::uint8_t> found(list.classes().size());
  std::vector<std::uint32_t> left(found.size());
  std::iota(left.begin(), left.end(), 0);
  for (const std::size_t some : {records / 50, records / 8, records}) {
    passes.detect(list.classes(), left, some, found);
    std::erase_if(left, [&](std::uint32_t i) { return found[i] != 0; });
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] != 0) grades.detected += list.sizes()[i];
  }
  if (left.empty()) return grades;

  const auto start = std::chrono::steady_clock::now();
  const auto in_time = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() <
           effort.seconds;
  };
  std::optional<Prover> prover;
  if (in_time()) prover.emplace(passes, effort);
  if (prover) grades.clauses = prover->clauses();
  for (std::size_t at = 0; at < left.size(); at += passes.lanes()) {
    const std::size_t end = std::min<std::size_t>(left.size(), at + passes.lanes());
    std::vector<Fault> faults;
    for (std::size_t i = at; i < end; ++i) faults.push_back(list.classes()[left[i]]);
    const Spread spread = in_time() ? passes.spread(faults, kSnapshots) : Spread{};
    for (std::size_t i = 0; i < faults.size(); ++i) {
      MissedFault missed{faults[i], list.sizes()[left[at + i]], false, {}};
      if (prover && in_time() && !spread.differed.empty()) {
        missed.tried = true;
        if (settle(*prover, spread, i, effort, missed)) {
          grades.redundant += missed.faults;
          grades.redundant_faults.push_back(faults[i]);
          continue;
        }
        if (missed.held) {
          grades.held += missed.faults;
        } else if (missed.witness) {
          (missed.deep ? grades.deep : grades.witnesses) += missed.faults;
        }
      }
      grades.missed += missed.faults;
      grades.missed_faults.push_back(std::move(missed));
    }
  }
  return grades;
}

}  // namespace weft::grade
