// Induction over cycles, and search for inputs.
#include "tests/grade/prover.hpp"

#include <algorithm>

namespace weft::grade {

Prover::Prover(Passes& passes, const Effort& effort)
    : passes_(passes),
      netlist_(passes.block().library().netlist()),
      watched_(passes.watched()),
      effort_(effort),
      held_(passes.stimulus().held(netlist_.inputs)),
      still_(netlist_.flops.size()) {
  for (std::uint32_t i = 0; i < netlist_.inputs; ++i) {
    holds_inputs_ = holds_inputs_ || (held_[i] >= 0 && i != netlist_.reset);
  }
  find_clauses();
}

// The RTL's assertions in a frame, and in frame 0 what is known of the state.
void Prover::assume(Sat& sat, Frames& frames, unsigned frame) {
  for (const Watched::Check& check : watched_.checks) {
    sat.add({negated(frames.good(frame, check.when)), frames.good(frame, check.holds)});
  }
  if (frame != 0) return;
  for (const Clause& clause : clauses_) {
    std::vector<Lit> lits;
    for (const std::uint32_t one : clause) {
      const auto lit = frames.known(0, netlist_.first_flop() + one / 2);
      if (!lit) break;
      lits.push_back(negated(*lit, one % 2 != 0));
    }
    if (lits.size() == clause.size()) sat.add(lits);
  }
}

std::vector<Lit> Prover::differences(Frames& frames, unsigned frame,
                                     const std::vector<std::uint8_t>& differ) {
  std::vector<Lit> all = frames.memory_differences(frame);
  for (const std::uint32_t bit : watched_.outputs) {
    const NetId n = netlist_.outputs[bit];
    const Lit a = frames.good(frame, n), b = frames.faulty(frame, n);
    if (a != b) all.push_back(frames.differ(a, b));
  }
  for (std::uint32_t f = 0; f < netlist_.flops.size(); ++f) {
    if (differ[f] != 0) continue;
    const Lit a = frames.next(frame, f, false), b = frames.next(frame, f, true);
    if (a != b) all.push_back(frames.differ(a, b));
  }
  std::erase(all, Sat::kFalse);
  return all;
}

// Whether after `depth` - 1 cycles without a difference there is none in the next. Otherwise the
// flops that differ are added to `differ`.
bool Prover::step_holds(const Fault& fault, std::vector<std::uint8_t>& differ, unsigned depth,
                        bool& outputs_differ) {
  Sat sat;
  Frames frames(netlist_, sat, Start::kAny, fault);
  if (hold_) frames.held = held_;
  frames.may_differ = differ;
  for (unsigned frame = 0; frame + 1 < depth; ++frame) {
    for (const Lit lit : differences(frames, frame, differ)) sat.add({negated(lit)});
  }
  const unsigned last = depth - 1;
  const std::vector<Lit> bad = differences(frames, last, differ);
  if (bad.empty()) return true;
  sat.add(bad);
  Sat::Answer answer = sat.solve({}, effort_.conflicts / 10 + 100);
  if (answer != Sat::Answer::kNo) {
    for (unsigned frame = 0; frame < depth; ++frame) assume(sat, frames, frame);
    answer = sat.solve({}, effort_.conflicts);
  }
  if (answer == Sat::Answer::kNo) return true;
  outputs_differ = true;
  if (answer == Sat::Answer::kUnknown) return false;
  outputs_differ = false;
  for (const std::uint32_t bit : watched_.outputs) {
    const NetId n = netlist_.outputs[bit];
    if (sat.value(frames.good(last, n)) != sat.value(frames.faulty(last, n))) outputs_differ = true;
  }
  for (const Lit lit : frames.memory_differences(last)) {
    if (sat.value(lit)) outputs_differ = true;
  }
  for (std::uint32_t f = 0; f < netlist_.flops.size(); ++f) {
    if (differ[f] != 0) continue;
    const Lit a = frames.next(last, f, false), b = frames.next(last, f, true);
    if (sat.value(a) != sat.value(b)) differ[f] = 1;
  }
  return false;
}

// Whether the first cycles after a reset are without a difference.
bool Prover::first_cycles_hold(const Fault& fault, const std::vector<std::uint8_t>& differ,
                               unsigned cycles) {
  Sat sat;
  Frames frames(netlist_, sat, Start::kAfter, fault);
  if (hold_) frames.held = held_;
  frames.may_differ = differ;
  std::vector<Lit> bad;
  for (unsigned frame = 0; frame < cycles; ++frame) {
    const std::vector<Lit> here = differences(frames, frame, differ);
    bad.insert(bad.end(), here.begin(), here.end());
  }
  if (bad.empty()) return true;
  sat.add(bad);
  for (unsigned frame = 0; frame < cycles; ++frame) assume(sat, frames, frame);
  return sat.solve({}, effort_.conflicts) == Sat::Answer::kNo;
}

// In reset the state of both machines is that of the reset, with the same inputs.
bool Prover::reset_holds(const Fault& fault, const std::vector<std::uint8_t>& differ) {
  if (netlist_.reset == Netlist::kNone) return true;
  Sat sat;
  Frames frames(netlist_, sat, Start::kReset, fault);
  if (hold_) frames.held = held_;
  frames.may_differ = differ;
  // What has a reset is not changed by the clock, and only a stuck flop differs in it.
  for (std::uint32_t f = 0; f < netlist_.flops.size(); ++f) {
    if (netlist_.flops[f].reset != Flop::Reset::kNone) frames.may_differ[f] = 0;
  }
  if (netlist_.is_flop(fault.net)) frames.may_differ[fault.net - netlist_.first_flop()] = 1;
  std::vector<std::uint8_t> left_out = differ;
  for (std::uint32_t f = 0; f < netlist_.flops.size(); ++f) {
    if (netlist_.flops[f].reset != Flop::Reset::kNone) left_out[f] = 1;
  }
  const std::vector<Lit> bad = differences(frames, 0, left_out);
  if (bad.empty()) return true;
  sat.add(bad);
  return sat.solve({}, effort_.conflicts) == Sat::Answer::kNo;
}

bool Prover::redundant(const Fault& fault, const std::vector<std::uint8_t>& differed, unsigned from,
                       unsigned to) {
  std::vector<std::uint8_t> first = differed;
  if (netlist_.is_flop(fault.net)) {
    const std::uint32_t flop = fault.net - netlist_.first_flop();
    const Flop::Reset reset = netlist_.flops[flop].reset;
    if (reset != (fault.value ? Flop::Reset::kTo1 : Flop::Reset::kTo0)) first[flop] = 1;
  }
  for (unsigned depth = from; depth <= to; ++depth) {
    std::vector<std::uint8_t> differ = first;
    bool outputs_differ = false;
    for (unsigned i = 0; i < (depth == 1 ? 8 : 3) && !outputs_differ; ++i) {
      if (!step_holds(fault, differ, depth, outputs_differ)) continue;
      if (depth != 1 && !first_cycles_hold(fault, differ, depth - 1)) break;
      return reset_holds(fault, differ);
    }
  }
  return false;
}

std::optional<Witness> Prover::witness(const Fault& fault, const Spread& spread, std::size_t index,
                                       std::size_t first, std::size_t end, bool deep) {
  const GateLibrary& library = passes_.block().library();
  const auto lane = static_cast<std::uint32_t>(index + 1);
  const std::uint32_t words = passes_.block().words();
  for (std::size_t s = first; s < std::min(end, spread.snapshots.size()); ++s) {
    const Snapshot& snapshot = spread.snapshots[s];
    const auto word = [&](std::uint32_t flop, std::uint32_t of) {
      return library.state_place(flop) * words + of / 64;
    };
    const auto bit = [&](std::uint32_t flop, std::uint32_t of) {
      return static_cast<std::uint8_t>(snapshot.state[word(flop, of)] >> of % 64 & 1);
    };
    Sat sat;
    Frames frames(netlist_, sat, Start::kGiven, fault);
    if (hold_) frames.held = held_;
    for (std::uint32_t f = 0; f < netlist_.flops.size(); ++f) {
      const bool free = deep && still_[f] != 0 && bit(f, 0) == bit(f, lane);
      frames.given_good.push_back(free ? Frames::kFree : bit(f, 0));
      frames.given_faulty.push_back(bit(f, lane));
    }
    for (unsigned cycle = 0; cycle < (deep ? effort_.cycles / 2 : effort_.cycles); ++cycle) {
      std::vector<Lit> bad;
      for (const std::uint32_t output : watched_.outputs) {
        const NetId n = netlist_.outputs[output];
        const Lit a = frames.good(cycle, n), b = frames.faulty(cycle, n);
        if (a != b) bad.push_back(frames.differ(a, b));
      }
      assume(sat, frames, cycle);
      const Lit now = sat.fresh();
      bad.push_back(negated(now));
      sat.add(bad);
      const Sat::Answer answer = sat.solve({now}, effort_.conflicts / 10 + 100);
      if (answer == Sat::Answer::kUnknown) break;
      if (answer == Sat::Answer::kNo) continue;
      Witness found{snapshot.record, {}, {}};
      for (unsigned c = 0; c <= cycle; ++c) {
        std::vector<bool> inputs(netlist_.inputs);
        for (std::uint32_t i = 0; i < netlist_.inputs; ++i) {
          const auto lit = frames.known(c, Netlist::kFirstInput + i);
          inputs[i] = lit ? sat.value(*lit) : held_[i] == 1;
        }
        if (netlist_.reset != Netlist::kNone) inputs[netlist_.reset] = true;
        found.inputs.push_back(std::move(inputs));
      }
      if (!deep) {
        if (passes_.shows(fault, snapshot, lane, found.inputs)) return found;
        break;  // A memory does not have what the solver chose.
      }
      Snapshot other = snapshot;
      for (std::uint32_t f = 0; f < netlist_.flops.size(); ++f) {
        const auto lit = frames.known(0, netlist_.first_flop() + f);
        if (frames.given_good[f] != Frames::kFree || !lit) continue;
        if (sat.value(*lit) == (bit(f, 0) != 0)) continue;
        found.flops.push_back(f);
        other.state[word(f, 0)] ^= 1;
        if (fault.net == netlist_.first_flop() + f) continue;  // Stuck.
        other.state[word(f, lane)] ^= std::uint64_t{1} << lane % 64;
      }
      if (passes_.shows(fault, other, lane, found.inputs)) return found;
      break;
    }
  }
  return {};
}

}  // namespace weft::grade
