// The repository checks itself: layout, three faces of every block, includes, comments.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/installation.hpp"

// Plain searches instead of std::regex, which took 15 seconds to compile.

namespace fs = std::filesystem;

namespace {

using Names = std::set<std::string>;

const fs::path& root() {
  return weft::source_dir();
}

// Groups of blocks; sim, tb and rtl have a folder for each.
const Names kGroups = {"buffer",  "arbiter", "crossbar", "router", "nic",
                       "barrier", "reduce",  "combine",  "link",   "bus"};

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

// Files below `folder` with one of the endings.
std::vector<fs::path> files_in(const std::string& folder, const Names& endings) {
  std::vector<fs::path> files;
  if (!fs::exists(root() / folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(root() / folder)) {
    if (entry.is_regular_file() && endings.contains(entry.path().extension().string())) {
      files.push_back(fs::relative(entry.path(), root()));
    }
  }
  return files;
}

// Modules carry it, so that they do not collide with those of the user's own design.
constexpr std::string_view kModulePrefix = "weft_";

fs::path source_of(const std::string& group, const std::string& name) {
  return root() / "rtl" / group / fmt::format("{}{}.sv", kModulePrefix, name);
}

// Blocks as (group, name), from the SystemVerilog modules.
std::vector<std::pair<std::string, std::string>> blocks() {
  std::vector<std::pair<std::string, std::string>> found;
  for (const auto& file : files_in("rtl", {".sv"})) {
    const std::string group = file.parent_path().filename();
    const std::string module = file.stem();
    if (!kGroups.contains(group)) continue;
    REQUIRE_MESSAGE(module.starts_with(kModulePrefix), file.string());
    found.emplace_back(group, module.substr(kModulePrefix.size()));
  }
  return found;
}

// Header `name` of a block's group in sim/, in the folder itself or in one below it; empty unless
// there is exactly one.
fs::path header_in_sim(const std::string& group, const std::string& name) {
  std::vector<fs::path> found;
  for (const auto& file : files_in("sim/" + group, {".hpp"})) {
    if (file.stem() == name) found.push_back(file);
  }
  return found.size() == 1 ? found.front() : fs::path();
}

// The words of the first `command(...)` in a CMake file at or after `from`, which is then set after
// it; none where there is no further one.
std::vector<std::string> words_of(const std::string& text, const std::string& command,
                                  std::size_t& from) {
  const std::size_t start = text.find("\n" + command + "(", from);
  if (start == std::string::npos) return {};
  const std::size_t open = start + command.size() + 2;
  from = text.find(')', open);
  std::istringstream in(text.substr(open, from - open));
  return {std::istream_iterator<std::string>(in), {}};
}

// The table of sim/CMakeLists.txt, `weft_folder(NAME KNOWS ...)`, in its order: a folder and those
// whose headers it may include.
std::vector<std::pair<std::string, Names>> folder_table() {
  const std::string text = text_of(root() / "sim/CMakeLists.txt");
  std::size_t at = 0;
  const std::vector<std::string> all_blocks = words_of(text, "set", at);
  REQUIRE((!all_blocks.empty() && all_blocks[0] == "blocks"));
  std::vector<std::pair<std::string, Names>> table;
  for (at = 0;;) {
    const std::vector<std::string> words = words_of(text, "weft_folder", at);
    if (words.empty()) return table;
    Names known;
    bool folders = true;
    for (const std::string& word : words) {
      if (word == "KNOWS" || word == "LINKS") {
        folders = word == "KNOWS";
      } else if (word == "${blocks}") {
        known.insert(all_blocks.begin() + 1, all_blocks.end());
      } else if (folders && word != words[0]) {
        known.insert(word);
      } else if (word == "weft_sw") {
        known.insert("sw/include");
      }
    }
    table.emplace_back(words[0], known);
  }
}

// What a line of C++ includes in quotes.
std::optional<std::string> included(const std::string& line) {
  const std::string prefix = "#include \"";
  const std::size_t start = line.find_first_not_of(' ');
  if (start == std::string::npos || line.compare(start, prefix.size(), prefix) != 0) return {};
  const std::size_t name = start + prefix.size();
  return line.substr(name, line.find('"', name) - name);
}

// The part of the tree that a file belongs to: a folder of sim/, "sw/include", "sw", "tb", or "".
std::string part_of(const std::string& path) {
  for (const char* part : {"sw/include", "sw", "tb"}) {
    if (path.starts_with(part + std::string("/"))) return part;
  }
  const std::size_t end = path.find('/', 4);
  return path.starts_with("sim/") && end != std::string::npos ? path.substr(4, end - 4) : "";
}

// Every include of a file of this repository: who, and the part that it includes.
struct Include {
  std::string file, target, from, to;
};

std::vector<Include> includes() {
  std::vector<Include> found;
  for (const char* folder : {"sim", "sw", "tb"}) {
    for (const auto& file : files_in(folder, {".hpp", ".cpp", ".c", ".h"})) {
      for (const auto& line : lines_of(root() / file)) {
        std::optional<std::string> target = included(line);
        if (!target) continue;
        // Drivers name the HAL's headers by their file names.
        if (fs::exists(root() / "sw/include" / *target)) target = "sw/include/" + *target;
        found.push_back({file, *target, part_of(file), part_of(*target)});
      }
    }
  }
  return found;
}

// Whether `text` declares class `name`, with an alignment or without.
bool declares_class(const std::string& text, const std::string& name) {
  for (std::size_t at = text.find("class "); at != std::string::npos;
       at = text.find("class ", at)) {
    at += 6;
    if (text.compare(at, 8, "alignas(") == 0) at = text.find(") ", at) + 2;
    const char after = text[std::min(at + name.size(), text.size() - 1)];
    const bool whole = std::isalnum(static_cast<unsigned char>(after)) == 0 && after != '_';
    if (text.compare(at, name.size(), name) == 0 && whole) return true;
  }
  return false;
}

// The comment that a file begins with.
std::string head_of(const std::vector<std::string>& lines) {
  std::string head;
  for (const auto& line : lines) {
    if (!line.starts_with("//") && !line.starts_with("/*") && !line.starts_with(" *")) break;
    head += line + "\n";
  }
  return head;
}

// Source files of the folders whose files are kept short, the longest first.
std::vector<std::pair<std::size_t, fs::path>> lengths() {
  std::vector<std::pair<std::size_t, fs::path>> found;
  for (const char* folder : {"sim", "sw", "tb", "rtl"}) {
    for (const auto& file : files_in(folder, {".hpp", ".cpp", ".h", ".c", ".S", ".sv", ".svh"})) {
      found.emplace_back(lines_of(root() / file).size(), file);
    }
  }
  std::sort(found.rbegin(), found.rend());
  return found;
}

}  // namespace

TEST_CASE("the top level holds what the layout names") {
  const Names allowed = {"CMakeLists.txt", "README.md", "rtl", "sim", "sw", "tb",
                         "tests",          "scripts"};
  Names found;
  for (const auto& entry : fs::directory_iterator(root())) {
    const std::string name = entry.path().filename();
    if (name.starts_with(".") || name.starts_with("build")) continue;
    CHECK_MESSAGE(allowed.contains(name), name);
    found.insert(name);
  }
  CHECK(found == allowed);
}

TEST_CASE("each folder has a README") {
  Names folders = {"rtl", "sim", "sw", "tb", "tests", "scripts"};
  for (const auto& group : kGroups) folders.insert("rtl/" + group);
  for (const auto& [folder, known] : folder_table()) folders.insert("sim/" + folder);
  for (const auto& folder : folders) {
    CHECK_MESSAGE(fs::exists(root() / folder / "README.md"), folder);
  }
}

TEST_CASE("files are short") {
  for (const auto& length : lengths()) {
    const auto& [lines, file] = length;
    const std::size_t most = *file.begin() == "rtl" ? 500 : 400;
    if (lines <= most) continue;
    // A longer file begins with its reason: "Longer than 500 lines: ...".
    const bool reason = head_of(lines_of(root() / file)).find("onger than") != std::string::npos;
    CHECK_MESSAGE(reason, fmt::format("{} has {} lines", length.second.string(), length.first));
  }
}

TEST_CASE("every block has three faces, a specification, properties and mutations") {
  CHECK(blocks().size() >= 11);
  for (const auto& block : blocks()) {
    const auto& [group, name] = block;
    CAPTURE(block.first);
    CAPTURE(block.second);
    const fs::path header = header_in_sim(group, name);
    CHECK(!header.empty());
    CHECK(fs::exists(root() / "tb" / group / (name + "_tb.cpp")));
    CHECK(fs::exists(root() / "tests/formal" / group / (name + ".mutations")));
    CHECK(fs::exists(root() / "tests/formal" / group / (name + ".checks")));
    const std::string specification = text_of(root() / "rtl" / group / "README.md");
    CHECK(specification.find("\n## " + group + "/" + name) != std::string::npos);
    const std::string rtl = text_of(source_of(group, name));
    CHECK(rtl.find(fmt::format("\nmodule {}{} ", kModulePrefix, name)) != std::string::npos);
    // rr_arbiter is class RrArbiter.
    std::string class_name;
    bool upper = true;
    for (const char c : name) {
      if (c != '_') class_name += upper ? static_cast<char>(std::toupper(c)) : c;
      upper = c == '_';
    }
    const std::string model = text_of(root() / header);
    CHECK_MESSAGE(declares_class(model, class_name), class_name);
  }
}

TEST_CASE("each mutation quotes text that occurs once in its block") {
  // scripts/mutate.sh says so too, but after minutes.
  for (const auto& [group, name] : blocks()) {
    const fs::path list = root() / "tests/formal" / group / (name + ".mutations");
    const std::string rtl = text_of(source_of(group, name));
    for (const std::string& line : lines_of(list)) {
      const std::size_t begin = line.find(": "), end = line.find(" ==> ");
      if (line.empty() || line.front() == '#') continue;
      REQUIRE_MESSAGE((begin != line.npos && end != line.npos), (list.string() + ": " + line));
      const std::string old = line.substr(begin + 2, end - begin - 2);
      const std::size_t found = rtl.find(old);
      CHECK_MESSAGE((found != rtl.npos && rtl.find(old, found + 1) == rtl.npos),
                    (list.string() + ": " + line));
    }
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

TEST_CASE("folders include only what they may") {
  std::map<std::string, Names> may = {
      {"sw", {"sw/include"}},
      {"sw/include", {}},
      {"tb", {"base", "packet", "processor", "verilated", "systemc"}}};
  may["tb"].insert(kGroups.begin(), kGroups.end());
  for (const auto& [folder, known] : folder_table()) may[folder] = known;
  unsigned checked = 0;
  for (const Include& include : includes()) {
    const auto& [file, target, from, to] = include;
    CAPTURE(include.file);
    CAPTURE(include.target);
    if (to.empty()) {
      // Verilator's own header, in what is compiled into its runtime.
      CHECK(target.starts_with("verilated"));
      continue;
    }
    ++checked;
    const bool known = to == from || may.at(from).contains(to);
    CHECK(known);
  }
  CHECK(checked > 100);
}

TEST_CASE("a folder of sim/ includes only folders above it") {
  Names above = {"sw/include"};
  for (const auto& row : folder_table()) {
    for (const auto& name : row.second) {
      CHECK_MESSAGE(above.contains(name), (row.first + " knows " + name));
    }
    above.insert(row.first);
  }
  CHECK(above.size() > 20);
  for (const auto& entry : fs::directory_iterator(root() / "sim")) {
    if (entry.is_directory()) CHECK_MESSAGE(above.contains(entry.path().filename()), entry.path());
  }
}

// No check: `build/tests/repo_test --no-skip --test-case="*in figures*"` prints it.
TEST_CASE("the layout in figures" * doctest::skip()) {
  std::map<std::string, Names> knows;
  for (const auto& include : includes()) {
    if (!include.to.empty() && include.to != include.from) knows[include.from].insert(include.to);
  }
  fmt::print("folder -> folders whose headers it includes\n");
  for (const auto& [folder, known] : folder_table()) {
    fmt::print("{:10} -> {}\n", folder, fmt::join(knows[folder], " "));
  }
  fmt::print("\nthe longest files\n");
  const auto all = lengths();
  for (std::size_t i = 0; i < std::min<std::size_t>(15, all.size()); ++i) {
    fmt::print("{:4} {}\n", all[i].first, all[i].second.string());
  }
}

// std::regex costs half a second at each start of engine rtl, and more to compile.
TEST_CASE("the simulator has no std::regex") {
  for (const auto& file : files_in("sim", {".cpp", ".hpp"})) {
    for (const auto& line : lines_of(root() / file)) {
      CHECK_MESSAGE(!line.starts_with("#include <regex>"), file.string());
    }
  }
}

TEST_CASE("rtl includes nothing else") {
  for (const auto& file : files_in("rtl", {".sv", ".svh"})) {
    for (const auto& line : lines_of(root() / file)) {
      if (line.find("`include") == std::string::npos) continue;
      CHECK_MESSAGE(line == "`include \"weft_assert.svh\"", (file.string() + ": " + line));
    }
  }
}

// A register whose name ends otherwise would not be among those that a state is loaded into.
TEST_CASE("the name of a register ends with _q") {
  for (const auto& file : files_in("rtl", {".sv"})) {
    std::string before;
    for (const auto& line : lines_of(root() / file)) {
      const std::string last = std::exchange(before, line);
      const std::size_t sign = line.find("<= ");
      if (sign == std::string::npos || line.find(';', sign) == std::string::npos) continue;
      const bool compares = line.find("assign ") != std::string::npos ||
                            line.find("for (") != std::string::npos || last.ends_with("&&") ||
                            last.ends_with("||");
      if (compares) continue;
      std::string left = line.substr(0, line.find_last_not_of(' ', sign - 1) + 1);
      // Without the index or the brace of a concatenation.
      for (int open = 0; left.ends_with(']') || left.ends_with('}') || open != 0;) {
        open += (left.back() == ']') - (left.back() == '[');
        left.pop_back();
      }
      CHECK_MESSAGE(left.ends_with("_q"), (file.string() + ": " + line));
    }
  }
}

TEST_CASE("every source file begins with what it is") {
  for (const char* folder : {"rtl", "sim", "sw", "tb", "tests", "scripts"}) {
    for (const auto& file :
         files_in(folder, {".sv", ".svh", ".hpp", ".cpp", ".h", ".c", ".S", ".sh", ".ld"})) {
      const auto lines = lines_of(root() / file);
      REQUIRE_MESSAGE(lines.size() > 1, file.string());
      const std::string& first = lines[0].starts_with("#!") ? lines[1] : lines[0];
      const bool comment =
          first.starts_with("// ") || first.starts_with("# ") || first.starts_with("/* ");
      CHECK_MESSAGE(comment, file.string());
    }
  }
}

TEST_CASE("every parameter and port of a module is explained") {
  for (const auto& block : blocks()) {
    const auto lines = lines_of(source_of(block.first, block.second));
    for (std::size_t i = 1; i < lines.size(); ++i) {
      const bool declares = lines[i].starts_with("  parameter ") ||
                            lines[i].starts_with("  input ") || lines[i].starts_with("  output ");
      if (!declares) continue;
      const bool explained = lines[i - 1].find("///") != std::string::npos;
      CHECK_MESSAGE(explained, (block.second + ": " + lines[i]));
    }
  }
}

TEST_CASE("no line of code is longer than 100 columns") {
  for (const char* folder : {"rtl", "sim", "sw", "tb", "tests", "scripts"}) {
    for (const auto& file : files_in(folder, {".sv", ".svh", ".hpp", ".cpp", ".h", ".c", ".sh"})) {
      const auto lines = lines_of(root() / file);
      for (std::size_t i = 0; i < lines.size(); ++i) {
        CHECK_MESSAGE(lines[i].size() <= 100, (file.string() + ":" + std::to_string(i + 1)));
      }
    }
  }
}

TEST_CASE("a topology, a collective or a traffic pattern is named in its own file only") {
  // Found through registers that the build makes: no list elsewhere names them, and other
  // folders read a network's properties from its graph (tests/repo/one_file.sh tries it).
  const auto add = [](const std::string& folder, const std::string& ending,
                      const std::string& entry, Names& names) {
    for (const auto& file : files_in(folder, {ending})) {
      const std::string name = file.stem().string();
      if (text_of(root() / file).find(entry + name) != std::string::npos) names.insert(name);
    }
  };
  Names names;
  add("sw/collectives", ".c", "", names);
  add("sim/topology", ".cpp", "extern const Topology topology_", names);
  add("sim/traffic", ".cpp", "extern const TrafficPattern traffic_", names);
  REQUIRE(names.size() > 30);
  for (const auto& source : files_in("sim", {".hpp", ".cpp"})) {
    // Which algorithm suits a network is what a picker is for.
    const std::string stem = source.stem().string();
    if (stem == "pickers" || stem.ends_with("_picker")) continue;
    const std::string text = text_of(root() / source);
    for (const std::string& name : names) {
      // The key of the links on a board in a result is a word of its own, and so is a value of the
      // key combining.
      const bool is_key = (name == "board" && text.find("link_flits") != std::string::npos) ||
                          (name == "tree" && text.find("combining") != std::string::npos);
      if (name == stem || is_key) continue;
      CHECK_MESSAGE(text.find("\"" + name + "\"") == std::string::npos,
                    (source.string() + " names \"" + name + "\""));
    }
  }
}

TEST_CASE("only the route units, and the networks built of them, know their kinds") {
  for (const auto& source : files_in("sim", {".hpp", ".cpp"})) {
    const std::string name = source.generic_string(), text = text_of(root() / source);
    if (name.starts_with("sim/router/route") || name.starts_with("sim/topology/")) continue;
    for (const char* question : {"== RouteKind::", "!= RouteKind::", "case RouteKind::"}) {
      CHECK_MESSAGE(text.find(question) == std::string::npos,
                    (name + " asks for a kind of route unit"));
    }
  }
}
