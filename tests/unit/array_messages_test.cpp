// Collectives on arrays: natively and on RV32 every node sends the same messages in the same order.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/processor/elf.hpp"
#include "sim/processor/native_host.hpp"
#include "sim/processor/rv32.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/collective.hpp"
#include "sim/workload/registry.hpp"
#include "tests/unit/ideal_network.hpp"

namespace {

using namespace weft;
using nlohmann::json;

// Messages of each node in the order of posting.
using Messages = std::vector<std::vector<Descriptor>>;

template <class P, class Make>
Messages messages_of(const Graph& graph, const Collective& collective, Make make) {
  std::vector<P> nodes;
  for (std::uint32_t rank = 0; rank < graph.nodes; ++rank) {
    nodes.push_back(make(collective.memory(rank), collective.job(rank)));
    collective.prepare(nodes.back().port());
  }
  ideal::Fabric<P> network(nodes, graph.address, {.queue_depth = 8});
  REQUIRE(network.run(2'000'000));
  REQUIRE(network.error == "");
  Messages messages(graph.nodes);
  for (std::uint32_t rank = 0; rank < graph.nodes; ++rank) {
    CHECK(nodes[rank].port().exit_code() == 0);
    collective.contents().compare(rank, nodes[rank].memory(), [](const WrongWord& word) {
      CHECK(word.found == word.expected);
    });
    for (const ideal::Sent& sent : network.sent[rank]) {
      messages[rank].push_back(sent.descriptor);
    }
  }
  return messages;
}

std::string compare(const Messages& native, const Messages& rv32) {
  for (std::size_t rank = 0; rank < native.size(); ++rank) {
    if (native[rank] != rv32[rank]) {
      return fmt::format("node {}: {} messages natively, {} on RV32, or in another order", rank,
                         native[rank].size(), rv32[rank].size());
    }
  }
  return {};
}

std::string difference(const json& document) {
  const Config config = parse_config(document, "test");
  const Graph graph = build_graph(config);
  const Collective collective(config, graph);
  const Messages native =
      messages_of<NativeHost>(graph, collective, [&](Memory memory, const Job& job) {
        return NativeHost(collective.entry().entry, std::move(memory), job);
      });
  const auto program = std::make_shared<const Rv32Program>(load_elf(collective.program()), "test");
  const Messages rv32 = messages_of<Rv32Core>(
      graph, collective,
      [&](Memory memory, const Job& job) { return Rv32Core(program, std::move(memory), job); });
  return compare(native, rv32);
}

}  // namespace

TEST_CASE("all operations: the same messages in the same order on both processors") {
  const json board = {{"kind", "board"}, {"dims", {2, 2, 2, 1}}, {"mains", 2}, {"aggregators", 2}};
  const json ring = {{"kind", "torus"}, {"dims", {5}}};
  const json square = {{"kind", "torus"}, {"dims", {4, 2}}};
  const json lines = {{"kind", "hyperx"}, {"dims", {3, 2}}};
  const json groups = {{"kind", "dragonfly"}, {"p", 2}, {"a", 2}, {"h", 1}};
  const std::vector<std::pair<const char*, json>> runs = {{"allgather_direct", groups},
                                                          {"allgather_direct", ring},
                                                          {"allreduce_direct", board},
                                                          {"allreduce_direct", groups},
                                                          {"allreduce_direct", lines},
                                                          {"reduce_scatter_direct", lines},
                                                          {"reduce_scatter_ring", ring},
                                                          {"allgather_ring", square},
                                                          {"broadcast_binomial", ring},
                                                          {"broadcast_scatter", ring},
                                                          {"reduce_binomial", ring},
                                                          {"reduce_gather", square},
                                                          {"allreduce_recursive_doubling", ring},
                                                          {"allreduce_rabenseifner", ring},
                                                          {"allreduce_nested", board},
                                                          {"allreduce_flat", board},
                                                          {"allreduce_bucket", board},
                                                          {"allreduce_ring", board},
                                                          {"allreduce_ring", ring},
                                                          {"allreduce_recursive_doubling", board},
                                                          {"allreduce_recursive_doubling", square},
                                                          {"allreduce_rabenseifner", board},
                                                          {"allreduce_rabenseifner", square},
                                                          {"reduce_nested", board},
                                                          {"reduce_scatter_nested", board},
                                                          {"allgather_nested", board},
                                                          {"broadcast_nested", board}};
  for (const auto& job : runs) {
    const auto& [name, topology] = job;
    for (const char* op : {"sum", "prod", "max", "min", "mean"}) {
      for (const unsigned bytes : {8u, 1000u, 4096u}) {
        json workload = {{"collective", name}, {"bytes", bytes}};
        const std::string collective = name;
        if (!collective.starts_with("allgather") && !collective.starts_with("broadcast")) {
          workload["op"] = op;
        }
        CAPTURE(workload.dump());
        CAPTURE(job.second.dump());
        CHECK(difference({{"topology", topology}, {"workload", workload}}) == "");
      }
    }
  }
}
