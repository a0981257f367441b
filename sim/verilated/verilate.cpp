// Builds and loads Verilated libraries: closure of the sources, cache key, Verilator, ninja,
// dlopen.
#include "sim/verilated/verilate.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>

#include "sim/base/error.hpp"
#include "sim/base/file_reader.hpp"
#include "sim/base/file_writer.hpp"
#include "sim/base/hash.hpp"
#include "sim/base/installation.hpp"
#include "sim/base/process.hpp"
#include "sim/base/temporary_folder.hpp"
#include "sim/verilated/antecedents.hpp"
#include "sim/verilated/cache_files.hpp"
#include "sim/verilated/ninja_file.hpp"
#include "sim/verilated/rtl_glue.hpp"

namespace weft {
namespace fs = std::filesystem;
namespace {

// Changes whenever the glue or the compile flags below change.
constexpr std::string_view kRecipe = "8";

// The file of every module of rtl/, by module name (each has its own file: rtl/README.md).
std::map<std::string, fs::path> modules_in(const fs::path& dir) {
  std::map<std::string, fs::path> modules;
  if (!fs::is_directory(dir)) {
    throw ConfigError(fmt::format("no folder of SystemVerilog sources at {}", dir.string()));
  }
  for (const auto& entry : fs::recursive_directory_iterator(dir)) {
    if (entry.path().extension() == ".sv") modules[entry.path().stem()] = entry.path();
  }
  return modules;
}

// Runs a command; throws with its output if it fails.
void run(const std::vector<std::string>& words) {
  std::string output;
  if (run_process(words, &output) == 0) return;
  throw ConfigError(fmt::format("{} failed:\n{}", fmt::join(words, " "), output));
}

// Calls `use` with each identifier in a SystemVerilog text, without its // comments.
template <class Use>
void each_identifier(std::string_view text, const Use& use) {
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  for (std::size_t at = 0; at < text.size();) {
    if (text.substr(at, 2) == "//") {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    const std::size_t end = std::min(text.find_first_not_of(kLetters, at), text.size());
    if (end != at) use(std::string(text.substr(at, end - at)));
    at = std::max(end, at + 1);
  }
}

// Whether the instances of the Verilated module in a folder have no state outside.
bool state_is_inside(const fs::path& dir) {
  for (const auto& entry : fs::directory_iterator(dir)) {
    const std::string name = entry.path().filename();
    const bool members = name.starts_with("Vtop_") && name.ends_with(".h");
    if (!members && !name.ends_with(".cpp")) continue;
    if (names_outer_state(read_file(entry.path()), members)) return false;
  }
  return true;
}

// Whether libraries count which lines of their top module run and which of its bits toggle.
bool coverage() {
  return std::getenv("WEFT_COVERAGE") != nullptr;
}

// Adds the options that count lines and toggles of the top module: blocks inside are counted by
// their own benches. Without the two steps that are switched off, Verilator 5.006 miscounts lines
// of always blocks that it splits.
void cover(const std::string& top, const std::vector<fs::path>& files, const fs::path& dir,
           std::vector<std::string>& words) {
  std::string rules = "`verilator_config\n";
  for (const auto& file : files) {
    if (file.stem() != top) rules += fmt::format("coverage_off -file \"{}\"\n", file.string());
  }
  write_file(dir / "coverage.vlt", rules);
  words.insert(words.end(), {"--coverage-line", "--coverage-toggle", "-fno-reorder", "-fno-split",
                             (dir / "coverage.vlt").string()});
}

// Makes the registers of all modules public, so that they stay variables and can be set.
void open_registers(const fs::path& dir, std::vector<std::string>& words) {
  write_file(dir / "registers.vlt",
             "`verilator_config\npublic_flat_rw -module \"*\" -var \"*_q\"\n");
  words.push_back((dir / "registers.vlt").string());
}

// Folder in which Verilator runs: it names files in the generated code as in its command, and
// ccache recognises the code of another checkout only by names relative to this folder.
fs::path home() {
  return rtl_dir().parent_path();
}

// A file's name relative to home(), if it is inside.
std::string named(const fs::path& file) {
  const fs::path whole = fs::absolute(file), path = whole.lexically_relative(home());
  return path.empty() || *path.begin() == ".." ? whole.string() : path.string();
}

// Replaces the file of the top module by a copy with the records of antecedents, and makes these
// public.
void record_antecedents(const std::string& top, std::vector<fs::path>& files, const fs::path& dir,
                        std::vector<std::string>& words) {
  for (auto& file : files) {
    if (file.stem() != top) continue;
    const fs::path copy = dir / file.filename();
    write_file(copy,
               fmt::format("`line 1 \"{}\" 0\n{}", named(file), with_records(read_file(file))));
    file = copy;
  }
  write_file(dir / "seen.vlt", "`verilator_config\npublic_flat_rw -module \"*\" -var \"*_seen\"\n");
  words.push_back((dir / "seen.vlt").string());
}

void build(const RtlSpec& spec, std::vector<fs::path> files, const fs::path& dir) {
  if (*WEFT_VERILATOR == '\0') {
    throw ConfigError(
        "hardware needs Verilator, which was not there when Weft was built: install "
        "package verilator and build again");
  }
  std::vector<std::string> words = {
      "env",          "-C",           home().string(),
      WEFT_VERILATOR, "--cc",         "--prefix",
      "Vtop",         "--top-module", spec.top,
      "-Mdir",        dir.string(),   "-O3",
      "--x-assign",   "fast",         "--x-initial",
      "fast",         "-Wno-fatal",   "-Wno-lint",
      "-Wno-style",   "--noassert",   "-I" + named(rtl_dir() / "include")};
  // What only assertions need is no hardware, and need not be covered.
  if (spec.assertions && !coverage()) {
    *std::find(words.begin(), words.end(), "--noassert") = "--assert";
    words.push_back("-DWEFT_CHECKED");
  }
  if (coverage()) cover(spec.top, files, dir, words);
  if (spec.loadable) open_registers(dir, words);
  if (spec.covered) record_antecedents(spec.top, files, dir, words);
  for (const auto& [name, value] : spec.params)
    words.push_back(fmt::format("-G{}={}", name, value.text));
  for (const auto& file : files) words.push_back(named(file));
  run(words);
  const auto ports = parse_ports(read_file(dir / "Vtop.h"));
  std::string glue = glue_for(ports, state_is_inside(dir), coverage());
  if (spec.loadable || spec.covered)
    glue += register_glue_for(parse_scopes(read_file(dir / "Vtop__Syms.h")));
  write_file(dir / "glue.cpp", glue);
  write_file(dir / "build.ninja", ninja_for(dir));
  run({"ninja", "-C", dir.string(), "-j2"});
  std::string list;
  for (const auto& p : ports) list += fmt::format("{} {} {}\n", p.name, p.width, p.input ? 1 : 0);
  write_checked(dir / "ports", list, dir / "model.so");
  // Removes the generated code, tens of megabytes for a big block, which is not needed again.
  for (const auto& entry : fs::directory_iterator(dir)) {
    const auto name = entry.path().filename();
    if (name != "model.so" && name != "ports") fs::remove_all(entry.path());
  }
}

}  // namespace

std::string rtl_name(const RtlSpec& spec) {
  std::string name = spec.top;
  for (const auto& [key, value] : spec.params) name += fmt::format("-{}{}", key, value.text);
  return name;
}

fs::path rtl_dir() {
  if (const char* dir = std::getenv("WEFT_RTL_DIR")) return fs::absolute(dir);
  return source_dir() / "rtl";
}

std::vector<fs::path> rtl_sources(const std::vector<fs::path>& roots) {
  const fs::path dir = rtl_dir();
  // Finds the module names in the files, without their comments.
  const auto modules = modules_in(dir);
  std::vector<fs::path> open = roots;
  std::set<fs::path> seen(roots.begin(), roots.end());
  std::vector<fs::path> files = {dir / "weft_pkg.sv"};
  seen.insert(files.front());
  while (!open.empty()) {
    const fs::path file = open.back();
    open.pop_back();
    files.push_back(file);
    each_identifier(read_file(file), [&](const std::string& word) {
      const auto found = modules.find(word);
      if (found != modules.end() && seen.insert(found->second).second) {
        open.push_back(found->second);
      }
    });
  }
  std::ranges::sort(files, {}, [&dir](const fs::path& file) {
    const bool package = file.parent_path() == dir;
    return std::pair(!package, file);
  });
  return files;
}

fs::path cache_dir() {
  if (const char* dir = std::getenv("WEFT_CACHE"))
    return dir == std::string_view("off") ? "" : fs::absolute(dir);
  return build_dir() / "verilated";
}

std::shared_ptr<const RtlLibrary> RtlLibrary::load(const RtlSpec& spec) {
  if (!spec.extra.empty()) return load_from_cache(spec);
  // A fabric loads a library for each of its blocks, thousands of which are equal.
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<const RtlLibrary>> in_use;
  const std::string key = fmt::format("{} {} {} {} {} {} {}", rtl_dir().string(),
                                      cache_dir().string(), fmt::join(optimisation(), " "),
                                      rtl_name(spec), spec.assertions, spec.loadable, spec.covered);
  {
    const std::lock_guard lock(mutex);
    if (auto library = in_use[key].lock()) return library;
  }
  auto library = load_from_cache(spec);
  const std::lock_guard lock(mutex);
  in_use[key] = library;
  return library;
}

std::vector<fs::path> rtl_sources_of(const RtlSpec& spec) {
  const fs::path dir = rtl_dir();
  std::vector<fs::path> roots = spec.extra;
  if (roots.empty()) {
    const auto modules = modules_in(dir);
    const auto found = modules.find(spec.top);
    if (found == modules.end()) {
      throw ConfigError(fmt::format("no module {} under {}", spec.top, dir.string()));
    }
    roots.push_back(found->second);
  }
  return rtl_sources(roots);
}

std::shared_ptr<const RtlLibrary> RtlLibrary::load_from_cache(const RtlSpec& spec) {
  const auto files = rtl_sources_of(spec);
  const std::string name = rtl_name(spec);
  std::uint64_t hash =
      fnv1a(fmt::format("{}{}{}{}{}{}{}{}", name, spec.assertions, kRecipe,
                        fmt::join(optimisation(), " "), WEFT_CXX, coverage() ? "coverage" : "",
                        spec.loadable ? "loadable 2" : "", spec.covered ? "covered" : ""),
            kHashStart);
  if (spec.covered) {
    for (const auto& file : files) {
      if (file.stem() == spec.top) hash = fnv1a(with_records(read_file(file)), hash);
    }
  }
  hash = hash_sources(files, hash);
  const CacheFolder cache;
  std::shared_ptr<RtlLibrary> library(new RtlLibrary);
  const auto read = [&](const fs::path& entry) {
    auto ports = read_checked(entry / "ports", entry / "model.so");
    if (ports) library->handle_ = dlopen((entry / "model.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    return ports;
  };
  std::istringstream list(
      cache.entry(fmt::format("{}-{:016x}", spec.top, hash), read, [&](const fs::path& fresh) {
        if (isatty(2)) std::cerr << fmt::format("verilating {}\n", name);
        build(spec, files, fresh);
      }));
  if (library->handle_ == nullptr) throw std::runtime_error(dlerror());
  resolve_symbol(library->handle_, "weft_create", library->create_);
  resolve_symbol(library->handle_, "weft_destroy", library->destroy_);
  resolve_symbol(library->handle_, "weft_eval", library->eval_);
  resolve_symbol(library->handle_, "weft_port", library->port_);
  resolve_symbol(library->handle_, "weft_state", library->state_);
  if (spec.loadable || spec.covered) {
    resolve_symbol(library->handle_, "weft_registers", library->registers_);
  }
  RtlPortInfo info;
  while (list >> info.name >> info.width >> info.input) library->ports_.push_back(info);
  library->spec_ = spec;
  return library;
}

RtlLibrary::~RtlLibrary() {
  if (handle_ != nullptr) dlclose(handle_);
}

}  // namespace weft
