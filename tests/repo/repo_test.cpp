// The repository checks itself: layout, three faces of every block, who may know whom, comments.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

const fs::path kRoot = WEFT_SOURCE_DIR;

// Groups of blocks; sim, tb and rtl have a folder for each.
const std::set<std::string> kGroups = {"buffer", "arbiter", "crossbar", "router",
                                       "nic",    "barrier", "reduce"};

std::vector<std::string> lines_of(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// Files below `folder` with one of the endings, build folders left out.
std::vector<fs::path> files_in(const std::string& folder, const std::set<std::string>& endings) {
  std::vector<fs::path> files;
  if (!fs::exists(kRoot / folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
    if (entry.is_regular_file() && endings.contains(entry.path().extension().string())) {
      files.push_back(fs::relative(entry.path(), kRoot));
    }
  }
  return files;
}

// Blocks as (group, name), from the SystemVerilog modules.
std::vector<std::pair<std::string, std::string>> blocks() {
  std::vector<std::pair<std::string, std::string>> found;
  for (const auto& file : files_in("rtl", {".sv"})) {
    const std::string group = file.parent_path().filename();
    if (kGroups.contains(group)) found.emplace_back(group, file.stem());
  }
  return found;
}

// The table of sim/CMakeLists.txt, `weft_folder(NAME KNOWS ...)`: names in the order in which they
// stand.
const std::string& folder_table() {
  static const std::string text = [] {
    std::string all = text_of(kRoot / "sim/CMakeLists.txt");
    std::smatch blocks;
    REQUIRE(std::regex_search(all, blocks, std::regex("set\\(blocks ([^)]*)\\)")));
    const std::string names = blocks[1];
    return std::regex_replace(all, std::regex("\\$\\{blocks\\}"), names);
  }();
  return text;
}

std::vector<std::string> folder_order() {
  static const std::regex entry("\nweft_folder\\(([a-z_]+)");
  std::vector<std::string> names;
  const std::string& table = folder_table();
  for (std::sregex_iterator it(table.begin(), table.end(), entry), end; it != end; ++it) {
    names.push_back((*it)[1]);
  }
  return names;
}

// By folder of sim/: the folders whose headers it may include.
std::map<std::string, std::set<std::string>> folders_known() {
  static const std::regex entry("\nweft_folder\\(([a-z_]+)([^)]*)\\)"), word("[a-z_:]+|[A-Z]+");
  std::map<std::string, std::set<std::string>> known;
  const std::string& table = folder_table();
  for (std::sregex_iterator it(table.begin(), table.end(), entry), end; it != end; ++it) {
    const std::string words = (*it)[2];
    bool folders = true;
    auto& set = known[(*it)[1]];
    for (std::sregex_iterator w(words.begin(), words.end(), word); w != end; ++w) {
      const std::string name = w->str();
      if (name == "KNOWS" || name == "LINKS") {
        folders = name == "KNOWS";
      } else if (folders) {
        set.insert(name);
      } else if (name == "weft_sw") {
        set.insert("sw/include");
      }
    }
  }
  return known;
}

}  // namespace

TEST_CASE("the top level holds what the layout names") {
  // CMake reads presets from nowhere else.
  const std::set<std::string> allowed = {
      "CMakeLists.txt", "CMakePresets.json", "README.md", "rtl", "sim", "sw", "tb", "tests",
      "scripts"};
  std::set<std::string> found;
  for (const auto& entry : fs::directory_iterator(kRoot)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(".") || name.starts_with("build")) continue;
    CHECK_MESSAGE(allowed.contains(name), name);
    found.insert(name);
  }
  CHECK(found == allowed);
}

TEST_CASE("each folder has a README") {
  for (const char* folder : {"rtl", "sim", "sw", "tb", "tests", "scripts"}) {
    CHECK_MESSAGE(fs::exists(kRoot / folder / "README.md"), folder);
  }
  for (const auto& folder : folder_order()) {
    CHECK_MESSAGE(fs::exists(kRoot / "sim" / folder / "README.md"), folder);
  }
}

TEST_CASE("every block has three faces, a specification, properties and mutations") {
  const std::string specification = text_of(kRoot / "rtl/README.md");
  CHECK(blocks().size() >= 11);
  for (const auto& [group, name] : blocks()) {
    CAPTURE(group);
    CAPTURE(name);
    CHECK(fs::exists(kRoot / "sim" / group / (name + ".hpp")));
    CHECK(fs::exists(kRoot / "tb" / group / (name + "_tb.cpp")));
    CHECK(fs::exists(kRoot / "tests/formal" / group / (name + ".mutations")));
    CHECK(fs::exists(kRoot / "tests/formal" / group / (name + ".checks")));
    CHECK(specification.find("## " + group + "/" + name) != std::string::npos);
    const std::string rtl = text_of(kRoot / "rtl" / group / (name + ".sv"));
    CHECK(rtl.find("\nmodule " + name + " ") != std::string::npos);
    // rr_arbiter is class RrArbiter.
    std::string class_name;
    bool upper = true;
    for (const char c : name) {
      if (c != '_') class_name += upper ? static_cast<char>(std::toupper(c)) : c;
      upper = c == '_';
    }
    const std::string model = text_of(kRoot / "sim" / group / (name + ".hpp"));
    const std::regex declared("class (alignas\\(\\d+\\) )?" + class_name + "\\b");
    CHECK_MESSAGE(std::regex_search(model, declared), class_name);
  }
}

