// Order of a kernel's steps.
#include "sim/gates/schedule.hpp"

#include <algorithm>

#include "sim/gates/netlist_order.hpp"

namespace weft {
namespace {

// Live values that a gate's cone needs, as for the registers of an expression (Sethi, Ullman 1970):
// a gate's input that needs most is computed first.
std::vector<std::uint16_t> needs(const Netlist& netlist) {
  std::vector<std::uint16_t> need(netlist.nets(), 1);
  for (NetId n = netlist.first_gate(); n < netlist.first_memory(); ++n) {
    std::array<unsigned, 3> in{};
    unsigned i = 0, most = 1;
    for (const NetId from : netlist.gate(n).in) in[i++] = from < 2 ? 0 : need[from];
    std::sort(in.rbegin(), in.rend());
    for (i = 0; i < 3; ++i) most = std::max(most, in[i] == 0 ? 0 : in[i] + i);
    need[n] = static_cast<std::uint16_t>(std::min(most, 60000u));
  }
  return need;
}

class Scheduler {
 public:
  explicit Scheduler(const Netlist& netlist)
      : netlist_(netlist),
        need_(needs(netlist)),
        users_(netlist.nets()),
        left_(netlist.nets()),
        done_(netlist.nets()),
        written_(netlist.flops.size()),
        loaded_(netlist.flops.size()),
        open_(kBuckets) {
    for (NetId n = 0; n < netlist.first_gate(); ++n) done_[n] = 1;
  }

  std::vector<KernelOp> step() {
    mark_cones([&](const auto& mark) { each_state_input(netlist_, mark); });
    for (const GateMemory& memory : netlist_.memories) {
      for (const auto& read : memory.reads) {
        if (!read.clocked) continue;
        for (unsigned b = 0; b < memory.width; ++b) {
          loaded_[read.first - netlist_.first_flop() + b] = 1;
        }
      }
    }
    sinks_.resize(netlist_.nets());
    std::vector<NetId> roots;
    for (std::uint32_t f = 0; f < netlist_.flops.size(); ++f) {
      const NetId d = netlist_.flops[f].d;
      if (loaded_[f] || d == q(f)) {
        written_[f] = 1;
        continue;
      }
      ++left_[d];
      sinks_[d].push_back({KernelOp::kWrite, d, f});
      roots.push_back(d);
    }
    add_operands(roots);
    for (NetId n = 0; n < netlist_.first_gate(); ++n) after_done(n);
    for (std::size_t i = 0;;) {
      if (!soon_.empty()) {
        const NetId d = soon_.back();
        soon_.pop_back();
        compute(d);
      } else if (const NetId next = user_of_open(); next != 0) {
        compute(next);
      } else if (i < roots.size()) {
        compute(roots[i++]);
      } else {
        break;
      }
    }
    finish_circles();
    return std::move(ops_);
  }

  std::vector<KernelOp> outputs() {
    mark_cones([&](const auto& mark) {
      for (const NetId n : netlist_.outputs) mark(n);
    });
    std::fill(written_.begin(), written_.end(), std::uint8_t{1});
    for (std::uint32_t o = 0; o < netlist_.outputs.size(); ++o) {
      const NetId n = netlist_.outputs[o];
      compute(n);
      ops_.push_back({KernelOp::kOutput, n, o});
    }
    return std::move(ops_);
  }

 private:
  static constexpr unsigned kBuckets = 64;

  NetId q(std::uint32_t flop) const { return netlist_.first_flop() + flop; }

  // Counts the users of each net among the gates that lead to the roots.
  template <class Roots>
  void mark_cones(const Roots& each_root) {
    in_cone_.resize(netlist_.nets());
    std::vector<NetId> open;
    each_root([&](NetId root) { open.push_back(root); });
    while (!open.empty()) {
      const NetId n = open.back();
      open.pop_back();
      if (n < netlist_.first_gate() || in_cone_[n]) continue;
      in_cone_[n] = 1;
      for_inputs(n, [&](NetId in) {
        open.push_back(in);
        users_[in].push_back(n);
        ++left_[in];
      });
    }
  }

  // Each distinct input once, those that need most first.
  template <class Visit>
  void for_inputs(NetId n, Visit visit) const {
    if (!netlist_.is_gate(n)) {
      each_input(netlist_, n, visit);
      return;
    }
    auto in = netlist_.gate(n).in;
    std::stable_sort(in.begin(), in.end(), [&](NetId a, NetId b) { return need_[a] > need_[b]; });
    for (unsigned i = 0; i < 3; ++i) {
      if (in[i] >= 2 && std::find(in.begin(), in.begin() + i, in[i]) == in.begin() + i) {
        visit(in[i]);
      }
    }
  }

