// Encoding gates as clauses.
#include "tests/grade/frames.hpp"

#include <algorithm>

namespace weft::grade {

Frames::Frames(const Netlist& netlist, Sat& sat, Start start, std::optional<Fault> fault)
    : may_differ(netlist.flops.size()), netlist_(netlist), sat_(sat), start_(start), fault_(fault) {
  for (std::uint32_t m = 0; m < netlist.memories.size(); ++m) {
    const GateMemory& memory = netlist.memories[m];
    for (std::uint32_t r = 0; r < memory.reads.size(); ++r) {
      if (!memory.reads[r].clocked) continue;
      for (unsigned b = 0; b < memory.width; ++b) loaded_[memory.reads[r].first + b] = {m, r};
    }
  }
}

std::optional<Lit> Frames::known(unsigned frame, NetId net) const {
  if (frame >= good_.size() || good_[frame][net] == kUnset) return {};
  return good_[frame][net];
}

Lit Frames::literal(unsigned frame, NetId net, bool faulty) {
  if (net < 2) return net == 1 ? Sat::kTrue : Sat::kFalse;
  while (good_.size() <= frame) {
    good_.emplace_back(netlist_.nets(), kUnset);
    faulty_.emplace_back(netlist_.nets(), kUnset);
  }
  const Lit known = faulty ? faulty_[frame][net] : good_[frame][net];
  if (known != kUnset) return known;
  const Lit lit = evaluate(frame, net, faulty);
  (faulty ? faulty_ : good_)[frame][net] = lit;
  return lit;
}

Lit Frames::evaluate(unsigned frame, NetId net, bool faulty) {
  if (faulty && !fault_) return literal(frame, net, false);
  if (faulty && fault_->net == net) return fault_->value ? Sat::kTrue : Sat::kFalse;
  if (netlist_.is_input(net)) {
    if (faulty) return literal(frame, net, false);
    if (netlist_.reset == net - Netlist::kFirstInput) {
      return start_ == Start::kReset ? Sat::kFalse : Sat::kTrue;
    }
    const std::uint32_t input = net - Netlist::kFirstInput;
    if (!held.empty() && held[input] >= 0) return held[input] != 0 ? Sat::kTrue : Sat::kFalse;
    return sat_.fresh();
  }
  if (netlist_.is_flop(net)) return flop(frame, net - netlist_.first_flop(), faulty);
  if (netlist_.is_memory(net)) return any(frame, net);
  const Gate& gate_of = netlist_.gate(net);
  std::array<Lit, 3> in;
  bool same = true;
  for (unsigned i = 0; i < 3; ++i) {
    in[i] = literal(frame, gate_of.in[i], faulty);
    if (faulty) same = same && in[i] == literal(frame, gate_of.in[i], false);
  }
  if (faulty && same) return literal(frame, net, false);
  return gate(gate_of.table, in);
}

Lit Frames::any(unsigned frame, NetId net) {
  const auto [at, fresh] = words_.try_emplace(std::uint64_t{frame} << 32 | net, 0);
  if (fresh) at->second = sat_.fresh();
  return at->second;
}

Lit Frames::flop(unsigned frame, std::uint32_t flop, bool faulty) {
  const NetId net = netlist_.first_flop() + flop;
  if (frame == 0 && start_ == Start::kGiven) {
    if (given_good[flop] == kFree) return faulty ? literal(0, net, false) : sat_.fresh();
    return (faulty ? given_faulty : given_good)[flop] != 0 ? Sat::kTrue : Sat::kFalse;
  }
  if (faulty && start_ != Start::kGiven && may_differ[flop] == 0) return literal(frame, net, false);
  if (frame == 0) {
    if (start_ != Start::kAny && netlist_.flops[flop].reset != Flop::Reset::kNone) {
      return netlist_.flops[flop].reset == Flop::Reset::kTo1 ? Sat::kTrue : Sat::kFalse;
    }
    return sat_.fresh();
  }
  return next(frame - 1, flop, faulty);
}

Lit Frames::next(unsigned frame, std::uint32_t flop, bool faulty) {
  const NetId net = netlist_.first_flop() + flop;
  if (faulty && fault_ && fault_->net == net) return fault_->value ? Sat::kTrue : Sat::kFalse;
  const auto load = loaded_.find(net);
  if (load == loaded_.end()) return literal(frame, netlist_.flops[flop].d, faulty);
  const auto& read = netlist_.memories[load->second.memory].reads[load->second.read];
  return gate(0xca,
              {literal(frame, read.enable, faulty), any(frame, net), literal(frame, net, faulty)});
}

std::vector<Lit> Frames::memory_differences(unsigned frame) {
  std::vector<Lit> all;
  const auto add = [&](NetId enable, std::vector<NetId> operands) {
    const Lit on = good(frame, enable), other = faulty(frame, enable);
    if (on != other) all.push_back(differ(on, other));
    for (const NetId n : operands) {
      const Lit a = good(frame, n), b = faulty(frame, n);
      if (a != b) all.push_back(both(on, differ(a, b)));
    }
  };
  for (const GateMemory& memory : netlist_.memories) {
    for (const auto& write : memory.writes) {
      std::vector<NetId> operands = write.address;
      operands.insert(operands.end(), write.data.begin(), write.data.end());
      add(write.enable, std::move(operands));
    }
    for (const auto& read : memory.reads) add(read.clocked ? read.enable : 1, read.address);
  }
  std::erase(all, Sat::kFalse);
  return all;
}

// Constants and equal inputs are left out, and an equal gate is not encoded twice. Of each cube of
// inputs that decides the output there is a clause, unless a larger cube does.
Lit Frames::gate(std::uint8_t table, std::array<Lit, 3> in) {
  std::array<Lit, 3> variables{};
  unsigned count = 0;
  for (const Lit lit : in) {
    const Lit variable = lit & ~Lit{1};
    if (lit <= 1 || std::find(variables.begin(), variables.begin() + count, variable) !=
                        variables.begin() + count) {
      continue;
    }
    variables[count++] = variable;
  }
  for (unsigned i = 1; i < count; ++i) {  // In order.
    for (unsigned v = i; v > 0 && variables[v] < variables[v - 1]; --v) {
      std::swap(variables[v], variables[v - 1]);
    }
  }
  const auto output = [&](unsigned values) {
    unsigned index = 0;
    for (const Lit lit : in) {
      bool bit = lit == Sat::kTrue;
      if (lit > 1) {
        const auto at = std::find(variables.begin(), variables.begin() + count, lit & ~Lit{1});
        bit = ((values >> (at - variables.begin()) & 1) != 0) != (lit % 2 != 0);
      }
      index = index << 1 | (bit ? 1u : 0u);
    }
    return (table >> index & 1) != 0;
  };
  std::uint32_t truth = 0;
  for (unsigned values = 0; values < 1u << count; ++values) {
    if (output(values)) truth |= 1u << values;
  }
  for (unsigned v = count; v-- > 0;) {  // Variables on which it does not depend.
    bool depends = false;
    for (unsigned values = 0; values < 1u << count; ++values) {
      depends = depends || ((truth >> values ^ truth >> (values ^ 1u << v)) & 1) != 0;
    }
    if (depends) continue;
    std::uint32_t less = 0;
    for (unsigned values = 0, to = 0; values < 1u << count; ++values) {
      if ((values >> v & 1) == 0) less |= (truth >> values & 1) << to++;
    }
    truth = less;
    std::copy(variables.begin() + v + 1, variables.begin() + count, variables.begin() + v);
    --count;
  }
  if (count == 0) return truth != 0 ? Sat::kTrue : Sat::kFalse;
  const std::uint32_t full = (1u << (1u << count)) - 1;
  const bool inverted = (truth & 1) != 0;
  if (inverted) truth = ~truth & full;
  if (count == 1) return negated(variables[0], inverted);
  for (unsigned v = count; v < 3; ++v) variables[v] = 0;
  const auto [at, fresh] =
      gates_.try_emplace({truth, variables[0], variables[1], variables[2]}, Lit{0});
  if (!fresh) return negated(at->second, inverted);
  const Lit out = at->second = sat_.fresh();
  // A cube: variables that matter, and their values; 1 or 2 for the outputs in it, 3 for both.
  const auto outputs_in = [&](unsigned care, unsigned values) {
    unsigned found = 0;
    for (unsigned all = 0; all < 1u << count; ++all) {
      if ((all & care) == values) found |= 1u << (truth >> all & 1);
    }
    return found;
  };
  for (unsigned care = 1; care < 1u << count; ++care) {
    for (unsigned values = 0; values < 1u << count; ++values) {
      if ((values & ~care) != 0) continue;
      const unsigned found = outputs_in(care, values);
      if (found == 3) continue;
      bool largest = true;
      for (unsigned v = 0; v < count && largest; ++v) {
        if ((care >> v & 1) != 0) largest = outputs_in(care & ~(1u << v), values & ~(1u << v)) == 3;
      }
      if (!largest) continue;
      std::vector<Lit> clause = {negated(out, found == 1)};
      for (unsigned v = 0; v < count; ++v) {
        if ((care >> v & 1) != 0) clause.push_back(negated(variables[v], (values >> v & 1) != 0));
      }
      sat_.add(clause);
    }
  }
  return negated(out, inverted);
}

}  // namespace weft::grade
