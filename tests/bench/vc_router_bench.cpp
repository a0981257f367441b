// Speed of the router model: a torus of routers in a loop, packets of 4 flits between random nodes.
// Instructions for each flit-hop of `step` alone: callgrind with this program.
#include <benchmark/benchmark.h>

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/router/router_tile.hpp"
#include "sim/router/vc_router.hpp"

namespace weft {
namespace {

constexpr unsigned kPacketFlits = 4;
constexpr unsigned kPorts = 5;

/// A square torus whose endpoints are unbounded queues and sinks that return credits at once.
class Torus {
 public:
  Torus(unsigned side, unsigned num_vc, double load, bool hold_packet, bool per_dest)
      : side_(side), num_vc_(num_vc), words_(VcRouter::words(num_vc)), load_(load), random_(1) {
    RouterTileConfig config;
    config.num_vc = num_vc;
    config.hold_packet = hold_packet;
    config.route.max_coords = {side - 1, side - 1};
    config.route.per_dest = per_dest;
    shift_ = static_cast<unsigned>(std::bit_width(side - 1));
    nodes_.resize(side * side);
    rx_.resize(nodes_.size() * kPorts);
    credit_.resize(nodes_.size() * kPorts * words_);
    for (unsigned n = 0; n < nodes_.size(); ++n) {
      config.own = address(n);
      routers_.emplace_back(config);
      nodes_[n].credits.assign(num_vc, config.depth);
      for (unsigned p = 0; p < 4; ++p) nodes_[n].next[p] = neighbour(n, p);
    }
  }

  /// One cycle of all routers; returns the flits that were put on links.
  std::uint64_t cycle() {
    for (unsigned n = 0; n < nodes_.size(); ++n) inject(n);
    for (unsigned n = 0; n < nodes_.size(); ++n) {
      Node& node = nodes_[n];
      RouterTile& router = routers_[n];
      const bool silent = node.rx_valid == 0 && node.credit_ports == 0;
      if (silent && router.quiet()) continue;
      router.step(
          {&rx_[n * kPorts], node.rx_valid, &credit_[n * kPorts * words_], 0, node.credit_ports});
      for (std::uint64_t left = node.credit_ports; left != 0; left &= left - 1) {
        const auto o = static_cast<unsigned>(std::countr_zero(left));
        for (unsigned w = 0; w < words_; ++w) credit_[(n * kPorts + o) * words_ + w] = 0;
      }
      node.rx_valid = node.credit_ports = 0;
    }
    std::uint64_t moved = 0;
    for (unsigned n = 0; n < nodes_.size(); ++n) moved += publish(n);
    return moved;
  }

 private:
  struct Node {
    std::uint64_t rx_valid = 0, credit_ports = 0;
    std::array<unsigned, 4> next = {};
    std::vector<unsigned> credits;
    unsigned owed = 0, left = 0, dst = 0, vc = 0;  // Flits to send; of the current packet.
  };

  unsigned address(unsigned n) const { return n % side_ | n / side_ << shift_; }
  unsigned neighbour(unsigned n, unsigned port) const {
    const unsigned x = n % side_, y = n / side_, by = port % 2 == 0 ? 1 : side_ - 1;
    return port < 2 ? (x + by) % side_ + y * side_ : x + (y + by) % side_ * side_;
  }

  void inject(unsigned n) {
    Node& node = nodes_[n];
    if (random_.chance(load_ / kPacketFlits) && node.owed < 1000) node.owed += kPacketFlits;
    if (node.owed == 0) return;
    Flit flit;
    if (node.left == 0) {
      node.dst = static_cast<unsigned>(random_.below(nodes_.size()));
      node.vc = num_vc_ > 2 ? node.dst : (node.vc + 1) % num_vc_;
    }
    if (node.credits[node.vc] == 0) return;
    if (node.left == 0) {
      node.left = kPacketFlits;
      flit.data = Header{address(node.dst), address(n), 0, kPacketFlits - 1}.pack();
    }
    --node.owed;
    --node.credits[node.vc];
    flit.last = --node.left == 0;
    flit.vc = static_cast<std::uint16_t>(node.vc);
    flit.valid = true;
    rx_[n * kPorts + 4] = flit;
    node.rx_valid |= 1 << 4;
  }

  // Copies the flits and credits on a router's links to the routers at their other ends.
  unsigned publish(unsigned n) {
    RouterTile& router = routers_[n];
    if (router.quiet()) return 0;
    const VcRouter::Out out = router.out();
    for (std::uint64_t left = out.credit_ports; left != 0; left &= left - 1) {
      const auto p = static_cast<unsigned>(std::countr_zero(left));
      const std::uint64_t* credit = &out.credit[p * words_];
      if (p == 4) {
        for (unsigned v = 0; v < num_vc_; ++v) nodes_[n].credits[v] += credit[v / 64] >> v % 64 & 1;
        continue;
      }
      // In-port p receives from the neighbour to which out-port p ^ 1 leads.
      const unsigned to = nodes_[n].next[p ^ 1];
      nodes_[to].credit_ports |= std::uint64_t{1} << p;
      for (unsigned w = 0; w < words_; ++w) credit_[(to * kPorts + p) * words_ + w] |= credit[w];
    }
    return forward(n, out.tx, out.tx_valid);
  }
  unsigned forward(unsigned n, const Flit* tx, std::uint64_t tx_valid) {
    unsigned moved = 0;
    for (std::uint64_t left = tx_valid; left != 0; left &= left - 1, ++moved) {
      const auto o = static_cast<unsigned>(std::countr_zero(left));
      if (o == 4) {
        nodes_[n].credit_ports |= 1 << 4;
        credit_[(n * kPorts + 4) * words_] |= 1;
        continue;
      }
      const unsigned to = nodes_[n].next[o];
      nodes_[to].rx_valid |= std::uint64_t{1} << o;
      rx_[to * kPorts + o] = tx[o];
    }
    return moved;
  }

  unsigned side_, num_vc_, words_, shift_ = 0;
  double load_;
  RandomStream random_;
  std::vector<RouterTile> routers_;
  std::vector<Node> nodes_;
  std::vector<Flit> rx_;
  std::vector<std::uint64_t> credit_;
};

void run(benchmark::State& state, unsigned side, unsigned num_vc, bool hold_packet, bool per_dest) {
  const double load = static_cast<double>(state.range(0)) / 100;
  Torus torus(side, num_vc, load, hold_packet, per_dest);
  for (unsigned i = 0; i < 300; ++i) torus.cycle();
  std::uint64_t cycles = 0, moved = 0;
  for (auto _ : state) {
    moved += torus.cycle();
    ++cycles;
  }
  state.counters["flit-hops/s"] =
      benchmark::Counter(static_cast<double>(moved), benchmark::Counter::kIsRate);
  state.counters["flits/router/cycle"] =
      static_cast<double>(moved) / static_cast<double>(cycles) / (side * side);
}

void torus_32(benchmark::State& state) {
  run(state, 32, 2, true, false);
}
void torus_32_hold_flit(benchmark::State& state) {
  run(state, 32, 2, false, false);
}
void torus_16_per_destination(benchmark::State& state) {
  run(state, 16, 256, true, true);
}

// Load in flits for each hundred nodes and cycle.
BENCHMARK(torus_32)->Arg(0)->Arg(1)->Arg(10)->Arg(15)->Arg(20)->Arg(100);
BENCHMARK(torus_32_hold_flit)->Arg(10)->Arg(100);
BENCHMARK(torus_16_per_destination)->Arg(10)->Arg(100);

}  // namespace
}  // namespace weft

BENCHMARK_MAIN();
