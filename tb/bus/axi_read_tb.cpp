// Lockstep bench of the read lanes on AXI4. Besides model against RTL, a memory behind a
// subordinate is kept here: every word that a lane requests reaches it, in the cycle after it was
// accepted.
#include <array>
#include <vector>

#include "sim/bus/axi_read.hpp"
#include "tb/bus/axi_memory.hpp"
#include "tb/bus/memory_lane.hpp"
#include "tb/lib/bench.hpp"

namespace {

using namespace weft;

// Until the end of the point or a reset; true after a reset.
bool life(tb::Bench& bench, RtlInstance& rtl, const AxiRead::Config& config) {
  auto ports = bench.ports<AxiRead>(rtl, config);
  AxiRead model(config);
  AxiRead::In in;
  in.base = bench.random() & config.addr_mask() & ~std::uint64_t{4095};
  const tb::AxiContents contents(config.data_w);
  tb::AxiReadSide memory(config, contents);
  std::vector<tb::MemoryLane> lanes;
  for (unsigned l = 0; l < config.lanes; ++l) lanes.emplace_back(l);
  // Addresses of the words that are due in this cycle, by lane.
  std::array<std::uint64_t, AxiRead::Config::kMaxLanes> due = {};
  std::uint32_t due_lanes = 0;
  std::uint32_t errors = 0, wound = 0;  // Errors of the memory, and what the count has more.
  for (; bench.running(); bench.next()) {
    if (bench.wind_counters(rtl, model)) wound = model.out().errors - errors;
    const AxiRead::Out before = model.out();
    for (unsigned l = 0; l < config.lanes; ++l) {
      if ((due_lanes >> l & 1) == 0) continue;
      tb::expect(before.mem_rdata == contents.read(due[l]), "the word of its address");
    }
    bench.equal("errors", before.errors, errors + wound);
    // AR depends on registers alone: it does not change with the inputs.
    bench.equal("ar_valid_o", rtl.port("ar_valid_o").get(), before.ar.valid);

    in.mem_ren = 0;
    for (unsigned l = 0; l < config.lanes; ++l) {
      in.mem_ren |= unsigned{lanes[l].next(bench.random)} << l;
      in.mem_read[l] = lanes[l].request();
    }
    memory.drive(bench.random, in.ar_ready, in.r);
    if (!in.r.valid) {
      // Without a beat the rest of R is anything.
      in.r.id = static_cast<std::uint32_t>(bench.random.below(config.lanes));
      in.r.data = tb::random_data(bench.random, config.data_w / 64);
      in.r.resp = static_cast<AxiResp>(bench.random.below(4));
      in.r.last = bench.random.below(2) != 0;
    }
    ports.drive(in);
    rtl.eval();
    const std::uint32_t accepted = AxiRead::ready(in.r);
    AxiRead::Shown out{before, accepted};
    bench.equal(ports, out);
    if (bench.reset_now(rtl)) return true;
    memory.see(out.ar, in.ar_ready);
    errors = memory.errors();
    due_lanes = accepted;
    tb::expect((accepted & ~in.mem_ren) == 0, "a word for a request");
    for (unsigned l = 0; l < config.lanes; ++l) {
      if ((accepted >> l & 1) == 0) continue;
      due[l] =
          (in.base + std::uint64_t{lanes[l].request().addr} * config.bytes()) & config.addr_mask();
      lanes[l].accept();
      bench.transferred();
    }
    model.step(in);
    rtl.tick();
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  return tb::bench_main(argc, argv, "axi_read", [](tb::Bench& bench) {
    bench.open_registers();
    // The first one covers most behaviour, so that a mutation is detected soon.
    const AxiRead::Config points[] = {{128, 3, 36}, {64, 1, 27}, {512, 2, 64}, {64, 16, 40}};
    for (const AxiRead::Config& config : bench.order(points)) {
      RtlInstance rtl = bench.point(
          {{"DataW", config.data_w}, {"NumLanes", config.lanes}, {"AxiAddrW", config.axi_addr_w}},
          std::size(points));
      while (life(bench, rtl, config)) bench.next();
    }
  });
}
