// Writes an emitted network with its testbench as a folder.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/base/error.hpp"
#include "sim/base/file_reader.hpp"
#include "sim/base/file_writer.hpp"
#include "sim/emit/emit.hpp"
#include "sim/emit/file_lists.hpp"
#include "sim/emit/starter.hpp"
#include "sim/verilated/verilate.hpp"

namespace weft {
namespace fs = std::filesystem;
namespace {

// An existing target is replaced only if it is empty or everything in it was written by `emit` or
// made by its Makefile.
void check_replaceable(const fs::path& target) {
  static const std::set<fs::path> ours = {
      "rtl",         "build",          "weft_top.sv",     "weft_top.f",
      "weft_lint.f", "weft_top.core",  "weft_tb.sv",      "Bender.yml",
      "Makefile",    "weft_tb_axi.sv", "weft_tb_node.sv", "weft_tb.json"};
  if (!fs::exists(target)) return;
  if (!fs::is_directory(target)) {
    throw ConfigError(fmt::format("{}: expected: a folder", target.string()));
  }
  const bool emitted = fs::exists(target / "weft_top.f");
  for (const auto& entry : fs::directory_iterator(target)) {
    if (!emitted || !ours.contains(entry.path().filename())) {
      throw ConfigError(
          fmt::format("{}: not written by `weft emit`, which replaces its folder as a "
                      "whole: expected: a new or empty folder",
                      entry.path().string()));
    }
  }
}

// Copies a file of rtl/. Icarus 11 does not support type `int unsigned` of a parameter; a vector of
// as many bits is the same.
void copy_source(const fs::path& from, const fs::path& to) {
  std::string text = read_file(from);
  constexpr std::string_view kType = " int unsigned ";
  for (std::size_t at = 0; (at = text.find(kType, at)) != std::string::npos; ++at) {
    const std::size_t line = text.rfind('\n', at) + 1;
    const std::string_view before = std::string_view(text).substr(line, at - line);
    if (before.ends_with("parameter") || before.ends_with("localparam")) {
      text.replace(at, kType.size(), " bit [31:0]   ");
    }
  }
  write_file(to, text);
}

}  // namespace

void emit(const std::map<std::string, std::string>& modules, const Config& config,
          const Graph& graph, const EmitOptions& options, const std::string& run,
          const fs::path& dir) {
  const fs::path target = dir.empty() ? dir : resolved(dir);
  if (!target.has_filename()) throw ConfigError("-o: expected: a folder");
  check_replaceable(target);
  const auto bench = starter_files(config, graph, options.axi);
  Draft draft(target);
  const fs::path& fresh = draft.path();
  std::error_code error;
  fs::create_directories(fresh / "rtl" / "include", error);
  if (error) cannot_write(dir, error.value());
  std::vector<fs::path> written;
  for (const auto& [name, text] : modules) {
    const bool top = name == "weft_top";
    written.push_back(fresh / (top ? "" : "rtl") / (name + ".sv"));
    write_file(written.back(), text);
  }
  std::vector<std::string> files;
  for (const auto& file : rtl_sources(written)) {
    if (file.filename() == "weft_top.sv") continue;
    const bool ours = std::find(written.begin(), written.end(), file) != written.end();
    if (!ours) copy_source(file, fresh / "rtl" / file.filename());
    files.push_back("rtl/" + file.filename().string());
  }
  files.push_back("weft_top.sv");
  copy_source(rtl_dir() / "lint" / "waivers.vlt", fresh / "rtl" / "waivers.vlt");
  copy_source(rtl_dir() / "include" / "weft_assert.svh",
              fresh / "rtl" / "include" / "weft_assert.svh");
  std::vector<std::string> benches;
  for (const auto& [name, text] : bench) {
    if (name.ends_with(".sv")) benches.insert(benches.begin(), name);
  }
  for (const auto& texts : {bench, file_lists(files, benches)}) {
    for (const auto& [name, text] : texts) write_file(fresh / name, text);
  }
  if (!run.empty()) write_file(fresh / "weft_tb.json", run);
  draft.publish();
}

}  // namespace weft
