// Lockstep bench of the queues of a tile: packets that arrive at random, some of them shorter or
// longer than their headers say, and neighbours that return the credits of flits that the bench has
// taken out of the queues, and some that are wrong.
#include <bit>

#include "sim/router/route/route_load.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "route_load", [](tb::Bench& bench) {
    const RouteLoad::Config points[] = {
        // Loads hardly wider than the longest queues here, so that all of their bits change.
        {.num_vc = 4, .num_links = 4, .num_local = 1, .load_w = 11},
        {.num_vc = 8, .low_vc = 2, .num_links = 5, .num_local = 2, .load_w = 12},
        {.num_vc = 2, .num_links = 1, .num_local = 1, .load_w = 10},
        {.num_vc = 6, .num_links = 6, .num_local = 0, .load_w = 12},
        // Queues that are full at times: headers announce far more than comes.
        {.num_vc = 2, .num_links = 1, .num_local = 1, .load_w = 8}};
    for (const RouteLoad::Config& config : bench.order(points)) {
      RtlInstance rtl = bench.point({{"NumVc", config.num_vc},
                                     {"LowVc", config.low_vc},
                                     {"NumLinks", config.num_links},
                                     {"NumLocal", config.num_local},
                                     {"LoadW", config.load_w}},
                                    std::size(points));
      auto rtl_ports = bench.ports<RouteLoad>(rtl, config);
      RouteLoad model(config);
      RandomStream& random = bench.random;
      const unsigned ports = config.num_ports();
      // Flits that a packet still has to come on a VC, and where they go: a VC of a link, or none.
      std::vector<unsigned> left(ports * config.num_vc), goes(left.size());
      std::vector<unsigned> queued(config.num_links * config.num_vc + 1);
      std::vector<RouteLoad::Arrival> rx(ports);
      std::vector<std::uint64_t> credit(config.num_links);
      tb::Pressure offer, drain;
      const bool fills = config.load_w <= kLenW;
      // Changing at random: how long a queue may grow, the share of long packets, and whether all
      // go to one port.
      unsigned limit = 400, all_to = ports;
      double longer = 0.05;
      for (; bench.running(); bench.next()) {
        bench.load_now(rtl, rtl_ports, model, config);
        const bool offers = offer.next(random), drains = drain.next(random);
        if (random.below(128) == 0) {
          limit = 16u << random.below(9);
          longer = random.chance(0.5) ? 0.05 : 0.5;
          all_to = static_cast<unsigned>(random.below(2 * ports));
        }
        for (unsigned p = 0; p < ports; ++p) {
          // At times a VC that there is not, where the number of VCs is no power of two.
          const auto vc = static_cast<std::uint32_t>(
              random.below(random.chance(0.02) ? std::bit_ceil(config.num_vc) : config.num_vc));
          const bool exists = vc < config.num_vc;
          unsigned unused = 0, &coming = exists ? left[p * config.num_vc + vc] : unused;
          const bool head = coming == 0;
          // Short packets, the longest, and any.
          const auto most = random.chance(fills ? 0.5 : longer) ? low_mask(kLenW) : 3;
          const auto len = static_cast<std::uint32_t>(
              most > 3 && random.chance(0.5) ? most : random.below(most + 1));
          RouteLoad::Arrival& flit = rx[p];
          flit = {offers && random.chance(0.7),
                  random.chance(0.5),
                  vc,
                  len,
                  all_to < ports ? all_to : static_cast<std::uint32_t>(random.below(ports)),
                  random.chance(0.5)};
          if (!flit.valid || !exists) continue;
          unsigned& to = goes[p * config.num_vc + vc];
          if (head) {
            coming = 1 + len;
            if (random.chance(0.1)) coming = 1 + static_cast<unsigned>(random.below(len + 1));
            if (fills) coming = 1 + static_cast<unsigned>(random.below(3));
            if (random.chance(0.1)) coming += static_cast<unsigned>(random.below(8));
            to = config.num_links * config.num_vc;
            if (flit.port < config.num_links) {
              const unsigned first = flit.cls ? config.low_vc : 0;
              const unsigned vcs = flit.cls ? config.num_vc - config.low_vc : config.low_vc;
              to = flit.port * config.num_vc + first + static_cast<unsigned>(random.below(vcs));
            }
          }
          ++queued[to];
          flit.last = --coming == 0;
        }
        for (unsigned l = 0; l < config.num_links; ++l) {
          credit[l] = 0;
          for (unsigned v = 0; v < config.num_vc; ++v) {
            unsigned& waiting = queued[l * config.num_vc + v];
            // A long queue is drained, so that counters overflow at times only. At times a credit
            // of no flit.
            const bool returns = waiting > limit || (drains && random.chance(0.6));
            if (waiting == 0 ? !random.chance(0.01) : !returns) continue;
            if (waiting != 0) --waiting;
            credit[l] |= std::uint64_t{1} << v;
          }
        }
        const RouteLoad::In in{rx.data(), credit.data()};
        rtl_ports.drive(in);
        rtl.eval();
        bench.equal(rtl_ports, model.out());
        if (bench.reset_now(rtl)) {
          model.reset();
          std::fill(left.begin(), left.end(), 0);
          std::fill(queued.begin(), queued.end(), 0);
          continue;
        }
        rtl.tick();
        model.step(in);
        bench.transferred(model.out().busy != 0 || config.num_links == 1);
      }
    }
  });
}
