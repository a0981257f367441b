// gate_grade: which faults of a block's gates the inputs of its bench show (README.md).
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <exception>
#include <nlohmann/json.hpp>

#include "sim/base/file_writer.hpp"
#include "tests/grade/grade.hpp"

namespace weft::grade {
namespace {

using Json = nlohmann::ordered_json;

std::string params_text(const RtlSpec& spec) {
  std::string text;
  for (const auto& [name, value] : spec.params) text += fmt::format(" {}={}", name, value.text);
  return text.empty() ? "defaults" : text.substr(1);
}

Json head(const Recording& recording) {
  return {{"block", recording.spec.top.substr(5)},
          {"parameters", params_text(recording.spec)},
          {"records", recording.records()}};
}

Json stuck(Passes& passes, const Effort& effort) {
  const Grades grades = grade(passes, effort);
  Json json = head(passes.recording());
  json["illegal"] = grades.illegal;
  json["nets"] = grades.nets;
  json["faults"] = grades.faults;
  json["detected"] = grades.detected;
  json["redundant"] = grades.redundant;
  json["missed"] = grades.missed;
  json["witnesses"] = grades.witnesses;
  json["deep"] = grades.deep;
  json["held"] = grades.held;
  json["share"] = grades.share();
  json["clauses"] = grades.clauses;
  const NetNames names(passes.block().library().netlist());
  Json list = Json::array();
  for (const MissedFault& one : grades.missed_faults) {
    Json entry = {{"net", names(one.fault.net)}, {"stuck", one.fault.value ? 1 : 0}};
    entry["faults"] = one.faults;
    entry["tried"] = one.tried;
    entry["held"] = one.held;
    if (one.witness) {
      entry["after_record"] = one.witness->record;
      for (const std::uint32_t flop : one.witness->flops) {
        entry["with"].push_back(names(passes.block().library().netlist().first_flop() + flop));
      }
      for (const auto& cycle : one.witness->inputs) {
        Json inputs;
        for (const GatePort& port : passes.block().library().netlist().ports) {
          if (!port.input || port.name == "rst_ni") continue;
          std::string bits;
          for (std::uint32_t b = port.width; b-- > 0;) bits += cycle[port.first + b] ? '1' : '0';
          if (bits.find('1') != bits.npos) inputs[port.name] = bits;
        }
        entry["inputs"].push_back(inputs);
      }
    }
    list.push_back(entry);
  }
  json["missed_faults"] = list;
  return json;
}

Json upset(Passes& passes, unsigned times) {
  const Upsets upsets = passes.upset(times, 1);
  Json json = head(passes.recording());
  json["upsets"] = upsets.visible + upsets.latent + upsets.masked;
  json["masked"] = upsets.masked;
  json["latent"] = upsets.latent;
  json["visible"] = upsets.visible;
  json["told"] = upsets.told;
  return json;
}

Json unknown(Passes& passes) {
  Json json = head(passes.recording());
  const Netlist& netlist = passes.block().library().netlist();
  std::size_t bits = memory_bits(netlist);
  const FaultList list(netlist, passes.watched());
  for (const std::uint32_t flop : list.flops()) {
    bits += netlist.flops[flop].reset == Flop::Reset::kNone ? 1 : 0;
  }
  json["bits"] = bits;
  json["states"] = passes.block().lanes();
  json["ports"] = to_json(passes.unknown(1));
  return json;
}

}  // namespace
}  // namespace weft::grade

int main(int argc, char** argv) {
  using namespace weft;
  using namespace weft::grade;
  CLI::App app{"Faults of a block's gates under the inputs of its bench"};
  std::string recording_path, json_path, what = "stuck";
  Effort effort;
  unsigned times = 4;
  app.add_option("recording", recording_path, "file of a bench's --record")->required();
  app.add_option("--what", what, "stuck, upset or x")
      ->check(CLI::IsMember({"stuck", "upset", "x"}))
      ->capture_default_str();
  app.add_option("--json", json_path, "file for the result")->required();
  app.add_option("--seconds", effort.seconds, "for all proofs together")->capture_default_str();
  app.add_option("--conflicts", effort.conflicts, "of each question to the solver")
      ->capture_default_str();
  app.add_option("--depth", effort.depth, "cycles of an induction")->capture_default_str();
  app.add_option("--times", times, "upsets of each flop")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    const Recording recording = read_recording(recording_path);
    Passes passes(recording, load(recording.spec));
    const auto json = what == "stuck"   ? stuck(passes, effort)
                      : what == "upset" ? upset(passes, times)
                                        : unknown(passes);
    write_file(json_path, json.dump(1) + "\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "FAILED {}\n", error.what());
    return 1;
  }
  return 0;
}