  void add_operands(std::vector<NetId>& roots) {
    const OperandPlaces places = operand_places(netlist_);
    const auto add = [&](NetId n, std::uint32_t place) {
      ++left_[n];
      sinks_[n].push_back({KernelOp::kOperand, n, place});
      roots.push_back(n);
    };
    for (std::size_t m = 0; m < netlist_.memories.size(); ++m) {
      const GateMemory& memory = netlist_.memories[m];
      for (std::size_t w = 0; w < memory.writes.size(); ++w) {
        const auto& [enable, address, data] = memory.writes[w];
        const auto& place = places.memories[m].writes[w];
        add(enable, place.enable);
        for (std::uint32_t i = 0; i < address.size(); ++i) add(address[i], place.address + i);
        for (std::uint32_t i = 0; i < data.size(); ++i) add(data[i], place.data + i);
      }
      for (std::size_t r = 0; r < memory.reads.size(); ++r) {
        if (!memory.reads[r].clocked) continue;
        const auto& place = places.memories[m].reads[r];
        const auto& address = memory.reads[r].address;
        add(memory.reads[r].enable, place.enable);
        for (std::uint32_t i = 0; i < address.size(); ++i) add(address[i], place.address + i);
      }
    }
  }

  // Computes a net with all that it needs.
  void compute(NetId root) {
    stack_.clear();
    stack_.push_back({root, false});
    while (!stack_.empty()) {
      auto& [n, entered] = stack_.back();
      if (done_[n]) {
        stack_.pop_back();
      } else if (entered) {
        const NetId now = n;
        stack_.pop_back();
        emit(now);
      } else {
        entered = true;
        const std::size_t begin = stack_.size();
        for_inputs(n, [&](NetId in) {
          if (!done_[in]) stack_.push_back({in, false});
        });
        std::reverse(stack_.begin() + static_cast<std::ptrdiff_t>(begin), stack_.end());
      }
    }
  }

  void emit(NetId n) {
    if (netlist_.is_gate(n)) {
      ops_.push_back({KernelOp::kGate, n});
      done_[n] = 1;
      for_inputs(n, [&](NetId in) { used(in); });
      after_done(n);
      return;
    }
    for (std::uint32_t m = 0; m < netlist_.memories.size(); ++m) {
      const GateMemory& memory = netlist_.memories[m];
      for (std::uint32_t r = 0; r < memory.reads.size(); ++r) {
        const auto& read = memory.reads[r];
        if (read.clocked || n < read.first || n >= read.first + memory.width) continue;
        ops_.push_back({KernelOp::kRead, n, m, r});
        for (unsigned b = 0; b < memory.width; ++b) done_[read.first + b] = 1;
        for (unsigned b = 0; b < memory.width; ++b) {
          if (!in_cone_[read.first + b]) continue;
          for_inputs(read.first + b, [&](NetId in) { used(in); });
          after_done(read.first + b);
        }
      }
    }
  }

  // A net is known: what only takes it can be done.
  void after_done(NetId n) {
    if (sinks_.size() <= n) return;
    for (const KernelOp& sink : sinks_[n]) {
      if (sink.kind == KernelOp::kOperand) {
        ops_.push_back(sink);
        used(n);
      } else if (left_[q(sink.index)] == 0) {
        write(sink.index);
      }
    }
    if (left_[n] != 0 && netlist_.is_gate(n)) open_[bucket(left_[n])].push_back(n);
  }

  void write(std::uint32_t flop) {
    if (written_[flop]) return;
    written_[flop] = 1;
    ops_.push_back({KernelOp::kWrite, netlist_.flops[flop].d, flop});
    used(netlist_.flops[flop].d);
  }

  void used(NetId n) {
    --left_[n];
    if (netlist_.is_gate(n)) {
      if (left_[n] != 0 && done_[n]) open_[bucket(left_[n])].push_back(n);
      return;
    }
    if (!netlist_.is_flop(n) || sinks_.empty()) return;
    const std::uint32_t flop = n - netlist_.first_flop();
    if (written_[flop]) return;
    const NetId d = netlist_.flops[flop].d;
    if (left_[n] == 0) {
      if (done_[d]) {
        write(flop);
      } else {
        soon_.push_back(d);
      }
    } else if (left_[n] == 1 && !done_[d] && netlist_.is_gate(d)) {
      // The last that reads it may be its own enable.
      const auto& in = netlist_.gate(d).in;
      if (std::find(in.begin(), in.end(), n) == in.end()) return;
      if (std::all_of(in.begin(), in.end(), [&](NetId i) { return done_[i] != 0; })) {
        emit(d);
      } else {
        soon_.push_back(d);
      }
    }
  }

