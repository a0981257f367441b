// Memory that a workload needs: on the nodes, and on the computer that simulates them.
#include "sim/workload/contents.hpp"

#include <fmt/format.h>

#include <bit>

#include "sim/base/error.hpp"
#include "sim/base/host_memory.hpp"
#include "sw/include/weft_hal.h"

namespace weft {
namespace {

// Upper bound of a program, its stack and the processor's state, besides the node's memory.
constexpr std::uint64_t kHostBytesPerNode = 1 << 16;
// Measured: interface, source and links of a node with traffic, and a router without its buffers.
constexpr std::uint64_t kTrafficBytesPerNode = 4096, kRouterBytes = 6144;

// Bytes of the models of the switching blocks.
std::uint64_t router_bytes(const Graph& graph) {
  std::uint64_t bytes = 0;
  for (std::size_t b = graph.nodes; b < graph.blocks.size() && graph.has_routers(); ++b) {
    const RouterTileConfig& shape = graph.router_shapes[graph.blocks[b].shape];
    const std::uint64_t flits =
        std::uint64_t{shape.num_ports} * shape.num_vc * std::bit_ceil(shape.depth);
    bytes += kRouterBytes + flits * sizeof(Flit);
  }
  return bytes;
}

}  // namespace

MemoryLayout place_areas(std::uint64_t send_flits, std::uint64_t recv_flits, const PacketForm& form,
                         const Source& source) {
  const std::uint64_t flit_bytes = form.flit_bytes();
  const std::uint64_t most = (low_mask(kMemAddrW) + 1) * flit_bytes;
  const std::uint64_t send_base = WEFT_BUFFER_BASE;
  const std::uint64_t recv_base = send_base + send_flits * flit_bytes;
  const std::uint64_t bytes = recv_base + recv_flits * flit_bytes;
  if (bytes > most) {
    source.refuse("/workload", bytes, fmt::format("up to {} bytes of memory on one node", most));
  }
  return {.send_base = static_cast<std::uint32_t>(send_base),
          .recv_base = static_cast<std::uint32_t>(recv_base),
          .recv_bytes = static_cast<std::uint32_t>(recv_flits * flit_bytes),
          .memory_bytes = static_cast<std::uint32_t>(bytes)};
}

void check_host_memory(const Graph& graph, std::uint64_t memory_bytes) {
  const std::uint64_t have = host_memory();
  const std::uint64_t node =
      memory_bytes == 0 ? kTrafficBytesPerNode : memory_bytes + kHostBytesPerNode;
  const std::uint64_t need = graph.nodes * node + router_bytes(graph);
  if (need > have) {
    throw ConfigError(
        fmt::format("a network of {} nodes needs {} MiB of memory, and there are {} MiB: fewer "
                    "nodes, smaller messages or buffers",
                    graph.nodes, need >> 20, have >> 20));
  }
}

}  // namespace weft
