// Which channel waits for which other one in a network of routers that stands still.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "sim/analysis/analysis.hpp"
#include "sim/packet/packet.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Models of all routers of a network, the one of block `nodes` first; empty where it has none.
using RouterModels = std::vector<const VcRouter*>;

/// The models in a network of blocks; none in other networks and in RTL.
template <class Net>
RouterModels router_models(const Graph& graph, const Net& net) {
  const auto model_of = [](const auto& block) -> const VcRouter* {
    if constexpr (std::is_same_v<decltype(block), const VcRouter&>) return &block;
    if constexpr (requires { block.model(); }) return block.model();
    return nullptr;
  };
  RouterModels models;
  if constexpr (requires { net.switching_block(0); }) {
    for (std::uint32_t b = graph.nodes; b < graph.blocks.size(); ++b) {
      const VcRouter* const model = model_of(net.switching_block(b));
      if (model == nullptr) return {};
      models.push_back(model);
    }
  }
  return models;
}

/// The wait-for graph of a network at rest: nothing on the links, every credit returned. A channel
/// is a VC of a link into a router, and with it the buffer behind it.
class ChannelWaits {
 public:
  ChannelWaits(const Graph& graph, const RouterModels& routers);

  /// Channels that the front of this one's buffer waits for. One without a VC waits for those of
  /// its set: for their owners, or where they have no place for the buffer at the link's far end;
  /// a packet in progress waits for that buffer, or for its own flits upstream. Empty without a
  /// flit and where the interface or the program is what is waited for.
  std::vector<Channel> waits_for(const Channel& channel) const;
  /// A cycle of channels, each waiting for the one after it and the last for the first; or none.
  std::vector<Channel> cycle() const;
  /// Header of the packet in front of a channel's buffer, or in progress from it; none where that
  /// has left the network.
  std::optional<Header> packet(const Channel& channel) const;
  /// "r_1 out 0 -> r_2 in 1 vc 0 (packet 3 -> 7), waits for ...", a line for each.
  std::string in_words(const std::vector<Channel>& cycle) const;

 private:
  const VcRouter& router(std::uint32_t block) const { return *routers_[block - graph_.nodes]; }
  VcRouter::InVcView front(const Channel& channel) const;
  void add_upstream(const Channel& channel, std::vector<Channel>& found) const;
  void add_wanted(const Channel& channel, const VcRouter::InVcView& front,
                  std::vector<Channel>& found) const;

  const Graph& graph_;
  const RouterModels& routers_;
};

/// The waiting cycle of a network at rest in words, or nothing where there is none.
std::string waiting_cycle(const Graph& graph, const RouterModels& routers);

/// Rank of the node with an address; the address itself where no node has it.
std::vector<std::uint32_t> ranks_by_address(const Graph& graph);

}  // namespace weft