  static unsigned bucket(std::uint32_t left) { return std::min(left, kBuckets - 1); }

  // A gate that reads a known value which fewest others still read, the latest of these.
  NetId user_of_open() {
    for (unsigned b = 1; b < kBuckets; ++b) {
      while (!open_[b].empty()) {
        const NetId n = open_[b].back();
        if (bucket(left_[n]) == b) {
          auto& users = users_[n];
          while (!users.empty() && done_[users.back()]) users.pop_back();
          if (!users.empty()) return users.back();
        }
        open_[b].pop_back();
      }
    }
    return 0;
  }

  // Flops that take each other's values.
  void finish_circles() {
    const std::size_t begin = ops_.size();
    for (std::uint32_t f = 0; f < written_.size(); ++f) {
      if (!written_[f]) ops_.push_back({KernelOp::kSave, netlist_.flops[f].d, f});
    }
    const std::size_t end = ops_.size();
    for (std::size_t i = begin; i < end; ++i) {
      KernelOp op = ops_[i];
      op.kind = KernelOp::kWrite;
      op.saved = true;
      ops_.push_back(op);
    }
  }

  const Netlist& netlist_;
  std::vector<std::uint16_t> need_;
  std::vector<std::vector<NetId>> users_;
  std::vector<std::uint32_t> left_;  // Users and sinks to come, by net.
  std::vector<std::uint8_t> in_cone_, done_, written_, loaded_;
  std::vector<std::vector<KernelOp>> sinks_;  // By the net that they take.
  std::vector<std::vector<NetId>> open_;      // Known nets by the users to come.
  std::vector<NetId> soon_;                   // Of flops that nothing else reads any more.
  std::vector<std::pair<NetId, bool>> stack_;
  std::vector<KernelOp> ops_;
};

}  // namespace

OperandPlaces operand_places(const Netlist& netlist) {
  OperandPlaces places;
  const auto take = [&](std::size_t count) {
    const std::uint32_t first = places.count;
    places.count += static_cast<std::uint32_t>(count);
    return first;
  };
  for (const GateMemory& memory : netlist.memories) {
    auto& of = places.memories.emplace_back();
    for (const auto& write : memory.writes) {
      const std::uint32_t enable = take(1), address = take(write.address.size());
      of.writes.push_back({enable, address, take(memory.width)});
    }
    for (const auto& read : memory.reads) {
      if (!read.clocked) {
        of.reads.emplace_back();
        continue;
      }
      const std::uint32_t enable = take(1);
      of.reads.push_back({enable, take(read.address.size()), 0});
    }
  }
  return places;
}

std::vector<KernelOp> schedule_step(const Netlist& netlist) {
  return Scheduler(netlist).step();
}

std::vector<KernelOp> schedule_outputs(const Netlist& netlist) {
  return Scheduler(netlist).outputs();
}

std::vector<std::uint32_t> state_places(const Netlist& netlist, const std::vector<KernelOp>& step) {
  std::vector<std::uint32_t> places(netlist.flops.size(), Netlist::kNone);
  std::vector<std::uint8_t> last(netlist.flops.size());
  for (const GateMemory& memory : netlist.memories) {
    for (const auto& read : memory.reads) {
      for (unsigned b = 0; read.clocked && b < memory.width; ++b) {
        last[read.first - netlist.first_flop() + b] = 1;
      }
    }
  }
  std::uint32_t next = 0;
  const auto touch = [&](std::uint32_t flop) {
    if (!last[flop] && places[flop] == Netlist::kNone) places[flop] = next++;
  };
  const auto touch_net = [&](NetId n) {
    if (netlist.is_flop(n)) touch(n - netlist.first_flop());
  };
  for (const KernelOp& op : step) {
    if (op.kind == KernelOp::kGate) each_input(netlist, op.net, touch_net);
    touch_net(op.net);
    if (op.kind == KernelOp::kWrite) touch(op.index);
  }
  for (std::uint32_t f = 0; f < places.size(); ++f) touch(f);
  for (std::uint32_t f = 0; f < places.size(); ++f) {
    if (last[f]) places[f] = next++;
  }
  return places;
}

}  // namespace weft