TEST_CASE("every bench has its block") {
  const auto all = blocks();
  for (const auto& file : files_in("tb", {".cpp"})) {
    const std::string stem = file.stem();
    if (!stem.ends_with("_tb")) continue;
    const std::pair<std::string, std::string> block = {file.parent_path().filename(),
                                                       stem.substr(0, stem.size() - 3)};
    CHECK_MESSAGE(std::find(all.begin(), all.end(), block) != all.end(), file.string());
  }
}

TEST_CASE("who may know whom") {
  const auto may = folders_known();
  // Parts of the tree outside sim/, and what they may include.
  const std::map<std::string, std::set<std::string>> others = {
      {"sw", {"sw/include"}},
      {"tb", {"base", "packet", "blocks", "verilated", "systemc"}},
  };
  const auto part_of = [](const std::string& path) -> std::string {
    std::smatch m;
    if (path.starts_with("sw/include/")) return "sw/include";
    if (path.starts_with("sw/")) return "sw";
    if (path.starts_with("tb/")) return "tb";
    if (std::regex_search(path, m, std::regex("^sim/([a-z_]+)/"))) return m[1];
    return "";
  };
  static const std::regex include("^\\s*#include \"([^\"]+)\"");
  unsigned checked = 0;
  for (const char* folder : {"sim", "sw", "tb"}) {
    for (const auto& file : files_in(folder, {".hpp", ".cpp", ".c", ".h"})) {
      const std::string from = part_of(file.string());
      for (const auto& line : lines_of(kRoot / file)) {
        std::smatch m;
        if (!std::regex_search(line, m, include)) continue;
        std::string target = m[1];
        // Drivers name the HAL by its file name.
        if (target == "weft_hal.h" || target == "weft_registers.h") target = "sw/include/" + target;
        const std::string to = part_of(target);
        if (to.empty()) {
          // Verilator's own header, in what is compiled into its runtime.
          CHECK_MESSAGE(target.starts_with("verilated"), (file.string() + " includes " + target));
          continue;
        }
        ++checked;
        bool known = to == from;
        if (const auto folder_of = may.find(from); folder_of != may.end()) {
          known = known || folder_of->second.contains(to);
        } else {
          const auto& part = others.at(from);
          known = known || part.contains(to) || (part.contains("blocks") && kGroups.contains(to));
        }
        CHECK_MESSAGE(known, (file.string() + " includes " + target));
      }
    }
  }
  CHECK(checked > 100);
}

TEST_CASE("a folder of sim/ knows folders above it only") {
  const std::vector<std::string> order = folder_order();
  std::set<std::string> above = {"sw/include"}, present;
  for (const auto& folder : order) {
    for (const auto& known : folders_known().at(folder)) {
      CHECK_MESSAGE(above.contains(known), (folder + " knows " + known));
    }
    above.insert(folder);
  }
  for (const auto& entry : fs::directory_iterator(kRoot / "sim")) {
    if (entry.is_directory()) CHECK_MESSAGE(above.contains(entry.path().filename()), entry.path());
  }
}

TEST_CASE("rtl knows nothing else") {
  for (const auto& file : files_in("rtl", {".sv", ".svh"})) {
    for (const auto& line : lines_of(kRoot / file)) {
      if (line.find("`include") == std::string::npos) continue;
      CHECK_MESSAGE(line == "`include \"weft_assert.svh\"", (file.string() + ": " + line));
    }
  }
}

TEST_CASE("every source file begins with what it is") {
  for (const char* folder : {"rtl", "sim", "sw", "tb", "tests", "scripts"}) {
    for (const auto& file :
         files_in(folder, {".sv", ".svh", ".hpp", ".cpp", ".h", ".c", ".S", ".sh", ".ld"})) {
      const auto lines = lines_of(kRoot / file);
      REQUIRE_MESSAGE(lines.size() > 1, file.string());
      const std::string& first = lines[0].starts_with("#!") ? lines[1] : lines[0];
      const bool comment =
          first.starts_with("// ") || first.starts_with("# ") || first.starts_with("/* ");
      CHECK_MESSAGE(comment, file.string());
    }
  }
}

TEST_CASE("every parameter and port of a module is explained") {
  static const std::regex port(R"(^  (parameter|input|output)\b)");
  for (const auto& [group, name] : blocks()) {
    const auto lines = lines_of(kRoot / "rtl" / group / (name + ".sv"));
    for (std::size_t i = 1; i < lines.size(); ++i) {
      if (!std::regex_search(lines[i], port)) continue;
      const bool explained = lines[i - 1].find("///") != std::string::npos;
      CHECK_MESSAGE(explained, (name + ": " + lines[i]));
    }
  }
}

TEST_CASE("no line of code is longer than 100 columns") {
  for (const char* folder : {"rtl", "sim", "sw", "tb", "tests", "scripts"}) {
    for (const auto& file : files_in(folder, {".sv", ".svh", ".hpp", ".cpp", ".h", ".c", ".sh"})) {
      const auto lines = lines_of(kRoot / file);
      for (std::size_t i = 0; i < lines.size(); ++i) {
        CHECK_MESSAGE(lines[i].size() <= 100, (file.string() + ":" + std::to_string(i + 1)));
      }
    }
  }
}

TEST_CASE("a topology, a collective or a traffic pattern is named in its own file only") {
  // Found through registration: no list elsewhere names them.
  for (const auto& file : files_in("sw/collectives", {".c"})) {
    const std::string quoted = "\"" + file.stem().string() + "\"";
    for (const auto& source : files_in("sim", {".hpp", ".cpp"})) {
      CHECK_MESSAGE(text_of(kRoot / source).find(quoted) == std::string::npos,
                    (source.string() + " names " + quoted));
    }
  }
}
