// The whole network as one Verilated top, behind the interface of `Network`.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/network/network.hpp"
#include "sim/network/rtl_nic.hpp"

namespace weft {

/// The emitted `weft_top`. It has one part only: its blocks are stepped together.
class RtlTop {
 public:
  RtlTop(const Config& config, const Graph& graph, bool record_arrivals);

  Nic::In& input(std::uint32_t node) { return inputs_[node]; }
  const Nic::Out& output(std::uint32_t node) const { return outputs_[node]; }
  Wires& wires() { return wires_; }
  const Wires& wires() const { return wires_; }
  const std::vector<std::vector<Arrival>>& arrivals() const { return monitor_.arrivals(); }

  // Verilated blocks are never left out.
  static constexpr bool kModels = false;
  bool silent(std::uint32_t, auto) const { return false; }
  bool nic_idle(std::uint32_t, std::uint64_t, auto) const { return false; }
  bool status_changed(std::uint32_t) const { return true; }
  void step_nic(std::uint32_t node, std::uint64_t, Counters&, auto) { ports_[node].drive(inputs_[node]); }
  void step_switches(const Part&, std::uint64_t, std::uint32_t&, Counters&) { rtl_.tick(); }
  void publish(const Part&, std::uint64_t cycle, Counters& counters);
  void flip() {}

 private:
  const Graph& graph_;
  RtlInstance rtl_;
  unsigned flit_w_, vc_w_;
  RtlPort valid_, last_, data_, vc_, stamp_, full_, credit_;
  std::vector<RtlNicPorts> ports_;
  std::vector<Nic::In> inputs_;
  std::vector<Nic::Out> outputs_;
  Wires wires_;
  ArrivalMonitor monitor_;
};

}  // namespace weft
