// Lockstep bench of the write lanes on AXI4. Besides model against RTL, a memory behind a
// subordinate is kept here: all words of a run are in it when the last one is accepted.
#include <utility>
#include <vector>

#include "sim/bus/axi_write.hpp"
#include "tb/bus/axi_memory.hpp"
#include "tb/bus/memory_lane.hpp"
#include "tb/lib/bench.hpp"

namespace {

using namespace weft;

// A lane, and the words of its run that were accepted.
struct Writer {
  explicit Writer(unsigned number) : lane(number) {}

  tb::MemoryLane lane;
  FlitData word;
  bool had_word = false;
  std::vector<std::pair<std::uint64_t, FlitData>> run;
};

// Until the end of the point or a reset; true after a reset.
bool life(tb::Bench& bench, RtlInstance& rtl, const AxiWrite::Config& config) {
  auto ports = bench.ports<AxiWrite>(rtl, config);
  AxiWrite model(config);
  AxiWrite::In in;
  in.base = bench.random() & config.addr_mask() & ~std::uint64_t{4095};
  tb::AxiContents contents(config.data_w);
  tb::AxiWriteSide memory(config, contents);
  std::vector<Writer> lanes;
  for (unsigned l = 0; l < config.lanes; ++l) lanes.emplace_back(l);
  std::uint32_t errors = 0, wound = 0;  // Errors of the memory, and what the count has more.
  for (; bench.running(); bench.next()) {
    if (bench.wind_counters(rtl, model)) wound = model.out().errors - errors;
    const AxiWrite::Out before = model.out();
    bench.equal("errors", before.errors, errors + wound);
    // AW and W depend on registers alone: they do not change with the inputs.
    bench.equal("aw_valid_o", rtl.port("aw_valid_o").get(), before.aw.valid);
    bench.equal("w_valid_o", rtl.port("w_valid_o").get(), before.w.valid);

    in.mem_wen = 0;
    for (unsigned l = 0; l < config.lanes; ++l) {
      Writer& writer = lanes[l];
      const bool writes = writer.lane.next(bench.random);
      if (writes && !writer.had_word) {
        writer.word = tb::random_data(bench.random, config.data_w / 64);
      }
      writer.had_word = writes;
      in.mem_wen |= unsigned{writes} << l;
      in.mem_write[l] = writer.lane.request();
      in.mem_wdata[l] = writes ? writer.word : FlitData{};
    }
    memory.drive(bench.random, in.aw_ready, in.w_ready, in.b);
    if (!in.b.valid) {
      // Without a response the rest of B is anything.
      in.b.id = static_cast<std::uint32_t>(bench.random.below(config.lanes));
      in.b.resp = static_cast<AxiResp>(bench.random.below(4));
    }
    ports.drive(in);
    rtl.eval();
    const AxiWrite::Shown out{before, model.ready(in)};
    bench.equal(ports, out);
    if (bench.reset_now(rtl)) return true;
    errors = memory.errors();
    tb::expect((out.mem_wready & ~in.mem_wen) == 0, "a lane without a request is accepted");
    for (unsigned l = 0; l < config.lanes; ++l) {
      if ((out.mem_wready >> l & 1) == 0) continue;
      Writer& writer = lanes[l];
      const MemRequest request = writer.lane.request();
      const std::uint64_t addr = in.base + std::uint64_t{request.addr} * config.bytes();
      writer.run.emplace_back(addr & config.addr_mask(), writer.word);
      if (request.left == 0) {
        for (const auto& [at, word] : writer.run) {
          tb::expect(contents.read(at) == word, "a word in memory");
        }
        writer.run.clear();
      }
      writer.lane.accept();
      writer.had_word = false;
      bench.transferred();
    }
    memory.see(out.aw, in.aw_ready, out.w, in.w_ready);
    model.step(in);
    rtl.tick();
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  return tb::bench_main(argc, argv, "axi_write", [](tb::Bench& bench) {
    bench.open_registers();
    // The first one covers most behaviour, so that a mutation is detected soon.
    const AxiWrite::Config points[] = {{128, 3, 36}, {64, 1, 27}, {512, 16, 64}, {256, 8, 32}};
    for (const AxiWrite::Config& config : bench.order(points)) {
      RtlInstance rtl = bench.point(
          {{"DataW", config.data_w}, {"NumLanes", config.lanes}, {"AxiAddrW", config.axi_addr_w}},
          std::size(points));
      while (life(bench, rtl, config)) bench.next();
    }
  });
}
