// Liberty files.
#include "sim/gates/liberty.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/file_reader.hpp"
#include "sim/base/file_writer.hpp"
#include "sim/gates/yosys.hpp"

namespace weft {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::json;

bool has_cell(const Json& module, const char* type) {
  return std::ranges::any_of(module.at("cells"), [&](const Json& cell) {
    return cell.at("type").get_ref<const std::string&>().starts_with(type);
  });
}

std::size_t ports(const Json& module, const char* direction) {
  return static_cast<std::size_t>(std::ranges::count_if(
      module.at("ports"), [&](const Json& port) { return port.at("direction") == direction; }));
}

// Cells that Yosys left out, as it says in its log: "Ignoring cell X with missing function on ..."
std::string without_function(const std::string& log) {
  constexpr std::string_view kSays = "Ignoring cell ";
  constexpr std::size_t kNamed = 4;
  std::vector<std::string> names;
  for (std::size_t at = log.find(kSays); at != log.npos; at = log.find(kSays, at + 1)) {
    const std::string name =
        log.substr(at + kSays.size(), log.find(' ', at + kSays.size()) - at - kSays.size());
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  if (names.empty()) return "";
  const bool more = names.size() > kNamed;
  if (more) names.resize(kNamed);
  return fmt::format("; without a function in it: {}{}", fmt::join(names, ", "),
                     more ? " and more" : "");
}

}  // namespace

void copy_liberty(const fs::path& file, const fs::path& folder) {
  const std::string text = read_file(file);
  if (text.find("library") == text.npos) {  // Yosys crashes on an empty file.
    throw ConfigError(file.string() + ": is no liberty file: expected: a group `library`");
  }
  write_file(folder / "cells.lib", text);
  if (const auto error =
          run_yosys(folder, "read_liberty -ignore_miss_func cells.lib\nwrite_json cells.json\n")) {
    throw ConfigError(
        fmt::format("{}: Yosys cannot read it as a liberty file:\n{}", file.string(), *error));
  }
  bool inverter = false, gate = false, flop = false;
  const Json all = Json::parse(read_file(folder / "cells.json"));
  for (const Json& module : all.at("modules")) {
    const std::size_t inputs = ports(module, "input"), cells = module.at("cells").size();
    const bool state = has_cell(module, "$_DFF") || has_cell(module, "$_DLATCH");
    flop = flop || has_cell(module, "$_DFF");
    inverter = inverter || (inputs == 1 && cells == 1 && has_cell(module, "$_NOT_"));
    gate = gate || (inputs >= 2 && cells != 0 && !state);
  }
  const auto need = [&](bool has, const char* what, const char* expected) {
    if (has) return;
    throw ConfigError(fmt::format("{}: has no {}{}: expected: {}", file.string(), what,
                                  without_function(read_file(folder / "yosys.log")), expected));
  };
  need(inverter || gate || flop, "cells with a function", "a liberty file of standard cells");
  need(inverter, "inverter", "a cell of one input, A, and the function \"!A\"");
  need(gate, "gate", "cells of two inputs or more, such as NAND and NOR");
  need(flop, "flip-flop", "cells with a group `ff`");
}

// Logic first, so that nets between flops and logic are ports for abc and keep their names; the
// inverters that flops of another kind need come after it. `hierarchy` drops the cells that are not
// used.
std::string map_to_cells() {
  return "abc -liberty cells.lib\nopt_clean\ndfflibmap -liberty cells.lib\n"
         "abc -liberty cells.lib t:$_NOT_\nopt_clean\n"
         "read_liberty -ignore_miss_func -setattr weft_cell cells.lib\nhierarchy\n"
         "abc -lut 3 =A:weft_cell\nopt_clean\nflatten\nopt_clean\n";
}

void throw_not_mapped(const fs::path& file, const std::string& module, const std::string& error) {
  std::string hint;
  if (error.find("cannot be legalized") != error.npos) {
    hint =
        "\n  expected: a flip-flop of the rising edge, and one with an asynchronous clear or "
        "preset";
  } else if (error.find("ABC") != error.npos) {
    hint = "\n  expected: an inverter, a buffer, and a NAND, AND, NOR or OR of two inputs";
  }
  throw ConfigError(fmt::format("{}: Yosys cannot map {} to its cells:\n{}{}", file.string(),
                                module, error, hint));
}

}  // namespace weft
