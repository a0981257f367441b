// Blocks of engines that go on in RTL from the state of a model. That each block's registers are
// right its bench shows (--load); here the engines' blocks do so, and a register that nothing loads
// is an error.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/crossbar/crossbar.hpp"
#include "sim/engine/any_blocks.hpp"
#include "sim/router/router_tile.hpp"
#include "sim/router/vc_router.hpp"
#include "sim/verilated/rtl_barrier.hpp"
#include "sim/verilated/rtl_combine.hpp"
#include "sim/verilated/rtl_crossbar.hpp"
#include "sim/verilated/rtl_link.hpp"
#include "sim/verilated/rtl_nic.hpp"
#include "sim/verilated/rtl_router.hpp"

using namespace weft;
namespace fs = std::filesystem;

namespace {

constexpr unsigned kBefore = 700, kAfter = 700;

// A model runs alone, then beside a cosimulation pair that was loaded with its state. `stimulate`
// gives the inputs of a cycle, `same` compares the outputs of both.
template <class Model, class Pair, class Stimulate, class Same>
void go_on(Model model, Pair& pair, Stimulate stimulate, Same same) {
  for (std::uint32_t now = 0; now < kBefore + kAfter; ++now) {
    if (now == kBefore) pair.load(model, now);
    const auto& in = stimulate(model, now);
    model.step(in);
    if (now >= kBefore) pair.step(in);
    if (now >= kBefore) REQUIRE(same(model, pair));
  }
}

Flit header_to(std::uint32_t dst, RandomStream& random) {
  Flit flit;
  flit.valid = flit.last = true;
  flit.data = Header{.dst = dst, .src = 1, .tag = random.below(4) == 0, .eom = true}.pack();
  return flit;
}

}  // namespace

TEST_CASE("a network interface goes on from its model, which sends to itself") {
  RandomStream random(1);
  const Nic::Config config{.num_ctrl = 2, .packet_flits = 5, .timed = true};
  AnyNic pair(config, AnyNic::cosim);
  Nic::In in;
  in.windows.size[0] = 1000;
  go_on(
      Nic(config), pair,
      [&](const Nic& nic, std::uint32_t now) -> const Nic::In& {
        in.now = now;
        in.rx[0] = nic.out().tx[0];
        in.tx_full = nic.out().rx_full;
        for (FlitData& data : in.mem_rdata) data.word[0] = random();
        in.desc = {.len = static_cast<std::uint32_t>(random.below(30)),
                   .off = 3,
                   .gap = static_cast<std::uint32_t>(random.below(3)),
                   .timed = random.chance(0.3),
                   .start = now + 10};
        in.desc_valid = random.chance(0.1);
        return in;
      },
      [](const Nic& nic, const AnyNic& other) { return nic.out() == other.out(); });
  CHECK(pair.out().status.rx_count[0] > 20);
}

TEST_CASE("a tile with queues of its own goes on from its model, whose links lead back to it") {
  RandomStream random(1);
  RouterTileConfig config;
  config.num_vc = 4;
  config.stamps = true;
  config.routing = Routing::kUgal;
  config.low_vc = 2;
  config.route.max_coords = {3, 3};
  AnyRouter pair(config, false, AnyRouter::cosim);
  std::vector<Flit> rx(config.num_ports);
  std::vector<std::uint64_t> credit(config.num_ports);
  unsigned sent = 0, free = config.depth;
  RouterTileIn in{rx.data(), 0, credit.data()};
  go_on(
      RouterTile(config), pair,
      [&](const RouterTile& tile, std::uint32_t now) -> const RouterTileIn& {
        const VcRouter::Out out = tile.out();
        const unsigned local = config.num_ports - 1;
        in.now = now;
        in.rx_valid = out.tx_valid & low_mask(local);
        for (unsigned p = 0; p <= local; ++p) {
          const bool returns = (out.credit_ports >> p & 1) != 0;
          credit[p] = returns ? out.credit[p] : 0;
          if ((in.rx_valid >> p & 1) != 0) rx[p] = out.tx[p];
        }
        // The interface: VC 0 each way.
        free += credit[local] & 1;
        sent += (out.tx_valid >> local & 1) != 0;
        credit[local] = out.tx_valid >> local & 1;
        if (free != 0 && random.chance(0.5)) {
          --free;
          rx[local] = header_to(random.chance(0.98) ? 0 : 1, random);
          rx[local].stamp = static_cast<std::uint16_t>(random());
          in.rx_valid |= std::uint64_t{1} << local;
        }
        return in;
      },
      [&](const RouterTile& tile, const AnyRouter& other) {
        const VcRouter::Out a = tile.out(), b = other.out();
        bool same = a.tx_valid == b.tx_valid && a.credit_ports == b.credit_ports;
        for (unsigned p = 0; p < config.num_ports; ++p) {
          same &= (a.tx_valid >> p & 1) == 0 || a.tx[p] == b.tx[p];
        }
        return same;
      });
  CHECK(sent > 100);
}

