// A fabric of blocks, stepped one cycle at a time.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/base/archive.hpp"
#include "sim/base/error.hpp"
#include "sim/config/config.hpp"
#include "sim/fabric/arrivals.hpp"
#include "sim/fabric/barrier_tree.hpp"
#include "sim/fabric/block_array.hpp"
#include "sim/fabric/block_range.hpp"
#include "sim/fabric/combine_tree.hpp"
#include "sim/fabric/link_paths.hpp"
#include "sim/fabric/wires.hpp"
#include "sim/nic/nic.hpp"
#include "sim/router/vc_router_signals.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// The fabric and its network interfaces. `NicT` and `SwitchT` (crossbars or routers) are models,
/// Verilated RTL, or cosimulation pairs with the models' interface. A cycle has two phases, each of
/// which threads may share, with a barrier between: `step_*` reads the wires and computes a block's
/// outputs, `publish` puts them on the wires.
template <class NicT, class SwitchT>
class Fabric {
 public:
  /// Routers return credits, crossbars show Buffer-Full.
  static constexpr bool kRouters =
      std::is_same_v<decltype(std::declval<const SwitchT&>().out()), VcRouterSignals::Out>;

  /// Barrier units and combine units are models, RTL or pairs, like the interfaces.
  using Barriers = BarrierTree<typename BarrierUnitOf<NicT>::Type>;
  using Combines = CombineTree<typename CombineUnitOf<NicT>::Type>;

  /// `arrivals`: records the arrival of packets.
  Fabric(const Graph& graph, std::vector<NicT> nics, std::vector<SwitchT> switches,
         ArrivalMonitor arrivals)
      : graph_(graph),
        nic_links_(kRouters ? graph.nic_links : 1),
        switches_(std::move(switches)),
        wires_(graph),
        stepped_(graph.blocks.size()),
        connected_(graph.out_link.size() / 64 + 2 * graph.blocks.size()),
        valid_before_(connected_.size()),
        credit_before_(kRouters ? graph.blocks.size() : 0),
        no_calls_(graph.nodes),
        calls_(no_calls_.data()),
        monitor_(std::move(arrivals)) {
    for (std::uint32_t n = 0; n < graph.nodes; ++n) {
      // Interfaces come first, so that the numbers of their links follow from theirs.
      if (graph.blocks[n].first_in != n * nic_links_ ||
          graph.blocks[n].first_out != n * nic_links_) {
        throw std::logic_error("fabric: an interface's ports are not numbered as it is");
      }
    }
    for (const Link& link : graph.links) {
      source_port_.push_back(
          link.src_block == kOpen
              ? kOpen
              : wires_.credit_place[graph.blocks[link.src_block].first_out + link.src_port]);
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
      for (std::uint32_t o = 0; o < block.num_out; ++o) {
        const bool connected = graph.out_link[block.first_out + o] != kOpen;
        connected_[first_mask_.back() + o / 64] |= std::uint64_t{connected} << o % 64;
      }
    }
  }

  /// Inputs of a node's interface. The endpoint and the memory drive them; `read_links` fills in
  /// the links.
  Nic::In& input(std::uint32_t node) { return ports_[node].in; }
  /// Registered outputs of a node's interface in the present cycle.
  const Nic::Out& output(std::uint32_t node) const { return ports_[node].nic.out(); }
  Wires& wires() { return wires_; }
  const Wires& wires() const { return wires_; }
  const SwitchT& switching_block(std::uint32_t block) const {
    return switches_[block - graph_.nodes];
  }
  const std::vector<std::vector<Arrival>>& arrivals() const { return monitor_.arrivals(); }

  /// Adds a barrier unit to each node; `more`: further arguments of each unit's constructor.
  template <class... More>
  void add_barriers(const More&... more) {
    barriers_.emplace(graph_, more...);
  }
  /// Null without barrier units.
  Barriers* barriers() { return barriers_ ? &*barriers_ : nullptr; }
  /// Adds a combine unit to each node; `more`: further arguments of each unit's constructor.
  template <class... More>
  void add_combines(const More&... more) {
    combines_.emplace(graph_, more...);
  }
  /// Null without combine units.
  Combines* combines() { return combines_ ? &*combines_ : nullptr; }

