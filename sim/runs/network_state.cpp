// The ports and channels of a network that moves packets as runs of flits.
#include "sim/runs/network_state.hpp"

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
    : NetworkBasis(graph, in_order) {
  own_channels_ = channel_of(static_cast<std::uint32_t>(graph.links.size()));
  const auto mirrored = [&](const Link& link) {
    return link.src_block != kOpen && (link.stages != 0 || division.of_block[link.src_block] !=
                                                               division.of_block[link.dst_block]);
  };
  const auto crossing =
      static_cast<std::size_t>(std::count_if(graph.links.begin(), graph.links.end(), mirrored));
  channels_.reserve(own_channels_ + crossing * num_vc_);
  channels_.resize(own_channels_);
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
    const Link& to = graph.links[link];
    const unsigned part = division.of_block[to.src_block];
    for (unsigned v = 0; v < (port.exit ? 1 : num_vc_); ++v) {
      Channel& channel = channels_[port.channels + v];
      channel.from = p;
      channel.in_port = static_cast<std::uint8_t>(to.dst_port);
      if (!port.exit) channel.ports = graph.blocks[to.dst_block].first_out;
      channel.factor = digest_factor(link, v);
    }
    if (!mirrored(to)) continue;
    const unsigned other = division.of_block[to.dst_block];
    add_mirrors(p, other == part ? kOwnPart : part, other == part ? kOwnPart : other);
  }
  stages_.resize(graph.has_delays() ? channels_.size() : 0);
  for (std::size_t m = own_channels_; m < channels_.size() && !stages_.empty(); ++m) {
    const Link& link = graph.links[graph.out_link[channels_[m].from]];
    stages_[m] = stages_[channels_[m].to] = static_cast<std::uint8_t>(link.stages);
  }
  for (std::uint32_t p = 0; p < nic_ports_; ++p) {
    ports_[p].requesters = p;
    channels_[p].port = p;
  }
  for (std::uint32_t b = graph.nodes; b < graph.blocks.size(); ++b) {
    const Block& block = graph.blocks[b];
    for (std::uint32_t o = 0; o < block.num_out; ++o) {
      Port& port = ports_[block.first_out + o];
      port.requesters = channel_of(block.first_in);
      port.own = block.own;
      port.shape = static_cast<std::uint16_t>(block.shape);
    }
  }
}

// The link of a port leads to another part, or has registers.
void NetworkState::add_mirrors(std::uint32_t p, unsigned part, unsigned other) {
  const std::uint32_t first = ports_[p].channels;
  ports_[p].channels = static_cast<std::uint32_t>(channels_.size());
  for (std::uint32_t c = first; c < first + num_vc_; ++c) {
    const auto number = static_cast<std::uint32_t>(channels_.size());
    Channel mirror = channels_[c];
    mirror.phase = Phase::kMirror;
    mirror.to = c;
    mirror.port = other;
    channels_.push_back(mirror);
    channels_[c].told = Told::kPart;
    channels_[c].factor = std::uint64_t{part} << 32 | number;
  }
}

std::vector<std::uint64_t> NetworkState::load() const {
  std::vector<std::uint64_t> load(graph_.links.size());
  for (std::uint32_t p = 0; p < ports_.size(); ++p) {
    if (graph_.out_link[p] != kOpen) load[graph_.out_link[p]] = ports_[p].load;
  }
  return load;
}

bool NetworkState::empty() const {
  // What is granted into a mirror may be on its way through registers.
  return std::all_of(
             channels_.begin() + nic_ports_, channels_.begin() + own_channels_,
             [](const Channel& channel) { return channel.in.total == channel.out.total; }) &&
         std::all_of(channels_.begin() + own_channels_, channels_.end(),
                     [this](const Channel& mirror) {
                       return mirror.in.total == channels_[mirror.to].in.total;
                     });
}

}  // namespace weft
