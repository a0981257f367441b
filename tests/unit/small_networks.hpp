// A small network of each kind, for tests that run something on all of them.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace weft::small {

/// Files of networks and schedules, for the time of a test.
class Folder {
 public:
  explicit Folder(const char* name)
      : path_(std::filesystem::temp_directory_path() / fmt::format("weft_{}.{}", name, getpid())) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Writes a file and returns its name.
  std::string write(const char* name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

/// A graph of six routers with a node each: a ring, and a link across it from router 0.
inline std::string graph_text(unsigned across) {
  nlohmann::json net = {{"routers", nlohmann::json::array()},
                        {"nodes", nlohmann::json::array()},
                        {"links", nlohmann::json::array()}};
  const auto name = [](unsigned i) { return fmt::format("r{}", i % 6); };
  for (unsigned i = 0; i < 6; ++i) {
    net["routers"].push_back({{"name", name(i)}});
    net["nodes"].push_back(name(i));
    net["links"].push_back({{"from", name(i)}, {"to", name(i + 1)}});
  }
  net["links"].push_back({{"from", name(0)}, {"to", name(across)}});
  return net.dump();
}

/// The object at /topology of each network; kind `graph` reads the file `graph`.
inline std::vector<nlohmann::json> networks(const std::string& graph) {
  return {{{"kind", "board"}, {"dims", {2, 1, 2, 1}}, {"mains", 2}, {"aggregators", 1}},
          {{"kind", "crossbar_2d"}, {"dims", {2, 2}}},
          {{"kind", "dce"}, {"n", 2}, {"y_bits", 2}, {"delta", 1}},
          {{"kind", "dragonfly"}, {"p", 1}, {"a", 2}, {"h", 1}},
          {{"kind", "fat_tree"}, {"levels", 3}},
          {{"kind", "full_crossbar"}, {"pes", 5}},
          {{"kind", "graph"}, {"file", graph}},
          {{"kind", "hier_crossbar"}, {"dims", {3, 2}}},
          {{"kind", "hypercube"}, {"dimensions", 3}},
          {{"kind", "hyperx"}, {"dims", {2, 2}}},
          {{"kind", "hyperx"}, {"dims", {3}}, {"nodes_per_router", 2}},
          {{"kind", "mdce"}, {"n", 2}, {"B", 1}, {"C", 1}, {"P", 1}},
          {{"kind", "mesh"}, {"dims", {3, 2}}},
          {{"kind", "omega"}, {"levels", 2}},
          {{"kind", "ring"}, {"nodes", 5}},
          {{"kind", "torus"}, {"dims", {2, 2}}},
          {{"kind", "torus"}, {"dims", {3, 3}}},
          {{"kind", "torus"}, {"dims", {4}}},
          {{"kind", "tree"}, {"radix", 2}, {"levels", 3}}};
}

}  // namespace weft::small