  /// Adds the blocks in links, if there are any, and wires for faults; `parity`: flits carry
  /// parity.
  void add_links(bool parity, MakeLinkBlock make = make_link_model) {
    if (graph_.links_with_two_ends() != 0) links_.emplace(graph_, wires_, parity, make);
  }
  /// From `cycle` on the fabric is as after reset, with `switches` instead of the present ones:
  /// everything in it is lost. The interfaces are not affected.
  void restart(std::vector<SwitchT> switches, std::uint64_t cycle) {
    switches_ = std::move(switches);
    origin_ = cycle;
    wires_.clear();
    for (auto* const flags : {&valid_before_, &credit_before_}) {
      std::fill(flags->begin(), flags->end(), std::uint64_t{0});
    }
    std::fill(stepped_.begin(), stepped_.end(), std::uint8_t{0});
    monitor_.restart();
    if (links_) links_->restart(graph_);
  }
  /// The blocks are those of `array`; the fabric was made with its interfaces, without switching
  /// blocks. It must outlive the fabric.
  void step_together(BlockArray& array) {
    array_ = &array;
    calls_ = array.calls();
  }
  /// As the other `restart`, of an array.
  void restart(const Graph& graph, std::uint64_t cycle) {
    array_->restart(graph, cycle);
    restart(std::vector<SwitchT>{}, cycle);
  }
  /// Null if no link has blocks or faults.
  LinkPaths* links() { return links_ ? &*links_ : nullptr; }
  const LinkPaths* links() const { return links_ ? &*links_ : nullptr; }

  /// Whether `switching_block` may be called.
  bool has_blocks() const { return array_ == nullptr; }

  /// Whether no flit and no credit is on the links into a node's interface, Buffer-Full is as in
  /// the last `read_links`, and the interface calls for nothing.
  [[gnu::always_inline]] bool silent(std::uint32_t node) const {
    if constexpr (!kRouters) {
      return (wires_.valid[node] | calls_[node]) == 0 &&
             ports_[node].in.tx_full == (wires_.full[node] != 0);
    }
    std::uint64_t any = calls_[node];
    for (std::uint32_t l = node * nic_links_; l < (node + 1) * nic_links_; ++l) {
      any |= wires_.valid[l];
    }
    const std::size_t words = nic_links_ * wires_.credit_words;
    for (std::size_t w = node * words; w < (node + 1) * words; ++w) any |= wires_.credit[w];
    return any == 0;
  }

  /// The blocks that are stepped together; null: they are stepped one by one.
  BlockArray* together() { return array_; }
  /// Call it, between two cycles, before `output` is asked for what no endpoint looks at.
  void refresh() {
    if (array_ != nullptr) array_->show_all();
  }
  /// Whether the status of an interface that is stepped with others has changed in the last cycle.
  bool calls(std::uint32_t node) const { return calls_[node] != 0; }

  /// Passes the values on the links in this cycle to a node's interface, which has them already if
  /// it is stepped with others. Call it before `nic_idle`.
  [[gnu::always_inline]] void read_links(std::uint32_t node, std::uint64_t cycle) {
    Port& port = ports_[node];
    for (std::uint32_t l = 0; l < nic_links_; ++l) {
      const std::uint32_t link = node * nic_links_ + l;
      if (wires_.valid[link] != 0) {
        if (array_ == nullptr) port.in.rx[l] = wires_.flit[link];
        monitor_.note(link, wires_.flit[link], cycle, port.in.windows);
      } else if (port.in.rx[l].valid) {
        port.in.rx[l] = {};
      }
    }
    if constexpr (kRouters) {
      port.in.tx_credit = &wires_.credit[node * nic_links_ * wires_.credit_words];
    } else {
      port.in.tx_full = wires_.full[node] != 0;
    }
  }

  /// Whether a step of the interface would change nothing.
  bool nic_idle(std::uint32_t node) const { return ports_[node].nic.idle(ports_[node].in); }

