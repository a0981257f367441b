// Links that a fault of the configuration affects.
#include "sim/topology/fault_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace weft {
namespace {

// The blocks at the ends of a link, in words.
std::string ends(const Graph& graph, const Link& link) {
  return graph.blocks[link.src_block].name + " -> " + graph.blocks[link.dst_block].name;
}

bool names(const Graph& graph, std::uint32_t l, const std::string& name) {
  const std::string whole = graph.link_name(l);
  return whole == name || whole.substr(0, whole.find(" ->")) == name ||
         ends(graph, graph.links[l]) == name;
}

// "all", "interface", "x": the words for several links that this network has.
std::string classes_in_words(const Graph& graph) {
  std::set<std::string> used;
  for (const Link& link : graph.links) {
    if (link.src_block != kOpen) used.insert(graph.class_name(link));
  }
  std::string words = "\"all\"";
  for (const std::string& name : used) words += ", \"" + name + "\"";
  return words;
}

}  // namespace

std::vector<std::uint32_t> fault_links(const Config& config, const Graph& graph,
                                       std::size_t fault) {
  const Fault& f = config.faults[fault];
  const std::string pointer = fmt::format("/faults/{}", fault);
  if (f.link.empty()) {
    if (f.node >= graph.nodes) {
      config.source.refuse(pointer + "/node", f.node,
                           fmt::format("a rank from 0 to {}", graph.nodes - 1));
    }
    const Block& node = graph.blocks[f.node];
    if (f.port >= node.num_in) {
      config.source.refuse(pointer + "/port", f.port,
                           fmt::format("a link of the interface, 0 to {}", node.num_in - 1));
    }
    return {node.first_in + f.port};
  }
  std::vector<std::uint32_t> links;
  const bool several = f.link == "all" || f.link == Graph::kInterfaceClass ||
                       std::find(graph.link_classes.begin(), graph.link_classes.end(), f.link) !=
                           graph.link_classes.end();
  for (std::uint32_t l = 0; l < graph.links.size(); ++l) {
    const Link& link = graph.links[l];
    if (link.src_block == kOpen) continue;
    if (several ? f.link == "all" || graph.class_name(link) == f.link : names(graph, l, f.link)) {
      links.push_back(l);
    }
  }
  if (links.empty()) {
    std::uint32_t example = 0;
    while (graph.links[example].src_block == kOpen) ++example;
    config.source.refuse(
        pointer + "/link", f.link,
        fmt::format("a link of this network, as \"{}\", those between two blocks, as \"{}\", or "
                    "with rate a class of links: {}",
                    graph.link_name(example), ends(graph, graph.links[example]),
                    classes_in_words(graph)));
  }
  if (f.rate == 0 && (several || links.size() > 1)) {
    config.source.refuse(
        pointer + "/link", f.link,
        fmt::format("one link, as \"{}\"; several only with rate", graph.link_name(links.front())));
  }
  return links;
}

}  // namespace weft
