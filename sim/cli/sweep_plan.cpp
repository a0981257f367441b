// Reading of sweep files: series of axes whose values are combined.
#include "sim/cli/sweep_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>

#include "sim/base/error.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/sweep_axes.hpp"
#include "sim/config/document.hpp"
#include "sim/config/json_cursor.hpp"
#include "sim/engine/engine.hpp"
#include "sim/run/prepare.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"
#include "sim/workload/workload.hpp"

namespace weft::cli {
using nlohmann::json;
namespace {

using Pointer = json::json_pointer;

constexpr unsigned kMaxSeeds = 1000;

class SweepReader {
 public:
  SweepReader(const json& document, std::string file)
      : document_(document), source_(file), file_(std::move(file)), axes_(document, source_) {}

  SweepPlan read();

 private:
  // Names of a point.
  struct Names {
    std::string series, label;
  };
  JsonCursor cursor(const Pointer& at) const { return {document_.at(at), source_, at.to_string()}; }
  bool has(const Pointer& at) const { return document_.contains(at); }
  void read_base();
  Step read_limits() const;
  void read_losses(const Pointer& at);
  std::string read_engine(const Pointer& at, const std::string& otherwise) const;
  void read_series(const Pointer& at, const std::string& name, const Step& common);
  void check_losses(const SweepPoint& point, const Graph& graph) const;
  void note_column(const std::string& path);
  void add_point(const Names& names, const std::string& engine, const Step& common, const Step& own,
                 std::size_t group);
  void add_seeds(const Names& names, const std::string& engine, const Step& common,
                 const Step& own);
  [[noreturn]] void explain(const ConfigError& error, const std::string& name,
                            const Step& settings) const;