  /// Steps a node's interface. Call it after `read_links` in the same cycle.
  [[gnu::always_inline]] void step_nic(std::uint32_t node, std::uint64_t cycle) {
    Port& port = ports_[node];
    const Nic::Out& out = port.nic.out();
    port.in.now = static_cast<std::uint32_t>(cycle);
    if constexpr (kRouters) {
      unsigned shown = out.rx_credit;
      for (std::uint32_t l = 0; l < nic_links_; ++l) shown |= out.tx[l].valid;
      port.nic.step(port.in);
      shown |= out.rx_credit;
      for (std::uint32_t l = 0; l < nic_links_; ++l) shown |= out.tx[l].valid;
      stepped_[node] = shown != 0;
    } else {
      const bool sent = out.tx[0].valid, full = out.rx_full;
      port.nic.step(port.in);
      stepped_[node] = sent | out.tx[0].valid | (full ^ out.rx_full);
    }
  }

  /// Whether the last step of a node's interface may have changed its status (false for models
  /// only).
  bool status_changed(std::uint32_t node) const { return ports_[node].nic.status_changed(); }

  /// Steps the switching blocks of `range` and the blocks in the links out of its blocks. `at`, for
  /// messages: the block being stepped, or for a link its number plus that of all blocks. Returns
  /// how many blocks, and links with blocks, were not idle.
  std::uint64_t step_switches(const BlockRange& range, std::uint64_t cycle, std::uint32_t& at) {
    std::uint64_t count = 0;
    if (array_) {
      at = range.first_block;
      count = array_->step(range, wires_, cycle);
    } else {
      for (std::uint32_t b = range.first_block; b < range.end_block; ++b) {
        at = b;
        if constexpr (kRouters) {
          step_router(b, cycle);
        } else {
          step_crossbar(b);
        }
        count += stepped_[b];
      }
    }
    if (!links_) return count;
    const auto blocks = static_cast<std::uint32_t>(graph_.blocks.size());
    const auto stepped = [&](std::uint32_t link) {
      at = blocks + link;
      ++count;
    };
    links_->step(range.first_node, range.end_node, stepped);
    links_->step(range.first_block, range.end_block, stepped);
    return count;
  }

  /// Puts the outputs of all blocks of `range` on the wires, as the values of `cycle`.
  void publish(const BlockRange& range, std::uint64_t cycle, Counters& counters) {
    Wires::Writer writer(wires_, cycle);
    for (std::uint32_t n = range.first_node; n < range.end_node; ++n) {
      if (stepped_[n] == 0) continue;
      stepped_[n] = 0;
      publish_nic(n, writer, counters);
    }
    if (array_) array_->publish(range, wires_, writer, counters);
    // Those of an array are not in `stepped_`.
    for (std::uint32_t b = range.first_block; b < range.end_block; ++b) {
      if (stepped_[b] == 0) continue;
      const auto out = switches_[b - graph_.nodes].out();
      if constexpr (kRouters) {
        publish_words(b, 0, out.tx, out.tx_valid, writer);
        publish_credits(b, out);
      } else {
        for (std::uint32_t w = 0; w * 64 < graph_.blocks[b].num_out; ++w) {
          publish_words(b, w, &out.tx[w * 64], out.tx_valid[w], writer);
        }
        publish_full(b, out);
      }
    }
    writer.count(counters);
    if (!links_) return;
    links_->publish(range.first_node, range.end_node);
    links_->publish(range.first_block, range.end_block);
  }

  /// Checkpoint state of the blocks of this process: those for which `owns` is true. Processes tell
  /// each other what others put on the links before they step.
  template <class Archive, class Owns>
  void serialize(Archive& archive, const Owns& owns);

 private:
  static constexpr unsigned kMaxWords = 32;  // 2,048 ports

  /// An interface and its inputs.
  struct Port {
    Nic::In in;
    NicT nic;
  };

