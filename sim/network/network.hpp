// A network of blocks, one cycle at a time: every block reads what stood on the links before.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <type_traits>
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
      : graph_(graph),
        arriving_(record ? graph.nodes * graph.nic_links : 0),
        arrivals_(record ? graph.nodes : 0) {}

  /// A flit stands on a link in a cycle.
  void note(std::uint32_t link, const Flit& flit, std::uint64_t cycle) {
    if (!records() || graph_.links[link].dst_block >= graph_.nodes) return;
    Arriving& a = arriving_[link];  // Links into interfaces come first.
    if (!a.in_packet) a.header = Header::unpack(flit.data);
    a.in_packet = !flit.last;
    if (flit.last && a.header.eom) {
      arrivals_[graph_.links[link].dst_block].push_back(
          {a.header.src, a.header.off + a.header.len, cycle});
    }
  }

  bool records() const { return !arriving_.empty(); }

  /// By node, in order of time.
  const std::vector<std::vector<Arrival>>& arrivals() const { return arrivals_; }

 private:
  struct Arriving {
    bool in_packet = false;
    Header header;
  };

  const Graph& graph_;
  std::vector<Arriving> arriving_;  // By link.
  std::vector<std::vector<Arrival>> arrivals_;
};

/// A range of blocks that one thread steps.
struct Part {
  std::uint32_t first_node = 0, end_node = 0;
  std::uint32_t first_block = 0, end_block = 0;  ///< Switching blocks.
};

/// Cuts a network into `count` parts of about equal work.
std::vector<Part> cut(const Graph& graph, unsigned count);

/// Blocks of one network; `NicT` and `SwitchT` (crossbars or routers) are models, Verilated RTL, or
/// both at once behind the models' interface. A cycle has two phases, each of which threads may
/// share, with a barrier between: `step_*` reads the wires and computes a block's outputs,
/// `publish` puts them on the wires.
template <class NicT, class SwitchT>
class Network {
 public:
  /// Routers give credits back, crossbars show Buffer-Full.
  static constexpr bool kRouters =
      std::is_same_v<decltype(std::declval<const SwitchT&>().out()), VcRouter::Out>;

  static constexpr bool kModels = std::is_same_v<SwitchT, VcRouter>;

