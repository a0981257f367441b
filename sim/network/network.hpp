// A network of blocks, one cycle at a time: every block reads what stood on the links before.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/network/wires.hpp"
#include "sim/nic/nic.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// When the last flit of a message stood on the wire into its destination.
struct Arrival {
  std::uint32_t src = 0;  ///< Source address.
  std::uint32_t end = 0;  ///< Place behind its body in the receive window, flits.
  std::uint64_t cycle = 0;
};

/// Notes the arrival of every message, where that is asked for.
class ArrivalMonitor {
 public:
  ArrivalMonitor(const Graph& graph, bool record)
      : graph_(graph), nodes_(record ? graph.nodes : 0), arrivals_(record ? graph.nodes : 0) {}

  /// A flit stands on a link in a cycle.
  void note(std::uint32_t link, const Flit& flit, std::uint64_t cycle) {
    if (nodes_.empty() || graph_.links[link].dst_block >= graph_.nodes) return;
    Arriving& a = nodes_[graph_.links[link].dst_block];
    if (!a.in_packet) a.header = Header::unpack(flit.data);
    a.in_packet = !flit.last;
    if (flit.last && a.header.eom) {
      arrivals_[graph_.links[link].dst_block].push_back(
          {a.header.src, a.header.off + a.header.len, cycle});
    }
  }

  /// By node, in order of time.
  const std::vector<std::vector<Arrival>>& arrivals() const { return arrivals_; }

 private:
  struct Arriving {
    bool in_packet = false;
    Header header;
  };

  const Graph& graph_;
  std::vector<Arriving> nodes_;
  std::vector<std::vector<Arrival>> arrivals_;
};

/// A range of blocks that one thread steps.
struct Part {
  std::uint32_t first_node = 0, end_node = 0;
  std::uint32_t first_block = 0, end_block = 0;  ///< Crossbars.
};

/// Cuts a network into `count` parts of about equal work.
std::vector<Part> cut(const Graph& graph, unsigned count);

/// Blocks of one network; `NicT` and `XbarT` are models, Verilated RTL, or both at once behind the
/// models' interface. A cycle has two phases, each of which threads may share, with a barrier
/// between: `step_*` reads the wires and computes a block's outputs, `publish` puts them on the
/// wires.
template <class NicT, class XbarT>
class Network {
 public:
  /// `record_arrivals`: keep the arrival of every message.
  Network(const Graph& graph, std::vector<NicT> nics, std::vector<XbarT> crossbars,
          bool record_arrivals)
      : graph_(graph),
        nics_(std::move(nics)),
        crossbars_(std::move(crossbars)),
        wires_(graph),
        inputs_(graph.nodes),
        stepped_(graph.blocks.size()),
        valid_before_(graph.out_link.size() / 64 + 2 * graph.blocks.size()),
        monitor_(graph, record_arrivals) {
    for (const Link& link : graph.links) {
      source_port_.push_back(graph.blocks[link.src_block].first_out + link.src_port);
    }
    for (std::uint32_t n = 0; n < graph.nodes; ++n) inputs_[n].node = graph.blocks[n].own;
    std::uint32_t word = 0;
    for (const Block& block : graph.blocks) {
      first_mask_.push_back(word);
      word += (block.num_out + 63) / 64;
    }
  }

  /// What the node's processor and memory drive; the links are filled in by `step_nic`.
  Nic::In& input(std::uint32_t node) { return inputs_[node]; }
  /// Registered outputs of a node's interface in the present cycle.
  const Nic::Out& output(std::uint32_t node) const { return nics_[node].out(); }
  Wires& wires() { return wires_; }
  const std::vector<std::vector<Arrival>>& arrivals() const { return monitor_.arrivals(); }

  /// Whether a step of the interface would change nothing (only models ever say so).
  bool nic_idle(std::uint32_t node) {
    link_inputs(node);
    return nics_[node].idle(inputs_[node]);
  }

  /// Steps a node's interface, whose links `nic_idle` has looked at in this cycle.
  void step_nic(std::uint32_t node) {
    nics_[node].step(inputs_[node]);
    stepped_[node] = 1;
  }

