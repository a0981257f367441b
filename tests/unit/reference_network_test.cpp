// Networks of reference routers against the same networks of fast ones, fused or not: every output
// of every NIC is equal in every cycle.
#include <doctest/doctest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/config/config.hpp"
#include "sim/fabric/blocks.hpp"
#include "sim/fabric/fabric.hpp"
#include "sim/router/fast/vc_router.hpp"
#include "sim/router/reference/reference_vc_router.hpp"
#include "sim/topology/graph.hpp"
#include "sim/workload/registry.hpp"

namespace weft {
namespace {

using nlohmann::json;

template <class Block>
std::vector<Block> routers(const Graph& graph) {
  std::vector<Block> blocks;
  for (std::uint32_t b = graph.nodes; b < graph.blocks.size(); ++b) {
    blocks.emplace_back(graph.router_config(b));
  }
  return blocks;
}

/// A network whose NICs send the descriptors that they get; every word in memory is its address.
template <class Router>
class Run {
 public:
  Run(const Graph& graph, const Nic::Config& nic)
      : graph_(graph),
        all_(cut(graph, 1).front()),
        net_(graph, std::vector<Nic>(graph.nodes, Nic(nic)), routers<Router>(graph), false) {
    for (std::uint32_t n = 0; n < graph.nodes; ++n) net_.input(n).rx_size = 1u << 16;
  }

  const Nic::Out& output(std::uint32_t node) const { return net_.output(node); }
  const Counters& counters() const { return counters_; }

  /// One cycle, in which node `from` posts `desc`.
  void step(std::uint64_t cycle, std::uint32_t from, const Descriptor& desc) {
    const std::false_type several_links;
    for (std::uint32_t n = 0; n < graph_.nodes; ++n) {
      Nic::In& in = net_.input(n);
      const Nic::Out before = net_.output(n);
      in.desc_valid = n == from;
      in.desc = desc;
      net_.read_links(n, cycle, several_links);
      if (net_.nic_idle(n, several_links)) continue;
      net_.step_nic(n, cycle, counters_, several_links);
      for (unsigned lane = 0; lane < Nic::kMaxLanes; ++lane) {
        if ((before.mem_ren >> lane & 1) != 0) in.mem_rdata[lane] = before.mem_raddr[lane];
      }
    }
    std::uint32_t at = 0;
    net_.step_switches(all_, cycle, at, counters_);
    net_.publish(all_, cycle + 1, counters_);
    net_.flip();
  }

 private:
  const Graph& graph_;
  Part all_;
  Fabric<Nic, Router> net_;
  Counters counters_;
};

void compare(const json& topology, const json& router, unsigned controllers) {
  CAPTURE(topology.dump());
  CAPTURE(router.dump());
  const Config config = parse_config({{"topology", topology},
                                      {"router", router},
                                      {"nic", {{"controllers", controllers}, {"packet_flits", 6}}},
                                      {"workload", {{"collective", "a2a"}, {"message_flits", 1}}}},
                                     "test");
  const Graph graph = build_graph(config);
  const Nic::Config nic = nic_config(config, graph);
  Run<VcRouter> fast(graph, nic);
  Run<ReferenceVcRouter> reference(graph, nic);
  RandomStream random(7);
  for (std::uint64_t cycle = 0; cycle < 4000; ++cycle) {
    // At times no node posts; at others they post more than the network carries.
    const bool posts = cycle / 500 % 2 == 0 || random.chance(0.1);
    const auto from = static_cast<std::uint32_t>(random.below(graph.nodes));
    Descriptor desc;
    desc.dst = graph.blocks[random.below(graph.nodes)].own;
    desc.addr = static_cast<std::uint32_t>(random.below(1000));
    desc.len = static_cast<std::uint32_t>(random.below(16));
    fast.step(cycle, posts ? from : graph.nodes, desc);
    reference.step(cycle, posts ? from : graph.nodes, desc);
    for (std::uint32_t n = 0; n < graph.nodes; ++n) {
      if (!(fast.output(n) == reference.output(n))) FAIL("node " << n << ", cycle " << cycle);
    }
  }
  CHECK(fast.counters().flit_hops == reference.counters().flit_hops);
  CHECK(fast.counters().flits > 4000);
}

}  // namespace

TEST_CASE("a network of reference routers equals one of fast routers") {
  const json torus = {{"kind", "torus"}, {"dims", {4, 3}}};
  compare(torus, {{"vcs", 2}, {"vc_depth", 8}}, 1);
  compare(torus, {{"vcs", 3}, {"vc_depth", 8}, {"switching", "cut_through"}, {"arbiter", "age"}},
          2);
  compare(torus, {{"vcs", 2}, {"vc_depth", 9}, {"switching", "store_forward"}}, 1);
  compare(torus, {{"vcs", 10}, {"vc_depth", 4}, {"hold", "flit"}}, 1);
  compare({{"kind", "mesh"}, {"dims", {3, 4}}}, {{"vcs", "per_destination"}, {"vc_depth", 3}}, 1);
  compare({{"kind", "dce"}, {"n", 3}, {"y_bits", 3}, {"delta", 1}},
          {{"vcs", 6}, {"vc_depth", 5}, {"arbiter", "age"}}, 1);
}

}  // namespace weft
