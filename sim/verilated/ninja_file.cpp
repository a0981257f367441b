// Compilation of what Verilator generates: units of several files, options, precompiled header,
// ccache.
#include "sim/verilated/ninja_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <map>
#include <sstream>

#include "sim/base/file_writer.hpp"
#include "sim/base/installation.hpp"

namespace weft {
namespace fs = std::filesystem;
namespace {

// The Verilated runtime, which every library links to.
fs::path runtime_library() {
  return build_dir() / "libweft_verilator.so";
}

// The options, and the header precompiled for them if there is one (CMakeLists.txt).
std::string options_with_header(const std::vector<std::string>& options) {
  std::string words;
  for (const std::string& option : options) words += shell_word(option) + " ";
  const fs::path header =
      build_dir() / "precompiled" / fmt::format("verilated{}.hpp", fmt::join(options, " "));
  return fs::exists(header) ? words + "-include " + shell_word(header.string()) : words;
}

// Bytes that one start of the compiler reads: generated files, all included, up to this size. Most
// of a start goes into the header; for more code at once the optimiser takes disproportionately
// long.
constexpr std::uintmax_t kUnitBytes = 2'000'000, kUnitBytesPlain = 4'000'000;

}  // namespace

std::string shell_word(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '$' ? "$$" : c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

std::vector<std::string> optimisation(const char* by_default) {
  const char* const options = std::getenv("WEFT_VERILATED_OPT");
  std::istringstream words(options != nullptr ? options : by_default);
  return {std::istream_iterator<std::string>(words), {}};
}

// Puts the generated sources together into units that are compiled, each with its options. Slow
// code runs once, at construction; the rest is the cycle loop. A small block is one unit.
std::string ninja_for(const fs::path& dir) {
  std::string text = fmt::format(
      "rule cxx\n  command = CCACHE_BASEDIR={} {} {} $opt -I. -c $in -o $out\n"
      "rule link\n  command = {} -shared -o $out $in {} -Wl,-rpath,{}\n",
      shell_word(build_dir().string()), WEFT_CCACHE, WEFT_VERILATED_CXX, WEFT_CXX,
      shell_word(runtime_library().string()), shell_word(build_dir().string()));
  std::vector<fs::directory_entry> sources;
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::directory_iterator(dir)) {
    if (entry.path().extension() != ".cpp") continue;
    sources.push_back(entry);
    bytes += entry.file_size();
  }
  std::sort(sources.begin(), sources.end());
  const std::string fast = options_with_header(optimisation()),
                    plain = options_with_header({"-O0"});
  const std::uintmax_t most = fast == plain ? kUnitBytesPlain : kUnitBytes;
  struct Unit {
    std::string includes;
    std::uintmax_t bytes = 0;
  };
  std::map<std::string, Unit> open;  // By options: the unit that is open.
  int units = 0;
  std::string objects;
  const auto close = [&](const std::string& options, Unit& unit) {
    const std::string name = fmt::format("unit{}.cc", units++);
    write_file(dir / name, unit.includes);
    text += fmt::format("build {}.o: cxx {}\n  opt = {}\n", name, name, options);
    objects += " " + name + ".o";
    unit = {};
  };
  for (const auto& source : sources) {
    const std::string name = source.path().filename();
    const bool slow = bytes > most && (name.find("Slow") != std::string::npos ||
                                       name.find("Syms") != std::string::npos);
    const std::string& options = slow ? plain : fast;
    Unit& unit = open[options];
    if (unit.bytes != 0 && unit.bytes + source.file_size() > most) close(options, unit);
    unit.includes += fmt::format("#include \"{}\"\n", name);
    unit.bytes += source.file_size();
  }
  for (auto& [options, unit] : open) close(options, unit);
  return text + fmt::format("build model.so: link{}\ndefault model.so\n", objects);
}

}  // namespace weft
