// The details of a run as JSON.
#include "sim/report/detail_json.hpp"

#include <cmath>
#include <string>

#include "sim/report/drawing.hpp"
#include "sim/report/result_fields.hpp"

namespace weft {
namespace {

using nlohmann::json;

const char* kind_of(const Block& block) {
  switch (block.kind) {
    case Block::Kind::kNic:
      return "nic";
    case Block::Kind::kRouter:
      return "router";
    default:
      return "crossbar";
  }
}

// Three decimals are enough for a place.
double rounded(double value) {
  return std::round(value * 1000) / 1000;
}

json blocks_json(const Graph& graph, const std::optional<Drawing>& drawing) {
  json blocks = json::array();
  for (std::size_t b = 0; b < graph.blocks.size(); ++b) {
    json& block = blocks.emplace_back();
    block = {{"name", graph.blocks[b].name}, {"kind", kind_of(graph.blocks[b])}};
    if (!drawing) continue;
    block["x"] = rounded(drawing->places[b].x);
    block["y"] = rounded(drawing->places[b].y);
  }
  return blocks;
}

// The cycles of a link by cause, with the names of those of all links.
json causes_json(const LossSums& losses, const LossSums::Causes& causes) {
  LossSums of_link = losses;
  of_link.causes = causes;
  json object;
  put(object, link_cause_fields(), of_link);
  return object.at("link_cycles");
}

json links_json(const Result& result, const Graph& graph, const std::optional<Drawing>& drawing) {
  std::vector<const LinkLosses*> losses(graph.links.size());
  for (const LinkLosses& link : result.link_losses) losses[link.link] = &link;
  json links = json::array();
  for (std::size_t l = 0; l < graph.links.size(); ++l) {
    const Link& link = graph.links[l];
    if (link.src_block == kOpen) continue;
    json& object = links.emplace_back();
    object = {{"link", l},
              {"from", link.src_block},
              {"from_port", link.src_port},
              {"to", link.dst_block},
              {"to_port", link.dst_port},
              {"class", graph.class_name(link)},
              {"stages", link.stages},
              {"flits", result.link_load[l]}};
    if (drawing) object["wrap"] = bool{drawing->wraps[l]};
    if (losses[l] != nullptr) object["idle"] = causes_json(*result.losses, losses[l]->causes);
  }
  return links;
}

json nodes_json(const Result& result, const Graph& graph) {
  json nodes = json::array();
  for (std::uint32_t n = 0; n < graph.nodes; ++n) {
    const Block& block = graph.blocks[n];
    std::uint64_t sent = 0, received = 0;
    for (std::uint32_t i = 0; i < block.num_out; ++i) {
      sent += result.link_load[graph.out_link[block.first_out + i]];
    }
    for (std::uint32_t i = 0; i < block.num_in; ++i) {
      received += result.link_load[block.first_in + i];
    }
    json& node = nodes.emplace_back();
    node = {{"rank", n}, {"flits_sent", sent}, {"flits_received", received}};
    if (result.jobs.empty()) continue;
    // A program that is loaded begins in cycle 0.
    const auto& [begin, end] = result.jobs[n];
    if (begin || result.startup_cycles == 0) node["job_start"] = begin.value_or(0);
    if (end) node["job_end"] = *end;
  }
  return nodes;
}

}  // namespace

json detail_json(const Result& result, const Graph& graph) {
  const std::optional<Drawing> drawing = drawing_of(graph);
  json detail = {{"blocks", blocks_json(graph, drawing)},
                 {"links", links_json(result, graph, drawing)},
                 {"nodes", nodes_json(result, graph)}};
  if (result.traffic) {
    json& latencies = detail["latencies"] = json::array();
    for (std::size_t cycles = 0; cycles < result.traffic->latencies.size(); ++cycles) {
      const std::uint32_t packets = result.traffic->latencies[cycles];
      if (packets != 0) latencies.push_back({cycles, packets});
    }
  }
  for (const PhaseResult& phase : result.phases) {
    detail["phases"].push_back(
        {{"node", phase.node}, {"name", phase.name}, {"begin", phase.begin}, {"end", phase.end}});
  }
  if (result.activity) {
    json classes = {Graph::kInterfaceClass};
    for (const std::string& name : graph.link_classes) classes.push_back(name);
    detail["activity"] = {{"interval", result.activity->interval},
                          {"classes", classes},
                          {"flits", result.activity->flits}};
  }
  return detail;
}

}  // namespace weft
