// The command line of a bench: compiled once for all of them.
#include "tb/lib/bench.hpp"

#include <CLI/CLI.hpp>
#include <exception>
#include <filesystem>

#include "sim/base/file_reader.hpp"
#include "sim/verilated/antecedents.hpp"
#include "sim/verilated/rtl_registers.hpp"

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

void list_points(const std::string& block, const std::function<void(Bench&)>& body) {
  for (unsigned first = 1, points = 1; first <= points; ++first) {
    Bench bench(block, 0, 1, first, {.list = true});
    try {
      body(bench);
    } catch (const PointListed& listed) {
      points = listed.points;
    }
  }
}

// The source of a module.
std::string source_of(const std::string& module) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(rtl_dir())) {
    if (entry.path().filename() == module + ".sv") return read_file(entry.path());
  }
  throw ConfigError("no module " + module);
}

}  // namespace

void Bench::plant_fault(RtlInstance& rtl) {
  if (!loading_.fault) return;
  const std::vector<RtlRegisterInfo> all = rtl.registers();
  if (*loading_.fault >= all.size()) throw FaultNotFound{};
  const RtlRegisterInfo& chosen = all[*loading_.fault];
  faulty_ = chosen.name;
  RtlPort port =
      RtlRegisters::element(chosen, static_cast<unsigned>(random.below(chosen.elements)));
  const auto bit = static_cast<unsigned>(random.below(chosen.width));
  port.set_bits(bit, 1, ~port.bits(bit, 1));
  rtl.eval();
}

// Ones but at most one bit, less a few counts.
void Bench::wind(RtlInstance& rtl, const std::vector<RtlCounter>& counters) {
  std::map<std::string, RtlPort> registers;
  for (const RtlRegisterInfo& info : rtl.registers()) {
    registers[info.name] = RtlRegisters::element(info, 0);
  }
  std::uint32_t rise = 0;
  for (const RtlCounter& counter : counters) {
    if (!counter.with_last) {
      const auto gap = static_cast<std::uint32_t>(std::uint64_t{1} << random.below(33));
      rise = ~gap - static_cast<std::uint32_t>(random.below(4)) - *counter.value;
    }
    *counter.value += rise;
    for (const RtlCounter::Part& part : counter.parts) {
      const auto found = registers.find(part.name);
      if (found == registers.end()) throw CheckError(block_ + ": no register " + part.name);
      found->second.set_bits(part.lsb, part.bits, *counter.value);
      if (recorder_) recorder_->note_set(part, *counter.value);
    }
  }
  rtl.eval();
}

void Bench::check_antecedents() const {
  std::string never;
  for (const Antecedent& one : antecedents_of(source_of(rtl_module(block_)))) {
    const auto found = seen_.find(one.record);
    if (found == seen_.end() || !found->second)
      never += fmt::format("\n  {}: {}", one.label, one.text);
  }
  if (never.empty()) return;
  throw CheckError(fmt::format("{}: antecedents that were true at no point:{}", block_, never));
}

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
  const std::uint64_t usual = cycles;
  std::string record;
  app.add_option(
      "--record", record,
      "write the inputs of each cycle of the point --first to this file; no other point");
  bool load = false, faults = false, points = false;
  app.add_flag("--load", load, "go on with instances that are loaded with the model's state");
  app.add_flag("--faults", faults,
               "the same at one point, for each register with it loaded wrongly");
  app.add_flag("--points", points, "list the parameter points and end");
  CLI11_PARSE(app, argc, argv);
  try {
    if (faults) {
      find_faults(block, body, cycles, seed, first);
      return 0;
    }
    if (points) {
      list_points(block, body);
      return 0;
    }
    if (!record.empty()) {
      Bench bench(block, cycles, seed, first, {.record = record});
      try {
        body(bench);
      } catch (const PointRecorded&) {
      }
      return 0;
    }
    Bench bench(block, cycles, seed, first, {load, {}});
    body(bench);
    bench.finish();
    if (!load && cycles >= usual) bench.check_antecedents();
  } catch (const std::exception& error) {
    fmt::print(stderr, "FAILED {}\n", error.what());
    return 1;
  }
  return 0;
}

}  // namespace weft::tb
