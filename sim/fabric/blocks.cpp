// Configurations of network interfaces.
#include "sim/fabric/blocks.hpp"

namespace weft {

Nic::Config nic_config(const Config& config, const Graph& graph) {
  Nic::Config nic;
  nic.num_ctrl = config.nic.controllers;
  nic.parity = config.link.parity;
  nic.packet_flits = config.nic.packet_flits;
  nic.queue_depth = config.nic.queue_depth;
  nic.header = graph.header;
  nic.reduce = config.derived.reduces;
  nic.timed = config.derived.timed;
  nic.windows = config.derived.windows;
  if (config.nic.reliable) {
    nic.slots = config.nic.outstanding;
    nic.timeout = config.nic.timeout;
    nic.addresses = graph.addresses();
  }
  if (graph.has_routers()) {
    const RouterTileConfig& router = graph.router_shapes.front();
    nic.credit = true;
    nic.num_vc = router.num_vc;
    nic.vc_depth = router.depth;
    nic.rx_depth = router.local_depth;
    nic.by_dest = router.route.per_dest;
    nic.age = router.age || router.stamps;
    nic.max_coords = router.route.max_coords;
    nic.in_order = config.nic.in_order.value_or(false);
    nic.classes = router.routing == Routing::kMessageClasses;
    nic.keeps_order = nic.in_order && graph.keeps_order();
  }
  return nic;
}

}  // namespace weft