  const json& document_;
  Source source_;
  std::string file_;
  AxesReader axes_;
  json base_;
  std::string base_file_;          // Empty: the base is in the sweep file.
  std::optional<Pointer> losses_;  // In the present series: where losses are asked for.
  SweepPlan plan_;
};

void SweepReader::read_base() {
  const auto base = cursor(Pointer("")).at("base", "a configuration, or the name of one");
  if (base.value().is_string()) {
    // The base file is also checked by itself: it is a configuration for `weft run`.
    base_file_ = ConfigArguments{base.text("the name of a configuration"), {}}.load().source.file();
    base_ = read_document(base_file_);
    plan_.inputs.insert(base_file_);
    return;
  }
  if (!base.value().is_object()) base.refuse("a configuration, or the name of one");
  base_ = base.value();
}

Step SweepReader::read_limits() const {
  const Pointer at("/limits");
  if (!has(at)) return {};
  cursor(at).only_keys({"max_cycles", "watchdog"});
  return axes_.settings(at);
}

std::string SweepReader::read_engine(const Pointer& at, const std::string& otherwise) const {
  if (!has(at)) return otherwise;
  std::vector<std::string> names;
  for (const EngineEntry& engine : engines()) {
    if (document_.at(at) == engine.name) return engine.name;
    names.emplace_back(engine.name);
  }
  cursor(at).refuse(fmt::format("\"{}\"", fmt::join(names, "\", \"")));
}

void SweepReader::read_losses(const Pointer& at) {
  losses_.reset();
  for (const Pointer& flag : {at / "losses", Pointer("/losses")}) {
    if (!has(flag)) continue;
    if (cursor(flag).boolean()) losses_ = flag;
    return;
  }
}

// Errors of a configuration name its JSON pointers; this maps them to those of the sweep file.
void SweepReader::explain(const ConfigError& error, const std::string& name,
                          const Step& settings) const {
  if (error.file != name || error.pointer.empty()) throw error;
  const auto at = [&](const std::string& file, const std::string& pointer) {
    return ConfigError(file, pointer, error.value, error.expected, error.fault);
  };
  for (auto s = settings.rbegin(); s != settings.rend(); ++s) {
    const std::string own = s->pointer();
    if (error.pointer == own || error.pointer.starts_with(own + "/")) {
      throw at(file_, s->origin.to_string() + error.pointer.substr(own.size()));
    }
  }
  throw base_file_.empty() ? at(file_, "/base" + error.pointer) : at(base_file_, error.pointer);
}

void SweepReader::check_losses(const SweepPoint& point, const Graph& graph) const {
  RunOptions options;
  options.engine = point.engine;
  options.losses = true;
  try {
    check_options(point.config, graph, options);
  } catch (const ConfigError& error) {
    source_.refuse(losses_->to_string(), true, error.expected + ", not " + error.value);
  }
}

void SweepReader::note_column(const std::string& path) {
  auto& columns = plan_.columns;
  if (std::find(columns.begin(), columns.end(), path) == columns.end()) columns.push_back(path);
}

void SweepReader::add_point(const Names& names, const std::string& engine, const Step& common,
                            const Step& own, std::size_t group) {
  SweepPoint point;
  point.group = group;
  point.series = names.series;
  point.label = names.label;
  plan_.labelled |= !point.label.empty();
  point.engine = engine;
  point.losses = losses_.has_value();
  point.settings = json::object();
  Step settings = common;
  settings.insert(settings.end(), own.begin(), own.end());
  json document = base_;
  for (const Setting& s : settings) {
    try {
      apply_set(document, s.in_words());
    } catch (const ConfigError& error) {
      throw source_.error(s.origin.to_string(), s.value, error.expected);
    }
  }
  for (const Setting& s : own) {
    point.settings[s.path] = s.value;
    note_column(s.path);
  }
  Graph graph;
  std::string source = file_;
  if (!own.empty()) source += " with " + point_in_words(point);
  try {
    point.config = parse_config(document, source);
    check_has_work(point.config);
    graph = build_graph(point.config);
    const Workload work = make_workload(point.config, graph);
    const WorkloadConfig& workload = point.config.workload;
    // Traffic has no bound; its phases determine its length.
    const std::uint64_t cycles = workload.is(kAnyTraffic)
                                     ? workload.known_warmup() + workload.measure
                                     : bound_of(work).cycles;
    point.weight = static_cast<double>(graph.blocks.size()) * static_cast<double>(cycles);
  } catch (const ConfigError& error) {
    explain(error, source, settings);
  }
  if (losses_) check_losses(point, graph);
  for (auto& input : inputs_of(point.config)) plan_.inputs.insert(std::move(input));
  point.key = sweep_key(engine, point.losses, to_json(point.config));
  plan_.points.push_back(std::move(point));
  if (plan_.points.size() > kMostOfSweep) {
    throw ConfigError(fmt::format("{}: more than {} points", file_, kMostOfSweep));
  }
}

// Adds a point; if the sweep has "seeds", one for each of that many successive seeds.
void SweepReader::add_seeds(const Names& names, const std::string& engine, const Step& common,
                            const Step& own) {
  const std::size_t group = plan_.points.size();
  add_point(names, engine, common, own, group);
  if (plan_.seeds == 0) return;
  const std::uint64_t first = plan_.points[group].config.seed;
  plan_.points[group].settings[kSeed] = first;
  note_column(kSeed);
  for (unsigned i = 1; i < plan_.seeds; ++i) {
    Step next = own;
    next.push_back({kSeed, first + i, Pointer("/seeds")});
    add_point(names, engine, common, next, group);
  }
}

void SweepReader::read_series(const Pointer& at, const std::string& name, const Step& common) {
  const std::string engine = read_engine(at / "engine", read_engine(Pointer("/engine"), "model"));
  read_losses(at);
  // At the top level "set" belongs to all series and is in `common`.
  Step own;
  if (!at.empty() && has(at / "set")) own = axes_.settings(at / "set");
  std::vector<Axis> axes;
  Step before = common;
  before.insert(before.end(), own.begin(), own.end());
  if (has(at / "axes")) axes = axes_.axes(at / "axes", before, plan_.seeds != 0);

  std::vector<std::size_t> digits(axes.size(), 0);
  for (bool more = true; more;) {
    Step settings = own;
    std::string label;
    for (std::size_t a = 0; a < axes.size(); ++a) {
      const AxisEntry& entry = axes[a][digits[a]];
      settings.insert(settings.end(), entry.settings.begin(), entry.settings.end());
      if (!label.empty() && !entry.label.empty()) label += ", ";
      label += entry.label;
    }
    add_seeds({name, label}, engine, common, settings);
    std::size_t a = axes.size();
    while (a > 0 && ++digits[a - 1] == axes[a - 1].size()) digits[--a] = 0;
    more = a > 0;
  }
}

SweepPlan SweepReader::read() {
  plan_.source = file_;
  plan_.inputs.insert(file_);
  const JsonCursor root = cursor(Pointer(""));
  root.only_keys({"base", "set", "engine", "losses", "limits", "seeds", "axes", "series"});
  if (root.has("seeds")) {
    plan_.seeds = static_cast<unsigned>(root.member("seeds").number(2, kMaxSeeds));
  }
  read_base();
  Step common = read_limits();
  if (root.has("set")) {
    const Step set = axes_.settings(Pointer("/set"));
    axes_.refuse_hidden(common, set);
    common.insert(common.end(), set.begin(), set.end());
  }
  if (!root.has("series")) {
    read_series(Pointer(""), "", common);
    return std::move(plan_);
  }
  if (root.has("axes")) root.member("axes").refuse("axes within each series, where there are any");
  plan_.named = true;
  const Pointer series("/series");
  const std::size_t count = cursor(series).elements(1, kMostOfSweep, "a list of series").size();
  std::set<std::string> names;
  for (std::size_t i = 0; i < count; ++i) {
    const JsonCursor one = cursor(series / i);
    one.only_keys({"name", "set", "engine", "losses", "axes"});
    const auto name = one.at("name", "a name");
    const std::string text = plain_name(name, "a name");
    if (!names.insert(text).second) name.refuse("a name that no other series has");
    read_series(series / i, text, common);
  }
  return std::move(plan_);
}

}  // namespace

SweepPlan read_sweep(const std::filesystem::path& file) {
  const json document = read_document(file);
  return SweepReader(document, file.string()).read();
}

std::string sweep_key(const std::string& engine, bool losses, const json& config) {
  return engine + (losses ? " losses " : " ") + config.dump();
}

std::string point_in_words(const SweepPoint& point) {
  std::vector<std::string> words;
  if (!point.series.empty()) words.push_back("series=" + point.series);
  for (const auto& [path, value] : point.settings.items()) {
    words.push_back(path + "=" + value.dump());
  }
  return words.empty() ? "the only point" : fmt::format("{}", fmt::join(words, " "));
}

}  // namespace weft::cli