  template <class Archive>
  void archive_at(Archive& archive, std::uint32_t b);
  void step_crossbar(std::uint32_t b) {
    const Block& block = graph_.blocks[b];
    SwitchT& crossbar = switches_[b - graph_.nodes];
    std::array<std::uint64_t, kMaxWords> rx_valid, tx_full;
    std::uint64_t any = 0;
    for (std::uint32_t i = 0; i < block.num_in; i += 64) {
      rx_valid[i / 64] =
          Wires::gather(&wires_.valid[block.first_in + i], std::min(64u, block.num_in - i));
      any |= rx_valid[i / 64];
    }
    stepped_[b] = any != 0 || !crossbar.quiet();
    if (stepped_[b] == 0) return;
    for (std::uint32_t i = 0; i < block.num_out; i += 64) {
      tx_full[i / 64] =
          Wires::gather(&wires_.full[block.first_out + i], std::min(64u, block.num_out - i));
    }
    crossbar.step({&wires_.flit[block.first_in], rx_valid.data(), tx_full.data()});
  }

  [[gnu::always_inline]] void step_router(std::uint32_t b, std::uint64_t cycle) {
    const Block& block = graph_.blocks[b];
    SwitchT& router = switches_[b - graph_.nodes];
    const std::uint64_t valid = Wires::gather(&wires_.valid[block.first_in], block.num_in);
    const std::size_t words = wires_.credit_words;
    const std::uint64_t* const credit = &wires_.credit[block.first_out * words];
    std::uint64_t credit_ports = 0;
    for (std::uint32_t o = 0; o < block.num_out; ++o) {
      std::uint64_t any = 0;
      for (std::size_t w = 0; w < words; ++w) any |= credit[o * words + w];
      credit_ports |= std::uint64_t{any != 0} << o;
    }
    stepped_[b] = (valid | credit_ports) != 0 || !router.quiet();
    if (stepped_[b] == 0) return;
    router.step({&wires_.flit[block.first_in], valid, credit,
                 static_cast<std::uint32_t>(cycle - origin_), credit_ports});
  }

  [[gnu::always_inline]] void publish_nic(std::uint32_t n, Wires::Writer& writer,
                                          Counters& counters) {
    const Nic::Out& out = ports_[n].nic.out();
    for (std::uint32_t l = 0; l < nic_links_; ++l) {
      const std::uint32_t port = n * nic_links_ + l;
      const std::uint32_t link = graph_.out_link[port];
      if (out.tx[l].valid) {
        writer.put(link, out.tx[l]);
        counters.entered(out.tx[l]);
      } else {
        writer.clear(link);
      }
      if constexpr (kRouters) {
        wires_.credit[source_port_[port] * wires_.credit_words] = out.rx_credit >> l & 1;
      } else {
        wires_.full[source_port_[port]] = out.rx_full;
      }
    }
  }

  void publish_words(std::uint32_t b, std::uint32_t w, const Flit* tx, std::uint64_t now,
                     Wires::Writer& writer);
  template <class Out>
  void publish_full(std::uint32_t b, const Out& out);
  void publish_credits(std::uint32_t b, const VcRouterSignals::Out& out);

  const Graph& graph_;
  const std::uint32_t nic_links_;
  std::uint64_t origin_ = 0;  // Last cycle in which the switching blocks were in reset.
  std::optional<Barriers> barriers_;
  std::optional<Combines> combines_;
  std::optional<LinkPaths> links_;
  std::vector<Port> ports_;
  std::vector<SwitchT> switches_;
  BlockArray* array_ = nullptr;  // In their place, and with the interfaces; or null.
  Wires wires_;
  std::vector<std::uint8_t> stepped_;         // by block: outputs may have changed
  std::vector<std::uint32_t> source_port_;    // by link: place of what goes back to its out-port
  std::vector<std::uint32_t> first_mask_;     // by block: index in `valid_before_`
  std::vector<std::uint64_t> connected_;      // out-ports with a link
  std::vector<std::uint64_t> valid_before_;   // out-ports whose word is on the wire
  std::vector<std::uint64_t> credit_before_;  // by block: in-ports whose credits are on the wire
  std::vector<std::uint8_t> no_calls_;
  const std::uint8_t* calls_;  // As of BlockArray; no_calls_ without one.
  ArrivalMonitor monitor_;
};

}  // namespace weft

#include "sim/fabric/fabric_publish.hpp"
#include "sim/fabric/fabric_state.hpp"
