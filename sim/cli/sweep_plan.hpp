// The runs that a sweep file describes.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "sim/config/config.hpp"

namespace weft::cli {

/// One run of a sweep.
struct SweepPoint {
  std::string series;       ///< Name of its series; empty if the sweep has none.
  std::string label;        ///< Labels of its axes' entries; empty if there are none.
  nlohmann::json settings;  ///< Values in which it differs from the base: an object by path.
  Config config;
  std::string engine;
  bool losses = false;    ///< Losses are counted, as by `weft run --losses`.
  std::string key;        ///< Resolved configuration, engine, losses: equal for equal runs.
  std::size_t group = 0;  ///< Equal for points that differ only in the seed, of "seeds".
  double weight = 0;  ///< Blocks times least cycles: its expected time relative to other points.
};

/// All runs of a sweep, in the order of the file: series after series, the last axis fastest.
struct SweepPlan {
  std::string source;                      ///< The sweep file, for messages.
  std::set<std::filesystem::path> inputs;  ///< All files that are read.
  bool named = false;                      ///< The points have series.
  bool labelled = false;                   ///< Some point has a label.
  std::vector<std::string> columns;  ///< Every path that a series sets, in order of appearance.
  unsigned seeds = 0;                ///< Runs of each setting for confidence.csv; 0: there is none.
  std::vector<SweepPoint> points;
};

/// Reads a sweep file
///
///     { "base": "xbar16",                            a configuration, or the name of one
///       "limits": {"max_cycles": 1000000, "watchdog": 100000},
///       "set": {"workload.message_flits": 4},        for all points
///       "engine": "model",
///       "losses": true,                              count why links idle and packets wait
///       "seeds": 5,                                  every point with its seed and 4 further ones
///       "series": [                                  or "axes" alone, without series
///         {"name": "depths",                         may also have its own of the three
///          "axes": [{"router.vc_depth": [4, 8]},     one path and its values
///                   [{"topology.dims": [4, 4]},      what is set together
///                    {"topology.dims": [8, 8], "nic.controllers": 2, "label": "large"}]]}] }
///
/// in which paths are those of `weft run --set`, a label is what tables and pictures say for what
/// is set beside it; a series is the product of its axes, a sweep the union of its series, and
/// "seeds" the fastest axis of all. An axis has each value once, and does not replace what another
/// one, "set" or "limits" set. It checks every point as far as can be done without running it: the
/// configuration, the network, the workload. Throws ConfigError naming file, JSON pointer (into the
/// sweep file if the value is there), value and expected values.
SweepPlan read_sweep(const std::filesystem::path& file);

/// Key of a point, or of a run in results.jsonl.
std::string sweep_key(const std::string& engine, bool losses, const nlohmann::json& config);

/// Settings of a point for messages, "path=value path=value"; "the only point" if it has none.
std::string point_in_words(const SweepPoint& point);

}  // namespace weft::cli
