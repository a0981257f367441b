// Lockstep bench of the SystemC modules: one network of eight nodes from models and one from
// Verilated RTL.
#include <CLI/CLI.hpp>

#include "tb/systemc/checker.hpp"
#include "tb/systemc/stimulus.hpp"

namespace {

using namespace weft;

void lockstep(std::uint64_t cycles, std::uint64_t seed) {
  sc_core::sc_clock clk("clk", 1, sc_core::SC_NS);
  tb::Drive drive;
  const auto model = tb::CrossbarSystem::make<Nic, Crossbar>("model", clk, drive);
  const auto rtl = tb::CrossbarSystem::make<RtlNic, RtlCrossbar>("rtl", clk, drive);
  tb::Stimulus stimulus("stimulus", clk, drive, *model, *rtl, cycles, seed);
  const tb::Checker checker("checker", clk, drive, *model, *rtl);
  sc_core::sc_start();
  if (stimulus.words() == 0 || checker.flits() == 0) throw CheckError("nothing was transferred");
  fmt::print(
      "systemc: {} cycles, {} words on links, {} messages with {} words verified in {} rounds, {} "
      "resets, {} port values equal (seed {})\n",
      checker.cycles(), checker.flits(), stimulus.messages(), stimulus.words(), stimulus.rounds(),
      stimulus.resets(), checker.compared(), seed);
}

}  // namespace

int sc_main(int argc, char** argv) {
  CLI::App app{"Lockstep bench of the SystemC modules"};
  std::uint64_t cycles = 500'000, seed = 1;
  app.add_option("--cycles", cycles, "cycles at least")->capture_default_str();
  app.add_option("--seed", seed, "random stream")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    lockstep(cycles, seed);
  } catch (const sc_core::sc_report& report) {
    // What a process throws arrives as a report.
    fmt::print(stderr, "FAILED systemc: seed {}: {}\n", seed, report.get_msg());
    return 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "FAILED systemc: seed {}: {}\n", seed, error.what());
    return 1;
  }
  return 0;
}
