// Replay of dependency traces: data, times against a bound of another algorithm, and the order of
// the operations as the recorded phases show it.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/run/run.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"
#include "sim/workload/trace_work.hpp"
#include "tests/unit/goal_traces.hpp"

namespace {

using namespace weft;
using nlohmann::json;

// A file in the folder for temporary ones, as long as the object lives.
class GoalFile {
 public:
  explicit GoalFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              fmt::format("weft_goal_{}_{}.goal", getpid(), counter()++)) {
    std::ofstream(path_) << text;
  }
  ~GoalFile() { std::filesystem::remove(path_); }
  GoalFile(const GoalFile&) = delete;
  GoalFile& operator=(const GoalFile&) = delete;
  std::string path() const { return path_.string(); }

 private:
  static unsigned& counter() {
    static unsigned files = 0;
    return files;
  }
  std::filesystem::path path_;
};

Config goal_config(const GoalFile& file, const json& topology,
                   const json& workload = json::object(), const json& root = json::object()) {
  json document = {{"topology", topology},
                   {"processor", "native"},
                   {"workload", {{"collective", "goal"}, {"file", file.path()}}}};
  document.update(root);
  document["workload"].update(workload);
  return parse_config(document, "test");
}

Result replay(const std::string& text, const json& topology, const json& workload = json::object(),
              const json& root = json::object(), const char* engine = "model") {
  const GoalFile file(text);
  const Config config = goal_config(file, topology, workload, root);
  RunOptions options;
  options.engine = engine;
  return run(config, build_graph(config), options);
}

