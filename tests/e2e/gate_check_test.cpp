// Gates beside a Verilated instance: which of the three differs, and which net explains it.
#include "sim/gates/gate_check.hpp"

#include <doctest/doctest.h>

#include <string>

#include "sim/base/random.hpp"
#include "sim/gates/wrong_net.hpp"

namespace weft {
namespace {

const RtlSpec kFifo = {
    .top = "weft_fifo", .params = {{"DataW", 9}, {"Depth", 5}}, .extra = {}, .loadable = true};

// An instance with its gates, in random inputs.
struct Beside {
  explicit Beside(bool forced)
      : rtl(RtlLibrary::load(kFifo)),
        library(GateLibrary::load({.top = kFifo.top, .params = kFifo.params, .extra = {}},
                                  LaneWidth::k64, forced)),
        check(rtl, library) {}

  void step() {
    const std::uint64_t count = rtl.port("count_o").get();
    rtl.port("push_i").set(count < 5 && random.below(2) != 0 ? 1 : 0);
    rtl.port("pop_i").set(count > 0 && random.below(2) != 0 ? 1 : 0);
    rtl.port("data_i").set(random.below(512));
    rtl.tick();
    check.step();
  }
  // What is thrown within some cycles.
  Difference difference(unsigned cycles = 3000) {
    try {
      while (cycles-- > 0) {
        step();
        check.check();
      }
    } catch (const Difference& difference) {
      return difference;
    }
    FAIL("no difference");
    return {"", ""};
  }

  RandomStream random{1};
  RtlInstance rtl;
  std::shared_ptr<const GateLibrary> library;
  GateCheck check;
};

bool has(const Difference& difference, const std::string& text) {
  return std::string(difference.what()).find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("gates are equal to an instance, also after its state was loaded") {
  Beside one(false);
  for (unsigned i = 0; i < 500; ++i) {
    one.step();
    one.check.check();
    if (i % 100 == 50) one.check.load(one.rtl);
  }
}

// Every gate and flop held at both values: what is found names a net that explains it, which is
// this one or one through which it alone is seen.
TEST_CASE("a forced net is found, with its name") {
  Beside whole(true);
  const Netlist& netlist = whole.library->netlist();
  unsigned found = 0, named = 0, missed = 0;
  for (NetId net = netlist.first_flop(); net < netlist.first_memory(); ++net) {
    Beside one(true);
    one.check.gates().force(net, 0, net % 2 != 0);
    try {
      for (unsigned i = 0; i < 1500; ++i) {
        one.step();
        one.check.check();
      }
      ++missed;
    } catch (const Difference& difference) {
      ++found;
      CHECK(difference.who != "RTL and model differ");
      named += has(difference, net_name(netlist, net)) ? 1 : 0;
    }
  }
  MESSAGE(found, " of ", netlist.flops.size() + netlist.gates.size(), " nets found, ", named,
          " by name, ", missed, " without effect");
  CHECK(missed <= 2);
  CHECK(named * 10 >= found * 8);
}

TEST_CASE("an output that differs names who differs, port and bit") {
  Beside one(true);
  const GatePort& data = one.library->port("data_o");
  const NetId net = one.library->netlist().outputs[data.first + 4];
  one.check.gates().force(net, 0, true);
  const Difference difference = one.difference();
  CHECK(difference.who == "gates differ from RTL and model");
  CHECK(has(difference, "weft_fifo port data_o[4]: gates 1, RTL and model 0"));
  CHECK(has(difference, "its compiled kernel is wrong"));
  CHECK(has(difference, net_name(one.library->netlist(), net)));
}

// A word of the memory of an empty buffer.
TEST_CASE("a register that differs without effect is found in the end") {
  Beside one(false);
  for (const RtlRegisterInfo& info : one.rtl.registers()) {
    if (info.name == "mem_q") *static_cast<std::uint16_t*>(info.data) ^= 1;
  }
  unsigned edges = 0;
  try {
    for (; edges < 2 * GateCheck::kPatience; ++edges) {
      one.rtl.tick();
      one.check.step();
      one.check.check();
    }
    FAIL("not found");
  } catch (const Difference& difference) {
    CHECK(edges == GateCheck::kPatience);
    CHECK(difference.who == "gates and RTL differ");
    CHECK(has(difference, "mem_q[0][0]"));
  }
}

TEST_CASE("of a difference between RTL and model the gates say who is wrong") {
  Beside one(false);
  const std::uint64_t shown = one.rtl.port("count_o").get() & 1;
  const auto who = [&](std::uint64_t rtl, std::uint64_t model) {
    try {
      one.check.explain(Difference(PortDifference{"count_o", "count_o", 0, 3, rtl, model}));
    } catch (const Difference& difference) {
      return difference.who;
    }
    return std::string();
  };
  CHECK(who(shown, 1 - shown) == "model differs from RTL and gates");
  CHECK(who(1 - shown, shown) == "RTL differs from model and gates");
  CHECK(who(2, 3) == "RTL, model and gates differ");
}

}  // namespace weft
