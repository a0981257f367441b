// Checkpoints: a state that is loaded is the one that was saved, for every kind of network and
// block, and damaged files are refused.
#include "sim/engine/checkpoint.hpp"

#include <doctest/doctest.h>
#include <unistd.h>
#include <zlib.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "sim/base/file_writer.hpp"
#include "sim/report/result_json.hpp"
#include "sim/run/run.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace weft {
namespace {

using nlohmann::json;

// A folder of its own, removed at the end.
struct Folder {
  Folder()
      : path(std::filesystem::temp_directory_path() / ("weft_ckpt_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::filesystem::path path;
};

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Case {
  const char* name;
  json topology, workload;
  json more = json::object();
};

const json kUniform = {
    {"traffic", "uniform"}, {"rate", 0.2}, {"packet_flits", 3}, {"warmup", 50}, {"measure", 250}};
const json kTransfers = {{"transfers",
                          {{{"from", 0}, {"to", 3}, {"flits", 150}, {"start", 5}},
                           {{"from", 2}, {"to", 3}, {"flits", 20}, {"start", 90}},
                           {{"from", 3}, {"to", 1}, {"flits", 40}}}}};
json collective(const char* name) {
  return {{"collective", name}, {"bytes", 128}, {"type", "int32"}, {"op", "sum"}};
}
const json kTorus = {{"kind", "torus"}, {"dims", {3, 2}}},
           kMesh = {{"kind", "mesh"}, {"dims", {2, 2}}};
const json kCrossbars = {{"kind", "hier_crossbar"}, {"dims", {4, 2}}};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"torus", kTorus, kUniform},
      {"transfers", kMesh, kTransfers},
      {"crossbars", kCrossbars, kUniform},
      {"crossbars, transfers", kCrossbars, kTransfers},
      {"full crossbar", {{"kind", "full_crossbar"}, {"pes", 6}}, kUniform},
      {"crossbars of the prior art", {{"kind", "crossbar_2d"}, {"dims", {3, 3}}}, kUniform},
      {"DCE", {{"kind", "dce"}, {"n", 3}, {"y_bits", 1}, {"delta", 1}}, kUniform},
      {"fat tree", {{"kind", "fat_tree"}, {"levels", 2}}, kUniform},
      {"omega", {{"kind", "omega"}, {"levels", 2}}, kUniform},
      {"boards",
       {{"kind", "board"}, {"dims", {2, 1, 1, 1}}, {"mains", 2}, {"aggregators", 1}},
       kUniform},
      {"barrier units", kTorus, {{"collective", "barrier_tree"}}, {{"barrier", "hardware"}}},
      {"combining tree", kTorus, collective("allreduce_tree"), {{"combining", "tree"}}},
      {"barrier by messages",
       kTorus,
       {{"collective", "a2a"}, {"message_flits", 4}, {"sync", "barrier"}},
       {{"barrier", "software"}}},
      {"started over the network",
       kTorus,
       {{"collective", "a2a"}, {"message_flits", 4}},
       {{"barrier", "hardware"}, {"start", "network"}}},
      {"ring", kTorus, collective("allreduce_ring")},
      {"stages", kTorus, kUniform, {{"link", {{"stages", 3}}}}},
      {"stages between crossbars", kCrossbars, kUniform, {{"link", {{"stages", 3}}}}},
      {"retry",
       kTorus,
       kUniform,
       {{"link", {{"protection", "retry"}}},
        {"faults", {{{"link", "all"}, {"field", "any"}, {"rate", 0.001}}}}}},
      {"parity",
       kMesh,
       kTransfers,
       {{"link", {{"protection", "parity"}, {"stages", 1}}},
        {"faults", {{{"link", "all"}, {"field", "any"}, {"rate", 0.001}}}}}},
      {"acknowledged",
       kMesh,
       kTransfers,
       {{"link", {{"protection", "parity"}}},
        {"nic", {{"reliable", true}, {"timeout", 300}}},
        {"faults", {{{"link", "all"}, {"field", "any"}, {"rate", 0.002}}}}}},
      {"single faults",
       kMesh,
       kTransfers,
       {{"link", {{"parity", true}}},
        {"faults", {{{"node", 3}, {"cycle", 60}, {"field", "data"}, {"bit", 3}}}}}},
      {"adaptive",
       {{"kind", "torus"}, {"dims", {3, 3}}},
       kUniform,
       {{"router", {{"routing", "minimal_adaptive"}, {"vcs", 4}}}}},
      {"ugal",
       {{"kind", "torus"}, {"dims", {3, 3}}},
       kUniform,
       {{"router", {{"routing", "ugal"}, {"vcs", 8}}}}},
      {"pipeline", kTorus, kUniform, {{"router", {{"pipeline", 3}, {"arbiter", "age"}}}}},
      {"store and forward", kTorus, kUniform, {{"router", {{"switching", "store_forward"}}}}},
      {"wide flits", kTorus, kUniform, {{"link", {{"width_bits", 512}}}}},
      {"rounds",
       kTorus,
       {{"traffic", "mesh_emulation"},
        {"rate", 0.2},
        {"packet_flits", 3},
        {"warmup", 50},
        {"measure", 250}}},
      {"replies and bursts",
       kTorus,
       {{"traffic", "uniform"},
        {"rate", 0.1},
        {"packet_flits", 2},
        {"reply_flits", 5},
        {"burst_cycles", 20},
        {"burst_rate", 0.5},
        {"warmup", 50},
        {"measure", 250}}},
  };
  return all;
}

