// Waits between channels in a fabric of routers in which nothing moves.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "sim/analysis/analysis.hpp"
#include "sim/packet/packet.hpp"
#include "sim/router/vc_router_signals.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Models of all routers of a fabric, that of block `nodes` first; empty if it has none.
using RouterModels = std::vector<const VcRouter*>;

/// The router models in `net`; empty for crossbars and for RTL without models.
template <class Net>
RouterModels router_models(const Graph& graph, const Net& net) {
  const auto model_of = [](const auto& block) -> const VcRouter* {
    if constexpr (std::is_same_v<decltype(block), const RouterTile&>) return &block.router();
    if constexpr (requires { block.router_model(); }) return block.router_model();
    return nullptr;
  };
  RouterModels models;
  if constexpr (requires { net.switching_block(0); }) {
    if (!net.has_blocks()) return {};
    for (std::uint32_t b = graph.nodes; b < graph.blocks.size(); ++b) {
      const VcRouter* const model = model_of(net.switching_block(b));
      if (model == nullptr) return {};
      models.push_back(model);
    }
  }
  return models;
}

/// The link at an out-port; kOpen: the block has no such port, or nothing is connected to it, which
/// errors on wires can cause.
std::uint32_t link_at(const Graph& graph, std::uint32_t block, std::uint32_t port);

/// The wait-for graph of a fabric at rest: nothing is on the links, every credit is returned. A
/// channel is a VC of a link into a router, together with its buffer in that router.
class ChannelWaits {
 public:
  ChannelWaits(const Graph& graph, const RouterModels& routers);

  /// Channels that the front packet of this channel's buffer waits for. A header waits for the VCs
  /// that it requests: for the channel of the packet that one is allocated to or, for an idle VC
  /// without credits, for the buffer at the end of the link. A packet in progress waits for the
  /// buffer at the end of the link or, if no flit of it is here, for its next flit upstream. Empty
  /// for an empty buffer, and if the packet waits for a network interface or its program.
  std::vector<Channel> waits_for(const Channel& channel) const;
  /// A cycle of channels, each waiting for the next and the last for the first; empty if there is
  /// none.
  std::vector<Channel> cycle() const;
  /// Header of the packet that waits at the front of a channel's buffer or is in progress from it;
  /// none if the header has left the fabric.
  std::optional<Header> packet(const Channel& channel) const;
  /// A cycle in words, one line for each channel: "r_1 out 0 -> r_2 in 1 vc 0 (packet 3 -> 7),
  /// waits for ...".
  std::string in_words(const std::vector<Channel>& cycle) const;

 private:
  const VcRouter& router(std::uint32_t block) const { return *routers_[block - graph_.nodes]; }
  VcRouterSignals::InVcView front(const Channel& channel) const;
  void add_upstream(const Channel& channel, std::vector<Channel>& found) const;
  void add_wanted(const Channel& channel, const VcRouterSignals::InVcView& front,
                  std::vector<Channel>& found) const;
  void add_further(const Channel& channel, const VcRouterSignals::InVcView& front,
                   std::vector<Channel>& found) const;

  const Graph& graph_;
  const RouterModels& routers_;
};

/// The waiting cycle of a fabric at rest in words; empty if there is none.
std::string waiting_cycle(const Graph& graph, const RouterModels& routers);

/// Rank of a node by its address; the address itself if no node has it.
std::vector<std::uint32_t> ranks_by_address(const Graph& graph);

}  // namespace weft
