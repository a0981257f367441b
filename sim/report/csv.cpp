// Results as CSV.
#include "sim/report/csv.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace weft {
using nlohmann::json;

std::string csv_field(const json& value) {
  if (value.is_null()) return "";
  auto text = value.is_string() ? value.get<std::string>()
                                : value.dump(-1, ' ', false, json::error_handler_t::replace);
  text.resize(std::min(text.size(), text.find('\n')));
  if (text.find_first_of(",\"\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string csv_row(const std::vector<std::string>& fields) {
  return fmt::format("{}\n", fmt::join(fields, ","));
}

std::string states_csv(const std::vector<UnitArray>& states) {
  std::string text = "rank,element,value\n";
  for (const UnitArray& unit : states) {
    const auto add = [&](const auto& elements) {
      for (std::size_t e = 0; e < elements.size(); ++e) {
        fmt::format_to(std::back_inserter(text), "{},{},{}\n", unit.rank, e, elements[e]);
      }
    };
    std::visit(add, unit.elements);
  }
  return text;
}

std::string links_csv(const Result& result, const Graph& graph) {
  std::string text = "link,from,from_port,to,to_port,class,stages,flits,flits_per_cycle\n";
  for (std::size_t l = 0; l < graph.links.size(); ++l) {
    const Link& link = graph.links[l];
    if (link.src_block == kOpen) continue;
    fmt::format_to(
        std::back_inserter(text), "{},{},{},{},{},{},{},{},{:.6f}\n", l,
        graph.blocks[link.src_block].name, link.src_port, graph.blocks[link.dst_block].name,
        link.dst_port, csv_field(graph.class_name(link)), link.stages, result.link_load[l],
        result.cycles == 0
            ? 0.0
            : static_cast<double>(result.link_load[l]) / static_cast<double>(result.cycles));
  }
  return text;
}

std::string latencies_csv(const TrafficResult& traffic) {
  std::string text = "cycles,packets\n";
  for (std::size_t cycles = 0; cycles < traffic.latencies.size(); ++cycles) {
    if (traffic.latencies[cycles] == 0) continue;
    fmt::format_to(std::back_inserter(text), "{},{}\n", cycles, traffic.latencies[cycles]);
  }
  return text;
}

}  // namespace weft
