// The whole fabric with its network interfaces as one Verilated top, with the interface of
// `Fabric`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/barrier/barrier_unit.hpp"
#include "sim/combine/combine_unit.hpp"
#include "sim/emit/emit.hpp"
#include "sim/emit/node_ports.hpp"
#include "sim/engine/top_links.hpp"
#include "sim/fabric/fabric.hpp"
#include "sim/nic/nic.hpp"
#include "sim/verilated/rtl_ports.hpp"

namespace weft {

/// The unit of one node in a tree of the emitted top, which steps the units and connects their
/// links.
template <class Unit>
class TopUnit {
 public:
  TopUnit(const typename Unit::Config& config, const RtlInstance& rtl, std::uint32_t* next)
      : ports_(rtl, kGathered<Unit>->prefix, config, (*next)++) {}

  bool idle() const { return false; }
  void step(const typename Unit::In& in) { ports_.drive(in); }
  /// The outputs after the step of the top.
  typename Unit::Out out() const {
    typename Unit::Out out;
    ports_.sample(out);
    return out;
  }

 private:
  RtlPorts<Unit> ports_;
};

/// The emitted `weft_top`. One thread steps it: its blocks are stepped together.
class RtlTop {
 public:
  RtlTop(const Config& config, const Graph& graph, ArrivalMonitor arrivals);

  using Barriers = BarrierTree<TopUnit<BarrierUnit>>;
  void add_barriers() {
    std::uint32_t next = 0;
    barriers_.emplace(graph_, rtl_, &next);
  }
  /// Null without barrier units.
  Barriers* barriers() { return barriers_ ? &*barriers_ : nullptr; }
  using Combines = CombineTree<TopUnit<CombineUnit>>;
  void add_combines() {
    std::uint32_t next = 0;
    combines_.emplace(graph_, rtl_, &next);
  }
  /// Null without combine units.
  Combines* combines() { return combines_ ? &*combines_ : nullptr; }
  void add_links(bool parity) { links_.emplace(graph_, parity, rtl_); }
  TopLinks* links() { return &*links_; }
  const TopLinks* links() const { return &*links_; }

  /// Resets everything between the interfaces; from then on routers have the tables of `graph`.
  void restart(const Graph& graph);

  Nic::In& input(std::uint32_t node) { return inputs_[node]; }
  const Nic::Out& output(std::uint32_t node) const { return outputs_[node]; }
  Wires& wires() { return wires_; }
  const Wires& wires() const { return wires_; }
  const std::vector<std::vector<Arrival>>& arrivals() const { return monitor_.arrivals(); }

  // Always false: Verilated blocks are stepped in every cycle.
  bool silent(std::uint32_t) const { return false; }
  /// Notes what arrives at a node.
  void read_links(std::uint32_t node, std::uint64_t cycle);
  bool nic_idle(std::uint32_t) const { return false; }
  bool status_changed(std::uint32_t) const { return true; }
  BlockArray* together() { return nullptr; }
  void refresh() {}
  bool calls(std::uint32_t) const { return false; }
  void step_nic(std::uint32_t node, std::uint64_t) { ports_[node].drive(inputs_[node]); }
  std::uint64_t step_switches(const BlockRange&, std::uint64_t, std::uint32_t&) {
    rtl_.tick();
    return 1;
  }
  void publish(const BlockRange&, std::uint64_t cycle, Counters& counters);

 private:
  bool read_end(std::uint32_t end, Flit& flit);
  void set_tables(const Graph& graph);

  const Graph& graph_;
  const std::vector<TablePort> tables_;
  RtlInstance rtl_;
  // Observation of the ends of links; the last three only of those with VCs.
  RtlPort valid_, last_, data_, full_, vc_, stamp_, credit_;
  unsigned data_w_, flit_w_, vc_w_;  // Bits of a flit's data, with parity, and of its VC.
  std::optional<Barriers> barriers_;
  std::optional<Combines> combines_;
  std::optional<TopLinks> links_;
  std::vector<RtlPorts<Nic>> ports_;
  std::vector<Nic::In> inputs_;
  std::vector<Nic::Out> outputs_;
  Wires wires_;
  ArrivalMonitor monitor_;
};

}  // namespace weft