std::string replay_error(const std::string& text, const json& topology,
                         const json& workload = json::object()) {
  try {
    replay(text, topology, workload);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

const json kFull3 = {{"kind", "full_crossbar"}, {"pes", 3}};

// Cycles of an operation as its phases show them: its first begin, its last end.
struct Span {
  std::uint64_t begin = ~std::uint64_t{0}, end = 0;
};

// Compares the phases of all operations with what the trace requires.
void check_phases(const std::string& text, const Result& result, std::uint64_t factor) {
  const DependencyTrace trace = parse_goal(text, "test");
  std::vector<std::map<std::string, Span>> spans(trace.ranks.size());
  std::map<std::uint32_t, std::uint64_t> last;
  for (const PhaseResult& phase : result.phases) {
    CHECK(phase.begin <= phase.end);
    CHECK(phase.begin >= last[phase.node]);
    last[phase.node] = phase.end;
    Span& span = spans[phase.node][phase.name.substr(phase.name.find(' ') + 1)];
    span.begin = std::min(span.begin, phase.begin);
    span.end = std::max(span.end, phase.end);
  }
  const auto span_of = [&](std::uint32_t rank, const TraceOp& op) {
    const auto found = spans[rank].find(std::string(op.label));
    REQUIRE((found != spans[rank].end()));
    return found->second;
  };
  for (std::uint32_t rank = 0; rank < trace.ranks.size(); ++rank) {
    for (const TraceOp& op : trace.ranks[rank]) {
      const Span span = span_of(rank, op);
      if (op.kind == TraceOp::Kind::kCalc) CHECK(span.end - span.begin >= op.amount * factor);
      for (const std::uint32_t other : op.requires_end) {
        CHECK(span.begin >= span_of(rank, trace.ranks[rank][other]).end);
      }
      for (const std::uint32_t other : op.requires_start) {
        // When a receive starts its phases do not tell.
        const TraceOp& before = trace.ranks[rank][other];
        if (before.kind == TraceOp::Kind::kRecv) continue;
        CHECK(span.begin >= span_of(rank, before).begin);
      }
    }
  }
  for (const TraceMessage& m : match_messages(trace)) {
    const Span sent = span_of(m.src, trace.ranks[m.src][m.send]);
    const Span received = span_of(m.dst, trace.ranks[m.dst][m.recv]);
    CHECK(received.end > sent.begin + (m.bytes + 7) / 8);
  }
}

}  // namespace

TEST_CASE("replay: times of small traces, by hand") {
  const auto cycles = [](const std::string& ops0, const std::string& ops1,
                         const json& workload = json::object()) {
    const Result result = replay(
        fmt::format("num_ranks 3 rank 0 {{ {} }} rank 1 {{ {} }}", ops0, ops1), kFull3, workload);
    CHECK(result.verified());
    return result.cycles;
  };
  // The program ends in the cycle after the last that it computes in; an empty one in cycle 0.
  const std::uint64_t none = cycles("", "");
  CHECK(cycles("calc 100", "") == none + 100);
  CHECK(cycles("calc 100 calc 30", "calc 110") == none + 130);
  CHECK(cycles("calc 100", "", {{"compute_factor", 2.5}}) == none + 250);
  CHECK(cycles("calc 100", "", {{"compute_factor", 0.004}}) == none);
  const std::uint64_t message = cycles("s: send 40b to 1", "r: recv 40b from 0");
  CHECK(cycles("a: calc 100 s: send 40b to 1 s requires a", "r: recv 40b from 0") == message + 100);
  // Both are ready, and the processor takes the first: it sends 100 cycles later, or at once.
  CHECK(cycles("calc 100 send 40b to 1", "recv 40b from 0") == message + 100);
  CHECK(cycles("send 40b to 1 calc 10", "recv 40b from 0") == message);
  // What has started may go on with a send while it is not received.
  CHECK(cycles("s: send 40b to 1", "a: calc 5 r: recv 40b from 0 a irequires r") == message);
  CHECK(cycles("s: send 40b to 1", "a: calc 5 r: recv 40b from 0 a requires r") == message + 5);
  // There and back.
  CHECK(cycles("s: send 40b to 1 r: recv 40b from 1 r requires s",
               "r: recv 40b from 0 s: send 40b to 0 s requires r") > 2 * message - 5);
  // Five more flits on the link, and then five more from the interface into memory.
  CHECK(cycles("s: send 80b to 1", "r: recv 80b from 0") == message + 10);
}

TEST_CASE("replay: random traces on several networks, both processors, every phase in its order") {
  struct Network {
    json topology, root;
  };
  const std::vector<Network> networks = {
      {kFull3, json::object()},
      {{{"kind", "torus"}, {"dims", {2, 3}}}, {{"nic", {{"controllers", 2}}}}},
      // Packets overtake each other, so that messages go in parts.
      {{{"kind", "torus"}, {"dims", {3, 2}}},
       {{"router", {{"vcs", 4}, {"vc_depth", 4}}}, {"nic", {{"packet_flits", 3}}}}},
      {{{"kind", "fat_tree"}, {"levels", 2}}, {{"link", {{"width_bits", 128}}}}},
  };
  std::uint64_t seed = 1;
  for (const Network& network : networks) {
    for (const char* processor : {"native", "native", "rv32"}) {
      CAPTURE(network.topology.dump());
      CAPTURE(processor);
      CAPTURE(seed);
      json root = network.root;
      root["processor"] = processor;
      const std::uint32_t ranks =
          build_graph(parse_config({{"topology", network.topology}}, "test")).nodes;
      const std::string text = goals::random_trace(seed++, ranks, 80, 300, 60).text;
      const json workload = {{"phases", "operations"}, {"compute_factor", 2}};
      const Result result = replay(text, network.topology, workload, root);
      CHECK(result.verified());
      CHECK(result.data_errors == 0);
      CHECK(result.bound_cycles > 0);
      CHECK(result.cycles >= result.bound_cycles);
      check_phases(text, result, 2);
      // Without phases the same messages; natively in the same cycles.
      const Result plain = replay(text, network.topology, {{"compute_factor", 2}}, root);
      CHECK(plain.phases.empty());
      CHECK(plain.flits == result.flits);
      if (processor == std::string("native")) CHECK(plain.digest == result.digest);
      if (processor == std::string("rv32")) CHECK(plain.cycles <= result.cycles);
    }
  }
}

TEST_CASE("replay: kinds of phases follow each other without repetition") {
  const Result result = replay(
      "num_ranks 3 rank 1 { a: calc 5 b: calc 6 r: recv 8b from 0 r requires b }\n"
      "rank 0 { a: calc 100 s: send 8b to 1 s requires a }",
      kFull3, {{"phases", "kinds"}});
  std::vector<std::string> names;
  for (const PhaseResult& phase : result.phases) {
    names.push_back(fmt::format("{} {}", phase.node, phase.name));
  }
  CHECK(names == std::vector<std::string>{"0 calc", "0 send", "1 calc", "1 recv"});
  CHECK(result.phases[0].end == 100);
  CHECK(result.phases[2].end == 11);
  CHECK(result.phases[3].end == result.cycles - 1);
}

TEST_CASE("replay: what does not fit the network is refused with its line") {
  const auto text = [](const std::string& bytes) {
    return "num_ranks 3\nrank 0 {\nsend " + bytes + " to 1\nsend 8b to 1 }\nrank 1 { recv " +
           bytes + " from 0\nrecv 8b from 0 }";
  };
  CHECK(replay_error("num_ranks 2", kFull3)
            .find(":1: value \"2\": expected: 3, the nodes of the network") != std::string::npos);
  CHECK(replay_error(text("8388616b"), kFull3)
            .find(":3: value \"8388616b\": expected: messages "
                  "of up to 8388600 bytes") != std::string::npos);
  CHECK(replay_error(text("8388600b"), kFull3) == "");
  const std::string two =
      "num_ranks 3 rank 1 {\nrecv 8000000b from 0 recv 400000b from 0 }\n"
      "rank 0 { send 8000000b to 1\nsend 400000b to 1 }";
  CHECK(replay_error(two, kFull3)
            .find(":4: value \"400000b\": expected: up to 8388608 bytes of "
                  "messages to one rank, 1") != std::string::npos);
  CHECK(replay_error("num_ranks 3 rank 0 {\ncalc 2147483648 }", kFull3)
            .find(":2: value \"calc 2147483648\": expected: up to 2147483647 cycles") !=
        std::string::npos);
  CHECK(replay_error("num_ranks 3 rank 0 {\ncalc 2147484 }", kFull3, {{"compute_factor", 1000}})
            .find("with compute_factor 1000") != std::string::npos);
}

TEST_CASE("replay: every word that a message does not leave is found") {
  const GoalFile file(
      "num_ranks 3 rank 0 { send 20b to 1 send 8b to 1 } rank 1 { recv 20b from 0 recv 8b from 0 "
      "}");
  const Config config = goal_config(file, kFull3);
  const Graph graph = build_graph(config);
  const TraceWork work(config, graph, false);
  Memory memory(work.layout().memory_bytes);
  work.fill(0, memory);
  std::vector<std::uint32_t> indices;
  work.compare(1, memory, [&](const WrongWord& word) {
    CHECK(word.owner == 0);
    CHECK(word.expected != 0);
    indices.push_back(*word.transfer * 100 + word.index);
  });
  CHECK(indices == std::vector<std::uint32_t>{0, 1, 2, 100});
  CHECK(work.words() == 4);
  work.compare(0, memory, [](const WrongWord&) { FAIL("rank 0 receives nothing"); });
}

TEST_CASE("replay: computing longer than the watchdog is no standstill") {
  // Includes a pause that ends in the cycle in which the watchdog looks.
  for (unsigned units = 4997; units <= 5004; ++units) {
    for (const char* engine : {"model", "flit"}) {
      const Result result =
          replay(fmt::format("num_ranks 3 rank 0 {{ c: calc {} s: send 8b to 1 s requires c }} "
                             "rank 1 {{ recv 8b from 0 }}",
                             units),
                 kFull3, json::object(), {{"watchdog", 1000}}, engine);
      CHECK(result.verified());
    }
  }
  std::string many = "num_ranks 3 rank 0 {";
  for (unsigned i = 0; i < 500; ++i) many += fmt::format(" l{}: calc 0", i);
  for (unsigned i = 1; i < 500; ++i) many += fmt::format(" l{} requires l{}", i, i - 1);
  for (const char* engine : {"model", "flit"}) {
    // Operations that take no time take instructions.
    const Result computed = replay(many + "}", kFull3, json::object(),
                                   {{"watchdog", 1000}, {"processor", "rv32"}}, engine);
    CHECK(computed.verified());
    CHECK(computed.cycles > 5000);
  }
}