// A run of a case; `more`: in place of keys of its configuration.
struct Runner {
  explicit Runner(const Case& c) : document(c.more) {
    document["topology"] = c.topology;
    document["workload"] = c.workload;
    document["seed"] = 5;
  }
  // The result as JSON, without what need not be equal.
  json operator()(const RunOptions& options, std::uint64_t max_cycles = 0) const {
    json limited = document;
    if (max_cycles != 0) limited["max_cycles"] = max_cycles;
    const Config config = parse_config(limited, "test");
    const Graph graph = build_graph(config);
    json result = to_json(run(config, graph, options));
    for (const char* key : {"wall_s", "flit_hops_per_s", "config"}) result.erase(key);
    json notes = json::array();
    for (const auto& note : result["notes"]) {
      const auto text = note.get<std::string>();
      if (!text.starts_with("resumed from") && !text.starts_with("last checkpoint")) {
        notes.push_back(note);
      }
    }
    result["notes"] = notes;
    return result;
  }
  json document;
};

TEST_CASE("a run that is saved and resumed is the whole one, and its state the saved one") {
  const Folder folder;
  for (const Case& c : cases()) {
    const Runner run(c);
    for (const char* engine : {"flit", "model"}) {
      CAPTURE(c.name);
      CAPTURE(engine);
      RunOptions whole;
      whole.engine = engine;
      const json expected = run(whole);
      const auto cycles = expected.at("cycles").get<std::uint64_t>();
      for (const std::uint64_t at : {cycles / 3, cycles * 2 / 3}) {
        CAPTURE(at);
        RunOptions saves = whole;
        saves.checkpoint = folder.path / "saved";
        saves.every = ~std::uint64_t{0};
        run(saves, at);
        RunOptions again = saves;
        again.resume = saves.checkpoint;
        again.checkpoint = folder.path / "again";
        run(again, at);
        REQUIRE(contents(saves.checkpoint).size() > 1000);
        CHECK(contents(saves.checkpoint) == contents(again.checkpoint));
        RunOptions goes_on = whole;
        goes_on.resume = saves.checkpoint;
        CHECK(run(goes_on) == expected);
      }
    }
  }
}

TEST_CASE("a damaged file is refused, wherever the damage is") {
  const Folder folder;
  const Runner run(cases().front());
  const Config config = parse_config(run.document, "test");
  RunOptions options;
  options.engine = "flit";
  options.checkpoint = folder.path / "whole";
  options.every = 100;
  run(options);
  const std::string whole = contents(options.checkpoint);
  options.resume = folder.path / "damaged";
  const auto refused = [&](const std::string& text) {
    write_file(options.resume, text);
    try {
      Checkpoint{config, options};
    } catch (const ConfigError& error) {
      return std::string(error.what()).find(options.resume) != std::string::npos;
    }
    return false;
  };
  CHECK_FALSE(refused(whole));
  for (std::size_t size = 0; size < whole.size(); size += 1 + size / 64) {
    CAPTURE(size);
    CHECK(refused(whole.substr(0, size)));
  }
  CHECK(refused(whole + "x"));
  for (std::size_t at = 0; at < whole.size(); at += at < 64 ? 1 : 1 + at / 64) {
    CAPTURE(at);
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << at % 8));
    CHECK(refused(flipped));
  }
}

