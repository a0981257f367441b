// The nets of links in an emitted network, and the connections of link ports to them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/config/config.hpp"
#include "sim/emit/instance.hpp"
#include "sim/nic/nic.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// A signal of a link.
struct LinkSignal {
  std::string name;
  unsigned width;  ///< Bits.
  bool back;       ///< Direction is opposite to the flits.

  /// Name of the ports of a block that carry the signal: `rx_valid_i`; `rx`: for in-ports.
  std::string port(bool rx) const {
    return fmt::format("{}_{}_{}", rx ? "rx" : "tx", name, rx == back ? 'o' : 'i');
  }
};

/// Signals of every link of the network.
std::vector<LinkSignal> link_signals(const Graph& graph, const Nic::Config& nic);

/// Begin of the names of a link's nets: at its sender's end, or if it has blocks and `receiver`, at
/// its receiver's.
std::string link_net(const Graph& graph, std::uint32_t number, bool receiver);

/// The links of one block: vectors over its ports, port 0 lowest. An in-port without a link is 0;
/// an out-port without a link drives a separate net.
class LinkPorts {
 public:
  /// All three must outlive it.
  LinkPorts(const Graph& graph, const Block& block, const std::vector<LinkSignal>& signals)
      : graph_(graph), block_(block), signals_(signals) {}

  /// Connects all link ports of the block.
  void add_to(Connections& connections) const;
  /// Net that in-port (`rx`) or out-port `i` is connected to.
  std::string element(bool rx, const LinkSignal& signal, std::uint32_t i) const;
  /// Declarations of the nets of ports without a link that the block drives.
  std::string open_nets() const;

 private:
  std::uint32_t link(bool rx, std::uint32_t i) const {
    return rx ? block_.first_in + i : graph_.out_link[block_.first_out + i];
  }
  bool open(bool rx, std::uint32_t i) const {
    return link(rx, i) == kOpen || graph_.links[link(rx, i)].src_block == kOpen;
  }
  std::string open_net(const LinkSignal& signal, std::uint32_t i) const;

  const Graph& graph_;
  const Block& block_;
  const std::vector<LinkSignal>& signals_;
};

}  // namespace weft
