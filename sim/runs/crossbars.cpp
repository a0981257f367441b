// A network of crossbars that moves packets as runs of flits: how it is made and how it ends.
#include "sim/runs/crossbars.hpp"

#include <algorithm>
#include <bit>

namespace weft {
namespace {

// An interface shows Buffer-Full with 3 flits in its FIFO; in the meantime it gets one more.
constexpr std::uint16_t kInterface = 4;
// From the grant of a flit into a link to its first in the output register of the input buffer.
constexpr std::uint16_t kInputDelay = 5;

}  // namespace

RunCrossbars::RunCrossbars(const Graph& graph, Packets& packets, const Powers& powers,
                           unsigned controllers)
    : packets_(packets),
      powers_(powers),
      nodes_(graph.nodes),
      links_(static_cast<std::uint32_t>(graph.links.size())),
      controllers_(controllers),
      buffers_(2 * graph.links.size()),
      stages_(2 * graph.links.size()),
      offered_(std::size_t{graph.nodes} * controllers) {
  unsigned most = kInterface;
  for (const Crossbar::Config& shape : graph.shapes) {
    most = std::max({most, shape.in_depth + kLate, shape.out_depth});
  }
  // A packet has one flit at least; one that leaves is not in front any more.
  ring_mask_ = std::bit_ceil(most + 2) - 1;
  rings_.resize(buffers_.size() * (ring_mask_ + 1));
  // A link has the number of the buffer at its end, and here, as a stage, that of its out-port.
  for (std::uint32_t p = 0; p < links_; ++p) {
    const std::uint32_t l = graph.out_link[p];
    Stage& stage = stages_[p];
    stage.link = true;
    stage.exit = l < nodes_;
    stage.x = links_ + p;
    stage.y = l;
    buffers_[l].from = p;
    buffers_[l].link = true;
    buffers_[l].space = kInterface;
    buffers_[l].factor = digest_factor(l, 0);
    stages_[links_ + p].y = links_ + p;
    buffers_[links_ + p].from = links_ + p;
    buffers_[links_ + p].to = p;
    if (of_interface(p) && controllers_ > 1) add_arbiters(p, 0, 1);
  }
  for (std::uint32_t b = nodes_; b < graph.blocks.size(); ++b) {
    const Block& block = graph.blocks[b];
    const Crossbar::Config shape = graph.crossbar_config(b);
    const std::uint32_t first = (shape.num_in + shape.first_in - 1) / shape.first_in;
    for (std::uint32_t i = 0; i < block.num_in; ++i) {
      Buffer& buffer = buffers_[block.first_in + i];
      buffer.input = true;
      buffer.detour = shape.detour && i < shape.num_out;
      buffer.number = static_cast<std::uint16_t>(i);
      buffer.crossbar = b - nodes_;
      buffer.delay = kInputDelay;
      buffer.space = static_cast<std::uint16_t>(shape.in_depth + kLate);
    }
    for (std::uint32_t o = 0; o < block.num_out; ++o) {
      const std::uint32_t p = block.first_out + o;
      if (o >= shape.num_out) {
        stages_[p].x = block.first_in + (o - shape.num_out);
        continue;
      }
      buffers_[links_ + p].space = static_cast<std::uint16_t>(shape.out_depth);
      add_arbiters(links_ + p, b - nodes_, first + (first > 1));
    }
    crossbars_.push_back(
        {{shape.route, shape.num_out, shape.digit_lsb, shape.digit_w, shape.own, shape.header},
         block.first_in,
         block.first_out,
         shape.first_in,
         first});
  }
}

// Those of the first stage, and then that of the second.
void RunCrossbars::add_arbiters(std::uint32_t s, std::uint32_t crossbar, std::uint32_t count) {
  stages_[s].arbiters = static_cast<std::uint32_t>(arbiters_.size());
  for (std::uint32_t i = 0; i < count; ++i) arbiters_.push_back({0, s, crossbar});
}

void RunCrossbars::end(Cycle cycle) {
  for (std::uint32_t s = 0; s < links_; ++s) {
    Stage& stage = stages_[s];
    if (!stage.moves) continue;
    const std::uint32_t over = stage.until > cycle ? stage.until - cycle : 0;
    stage.load -= over;
    if (of_interface(s) && stage.left == 0 && over != 0) --entered_;
    if (!stage.counted || over != 0) count_part(s, cycle);
    if (!stage.counted || over == 0) continue;
    // The whole run was counted.
    Packet& packet = packets_[stage.packet];
    const Cycle start = stage.until - (packet.flits - stage.first);
    packets_.add_part(
        packet, 0, stage.first, packet.flits,
        Mod61::kPrime - Mod61::times(powers_.of(start + 1), buffers_[stage.y].factor));
  }
}

std::vector<std::uint64_t> RunCrossbars::load() const {
  std::vector<std::uint64_t> load(links_);
  for (std::uint32_t s = 0; s < links_; ++s) load[stages_[s].y] = stages_[s].load;
  return load;
}

bool RunCrossbars::empty() const {
  return std::all_of(buffers_.begin(), buffers_.end(),
                     [](const Buffer& b) { return b.in.total == b.out.total; });
}

}  // namespace weft
