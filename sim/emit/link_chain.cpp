// The blocks in a link of an emitted network, and the nets between them.
#include "sim/emit/link_chain.hpp"

#include <fmt/format.h>

#include "sim/fabric/link_blocks.hpp"

namespace weft {
namespace {

// A place between two blocks of a link, or an end of it.
struct Place {
  std::string net;    // Beginning of the names of the nets of what goes forward.
  std::string back;   // Net of what comes back.
  bool inner = true;  // Between two blocks, where a protected link has a check code.
};

bool goes_back(const std::string& signal) {
  return signal == "credit" || signal == "full" || signal == "back";
}

// Connects one side of a block: `side` rx to what is nearer the sender, tx to the receiver.
template <class BlockT, class Config>
void connect(const Config& config, const std::string& side, const Place& place,
             Connections& nets) {
  for (const PortShape& port : port_shapes<BlockT>(config)) {
    if (!port.name.starts_with(side + "_")) continue;
    const std::string signal = port.name.substr(3, port.name.size() - 5);
    if (signal == "check" && !place.inner) continue;
    nets[port.name] = goes_back(signal) ? place.back : fmt::format("{}_{}", place.net, signal);
  }
}

// Declares the nets before a block: all but the ends have them here.
template <class BlockT, class Config>
std::string declare(const Config& config, const Place& place) {
  std::string text;
  for (const PortShape& port : port_shapes<BlockT>(config)) {
    if (!port.name.starts_with("rx_")) continue;
    const std::string signal = port.name.substr(3, port.name.size() - 5);
    text += fmt::format("  logic [{}-1:0] {};\n", port.width,
                        goes_back(signal) ? place.back : fmt::format("{}_{}", place.net, signal));
  }
  return text;
}

}  // namespace

std::string link_chain_text(const Graph& graph, std::uint32_t number, bool parity) {
  const LinkChain chain = link_chain(graph, number, parity);
  const std::string line = graph.has_routers() ? "credit" : "full";
  const auto place = [&](std::size_t p) -> Place {
    if (p != 0 && p != chain.blocks.size()) {
      const std::string net = fmt::format("link_{}_{}", number, p);
      return {net, net + "_back"};
    }
    const std::string net = link_net(graph, number, p != 0);
    return {net, fmt::format("{}_{}", net, line), false};
  };
  std::string declared, instances;
  for (std::size_t b = 0; b < chain.blocks.size(); ++b) {
    std::visit(
        [&]<class Form>(const Form& form) {
          using BlockT = typename Form::Block;
          Connections nets = {{"clk_i", "clk_i"}, {"rst_ni", "rst_ni"}};
          connect<BlockT>(form.config, "rx", place(b), nets);
          connect<BlockT>(form.config, "tx", place(b + 1), nets);
          if (b != 0) declared += declare<BlockT>(form.config, place(b));
          instances += instance<BlockT>(form.name, fmt::format("link_{}_{}", number, form.name),
                                        form.config, nets);
        },
        chain.blocks[b]);
  }
  return declared + instances;
}

}  // namespace weft
