// A network of routers that moves packets as runs of flits: how it is made and how it ends, and
// what is rare.
#include <algorithm>
#include <bit>

#include "sim/runs/network_hot.hpp"

namespace weft {

RunNetwork::RunNetwork(const Graph& graph, Packets& packets, const Powers& powers)
    : graph_(graph), packets_(packets), powers_(powers), nic_ports_(graph.nodes * graph.nic_links) {
  const VcRouter::Config& shape = graph.router_shapes.front();
  num_vc_ = shape.num_vc;
  depth_ = shape.depth;
  exit_depth_ = shape.local_depth;
  cut_through_ = shape.cut_through;
  store_forward_ = shape.store_forward;
  age_ = shape.age;
  by_dest_ = shape.route.per_dest;
  address_mask_ = static_cast<std::uint32_t>(low_mask(graph.header.addr_w));
  src_lsb_ = graph.header.src_lsb();
  unsigned most_ports = 1;
  for (const VcRouter::Config& s : graph.router_shapes) {
    most_ports = std::max(most_ports, s.num_ports);
  }
  words_ = (most_ports * num_vc_ + 63) / 64;
  large_ = graph.nodes > 4096;  // Beyond the caches of a processor.
  plain_ = !cut_through_ && !store_forward_ && !age_ && words_ == 1;
  ring_mask_ = std::bit_ceil(std::max(depth_, exit_depth_) + 2) - 1;

  const auto channel_of = [&](std::uint32_t link) {
    return link < nic_ports_ ? nic_ports_ + link : 2 * nic_ports_ + (link - nic_ports_) * num_vc_;
  };
  channels_.resize(channel_of(static_cast<std::uint32_t>(graph.links.size())));
  rings_.resize(channels_.size() * (ring_mask_ + 1));
  ports_.resize(graph.out_link.size());
  if (words_ > 1) wants_.resize(ports_.size() * words_);
  if (by_dest_) {
    rank_.resize(address_mask_ + std::size_t{1});
    for (std::uint32_t n = 0; n < graph.nodes; ++n) rank_[graph.address[n]] = n;
  }
  for (std::uint32_t p = 0; p < ports_.size(); ++p) {
    const std::uint32_t link = graph.out_link[p];
    if (link == kOpen) continue;
    Port& port = ports_[p];
    port.channels = channel_of(link);
    port.exit = link < nic_ports_;
    for (unsigned v = 0; v < (port.exit ? 1 : num_vc_); ++v) {
      Channel& channel = channels_[port.channels + v];
      channel.from = p;
      channel.in_port = static_cast<std::uint8_t>(graph.links[link].dst_port);
      if (!port.exit) channel.ports = graph.blocks[graph.links[link].dst_block].first_out;
      channel.factor = digest_factor(link, v);
    }
  }
  for (std::uint32_t p = 0; p < nic_ports_; ++p) {
    ports_[p].requesters = p;
    channels_[p].port = p;
  }
  for (std::uint32_t b = graph.nodes; b < graph.blocks.size(); ++b) {
    const Block& block = graph.blocks[b];
    for (std::uint32_t o = 0; o < block.num_out; ++o) {
      ports_[block.first_out + o].requesters = channel_of(block.first_in);
      ports_[block.first_out + o].router = b - graph.nodes;
    }
    routers_.push_back({block.own, block.shape});
  }
  const auto all = static_cast<std::uint16_t>(num_vc_), half = static_cast<std::uint16_t>(all / 2);
  const auto set = [&](VcSet which) -> auto& {
    return sets_[static_cast<unsigned>(which)];
  };
  set(VcSet::kAny) = {0, all};
  set(VcSet::kLow) = {0, std::max<std::uint16_t>(half, 1)};
  set(VcSet::kHigh) = {half, static_cast<std::uint16_t>(all - half)};
  set(VcSet::kFirst) = {0, 1};
}

// Route computation of a router for a packet.
void RunNetwork::find_way(const Channel& channel, Packet& packet) const {
  const std::uint64_t header = packet.header;
  const Router& router = routers_[ports_[channel.ports].router];
  const RouteOn way = graph_.route_units[router.shape].route_on(
      channel.in_port, router.own, static_cast<std::uint32_t>(header >> src_lsb_) & address_mask_,
      static_cast<std::uint32_t>(header >> kHdrDstLsb) & address_mask_,
      (header >> (kHdrTagLsb + kTagOtherWay) & 1) != 0);
  packet.way_port = static_cast<std::uint8_t>(way.out.port);
  packet.way_set = way.out.set;
  packet.way_more = static_cast<std::uint16_t>(std::min(way.more, 0xfffeu) + 1);
}

// With store and forward, whether a packet from a neighbour that comes to the front waits for its
// tail.
bool RunNetwork::stores(std::uint32_t c, std::uint32_t packet, Cycle cycle) {
  Channel& channel = channels_[c];
  if (of_interface(channel.from) || channel.queued != 0) return false;  // Another has followed it.
  const Port& port = ports_[channel.from];
  if (port.packet == packet) {
    if (port.left == 0 && port.until <= cycle) return false;
    if (port.left == 0) fronts_.add(port.until, c);
    return true;
  }
  return channel.taken;
}

// Counts flits `first` to `end` - 1 of the port's packet in the digest, or takes them back
// (`undo`). `power`: A^(cycle in which the first of them is on the link).
void RunNetwork::count_flits(const Port& port, std::uint32_t first, std::uint32_t end,
                             std::uint64_t power, bool undo) {
  const std::uint64_t factor = Mod61::times(power, channels_[port.y].factor);
  packets_.add_part(packets_[port.packet], static_cast<std::uint16_t>(port.y - port.channels),
                    first, end, undo ? Mod61::kPrime - factor : factor);
}

// Counts the port's run in the digest, as far as it is certain: flits `first` to `end` - 1, the
// last of them in the cycle before `until`.
void RunNetwork::count_part(std::uint32_t p, Cycle until, bool undo) {
  const Port& port = ports_[p];
  const std::uint32_t end = packets_[port.packet].flits - std::uint32_t{port.left};
  const Cycle start = port.until - (end - port.first);
  count_flits(port, port.first, std::min(end, port.first + (until - start)), powers_.of(start + 1),
              undo);
}

void RunNetwork::pop_exit(std::uint32_t link) {
  Channel& channel = exit(link);
  if (channel.queued == 0) {
    channel.front = kNone;
    channel.phase = Phase::kEmpty;
    return;
  }
  channel.front = next_queued(nic_ports_ + link);
  channel.phase = Phase::kWaiting;
}

bool RunNetwork::empty() const {
  return std::all_of(channels_.begin() + nic_ports_, channels_.end(),
                     [](const Channel& channel) { return channel.in.total == channel.out.total; });
}

std::vector<std::uint64_t> RunNetwork::load() const {
  std::vector<std::uint64_t> load(graph_.links.size());
  for (std::uint32_t p = 0; p < ports_.size(); ++p) {
    if (graph_.out_link[p] != kOpen) load[graph_.out_link[p]] = ports_[p].load;
  }
  return load;
}

void RunNetwork::count_before(Cycle cycle, bool undo) {
  const std::uint64_t power = Mod61::times(powers_.of(cycle), kDigestBase);
  for (std::uint32_t p = 0; p < ports_.size(); ++p) {
    const Port& port = ports_[p];
    if (port.packet == kNone) continue;
    if (!port.counted) {
      count_part(p, cycle, undo);
    } else if (port.until > cycle) {
      // The whole run was counted.
      const std::uint32_t end = packets_[port.packet].flits;
      count_flits(port, end - (port.until - cycle), end, power, !undo);
    }
  }
}

void RunNetwork::end(Cycle cycle) {
  count_before(cycle, false);
  for (std::uint32_t p = 0; p < ports_.size(); ++p) {
    Port& port = ports_[p];
    if (port.packet == kNone || port.until <= cycle) continue;
    port.load -= port.until - cycle;
    if (of_interface(p) && port.left == 0) --entered_;
  }
}

}  // namespace weft
