// The ports and channels of a network that moves packets as spans.
#include "sim/spans/network_state.hpp"

#include <algorithm>
#include <bit>

#include "sim/fabric/digest.hpp"

namespace weft {

NetworkBasis::NetworkBasis(const Graph& graph, bool in_order)
    : graph_(graph), nic_ports_(graph.nodes * graph.nic_links) {
  const RouterTileConfig& shape = graph.router_shapes.front();
  num_vc_ = shape.num_vc;
  inject_vcs_ = in_order ? 1 : num_vc_;
  depth_ = shape.depth;
  exit_depth_ = shape.local_depth;
  cut_through_ = shape.cut_through;
  store_forward_ = shape.store_forward;
  age_ = shape.age;
  own_after_ = age_ ? 0 : shape.own_after;
  by_dest_ = shape.route.per_dest;
  address_mask_ = static_cast<std::uint32_t>(low_mask(graph.header.addr_w));
  src_lsb_ = graph.header.src_lsb();
  unsigned most_ports = 1;
  for (const RouterTileConfig& s : graph.router_shapes) {
    most_ports = std::max(most_ports, s.num_ports);
  }
  words_ = (most_ports * num_vc_ + 63) / 64;
  large_ = graph.nodes > 4096;  // Beyond the caches of a processor.
  plain_ = !cut_through_ && !store_forward_ && !age_ && words_ == 1;
  ring_mask_ = std::bit_ceil(std::max(depth_, exit_depth_) + 2) - 1;

  const auto all = static_cast<std::uint16_t>(num_vc_), half = static_cast<std::uint16_t>(all / 2);
  const auto set = [&](VcSet which) -> auto& {
    return sets_[static_cast<unsigned>(which)];
  };
  set(VcSet::kAny) = {0, all};
  set(VcSet::kLow) = {0, std::max<std::uint16_t>(half, 1)};
  set(VcSet::kHigh) = {half, static_cast<std::uint16_t>(all - half)};
  for (std::uint16_t vc = 0; vc < kNumberedVcs; ++vc) set(only_vc(vc)) = {vc, 1};
}

NetworkState::NetworkState(const Graph& graph, const Division& division, bool in_order)
    : NetworkBasis(graph, in_order), division_(division) {
  own_channels_ = channel_of(static_cast<std::uint32_t>(graph.links.size()));
  const auto mirrored = [&](const Link& link) {
    return link.src_block != kOpen && (link.stages != 0 || division.of_block[link.src_block] !=
                                                               division.of_block[link.dst_block]);
  };
  const auto crossing =
      static_cast<std::size_t>(std::count_if(graph.links.begin(), graph.links.end(), mirrored));
  const bool scattered = !division.own.one_range();
  channels_ = PartArray<Channel>(own_channels_ + crossing * num_vc_, scattered);
  rings_ = PartArray<std::uint32_t>(std::size_t{own_channels_} * (ring_mask_ + 1), scattered);
  ports_ = PartArray<Port>(graph.out_link.size(), scattered);
  orders_ = PartArray<Order>(ports_.size() * num_vc_, scattered);
  if (words_ > 1) wants_ = PartArray<std::uint64_t>(ports_.size() * words_, scattered);
  if (by_dest_) {
    rank_.resize(address_mask_ + std::size_t{1});
    for (std::uint32_t n = 0; n < graph.nodes; ++n) rank_[graph.address[n]] = n;
  }
  stages_.resize(graph.has_delays() ? channels_.size() : 0);
  for (std::uint32_t b = 0; b < graph.blocks.size(); ++b) {
    if (division.owns_block(b)) add_block(b);
  }
  for (std::uint32_t p = 0; p < ports_.size(); ++p) {
    const std::uint32_t link = graph.out_link[p];
    if (link != kOpen && mirrored(graph.links[link])) add_mirrors(p, link);
  }
}

// Sets up a block's channels and ports.
void NetworkState::add_block(std::uint32_t b) {
  const Block& block = graph_.blocks[b];
  for (std::uint32_t link = block.first_in; link < block.first_in + block.num_in; ++link) {
    const Link& to = graph_.links[link];
    const unsigned count = link < nic_ports_ ? 1 : num_vc_;
    for (unsigned v = 0; v < count; ++v) {
      Channel& channel = channels_.make_at(channel_of(link) + v);
      if (to.src_block != kOpen) channel = channel_into(link, v);
    }
  }
  for (std::uint32_t p = block.first_out; p < block.first_out + block.num_out; ++p) {
    Port& port = ports_.make_at(p);
    if (b < graph_.nodes) {
      channels_.make_at(p).port = p;
      port.requesters = p;
    } else {
      port.requesters = channel_of(block.first_in);
      port.own = block.own;
      port.shape = static_cast<std::uint16_t>(block.shape);
    }
    const std::uint32_t link = graph_.out_link[p];
    if (link == kOpen) continue;
    port.channels = channel_of(link);
    port.exit = link < nic_ports_;
  }
}

NetworkState::Channel NetworkState::channel_into(std::uint32_t link, unsigned vc) const {
  const Link& to = graph_.links[link];
  Channel channel;
  channel.from = graph_.blocks[to.src_block].first_out + to.src_port;
  channel.in_port = static_cast<std::uint8_t>(to.dst_port);
  if (link >= nic_ports_) channel.ports = graph_.blocks[to.dst_block].first_out;
  channel.factor = digest_factor(link, vc);
  return channel;
}

// Adds the mirrors of a port's link, which leads to another part or has registers. Mirrors have the
// same numbers in all processes.
void NetworkState::add_mirrors(std::uint32_t p, std::uint32_t link) {
  const Link& to = graph_.links[link];
  const unsigned from_part = division_.of_block[to.src_block];
  const unsigned to_part = division_.of_block[to.dst_block];
  const bool within = from_part == to_part;
  const std::uint32_t first = channel_of(link);
  for (unsigned v = 0; v < num_vc_; ++v) {
    const std::uint32_t number = own_channels_ + mirrors_++;
    if (division_.owns(from_part)) {
      if (v == 0) ports_[p].channels = number;
      Channel& mirror = channels_.make_at(number, channel_into(link, v));
      mirror.phase = Phase::kMirror;
      mirror.to = first + v;
      mirror.port = within ? kOwnPart : to_part;
    }
    if (division_.owns(to_part)) {
      told_.push_back(first + v);
      channels_[first + v].told = Told::kPart;
      channels_[first + v].factor = std::uint64_t{within ? kOwnPart : from_part} << 32 | number;
    }
    if (!stages_.empty()) {
      stages_[number] = stages_[first + v] = static_cast<std::uint8_t>(to.stages);
    }
  }
}

std::vector<std::uint64_t> NetworkState::load() const {
  std::vector<std::uint64_t> load(graph_.links.size());
  each_block([&](const Block& block) {
    for (std::uint32_t p = block.first_out; p < block.first_out + block.num_out; ++p) {
      if (graph_.out_link[p] != kOpen) load[graph_.out_link[p]] = ports_[p].load;
    }
  });
  return load;
}

std::uint64_t NetworkState::held() const {
  std::uint64_t flits = 0;
  each_block([&](const Block& block) {
    for (std::uint32_t link = block.first_in; link < block.first_in + block.num_in; ++link) {
      const unsigned count = link < nic_ports_ ? 1 : num_vc_;
      for (unsigned v = 0; v < count; ++v) {
        const Channel& channel = channels_[channel_of(link) + v];
        flits += channel.in.total - channel.out.total;
      }
    }
  });
  // Flits granted into a mirror may be on their way through registers, or to another process.
  for (std::uint32_t m = own_channels_; m < own_channels_ + mirrors_; ++m) {
    flits += channels_[m].in.total;
  }
  for (const std::uint32_t c : told_) flits -= channels_[c].in.total;
  return flits;
}

}  // namespace weft
