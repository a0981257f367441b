// Names of the nets of links.
#include "sim/emit/link_ports.hpp"

#include <tuple>

#include "sim/packet/ports.hpp"

namespace weft {

std::vector<LinkSignal> link_signals(const Graph& graph, const Nic::Config& nic) {
  std::vector<LinkSignal> signals;
  const auto add = [&](const auto&... field) {
    (signals.push_back({field.name, port_figure(field.width, nic), false}), ...);
  };
  if (graph.has_routers()) {
    std::apply(add, kFlitFields);
    signals.push_back({"credit", nic.num_vc, true});
  } else {
    std::apply(add, kWordFields);
    signals.push_back({"full", 1, true});
  }
  return signals;
}

std::string link_net(const Graph& graph, std::uint32_t number, bool receiver) {
  return fmt::format("link_{}{}", number,
                     receiver && graph.two_ends(graph.links[number]) ? "_end" : "");
}

void LinkPorts::add_to(Connections& connections) const {
  for (const LinkSignal& signal : signals_) {
    for (const bool rx : {true, false}) {
      std::string list;
      for (std::uint32_t i = rx ? block_.num_in : block_.num_out; i-- > 0;) {
        list += element(rx, signal, i) + (i > 0 ? ", " : "");
      }
      connections[signal.port(rx)] = "{" + list + "}";
    }
  }
}

std::string LinkPorts::open_nets() const {
  std::string text;
  for (const LinkSignal& signal : signals_) {
    for (std::uint32_t i = 0; i < (signal.back ? block_.num_in : block_.num_out); ++i) {
      if (!open(signal.back, i)) continue;
      text += fmt::format("  logic [{}-1:0] {};\n", signal.width, open_net(signal, i));
    }
  }
  return text;
}

std::string LinkPorts::open_net(const LinkSignal& signal, std::uint32_t i) const {
  return fmt::format("{}_{}_open_{}_{}", block_.name, signal.name, signal.back ? "in" : "out", i);
}

std::string LinkPorts::element(bool rx, const LinkSignal& signal, std::uint32_t i) const {
  if (open(rx, i)) {
    return rx == signal.back ? open_net(signal, i) : fmt::format("{{({}){{1'b0}}}}", signal.width);
  }
  // An interface returns one credit line for each link.
  const bool lowest = block_.kind == Block::Kind::kNic && rx && signal.name == "credit";
  const std::uint32_t number = link(rx, i);
  return fmt::format("{}_{}{}", link_net(graph_, number, rx), signal.name, lowest ? "[0]" : "");
}

}  // namespace weft