  /// Steps the crossbars of a part; `at` is the one at work, for messages.
  void step_crossbars(const Part& part, std::uint32_t& at) {
    for (std::uint32_t b = part.first_block; b < part.end_block; ++b) {
      at = b;
      const Block& block = graph_.blocks[b];
      XbarT& crossbar = crossbars_[b - graph_.nodes];
      std::array<std::uint64_t, kMaxWords> rx_valid, tx_full;
      std::uint64_t any = 0;
      for (std::uint32_t i = 0; i < block.num_in; i += 64) {
        rx_valid[i / 64] =
            Wires::gather(&wires_.valid[block.first_in + i], std::min(64u, block.num_in - i));
        any |= rx_valid[i / 64];
      }
      stepped_[b] = any != 0 || !crossbar.quiet();
      if (stepped_[b] == 0) continue;
      for (std::uint32_t i = 0; i < block.num_out; i += 64) {
        tx_full[i / 64] =
            Wires::gather(&wires_.full[block.first_out + i], std::min(64u, block.num_out - i));
      }
      crossbar.step({&wires_.flit[block.first_in], rx_valid.data(), tx_full.data()});
    }
  }

  /// Puts the outputs of all blocks of `part` on the wires, as the values of `cycle`.
  void publish(const Part& part, std::uint64_t cycle, Counters& counters) {
    for (std::uint32_t n = part.first_node; n < part.end_node; ++n) {
      if (stepped_[n] == 0) continue;
      stepped_[n] = 0;
      const Nic::Out& out = nics_[n].out();
      const Block& block = graph_.blocks[n];
      const std::uint32_t link = graph_.out_link[block.first_out];
      wires_.valid[link] = out.tx.valid;
      if (out.tx.valid) {
        put(link, out.tx, cycle, counters);
        counters.entered(out.tx);
      }
      wires_.full[source_port_[block.first_in]] = out.rx_full;
    }
    for (std::uint32_t b = part.first_block; b < part.end_block; ++b) {
      if (stepped_[b] == 0) continue;
      const Block& block = graph_.blocks[b];
      const auto out = crossbars_[b - graph_.nodes].out();
      for (std::uint32_t w = 0; w * 64 < block.num_out; ++w) {
        const std::uint32_t* link_of = &graph_.out_link[block.first_out + w * 64];
        const std::uint64_t now = out.tx_valid[w];
        std::uint64_t& before = valid_before_[first_mask_[b] + w];
        for (std::uint64_t m = before & ~now; m != 0; m &= m - 1) {
          wires_.valid[link_of[std::countr_zero(m)]] = 0;
        }
        for (std::uint64_t m = now; m != 0; m &= m - 1) {
          const auto i = static_cast<unsigned>(std::countr_zero(m));
          wires_.valid[link_of[i]] = 1;
          put(link_of[i], out.tx[w * 64 + i], cycle, counters);
        }
        before = now;
      }
      for (std::uint32_t w = 0; w * 64 < block.num_in; ++w) {
        for (std::uint64_t m = out.rx_full_changed[w]; m != 0; m &= m - 1) {
          const auto i = static_cast<unsigned>(std::countr_zero(m));
          wires_.full[source_port_[block.first_in + w * 64 + i]] = out.rx_full[w] >> i & 1;
        }
      }
    }
  }

 private:
  static constexpr unsigned kMaxWords = 32;  // 2,048 ports

  void link_inputs(std::uint32_t node) {
    const Block& block = graph_.blocks[node];
    Nic::In& in = inputs_[node];
    in.rx = wires_.valid[block.first_in] != 0 ? wires_.flit[block.first_in] : Flit{};
    in.tx_full = wires_.full[block.first_out] != 0;
  }

  void put(std::uint32_t link, const Flit& flit, std::uint64_t cycle, Counters& counters) {
    wires_.put(link, flit, cycle, counters);
    monitor_.note(link, flit, cycle);
  }

  const Graph& graph_;
  std::vector<NicT> nics_;
  std::vector<XbarT> crossbars_;
  Wires wires_;
  std::vector<Nic::In> inputs_;
  std::vector<std::uint8_t> stepped_;        // by block: outputs may have changed
  std::vector<std::uint32_t> source_port_;   // by link: out-port that drives it
  std::vector<std::uint32_t> first_mask_;    // by block: place in `valid_before_`
  std::vector<std::uint64_t> valid_before_;  // out-ports whose word is on the wire
  ArrivalMonitor monitor_;
};

}  // namespace weft
