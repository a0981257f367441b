// The command line of a bench: compiled once for all of them.
#include "tb/lib/bench.hpp"

#include <CLI/CLI.hpp>
#include <exception>

namespace weft::tb {

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
  CLI11_PARSE(app, argc, argv);
  try {
    Bench bench(block, cycles, seed, first);
    body(bench);
    bench.finish();
  } catch (const std::exception& error) {
    fmt::print(stderr, "FAILED {}\n", error.what());
    return 1;
  }
  return 0;
}

}  // namespace weft::tb
