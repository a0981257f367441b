// The command line of a bench: compiled once for all of them.
#include "tb/lib/bench.hpp"

#include <CLI/CLI.hpp>
#include <exception>

namespace weft::tb {

namespace {

// Runs a bench with a fault in each register after the other; prints those that were not found.
void find_faults(const std::string& block, const std::function<void(Bench&)>& body,
                 std::uint64_t cycles, std::uint64_t seed, unsigned first) {
  std::size_t found = 0, all = 0;
  for (;; ++all) {
    Bench bench(block, cycles, seed, first, {true, all});
    try {
      body(bench);
    } catch (const FaultNotFound&) {
    } catch (const CheckError&) {
      if (bench.faulty().empty()) throw;
      ++found;
      continue;
    }
    if (bench.faulty().empty()) break;
    fmt::print("not found: {}\n", bench.faulty());
  }
  fmt::print("{}: faults in {} of {} registers found\n", block, found, all);
}

}  // namespace

int bench_main(int argc, char** argv, const std::string& block,
               const std::function<void(Bench&)>& body, std::uint64_t cycles) {
  CLI::App app{"Lockstep bench of " + block};
  std::uint64_t seed = 1;
  app.add_option("--cycles", cycles, "cycles over all parameter points")->capture_default_str();
  app.add_option("--seed", seed, "random stream")->capture_default_str();
  unsigned first = 1;
  app.add_option("--first", first, "parameter point to begin with")
      ->check(CLI::Range(1u, 1000u))
      ->capture_default_str();
  bool load = false, faults = false;
  app.add_flag("--load", load, "go on with instances that are loaded with the model's state");
  app.add_flag("--faults", faults,
               "the same at one point, for each register with it loaded wrongly");
  CLI11_PARSE(app, argc, argv);
  try {
    if (faults) {
      find_faults(block, body, cycles, seed, first);
      return 0;
    }
    Bench bench(block, cycles, seed, first, {load, {}});
    body(bench);
    bench.finish();
  } catch (const std::exception& error) {
    fmt::print(stderr, "FAILED {}\n", error.what());
    return 1;
  }
  return 0;
}

}  // namespace weft::tb
