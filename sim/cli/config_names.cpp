// The named configurations: their folder, their present and former names, what each is.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "sim/base/installation.hpp"
#include "sim/cli/commands.hpp"

namespace weft::cli {
namespace fs = std::filesystem;
namespace {

struct Description {
  const char *name, *text;
};
constexpr Description kDescriptions[] = {
    {"board_uniform", "system boards with aggregation units (JP 7087953)"},
    {"full16", "one full crossbar (JP 3609908 B2, prior art, fig. 8)"},
    {"mdce_uniform", "rings with cross links (MDCE; Yokota et al., 1995)"},
    {"mesh_a2at", "all-to-all in groups that load all directions alike (Takaue et al., 2010)"},
    {"torus32_uniform", "1,024 nodes under synthetic traffic"},
    {"torus3d_hop_group", "all-to-all grouped by hops, three dimensions (US 2014/0201475)"},
    {"torus_a2at", "all-to-all in groups that load all directions alike (Takaue et al., 2010)"},
    {"torus_a2at_slots", "all-to-all in packet-time slots, which keep every link busy"},
    {"torus_hop_group", "all-to-all grouped by hops, paced (US 2014/0201475)"},
    {"xbar1024", "multi-dimensional crossbars (JP 3609908 B2, fig. 7)"},
    {"xbar16", "multi-dimensional crossbars (JP 3609908 B2), small: the first look"},
    {"xbar256", "multi-dimensional crossbars (JP 3609908 B2, fig. 1)"},
    {"xbar2d_16", "crossbars of rows and columns (JP 3609908 B2, prior art, fig. 9)"},
};

// Configurations used to be named after the paper that they come from.
struct Renamed {
  const char *before, *now;
};
constexpr Renamed kRenamed[] = {
    {"seed000_3d", "torus3d_hop_group"}, {"seed000_torus", "torus_hop_group"},
    {"seed001_mdce", "mdce_uniform"},    {"seed003_board", "board_uniform"},
    {"seed004_mesh", "mesh_a2at"},       {"seed004_slots", "torus_a2at_slots"},
    {"seed004_torus", "torus_a2at"},
};

}  // namespace

fs::path config_folder() {
  const fs::path folder = source_dir() / "sim" / "cli" / "configs";
  const fs::path near = fs::proximate(folder);
  return near.native().size() < folder.native().size() ? near : folder;
}

std::vector<std::string> config_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(config_folder())) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

fs::path named_config(const std::string& name) {
  const fs::path folder = config_folder();
  if (fs::exists(folder / (name + ".json"))) return folder / (name + ".json");
  for (const Renamed& renamed : kRenamed) {
    if (name != renamed.before) continue;
    fmt::print(stderr, "weft: {} is {} now\n", name, renamed.now);
    return folder / (std::string(renamed.now) + ".json");
  }
  return {};
}

std::string config_description(const std::string& name) {
  for (const Description& description : kDescriptions) {
    if (name == description.name) return description.text;
  }
  return "";
}

}  // namespace weft::cli