TEST_CASE("a crossbar goes on from its model") {
  RandomStream random(1);
  const Crossbar::Config config{.detour = false, .num_in = 4};
  AnyCrossbar pair(config, false, AnyCrossbar::cosim);
  std::vector<Flit> rx(4);
  std::uint64_t valid = 0, full = 0, full_before = 0;
  const Crossbar::In in{rx.data(), &valid, &full};
  unsigned sent = 0;
  go_on(
      Crossbar(config), pair,
      [&](const Crossbar& crossbar, std::uint32_t) -> const Crossbar::In& {
        const Crossbar::Out out = crossbar.out();
        valid = random() & ~full_before & 15;
        full_before = *out.rx_full;
        full = random.below(16);
        for (Flit& flit : rx) flit = header_to(static_cast<std::uint32_t>(random.below(4)), random);
        sent += *out.tx_valid != 0;
        return in;
      },
      [](const Crossbar& crossbar, const AnyCrossbar& other) {
        const Crossbar::Out a = crossbar.out(), b = other.out();
        return *a.tx_valid == *b.tx_valid && *a.rx_full == *b.rx_full;
      });
  CHECK(sent > 100);
}

TEST_CASE("units of trees go on from their models") {
  RandomStream random(1);
  {
    const BarrierUnit::Config config{.num_child = 0, .is_root = true, .hold_cycles = 3};
    AnyBarrierUnit pair(config, AnyBarrierUnit::cosim);
    BarrierUnit::In in;
    go_on(
        BarrierUnit(config), pair,
        [&](const BarrierUnit& unit, std::uint32_t) -> const BarrierUnit::In& {
          in.enter = !unit.out().full && random.chance(0.3);
          return in;
        },
        [](const BarrierUnit& unit, const AnyBarrierUnit& other) {
          return unit.out().count == other.out().count;
        });
    CHECK(pair.out().count > 100);
  }
  {
    const CombineUnit::Config config{.num_child = 0, .is_root = true};
    AnyCombineUnit pair(config, AnyCombineUnit::cosim);
    CombineUnit::In in;
    in.order = {.len = 6, .op = ReduceOp::kMean, .count = 3};
    go_on(
        CombineUnit(config), pair,
        [&](const CombineUnit& unit, std::uint32_t) -> const CombineUnit::In& {
          in.post = !unit.out().full && random.chance(0.2);
          in.mem_rdata.word[0] = random();
          return in;
        },
        [](const CombineUnit& unit, const AnyCombineUnit& other) {
          return unit.out() == other.out();
        });
    CHECK(pair.out().done > 10);
  }
}

TEST_CASE("a block in a link goes on from its model") {
  RandomStream random(1);
  const LinkBlockConfig config = LinkBlockForm<LinkStage>{"link_stage", {.stages = 3}};
  const std::unique_ptr<LinkBlock> model = make_link_model(config), pair = make_cosim_link(config);
  for (std::uint32_t now = 0; now < 200; ++now) {
    if (now == 100) pair->load(*model, now);
    LinkWord word;
    if (random.chance(0.5)) word.flit = header_to(2, random);
    const std::uint64_t back = random.below(2);
    model->step(word, &back);
    if (now < 100) continue;
    pair->step(word, &back);
    REQUIRE(pair->out().tx == model->out().tx);
    REQUIRE(*pair->out().back == *model->out().back);
  }
}

TEST_CASE("a register that nothing loads, that is wider or that is missing is an error") {
  const RouteLoad::Config config{.num_vc = 2, .num_links = 1, .load_w = 10};
  const RouteLoad model(config);
  const auto load = [&](const char* from, const char* to) {
    std::string folder = fs::temp_directory_path() / "weft.XXXXXX";
    REQUIRE(mkdtemp(folder.data()) != nullptr);
    fs::copy(rtl_dir(), fs::path(folder) / "rtl", fs::copy_options::recursive);
    const fs::path file = fs::path(folder) / "rtl/router/weft_route_load.sv";
    std::ifstream in(file);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    for (std::size_t at = 0; (at = text.find(from, at)) != text.npos;) {
      text.replace(at, std::string(from).size(), to);
      at += std::string(to).size();
    }
    std::ofstream(file) << text;
    setenv("WEFT_RTL_DIR", (fs::path(folder) / "rtl").c_str(), 1);
    setenv("WEFT_CACHE", (fs::path(folder) / "cache").c_str(), 1);
    std::string message;
    try {
      RtlRouteLoad(config, true).load(model, 0);
    } catch (const CheckError& error) {
      message = error.what();
    }
    unsetenv("WEFT_RTL_DIR");
    unsetenv("WEFT_CACHE");
    fs::remove_all(folder);
    return message;
  };
  CHECK(load("low_q", "low_q") == "");
  const char* more =
      "logic more_q;\n  always_ff @(posedge clk_i) more_q <= !more_q;\n"
      "  // By more than two";
  CHECK(load("// By more than two", more) == "register more_q is not loaded: element 0 of 1");
  CHECK(load("low_q", "lower_q") == "no register gen_link[0].low_q");
  CHECK(load("[NumPorts*NumVc-1:0]       body_q", "[NumPorts*NumVc:0] body_q") ==
        "register body_q is wider than what is loaded: 5 bits");
}
