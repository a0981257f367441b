// Grades of gates: the solver, proofs and what they say against simulation.
#include "tests/grade/grade.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "sim/base/file_writer.hpp"
#include "sim/base/process.hpp"
#include "sim/base/random.hpp"
#include "sim/base/temporary_folder.hpp"

namespace weft::grade {
namespace {

// What the bench of a block records, at a point of its parameters.
Recording record(const std::string& block, unsigned point, unsigned cycles, unsigned seed = 1) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "inputs").string();
  std::string log;
  const int status = run_process(
      {fmt::format("{}/{}_tb", std::getenv("WEFT_TB"), block), "--first", std::to_string(point),
       "--cycles", std::to_string(cycles), "--seed", std::to_string(seed), "--record", path},
      &log);
  CHECK(log == "");
  REQUIRE(status == 0);
  return read_recording(path);
}

Grades grades_of(const Recording& recording) {
  Passes passes(recording, load(recording.spec));
  return grade(passes, {.seconds = 30});
}

// A module of this text in a folder of its own, with random inputs.
class Module {
 public:
  explicit Module(const std::string& text) {
    std::filesystem::create_directories(folder_.path() / "include");
    write_file(folder_.path() / "include" / "weft_assert.svh", "");
    write_file(folder_.path() / "weft_pkg.sv", "package weft_pkg; endpackage\n");
    write_file(folder_.path() / "weft_own.sv", text);
    if (const char* const before = std::getenv("WEFT_RTL_DIR")) before_ = before;
    setenv("WEFT_RTL_DIR", folder_.path().c_str(), 1);
    recording.spec.top = "weft_own";
  }
  ~Module() {
    if (before_.empty()) {
      unsetenv("WEFT_RTL_DIR");
    } else {
      setenv("WEFT_RTL_DIR", before_.c_str(), 1);
    }
  }
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  // Random inputs for edges out of reset; the first port is rst_ni.
  void random_inputs(std::vector<Recording::Port> ports, unsigned count) {
    std::size_t bits = 1;
    for (const auto& port : ports) bits += port.width;
    ports.insert(ports.begin(), {"rst_ni", 1});
    recording.ports = std::move(ports);
    recording.record_size = 1 + (bits + 7) / 8;
    RandomStream random(3);
    for (unsigned i = 0; i < count; ++i) {
      recording.data.push_back(1);
      for (std::size_t b = 1; b < recording.record_size; ++b) {
        recording.data.push_back(static_cast<std::uint8_t>(random()) | (b == 1 ? 1 : 0));
      }
    }
  }

  Recording recording;

 private:
  TemporaryFolder folder_;
  std::string before_;
};

}  // namespace

TEST_CASE("the solver agrees with all assignments tried") {
  RandomStream random(1);
  unsigned solvable = 0;
  for (unsigned round = 0; round < 400; ++round) {
    constexpr unsigned kVariables = 12;
    Sat sat;
    std::vector<Lit> variables;
    for (unsigned v = 0; v < kVariables; ++v) variables.push_back(sat.fresh());
    std::vector<std::vector<unsigned>> clauses;
    for (unsigned c = 0; c < 52; ++c) {
      auto& clause = clauses.emplace_back();
      std::vector<Lit> lits;
      for (unsigned i = 0; i < 3; ++i) {
        clause.push_back(static_cast<unsigned>(random.below(2 * kVariables)));
        lits.push_back(negated(variables[clause.back() / 2], clause.back() % 2 != 0));
      }
      sat.add(lits);
    }
    const auto holds = [&](auto value) {
      for (const auto& clause : clauses) {
        bool any = false;
        for (const unsigned one : clause) any = any || value(one / 2) == (one % 2 == 0);
        if (!any) return false;
      }
      return true;
    };
    // Twice: alone, and with the first variable assumed.
    for (const bool assumed : {false, true}) {
      bool possible = false;
      for (unsigned all = assumed ? 1 : 0; all < 1u << kVariables; all += assumed ? 2 : 1) {
        possible = possible || holds([&](unsigned v) { return (all >> v & 1) != 0; });
      }
      const auto answer =
          sat.solve(assumed ? std::vector<Lit>{variables[0]} : std::vector<Lit>{}, 100000);
      CHECK(answer == (possible ? Sat::Answer::kYes : Sat::Answer::kNo));
      if (answer != Sat::Answer::kYes) continue;
      ++solvable;
      CHECK(holds([&](unsigned v) { return sat.value(variables[v]); }));
    }
  }
  CHECK(solvable > 100);
  CHECK(solvable < 700);
}

TEST_CASE("what is proved redundant no other stimulus shows") {
  for (const auto& [name, point] : {std::pair{"rr_arbiter", 5u}, {"fifo", 2u}}) {
    const std::string block = name;
    CAPTURE(block);
    const Recording whole = record(block, point, 20000);
    const Grades all = grades_of(whole);
    CHECK(all.illegal == 0);
    CHECK(all.faults == 2 * all.nets);
    CHECK(all.detected + all.redundant + all.missed == all.faults);
    CHECK(all.redundant > 0);
    CHECK(all.share() > 0.99);

    // Of most of the stimulus missing: the share is lower, and what is missed is shown by inputs.
    Recording part = whole;
    part.data.resize(part.record_size * 40);
    Passes passes(part, load(part.spec));
    const Grades less = grade(passes, {.seconds = 30});
    CHECK(less.faults == all.faults);
    CHECK(less.share() < all.share());
    CHECK(less.redundant <= all.redundant + all.missed);
    CHECK(less.witnesses > 0);
    std::vector<std::uint32_t> index(less.redundant_faults.size());
    for (std::uint32_t i = 0; i < index.size(); ++i) index[i] = i;
    for (const unsigned seed : {1u, 2u, 3u}) {
      const Recording other = record(block, point, 20000, seed);
      Passes others(other, load(other.spec));
      std::vector<std::uint8_t> found(index.size());
      others.detect(less.redundant_faults, index, other.records(), found);
      CHECK(std::count(found.begin(), found.end(), 1) == 0);
    }
  }
}