  /// `record_arrivals`: keep the arrival of every message.
  Network(const Graph& graph, std::vector<NicT> nics, std::vector<SwitchT> switches,
          bool record_arrivals)
      : graph_(graph),
        nic_links_(kRouters ? graph.nic_links : 1),
        switches_(std::move(switches)),
        packed_(kModels && Wires::packs(graph)),
        wires_(graph, packed_),
        stepped_(graph.blocks.size()),
        valid_before_(graph.out_link.size() / 64 + 2 * graph.blocks.size()),
        credit_before_(kRouters ? graph.blocks.size() : 0),
        monitor_(graph, record_arrivals) {
    for (std::uint32_t n = 0; n < graph.nodes; ++n) {
      // Interfaces come first, so that their number tells the numbers of their links.
      if (graph.blocks[n].first_in != n * nic_links_ ||
          graph.blocks[n].first_out != n * nic_links_) {
        throw std::logic_error("network: an interface's ports are not numbered as it is");
      }
    }
    for (const Link& link : graph.links) {
      source_port_.push_back(
          link.src_block == kOpen ? kOpen : graph.blocks[link.src_block].first_out + link.src_port);
    }
    ports_.reserve(graph.nodes);
    for (std::uint32_t n = 0; n < graph.nodes; ++n) {
      ports_.push_back({{}, std::move(nics[n])});
      ports_[n].in.node = graph.blocks[n].own;
    }
    if (packed_) place_credits();
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
  const Wires& wires() const { return wires_; }
  const SwitchT& switching_block(std::uint32_t block) const {
    return switches_[block - graph_.nodes];
  }
  const std::vector<std::vector<Arrival>>& arrivals() const { return monitor_.arrivals(); }

  /// Whether nothing stands on any link of a node's interface.
  [[gnu::always_inline]] bool silent(std::uint32_t node) const {
    if constexpr (!kRouters) return wires_.valid[node] == 0;
    if (nic_links_ == 1 && wires_.credit_words == 1) {
      return (wires_.valid[node] | wires_.credit[node]) == 0;
    }
    std::uint64_t any = 0;
    for (std::uint32_t l = node * nic_links_; l < (node + 1) * nic_links_; ++l) {
      any |= wires_.valid[l];
    }
    const std::size_t words = nic_links_ * wires_.credit_words;
    for (std::size_t w = node * words; w < (node + 1) * words; ++w) any |= wires_.credit[w];
    return any == 0;
  }

  /// Whether a step of the interface would change nothing (only models ever say so).
  [[gnu::always_inline]] bool nic_idle(std::uint32_t node) {
    Port& port = ports_[node];
    for (std::uint32_t l = 0; l < nic_links_; ++l) {
      const std::uint32_t link = node * nic_links_ + l;
      if (wires_.valid[link] != 0) {
        port.in.rx[l] = wires_.flit[link];
      } else if (port.in.rx[l].valid) {
        port.in.rx[l] = {};
      }
    }
    if constexpr (kRouters) {
      port.in.tx_credit = &wires_.credit[node * nic_links_ * wires_.credit_words];
    }
    return port.nic.idle(port.in);
  }

  /// Steps a node's interface, whose links `nic_idle` has looked at in this cycle.
  [[gnu::always_inline]] void step_nic(std::uint32_t node, std::uint64_t cycle) {
    Port& port = ports_[node];
    const Nic::Out& out = port.nic.out();
    if constexpr (kRouters) {
      unsigned shown = out.rx_credit;
      for (std::uint32_t l = 0; l < nic_links_; ++l) shown |= out.tx[l].valid;
      port.in.now = static_cast<std::uint32_t>(cycle);
      port.nic.step(port.in);
      if (packed_) {
        for (std::uint32_t l = 0; l < nic_links_; ++l) wires_.credit[node * nic_links_ + l] = 0;
      }
      shown |= out.rx_credit;
      for (std::uint32_t l = 0; l < nic_links_; ++l) shown |= out.tx[l].valid;
      stepped_[node] = shown != 0;
    } else {
      const bool sent = out.tx[0].valid, full = out.rx_full;
      port.in.tx_full = wires_.full[node] != 0;
      port.nic.step(port.in);
      stepped_[node] = sent | out.tx[0].valid | (full ^ out.rx_full);
    }
  }

  /// Whether the last step of a node's interface may have changed its status (only models ever say
  /// that it did not).
  bool status_changed(std::uint32_t node) const { return ports_[node].nic.status_changed(); }

  /// Steps the switching blocks of a part; `at` is the one at work, for messages.
  void step_switches(const Part& part, std::uint64_t cycle, std::uint32_t& at) {
    if constexpr (kModels) {
      if (packed_) return step_packed(part, cycle, at);
    }
    for (std::uint32_t b = part.first_block; b < part.end_block; ++b) {
      at = b;
      if constexpr (kRouters) {
        step_router(b, cycle);
      } else {
        step_crossbar(b);
      }
    }
  }

  /// Puts the outputs of all blocks of `part` on the wires, as the values of `cycle`.
  void publish(const Part& part, std::uint64_t cycle, Counters& counters) {
    Wires::Writer writer(wires_, cycle);
    for (std::uint32_t n = part.first_node; n < part.end_node; ++n) {
      if (stepped_[n] == 0) continue;
      stepped_[n] = 0;
      publish_nic(n, cycle, writer, counters);
    }
    if constexpr (kModels) {
      if (packed_) {
        publish_packed(part, cycle, writer);
        writer.count(counters);
        return;
      }
    }
    for (std::uint32_t b = part.first_block; b < part.end_block; ++b) {
      if (stepped_[b] == 0) continue;
      const auto out = switches_[b - graph_.nodes].out();
      if constexpr (kRouters) {
        publish_words(b, 0, out.tx, out.tx_valid, cycle, writer);
        publish_credits(b, out);
      } else {
        for (std::uint32_t w = 0; w * 64 < graph_.blocks[b].num_out; ++w) {
          publish_words(b, w, &out.tx[w * 64], out.tx_valid[w], cycle, writer);
        }
        publish_full(b, out);
      }
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

  // What a cycle asks of a router's place, without what else a block has.
  struct RouterPlace {
    std::uint32_t first_in, first_out, ports;
  };

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
    const std::uint64_t* const credit = &wires_.credit[block.first_out * wires_.credit_words];
    std::uint64_t any = valid;
    for (std::size_t w = 0; w < block.num_out * wires_.credit_words; ++w) any |= credit[w];
    stepped_[b] = any != 0 || !router.quiet();
    if (stepped_[b] == 0) return;
    router.step({&wires_.flit[block.first_in], valid, credit, static_cast<std::uint32_t>(cycle)});
  }

  // Places of the routers, where the credits of each link go, and what the bits in a router's word
  // of them mean.
  void place_credits() {
    for (const std::uint32_t port : source_port_) {
      credit_to_.push_back(port == kOpen ? kOpen : wires_.credit_byte[port]);
    }
    for (std::uint32_t b = graph_.nodes; b < graph_.blocks.size(); ++b) {
      const Block& block = graph_.blocks[b];
      router_places_.push_back({block.first_in, block.first_out, block.num_in});
    }
    router_before_.resize(router_places_.size());
    for (unsigned x = 0; x < 64; ++x) {
      port_of_[x] = static_cast<std::uint8_t>(x / graph_.num_vc);
      bit_of_[x] = static_cast<std::uint8_t>(1u << x % graph_.num_vc);
    }
  }

  // Who reads a credit line takes the credits away, so only those that are given are put there.
  void give_credit(std::uint32_t link, std::uint8_t vcs) {
    reinterpret_cast<std::uint8_t*>(wires_.credit.data())[credit_to_[link]] |= vcs;
  }

  // From a byte for each port to `num_vc` bits for each.
  std::uint64_t pack(std::uint64_t bytes) const {
    if (graph_.num_vc == 2) {
      bytes = (bytes | bytes >> 6) & 0x000f000f000f000fu;
      bytes = (bytes | bytes >> 12) & 0x000000ff000000ffu;
      return (bytes | bytes >> 24) & 0xffff;
    }
    std::uint64_t packed = 0;
    for (unsigned p = 0; bytes != 0; bytes >>= 8, ++p)
      packed |= (bytes & 0xff) << p * graph_.num_vc;
    return packed;
  }

  // The two loops over models of routers with packed credits. Writing a byte may change anything,
  // as far as the compiler knows, so all that they look at stands in variables of their own.
  void step_packed(const Part& part, std::uint64_t cycle, std::uint32_t& at) {
    const std::uint32_t nodes = graph_.nodes;
    const RouterPlace* const places = router_places_.data();
    const Flit* const flit = wires_.flit.data();
    const std::uint8_t* const flags = wires_.valid.data();
    std::uint64_t* const credits = wires_.credit.data() + std::size_t{nodes} * nic_links_;
    std::uint8_t* const stepped = stepped_.data();
    SwitchT* const routers = switches_.data();
    for (std::uint32_t b = part.first_block; b < part.end_block; ++b) {
      const std::uint32_t i = b - nodes;
      const RouterPlace place = places[i];
      const std::uint64_t valid = Wires::gather(flags + place.first_in, place.ports);
      const std::uint64_t credit = credits[i];
      const bool steps = (valid | credit) != 0 || !routers[i].quiet();
      stepped[b] = steps;
      if (!steps) continue;
      at = b;
      credits[i] = 0;
      routers[i].step_packed(
          {flit + place.first_in, valid, pack(credit), static_cast<std::uint32_t>(cycle)});
    }
  }

  void publish_packed(const Part& part, std::uint64_t cycle, Wires::Writer& shared) {
    Wires::Writer writer = shared;
    const std::uint32_t nodes = graph_.nodes;
    const RouterPlace* const places = router_places_.data();
    const std::uint32_t* const out_link = graph_.out_link.data();
    const std::uint32_t* const credit_to = credit_to_.data();
    const std::uint8_t *const port_of = port_of_.data(), *const bit_of = bit_of_.data();
    std::uint8_t* const credit_bytes = reinterpret_cast<std::uint8_t*>(wires_.credit.data());
    std::uint64_t* const before = router_before_.data();
    const std::uint8_t* const stepped = stepped_.data();
    const SwitchT* const routers = switches_.data();
    const bool records = monitor_.records();
    for (std::uint32_t b = part.first_block; b < part.end_block; ++b) {
      if (stepped[b] == 0) continue;
      const std::uint32_t i = b - nodes;
      const RouterPlace place = places[i];
      const std::uint32_t* const link_of = out_link + place.first_out;
      const VcRouter::PackedOut out = routers[i].packed_out();
      for (std::uint64_t m = before[i] & ~out.tx_valid; m != 0; m &= m - 1) {
        writer.clear(link_of[std::countr_zero(m)]);
      }
      before[i] = out.tx_valid;
      for (std::uint64_t m = out.tx_valid; m != 0; m &= m - 1) {
        const auto p = static_cast<unsigned>(std::countr_zero(m));
        writer.put(link_of[p], out.tx[p]);
        if (records) monitor_.note(link_of[p], out.tx[p], cycle);
      }
      for (std::uint64_t m = out.credit; m != 0; m &= m - 1) {
        const auto x = static_cast<unsigned>(std::countr_zero(m));
        credit_bytes[credit_to[place.first_in + port_of[x]]] |= bit_of[x];
      }
    }
    shared = writer;
  }

  [[gnu::always_inline]] void publish_nic(std::uint32_t n, std::uint64_t cycle,
                                          Wires::Writer& writer, Counters& counters) {
    const Nic::Out& out = ports_[n].nic.out();
    for (std::uint32_t l = 0; l < nic_links_; ++l) {
      const std::uint32_t port = n * nic_links_ + l;
      const std::uint32_t link = graph_.out_link[port];
      if (out.tx[l].valid) {
        writer.put(link, out.tx[l]);
        counters.entered(out.tx[l]);
        if (monitor_.records()) monitor_.note(link, out.tx[l], cycle);
      } else {
        writer.clear(link);
      }
      if (packed_) {
        if ((out.rx_credit >> l & 1) != 0) give_credit(port, 1);
      } else if constexpr (kRouters) {
        wires_.credit[source_port_[port] * wires_.credit_words] = out.rx_credit >> l & 1;
      } else {
        wires_.full[source_port_[port]] = out.rx_full;
      }
    }
  }

  // Words of out-ports 64 w and up of block `b`.
  [[gnu::always_inline]] void publish_words(std::uint32_t b, std::uint32_t w, const Flit* tx,
                                            std::uint64_t now, std::uint64_t cycle,
                                            Wires::Writer& writer) {
    const std::uint32_t* const link_of = &graph_.out_link[graph_.blocks[b].first_out + w * 64];
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

  template <class Out>
  void publish_full(std::uint32_t b, const Out& out) {
    const Block& block = graph_.blocks[b];
    for (std::uint32_t w = 0; w * 64 < block.num_in; ++w) {
      for (std::uint64_t m = out.rx_full_changed[w]; m != 0; m &= m - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(m));
        wires_.full[source_port_[block.first_in + w * 64 + i]] = out.rx_full[w] >> i & 1;
      }
    }
  }

  [[gnu::always_inline]] void publish_credits(std::uint32_t b, const VcRouter::Out& out) {
    const Block& block = graph_.blocks[b];
    const std::size_t words = wires_.credit_words;
    for (std::uint64_t m = credit_before_[b] | out.credit_ports; m != 0; m &= m - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(m));
      std::uint64_t* const wire = &wires_.credit[source_port_[block.first_in + i] * words];
      const bool given = (out.credit_ports >> i & 1) != 0;
      for (std::size_t w = 0; w < words; ++w) wire[w] = given ? out.credit[i * words + w] : 0;
    }
    credit_before_[b] = out.credit_ports;
  }

  const Graph& graph_;
  const std::uint32_t nic_links_;
  std::vector<Port> ports_;
  std::vector<SwitchT> switches_;
  const bool packed_;  // Credits are: models of routers with few ports and VCs.
  Wires wires_;
  std::vector<std::uint8_t> stepped_;         // by block: outputs may have changed
  std::vector<std::uint32_t> source_port_;    // by link: out-port that drives it
  std::vector<std::uint32_t> first_mask_;     // by block: place in `valid_before_`
  std::vector<std::uint64_t> valid_before_;   // out-ports whose word is on the wire
  std::vector<std::uint64_t> credit_before_;  // by block: in-ports whose credits are on the wire
  std::vector<RouterPlace> router_places_;    // packed
  std::vector<std::uint64_t> router_before_;  // packed, by router, as `valid_before_`
  std::vector<std::uint32_t> credit_to_;      // packed, by link: byte of the credits for it
  std::array<std::uint8_t, 64> port_of_ = {}, bit_of_ = {};  // packed, by bit of a router's credits
  ArrivalMonitor monitor_;
};

}  // namespace weft
