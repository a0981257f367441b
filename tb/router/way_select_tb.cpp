// Lockstep bench of the choice among the ways of headers. Besides model against RTL, the rule is
// checked by itself: the order of all links that a header can take, sorted.
#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "sim/router/way_select.hpp"
#include "tb/lib/bench.hpp"

namespace {

using namespace weft;

// The link that a header must take, `pointer` being the first among equal ones; none: its escape
// way.
std::optional<unsigned> link_by_rule(const WaySelect::Config& c, const WaySelect::In& in,
                                     unsigned r, unsigned pointer) {
  if ((in.head[r / 64] >> r % 64 & 1) == 0) return {};
  std::vector<std::tuple<std::uint32_t, unsigned, unsigned>> open;
  for (unsigned link = 0; link < c.links(); ++link) {
    const std::uint32_t need = c.cut_through ? in.len[r] + 1 : c.depth;
    if ((in.minimal[r] >> link & 1) == 0 || in.credits[link] < need) continue;
    open.emplace_back(in.loads[link], (link + c.links() - pointer) % c.links(), link);
  }
  if (open.empty()) return {};
  return std::get<2>(*std::min_element(open.begin(), open.end()));
}

}  // namespace

int main(int argc, char** argv) {
  return tb::bench_main(argc, argv, "way_select", [](tb::Bench& bench) {
    const WaySelect::PortConfig points[] = {
        {{6, 5, 1, 4, false}, 3, 4},  {{5, 4, 1, 6, true}, 5, 3},
        {{1, 2, 1, 1, false}, 1, 1},  {{4, 2, 0, 3, false}, 2, 2},
        {{9, 3, 2, 20, true}, 5, 6},  {{40, 7, 3, 8, false}, 4, 5},
        {{70, 10, 2, 2, true}, 9, 8}, {{6, 5, 1, 4096, false}, 13, 16},
    };
    for (const WaySelect::PortConfig& c : bench.order(points)) {
      RtlInstance rtl = bench.point({{"NumReq", c.num_req},
                                     {"NumPorts", c.num_ports},
                                     {"NumLocal", c.num_local},
                                     {"Depth", c.depth},
                                     {"CutThrough", RtlValue(c.cut_through ? "1'b1" : "1'b0")},
                                     {"CreditW", c.credit_w},
                                     {"LoadW", c.load_w}},
                                    std::size(points));
      auto ports = bench.ports<WaySelect>(rtl, c);
      WaySelect model(c);
      const std::size_t words = (std::size_t{c.num_req} + 63) / 64;
      std::vector<std::uint64_t> head(words), pop(words), minimal(c.num_req);
      std::vector<std::uint32_t> len(c.num_req), credits(c.links()), loads(c.links());
      std::vector<RouteOut> way(c.num_req);
      const WaySelect::In in = {head.data(),    len.data(),   minimal.data(), way.data(),
                                credits.data(), loads.data(), pop.data()};
      unsigned pointer = 0;
      const auto most = static_cast<std::uint32_t>(low_mask(c.credit_w));
      for (; bench.running(); bench.next()) {
        for (std::uint64_t& word : head) word = bench.random() | bench.random();
        std::fill(pop.begin(), pop.end(), 0);
        for (unsigned r = 0; r < c.num_req; ++r) {
          len[r] = static_cast<std::uint32_t>(bench.random.below(
              bench.random.chance(0.5) ? std::min<std::uint64_t>(most, 256) : 256));
          minimal[r] = bench.random() & bench.random() & low_mask(c.num_ports);
          way[r] = {static_cast<std::uint32_t>(bench.random.below(c.num_ports)),
                    static_cast<VcSet>(bench.random.below(kVcSets))};
          const bool leaves = bench.random.below(2 * c.num_req) == 0;
          pop[r / 64] |= std::uint64_t{leaves} << r % 64;
        }
        for (unsigned link = 0; link < c.links(); ++link) {
          // Around the depth, where it decides; few different loads give many equal ones.
          const auto near = static_cast<std::uint32_t>(c.depth + bench.random.below(3) - 1);
          credits[link] = bench.random.chance(0.5)
                              ? std::min(near, most)
                              : static_cast<std::uint32_t>(bench.random.below(most + 1));
          loads[link] = static_cast<std::uint32_t>(
              bench.random() & low_mask(bench.random.chance(0.5) ? 1 : c.load_w));
        }
        ports.drive(in);
        rtl.eval();
        bool further = false;  // A header leaves by one of its further ways.
        const auto compare = [&] {
          const WaySelect::Out out = model.eval(in);
          bench.equal(ports, out);
          further = false;
          for (unsigned r = 0; r < c.num_req; ++r) {
            const auto link = link_by_rule(c, in, r, pointer);
            if (out.way[r] != (link ? RouteOut{*link, VcSet::kHigh} : way[r])) {
              throw CheckError("way_select: not the way by the rule");
            }
            further |= link && (pop[r / 64] >> r % 64 & 1) != 0;
          }
          bench.transferred(further);
        };
        compare();
        if (bench.reset_now(rtl)) {
          model.reset();
          pointer = 0;
          compare();
          continue;
        }
        model.tick(in);
        if (further) pointer = (pointer + 1) % c.links();
        rtl.tick();
      }
    }
  });
}