// A checkpoint with four bytes of its state changed, under right check sums.
std::string crafted(const std::string& whole, std::size_t at, std::uint32_t value) {
  constexpr std::size_t kPrefix = 48, kHeaderBytes = 16, kStored = 32, kPrefixCrc = 44;
  const auto number = [&](std::size_t from) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, whole.data() + from, sizeof bytes);
    return bytes;
  };
  const std::size_t begin = kPrefix + number(kHeaderBytes);
  std::string state(number(kHeaderBytes + 8), '\0');
  uLongf bytes = state.size();
  REQUIRE(uncompress(reinterpret_cast<Bytef*>(state.data()), &bytes,
                     reinterpret_cast<const Bytef*>(whole.data() + begin),
                     whole.size() - begin) == Z_OK);
  at %= state.size() - sizeof value;
  std::memcpy(state.data() + at, &value, sizeof value);
  bytes = compressBound(state.size());
  std::string stored(bytes, '\0');
  compress2(reinterpret_cast<Bytef*>(stored.data()), &bytes,
            reinterpret_cast<const Bytef*>(state.data()), state.size(), 1);
  stored.resize(bytes);
  std::string text = whole.substr(0, begin);
  const auto crc_of = [](const char* data, std::size_t size) {
    return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(data), size));
  };
  const std::uint64_t stored_bytes = stored.size();
  const std::uint32_t state_crc = crc_of(stored.data(), stored.size());
  std::memcpy(text.data() + kStored, &stored_bytes, sizeof stored_bytes);
  std::memcpy(text.data() + kStored + 8, &state_crc, sizeof state_crc);
  const std::uint32_t prefix_crc = crc_of(text.data(), kPrefixCrc);
  std::memcpy(text.data() + kPrefixCrc, &prefix_crc, sizeof prefix_crc);
  return text + stored;
}

TEST_CASE("a state with another number in it is refused, or is that of another run") {
  const Folder folder;
  for (const std::size_t number : {0, 2}) {
    const Case& c = cases()[number];
    const Runner run(c);
    for (const char* engine : {"flit", "model"}) {
      CAPTURE(c.name);
      CAPTURE(engine);
      RunOptions saves;
      saves.engine = engine;
      saves.checkpoint = folder.path / "whole";
      saves.every = ~std::uint64_t{0};
      run(saves, 90);
      const std::string whole = contents(saves.checkpoint);
      RunOptions goes_on;
      goes_on.engine = engine;
      goes_on.resume = folder.path / "crafted";
      write_file(goes_on.resume, whole);
      run(goes_on, 400);
      unsigned refused = 0;
      for (std::size_t i = 0; i < 90; ++i) {
        const std::uint32_t value = i % 3 == 0 ? 0x1000 : 0xfffffff0;
        write_file(goes_on.resume, crafted(whole, i * 7919 + i % 4, value));
        try {
          run(goes_on, 400);
        } catch (const ConfigError& error) {
          const std::string text = error.what();
          CHECK(text.find("a state that does not fit this run") != std::string::npos);
          ++refused;
        } catch (const std::runtime_error&) {
          // Wrong data, or nothing moves any more.
        }
      }
      CHECK(refused > 5);
    }
  }
}

TEST_CASE("a state of another run is refused") {
  const Folder folder;
  const Runner run(cases().front());
  RunOptions options;
  options.checkpoint = folder.path / "saved";
  options.every = 100;
  run(options);
  const auto error_of = [&](const json& document, RunOptions changed) {
    changed.checkpoint.clear();
    changed.every = 0;
    changed.resume = options.checkpoint;
    try {
      const Config config = parse_config(document, "test");
      Checkpoint{config, changed};
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  json other = run.document;
  other["max_cycles"] = 1'000'000;
  CHECK(error_of(other, options) == "");
  other["router"] = {{"vc_depth", 5}};
  CHECK(has(error_of(other, options), "/router/vc_depth was 8: expected: 5"));
  RunOptions changed = options;
  for (const char* engine : {"flit", "cosim", "rtl"}) {
    changed.engine = engine;
    CHECK(
        has(error_of(run.document, changed), "engine \"model\", in which packets moved as spans"));
  }
  changed = options;
  changed.threads = 2;
  CHECK(error_of(run.document, changed) == "");
  // Of a network that is cut otherwise now.
  changed = options;
  changed.resume = options.checkpoint;
  const Config config = parse_config(run.document, "test");
  Checkpoint cut(config, changed);
  cut.set_cut(1);
  CHECK_THROWS_WITH_AS(cut.load([](auto&) {}), doctest::Contains("whose network was cut otherwise"),
                       ConfigError);
  changed = options;
  changed.inputs = {folder.path / "trace"};
  CHECK(has(error_of(run.document, changed), "another content of"));

  // Every engine that steps blocks reads what another has saved, but not model.
  options.engine = "flit";
  run(options);
  for (const char* engine : {"flit", "cosim", "rtl"}) {
    changed = options;
    changed.engine = engine;
    CHECK(error_of(run.document, changed) == "");
  }
  changed.engine = "model";
  CHECK(has(error_of(run.document, changed), "engine \"flit\": expected: \"model\""));
}

}  // namespace
}  // namespace weft
