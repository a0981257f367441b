// A network of blocks, one cycle at a time: every block reads what stood on the links before.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <stdexcept>
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
    if (!records() || graph_.links[link].dst_block >= graph_.nodes) return;
    Arriving& a = nodes_[graph_.links[link].dst_block];
    if (!a.in_packet) a.header = Header::unpack(flit.data);
    a.in_packet = !flit.last;
    if (flit.last && a.header.eom) {
      arrivals_[graph_.links[link].dst_block].push_back(
          {a.header.src, a.header.off + a.header.len, cycle});
    }
  }

  bool records() const { return !nodes_.empty(); }

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
        crossbars_(std::move(crossbars)),
        wires_(graph),
        stepped_(graph.blocks.size()),
        valid_before_(graph.out_link.size() / 64 + 2 * graph.blocks.size()),
        monitor_(graph, record_arrivals) {
    for (std::uint32_t n = 0; n < graph.nodes; ++n) {
      // An interface has one link each way and comes first, so that its number is theirs.
      if (graph.blocks[n].first_in != n || graph.blocks[n].first_out != n) {
        throw std::logic_error("network: an interface's ports are not numbered as it is");
      }
    }
    for (const Link& link : graph.links) {
      source_port_.push_back(graph.blocks[link.src_block].first_out + link.src_port);
    }
    ports_.reserve(graph.nodes);
    for (std::uint32_t n = 0; n < graph.nodes; ++n) {
      ports_.push_back({{}, std::move(nics[n])});
      ports_[n].in.node = graph.blocks[n].own;
    }
    std::uint32_t word = 0;
    for (const Block& block : graph.blocks) {
      first_mask_.push_back(word);
      word += (block.num_out + 63) / 64;
    }
  }

  /// What the node's processor and memory drive; the links are filled in by `step_nic`.
  Nic::In& input(std::uint32_t node) { return ports_[node].in; }
  /// Registered outputs of a node's interface in the present cycle.
  const Nic::Out& output(std::uint32_t node) const { return ports_[node].nic.out(); }
  Wires& wires() { return wires_; }
  const std::vector<std::vector<Arrival>>& arrivals() const { return monitor_.arrivals(); }

  /// Whether a step of the interface would change nothing (only models ever say so).
  [[gnu::always_inline]] bool nic_idle(std::uint32_t node) {
    Port& port = ports_[node];
    if (wires_.valid[node] != 0) {
      port.in.rx = wires_.flit[node];
    } else if (port.in.rx.valid) {
      port.in.rx = {};
    }
    return port.nic.idle(port.in);
  }

  /// Steps a node's interface, whose links `nic_idle` has looked at in this cycle.
  [[gnu::always_inline]] void step_nic(std::uint32_t node) {
    Port& port = ports_[node];
    const Nic::Out& out = port.nic.out();
    const bool sent = out.tx.valid, full = out.rx_full;
    port.in.tx_full = wires_.full[node] != 0;
    port.nic.step(port.in);
    stepped_[node] = sent | out.tx.valid | (full ^ out.rx_full);
  }

  /// Whether the last step of a node's interface may have changed its status (only models ever say
  /// that it did not).
  bool status_changed(std::uint32_t node) const { return ports_[node].nic.status_changed(); }

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
    Wires::Writer writer(wires_, cycle);
    for (std::uint32_t n = part.first_node; n < part.end_node; ++n) {
      if (stepped_[n] == 0) continue;
      stepped_[n] = 0;
      const Nic::Out& out = ports_[n].nic.out();
      const std::uint32_t link = graph_.out_link[n];
      if (out.tx.valid) {
        writer.put(link, out.tx);
        counters.entered(out.tx);
        if (monitor_.records()) monitor_.note(link, out.tx, cycle);
      } else {
        writer.clear(link);
      }
      wires_.full[source_port_[n]] = out.rx_full;
    }
    for (std::uint32_t b = part.first_block; b < part.end_block; ++b) {
      if (stepped_[b] != 0) publish_crossbar(b, cycle, writer);
    }
    writer.count(counters);
  }

 private:
  static constexpr unsigned kMaxWords = 32;  // 2,048 ports

  /// An interface and what is driven into it.
  struct Port {
    Nic::In in;
    NicT nic;
  };

  void publish_crossbar(std::uint32_t b, std::uint64_t cycle, Wires::Writer& writer) {
    const Block& block = graph_.blocks[b];
    const auto out = crossbars_[b - graph_.nodes].out();
    for (std::uint32_t w = 0; w * 64 < block.num_out; ++w) {
      const std::uint32_t* link_of = &graph_.out_link[block.first_out + w * 64];
      const Flit* tx = &out.tx[w * 64];
      const std::uint64_t now = out.tx_valid[w];
      std::uint64_t& before = valid_before_[first_mask_[b] + w];
      for (std::uint64_t m = before & ~now; m != 0; m &= m - 1) {
        writer.clear(link_of[std::countr_zero(m)]);
      }
      before = now;
      for (std::uint64_t m = now; m != 0; m &= m - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(m));
        writer.put(link_of[i], tx[i]);
        if (monitor_.records()) monitor_.note(link_of[i], tx[i], cycle);
      }
    }
    for (std::uint32_t w = 0; w * 64 < block.num_in; ++w) {
      for (std::uint64_t m = out.rx_full_changed[w]; m != 0; m &= m - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(m));
        wires_.full[source_port_[block.first_in + w * 64 + i]] = out.rx_full[w] >> i & 1;
      }
    }
  }

  const Graph& graph_;
  std::vector<Port> ports_;
  std::vector<XbarT> crossbars_;
  Wires wires_;
  std::vector<std::uint8_t> stepped_;        // by block: outputs may have changed
  std::vector<std::uint32_t> source_port_;   // by link: out-port that drives it
  std::vector<std::uint32_t> first_mask_;    // by block: place in `valid_before_`
  std::vector<std::uint64_t> valid_before_;  // out-ports whose word is on the wire
  ArrivalMonitor monitor_;
};

}  // namespace weft