// The counter never has 6 or 7; random inputs never have the key.
TEST_CASE("a redundant gate, and one that a key shows") {
  Module own(R"(module weft_own (
  input logic clk_i, input logic rst_ni, input logic [30:0] key_i,
  output logic six_o, output logic key_o, output logic [2:0] count_o);
  logic [2:0] count_q;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) count_q <= '0; else count_q <= count_q == 3'd5 ? '0 : count_q + 3'd1;
  assign six_o = count_q[2] && count_q[1];
  assign count_o = count_q;
  assign key_o = key_i == 31'h2badbeef;
endmodule
)");
  own.random_inputs({{"key_i", 31}}, 2000);
  Passes passes(own.recording, load(own.recording.spec));
  const Grades grades = grade(passes, {.seconds = 30});
  const Netlist& netlist = passes.block().library().netlist();
  const auto output = [&](const char* name) {
    return netlist.outputs[passes.block().library().port(name).first];
  };
  bool six = false, key = false;
  for (const Fault& one : grades.redundant_faults) {
    six = six || (one.net == output("six_o") && !one.value);
  }
  CHECK(six);
  for (const MissedFault& one : grades.missed_faults) {
    REQUIRE(one.witness);
    if (one.fault.net != output("key_o")) continue;
    key = true;
    std::uint64_t shown = 0;
    const GatePort& port = passes.block().library().port("key_i");
    for (unsigned b = 0; b < port.width; ++b) {
      shown |= std::uint64_t{one.witness->inputs.back()[port.first + b]} << b;
    }
    CHECK(shown == 0x2badbeef);
  }
  CHECK(key);
  CHECK(grades.witnesses == grades.missed);
  CHECK(grades.held == 0);
}

// No run of 2000 cycles reaches the upper half of the counter.
TEST_CASE("counters that the bench sets") {
  Module own(R"(module weft_own (
  input logic clk_i, input logic rst_ni, input logic up_i, output logic [31:0] count_o);
  logic [31:0] count_q;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) count_q <= '0; else count_q <= count_q + 32'(up_i);
  assign count_o = count_q;
endmodule
)");
  own.random_inputs({{"up_i", 1}}, 2000);
  const auto grades = [&] {
    Passes passes(own.recording, load(own.recording.spec));
    return grade(passes, {.seconds = 30});
  };
  const Grades without = grades();
  CHECK(without.missed > 32);
  CHECK(without.deep == without.missed);
  CHECK(without.share() < 0.7);
  for (unsigned k = 0; k < 33; ++k) {
    const auto gap = static_cast<std::uint32_t>(std::uint64_t{1} << k);
    own.recording.settings.push_back({500 + 40 * k, "count_q", 0, 32, ~gap - 2});
  }
  const Grades with = grades();
  CHECK(with.faults == without.faults);
  CHECK(with.missed == 0);
  own.recording.settings.back().name = "counts_q";
  CHECK_THROWS_WITH(grades(), "weft_own: no flop counts_q[0]");
}

TEST_CASE("upsets and unknown values") {
  Module own(R"(module weft_own (
  input logic clk_i, input logic rst_ni, input logic write_i, input logic [3:0] data_i,
  output logic [3:0] raw_o, output logic [3:0] data_o, output logic parity_o, output logic last_o);
  logic [3:0] data_q;
  logic valid_q, odd_q, last_q;
  always_ff @(posedge clk_i) if (write_i && rst_ni) data_q <= data_i;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) last_q <= 1'b0; else last_q <= data_i[0];
  assign last_o = last_q && write_i;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin valid_q <= 1'b0; odd_q <= 1'b0; end
    else begin valid_q <= valid_q || write_i; odd_q <= odd_q ^ write_i; end
  assign raw_o = data_q;
  assign data_o = valid_q ? data_q : '0;
  assign parity_o = odd_q && valid_q && data_q != 4'd3;
endmodule
)");
  own.random_inputs({{"write_i", 1}, {"data_i", 4}}, 500);
  Passes passes(own.recording, load(own.recording.spec));
  const auto unknown = passes.unknown(1);
  REQUIRE(unknown.size() == 1);
  CHECK(unknown[0].port == "raw_o");
  CHECK(unknown[0].bits == 4);
  CHECK(unknown[0].first == 0);
  const Upsets upsets = passes.upset(8, 1);
  CHECK(upsets.visible + upsets.latent + upsets.masked == 8 * 7);
  CHECK(upsets.visible > 8 * 4);  // Whatever is inverted in the data shows at once.
  CHECK(upsets.masked > 0);       // The last bit matters in every second cycle.
}

}  // namespace weft::grade
