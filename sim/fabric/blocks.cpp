// Configurations of network interfaces.
#include "sim/fabric/blocks.hpp"

#include <fmt/format.h>

namespace weft {

void check_rtl_addresses(const Config& config, const Graph& graph) {
  bool wide = graph.header.wide();
  for (const Block& block : graph.blocks) wide = wide || block.own > low_mask(kAddrW);
  if (!wide) return;
  JsonPlace(config.topology, config.source, "/topology")
      .refuse(fmt::format("as RTL networks whose addresses take up to {} bits, in a fat tree place "
                          "and level of a switch together; engine model has more",
                          kAddrW));
}

Nic::Config nic_config(const Config& config, const Graph& graph) {
  Nic::Config nic;
  nic.num_ctrl = config.nic.controllers;
  nic.parity = config.link.parity;
  nic.packet_flits = config.nic.packet_flits;
  nic.queue_depth = config.nic.queue_depth;
  nic.header = graph.header;
  nic.reduce = config.nic.reduce;
  if (graph.has_routers()) {
    const VcRouter::Config& router = graph.router_shapes.front();
    nic.credit = true;
    nic.num_vc = router.num_vc;
    nic.vc_depth = router.depth;
    nic.by_dest = router.route.per_dest;
    nic.age = router.age;
    nic.lasts = router.route.lasts;
  }
  return nic;
}

}  // namespace weft
