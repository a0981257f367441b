// The buffers and stages of a network of crossbars that moves packets as spans.
#include "sim/spans/crossbar_state.hpp"

#include <algorithm>
#include <bit>

#include "sim/fabric/digest.hpp"

namespace weft {
namespace {

// Slots of an interface's FIFO: it shows Buffer-Full with 3 flits and gets one more meanwhile.
constexpr std::uint16_t kInterface = 4;
// Cycles from the grant of a flit into a link until it is first in the output register of the input
// buffer.
constexpr std::uint16_t kInputDelay = 5;

}  // namespace

CrossbarState::CrossbarState(const Graph& graph, const Division& division,
                             unsigned controllers_per_node)
    : nodes(graph.nodes),
      links(static_cast<std::uint32_t>(graph.links.size())),
      controllers(controllers_per_node),
      buffers(2 * graph.links.size()),
      stages(2 * graph.links.size()),
      graph_(graph),
      division_(division) {
  unsigned most = kInterface;
  for (const CrossbarConfig& shape : graph.shapes) {
    most = std::max({most, shape.in_depth + kLate, shape.out_depth});
  }
  // A packet has at least one flit; a packet that leaves is not in front any more.
  ring_mask = std::bit_ceil(most + 2) - 1;
  rings.resize(buffers.size() * (ring_mask + 1));
  // A link is stored under the number of the buffer at its end and, as a stage, of its out-port.
  for (std::uint32_t p = 0; p < links; ++p) {
    const std::uint32_t l = graph.out_link[p];
    Stage& stage = stages[p];
    stage.link = true;
    stage.exit = l < nodes;
    stage.x = links + p;
    stage.y = l;
    buffers[l].from = p;
    buffers[l].link = true;
    buffers[l].space = kInterface;
    buffers[l].factor = digest_factor(l, 0);
    stages[links + p].y = links + p;
    buffers[links + p].from = links + p;
    buffers[links + p].to = p;
    if (p < nodes && controllers > 1) add_arbiters(p, 0, 1);
  }
  for (std::uint32_t b = nodes; b < graph.blocks.size(); ++b) {
    const Block& block = graph.blocks[b];
    const CrossbarConfig shape = graph.crossbar_config(b);
    const std::uint32_t first = (shape.num_in + shape.first_in - 1) / shape.first_in;
    for (std::uint32_t i = 0; i < block.num_in; ++i) {
      Buffer& buffer = buffers[block.first_in + i];
      buffer.input = true;
      buffer.detour = shape.detour && i < shape.num_out;
      buffer.number = static_cast<std::uint16_t>(i);
      buffer.crossbar = b - nodes;
      buffer.delay = kInputDelay;
      buffer.space = static_cast<std::uint16_t>(shape.in_depth + kLate);
    }
    for (std::uint32_t o = 0; o < block.num_out; ++o) {
      const std::uint32_t p = block.first_out + o;
      if (o >= shape.num_out) {
        stages[p].x = block.first_in + (o - shape.num_out);
        continue;
      }
      buffers[links + p].space = static_cast<std::uint16_t>(shape.out_depth);
      add_arbiters(links + p, b - nodes, first + (first > 1));
    }
    crossbars.push_back(
        {{shape.route, shape.num_out, shape.digit_lsb, shape.digit_w, shape.own, shape.header},
         block.first_in,
         block.first_out,
         shape.first_in,
         first});
  }
  for (std::uint32_t p = 0; p < links; ++p) {
    const Link& link = graph.links[graph.out_link[p]];
    const unsigned part = division.of_block[link.src_block];
    const unsigned other = division.of_block[link.dst_block];
    if (part != other) add_mirror(p, part, other);
  }
}

// Adds the mirror of a link `s` that leads to another part.
void CrossbarState::add_mirror(std::uint32_t s, unsigned part, unsigned other) {
  const std::uint32_t l = stages[s].y;
  const auto number = static_cast<std::uint32_t>(buffers.size());
  stages[s].y = number;
  Buffer mirror = buffers[l];
  mirror.mirror = true;
  mirror.part = other;
  mirror.twin = l;
  buffers.push_back(mirror);
  Buffer& buffer = buffers[l];
  buffer.from = kNone;
  buffer.told = true;
  buffer.part = part;
  buffer.twin = number;
}

// Adds the arbiters of the first stage, and then that of the second.
void CrossbarState::add_arbiters(std::uint32_t s, std::uint32_t crossbar, std::uint32_t count) {
  stages[s].arbiters = static_cast<std::uint32_t>(arbiters.size());
  for (std::uint32_t i = 0; i < count; ++i)
    arbiters.push_back({.stage = s, .crossbar = crossbar, .round_robin = {}});
}

std::vector<std::uint64_t> CrossbarState::load() const {
  std::vector<std::uint64_t> load(links);
  for (std::uint32_t s = 0; s < links; ++s) {
    const Buffer& y = buffers[stages[s].y];
    load[y.mirror ? y.twin : stages[s].y] = stages[s].load;
  }
  return load;
}

std::uint64_t CrossbarState::held() const {
  std::uint64_t flits = 0;
  for (std::uint32_t b = 0; b < 2 * links; ++b) flits += buffers[b].in.total - buffers[b].out.total;
  // Flits granted into a mirror may be on their way to another process.
  for (std::size_t m = 2 * std::size_t{links}; m < buffers.size(); ++m) {
    flits += buffers[m].in.total - buffers[buffers[m].twin].in.total;
  }
  return flits;
}

}  // namespace weft
