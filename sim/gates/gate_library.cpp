// Building and loading kernels.
#include "sim/gates/gate_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>

#include "sim/base/error.hpp"
#include "sim/base/file_reader.hpp"
#include "sim/base/file_writer.hpp"
#include "sim/base/hash.hpp"
#include "sim/base/process.hpp"
#include "sim/gates/kernel_source.hpp"
#include "sim/gates/netlist_order.hpp"
#include "sim/gates/yosys.hpp"
#include "sim/verilated/cache_files.hpp"
#include "sim/verilated/ninja_file.hpp"

namespace weft {
namespace fs = std::filesystem;
namespace {

// Changes whenever the synthesis, and whenever the schedule or the code of kernels changes.
constexpr std::string_view kNetlistRecipe = "2", kKernelRecipe = "2";

// Of the code of the cycle loop, as of Verilated libraries. More costs compile time and gains
// nothing: the order of the code is the kernel's own.
std::string optimisation_text() {
  std::string text;
  for (const std::string& word : optimisation("-O1")) text += " " + shell_word(word);
  return text;
}

std::string options(LaneWidth width) {
  switch (width) {
    case LaneWidth::k256:
      return " -mavx2";
    case LaneWidth::k512:
      return " -mavx512f -mavx512vl -mprefer-vector-width=512";
    default:
      return "";
  }
}

// Name of the cache's entry for a netlist.
std::string netlist_entry(const RtlSpec& spec, const std::vector<fs::path>& sources) {
  std::string recipe = fmt::format("{} {}{} {}", rtl_name(spec), kNetlistRecipe,
                                   spec.assertions ? " assertions" : "", yosys_version());
  if (!spec.liberty.empty()) recipe += " " + read_file(spec.liberty);
  const std::uint64_t hash = hash_sources(sources, fnv1a(recipe, kHashStart));
  return fmt::format("{}-gates-{:016x}", spec.top, hash);
}

void compile(const std::map<std::string, std::string>& files, LaneWidth width,
             const fs::path& dir) {
  std::string text = fmt::format(
      "rule cc\n  command = {} {} -std=gnu11 -w -fPIC{}{} -c $in -o $out\n"
      "rule link\n  command = {} -shared -o $out $in\n",
      WEFT_CCACHE, WEFT_CC, optimisation_text(), options(width), WEFT_CC);
  std::string objects;
  for (const auto& [name, source] : files) {
    write_file(dir / name, source);
    if (!name.ends_with(".c")) continue;
    text += fmt::format("build {0}.o: cc {0}\n", name);
    objects += fmt::format(" {}.o", name);
  }
  write_file(dir / "build.ninja", text + fmt::format("build kernel.so: link{}\n", objects));
  std::string log;
  if (run_process({"ninja", "-C", dir.string(), "-j2"}, &log) != 0) {
    throw ConfigError(fmt::format("the kernel in {} was not compiled:\n{}", dir.string(), log));
  }
  write_checked(dir / "sum", "", dir / "kernel.so");
  for (const auto& entry : fs::directory_iterator(dir)) {
    const auto name = entry.path().filename();
    if (name != "kernel.so" && name != "sum") fs::remove_all(entry.path());
  }
}

}  // namespace

bool GateLibrary::is_cached(const RtlSpec& spec) {
  return !cache_dir().empty() &&
         fs::exists(cache_dir() / netlist_entry(spec, rtl_sources_of(spec)) / "netlist");
}

std::shared_ptr<const GateLibrary> GateLibrary::load(const RtlSpec& spec, LaneWidth width,
                                                     bool forced) {
  // Modules of other texts may have the same name.
  if (!spec.extra.empty()) return load(netlist_of(spec), spec.top, width, forced);
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<const GateLibrary>> in_use;
  const std::string key = fmt::format("{} {} {} {} {} {} {} {}", rtl_dir().string(),
                                      cache_dir().string(), optimisation_text(), rtl_name(spec),
                                      spec.assertions, lanes(width), forced, spec.liberty.string());
  {
    const std::lock_guard lock(mutex);
    if (auto library = in_use[key].lock()) return library;
  }
  auto library = load(netlist_of(spec), spec.top, width, forced);
  const std::lock_guard lock(mutex);
  in_use[key] = library;
  return library;
}

std::shared_ptr<const GateLibrary> GateLibrary::load(const Netlist& netlist,
                                                     const std::string& name, LaneWidth width,
                                                     bool forced) {
  std::shared_ptr<GateLibrary> library(new GateLibrary);
  library->netlist_ = netlist;
  library->width_ = width;
  library->forced_ = forced;
  library->operands_ = operand_places(netlist);
  const auto step = schedule_step(netlist);
  library->places_ = state_places(netlist, step);
  const std::uint64_t hash =
      fnv1a(fmt::format("{} {} {} {} {} {}", kKernelRecipe, lanes(width), forced, WEFT_CC,
                        optimisation_text(), to_text(netlist)),
            kHashStart);
  const auto read = [&](const fs::path& entry) -> std::optional<void*> {
    if (!read_checked(entry / "sum", entry / "kernel.so")) return {};
    void* const handle = dlopen((entry / "kernel.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) throw std::runtime_error(dlerror());
    return handle;
  };
  library->handle_ = CacheFolder().entry(
      fmt::format("{}-{}lanes-{:016x}", name, lanes(width), hash), read, [&](const fs::path& dir) {
        if (isatty(2)) std::cerr << fmt::format("compiling {} for {} lanes\n", name, lanes(width));
        compile(kernel_source(netlist, step, library->places_, {.width = width, .forced = forced}),
                width, dir);
      });
  resolve_symbol(library->handle_, "weft_step", library->step);
  resolve_symbol(library->handle_, "weft_outputs", library->outputs_of);
  resolve_symbol(library->handle_, "weft_reset", library->reset);
  return library;
}

Netlist GateLibrary::netlist_of(const RtlSpec& spec) {
  const auto sources = rtl_sources_of(spec);
  const std::string name = rtl_name(spec);
  const auto read = [](const fs::path& entry) -> std::optional<Netlist> {
    const auto text = read_checked(entry / "netlist");
    if (!text) return {};
    return weft::netlist_of(*text);
  };
  return CacheFolder().entry(netlist_entry(spec, sources), read, [&](const fs::path& fresh) {
    if (isatty(2)) std::cerr << fmt::format("synthesising {}\n", name);
    write_checked(fresh / "netlist", to_text(synthesise(spec, sources)));
  });
}

GateLibrary::~GateLibrary() {
  if (handle_ != nullptr) dlclose(handle_);
}

const GatePort* GateLibrary::find_port(std::string_view name) const {
  const auto found = std::ranges::find(netlist_.ports, name, &GatePort::name);
  return found == netlist_.ports.end() ? nullptr : &*found;
}

const GatePort& GateLibrary::port(std::string_view name) const {
  if (const GatePort* const found = find_port(name)) return *found;
  throw std::out_of_range(fmt::format("no port {}", name));
}

std::vector<std::string> GateLibrary::paths_to(std::string_view output) const {
  const GatePort& to = port(output);
  std::vector<std::uint8_t> seen(netlist_.nets());
  std::vector<NetId> open(netlist_.outputs.begin() + to.first,
                          netlist_.outputs.begin() + to.first + to.width);
  std::vector<std::string> names;
  while (!open.empty()) {
    const NetId n = open.back();
    open.pop_back();
    if (seen[n]) continue;
    seen[n] = 1;
    each_input(netlist_, n, [&](NetId in) { open.push_back(in); });
  }
  for (const GatePort& from : netlist_.ports) {
    bool reached = false;
    for (std::uint32_t b = 0; from.input && b < from.width; ++b) {
      reached = reached || seen[Netlist::kFirstInput + from.first + b];
    }
    if (reached) names.push_back(from.name);
  }
  return names;
}

std::vector<RegisterBit> GateLibrary::find_register(std::string_view name) const {
  std::map<std::uint32_t, RegisterBit> found;
  const auto add = [&](const std::string& full, RegisterBit bit) {
    if (full.size() <= name.size() + 2 || !full.starts_with(name) || full[name.size()] != '[') {
      return;
    }
    const std::string index = full.substr(name.size() + 1);
    if (index.find(']') + 1 == index.size()) found[std::stoul(index)] = bit;
  };
  for (std::uint32_t f = 0; f < netlist_.flops.size(); ++f) {
    add(netlist_.flops[f].name, {places_[f], false});
  }
  for (const FlopAlias& alias : netlist_.aliases) {
    add(alias.name, alias.constant ? RegisterBit{RegisterBit::kConstant, alias.of != 0}
                                   : RegisterBit{places_[alias.of], false});
  }
  std::vector<RegisterBit> bits;
  for (const auto& [index, bit] : found) {
    bits.resize(index + 1);
    bits[index] = bit;
  }
  return bits;
}

}  // namespace weft
