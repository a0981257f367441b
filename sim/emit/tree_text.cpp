// The barrier units and combine units of an emitted network, and the edges of their trees.
#include "sim/emit/tree_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/emit/node_ports.hpp"
#include "sim/fabric/barrier_tree.hpp"
#include "sim/fabric/combine_tree.hpp"
#include "sim/fabric/unit_tree.hpp"
#include "sim/link/link_stage.hpp"

namespace weft {
namespace {

// The nets at a place in an edge; empty: there is no such wire.
struct EdgeNets {
  std::string valid, last = "", data = "";  // Forward nets.
  std::string back = "";                    // Net in the opposite direction.
};

std::string slice(const std::string& gathered, std::uint32_t index, unsigned width) {
  return fmt::format("{}[{}*{} +: {}]", gathered, index, width, width);
}

std::string declaration(const std::string& net, unsigned width) {
  return net.empty() ? "" : fmt::format("  logic [{}-1:0] {};\n", width, net);
}

// Instances of link_stage from one end of an edge to the other, `stages` cycles in total, for words
// of `width` bits; the nets that they drive are declared here.
std::string registers(const std::string& name, unsigned stages, unsigned width,
                      const EdgeNets& sender, const EdgeNets& receiver) {
  const auto inner = [&](unsigned place) {
    const auto net = [&](const std::string& of, const char* signal) {
      return of.empty() ? "" : fmt::format("{}_{}_{}", name, place, signal);
    };
    return EdgeNets{net(sender.valid, "valid"), net(sender.last, "last"), net(sender.data, "data"),
                    net(sender.back, "back")};
  };
  std::string text = "\n" + declaration(sender.back, 1);
  EdgeNets from = sender;
  for (unsigned place = 1; stages != 0; ++place) {
    const unsigned count = std::min(stages, LinkStage::kMostStages);
    stages -= count;
    const EdgeNets to = stages == 0 ? receiver : inner(place);
    text += declaration(to.valid, 1) + declaration(to.last, 1) + declaration(to.data, width);
    if (stages != 0) text += declaration(to.back, 1);
    Connections nets = {{"clk_i", "clk_i"}, {"rst_ni", "rst_ni"}};
    const std::pair<const char*, std::string> ports[] = {
        {"rx_valid_i", from.valid}, {"rx_last_i", from.last}, {"rx_data_i", from.data},
        {"rx_back_o", from.back},   {"tx_valid_o", to.valid}, {"tx_last_o", to.last},
        {"tx_data_o", to.data},     {"tx_back_i", to.back}};
    for (const auto& [port, net] : ports) {
      if (!net.empty()) nets[port] = net;
    }
    text += instance<LinkStage>("link_stage", fmt::format("{}_{}", name, place),
                                LinkStage::Config{.stages = count, .data_w = width}, nets);
    from = to;
  }
  return text;
}

// Text of the barrier tree. Units drive gathered ports of the top. What reaches a unit through the
// registers of an edge has a separate net, with the number of the edge's child.
class BarrierText {
 public:
  BarrierText(const UnitTree& tree, bool axi) : tree_(tree), axi_(axi) {}

  std::string edge(std::uint32_t child) const {
    const std::uint32_t parent = tree_[child].parent;
    return registers(fmt::format("barrier_edge_{}", child), tree_[child].cycles - 1, 1,
                     {.valid = slice("barrier_up_o", child, 1), .back = down(child)},
                     {.valid = up(child), .back = slice("barrier_down_o", parent, 1)});
  }
  std::string unit(std::uint32_t rank) const {
    const BarrierUnit::Config unit = barrier_config(tree_, rank);
    std::string children;
    for (unsigned c = unit.num_child; c-- > 0;) {
      children += up(tree_[rank].children[c]) + (c != 0 ? ", " : "");
    }
    Connections to;
    if (unit.num_child != 0) to["up_i"] = "{" + children + "}";
    if (!unit.is_root) to["down_i"] = down(rank);
    if (axi_) to["enter_i"] = slice("barrier_enter_o", rank, 1);
    return block_text<BarrierUnit>("barrier_unit", fmt::format("barrier_{}", rank), unit, to, rank,
                                   rank);
  }

 private:
  // Net at the parent's end of the edge from a child.
  std::string up(std::uint32_t child) const {
    return tree_.has_registers(child) ? fmt::format("barrier_up_{}", child)
                                      : slice("barrier_up_o", child, 1);
  }
  std::string down(std::uint32_t child) const {
    return tree_.has_registers(child) ? fmt::format("barrier_down_{}", child)
                                      : slice("barrier_down_o", tree_[child].parent, 1);
  }

  const UnitTree& tree_;
  const bool axi_;
};

// Text of the combining tree, as BarrierText.
class CombineText {
 public:
  CombineText(const UnitTree& tree, const PacketForm& form) : tree_(tree), form_(form) {}

  std::string edge(std::uint32_t child) const {
    const unsigned stages = tree_[child].cycles - 1;
    return registers(fmt::format("combine_up_{}", child), stages, form_.data_w, up_sent(child),
                     up(child)) +
           registers(fmt::format("combine_down_{}", child), stages, form_.data_w, down_sent(child),
                     down(child));
  }
  std::string unit(std::uint32_t rank) const {
    const CombineUnit::Config unit = combine_config(tree_, rank, form_);
    std::string valid, some, word;  // The last child first.
    for (unsigned c = CombineUnit::kMostChild; c-- > 0;) {
      EdgeNets of_child{"1'd0", "1'd0", fmt::format("{}'d0", unit.data_w)};
      if (c < unit.num_child) of_child = up(tree_[rank].children[c]);
      const char* const separator = c != 0 ? ", " : "";
      valid += of_child.valid + separator;
      some += of_child.last + separator;
      word += of_child.data + separator;
    }
    Connections to = {{"up_valid_i", "{" + valid + "}"},
                      {"up_some_i", "{" + some + "}"},
                      {"up_word_i", "{" + word + "}"}};
    if (!unit.is_root) {
      to["up_credit_i"] = tree_.has_registers(rank) ? up_sent(rank).back : up(rank).back;
      to["down_valid_i"] = down(rank).valid;
      to["down_word_i"] = down(rank).data;
    }
    return block_text<CombineUnit>("combine_unit", fmt::format("combine_{}", rank), unit, to, rank,
                                   rank);
  }

 private:
  // Nets at the child's end of the edge to its parent: what the child sends up, and the net of the
  // credits that it gets.
  EdgeNets up_sent(std::uint32_t child) const {
    return {slice("combine_up_valid_o", child, 1), slice("combine_up_some_o", child, 1),
            slice("combine_up_word_o", child, form_.data_w),
            fmt::format("combine_up_{}_credit", child)};
  }
  // Nets at the parent's end of the edge from a child: what the parent sees, and the credits that
  // it returns.
  EdgeNets up(std::uint32_t child) const {
    EdgeNets nets = up_sent(child);
    if (tree_.has_registers(child)) {
      const std::string net = fmt::format("combine_up_{}", child);
      nets = {net + "_valid", net + "_some", net + "_word"};
    }
    const std::uint32_t place = CombineUnit::kMostChild * tree_[child].parent + tree_[child].number;
    nets.back = slice("combine_up_credit_o", place, 1);
    return nets;
  }
  // Nets at the parent's end of the edge to a child: what the parent sends down.
  EdgeNets down_sent(std::uint32_t child) const {
    const std::uint32_t parent = tree_[child].parent;
    return {.valid = slice("combine_down_valid_o", parent, 1),
            .data = slice("combine_down_word_o", parent, form_.data_w)};
  }
  EdgeNets down(std::uint32_t child) const {
    if (!tree_.has_registers(child)) return down_sent(child);
    const std::string net = fmt::format("combine_down_{}", child);
    return {.valid = net + "_valid", .data = net + "_word"};
  }

  const UnitTree& tree_;
  const PacketForm& form_;
};

template <class Text>
std::string text_of(const UnitTree& tree, const Text& text) {
  std::string edges, units;
  for (std::uint32_t rank = 0; rank < tree.nodes(); ++rank) {
    if (rank != tree.root() && tree.has_registers(rank)) edges += text.edge(rank);
    units += text.unit(rank);
  }
  return edges + units;
}

}  // namespace

std::string tree_text(const Config& config, const Graph& graph, bool axi) {
  if (!config.derived.barrier_units && !config.derived.combine_units) return {};
  const UnitTree tree(graph);
  std::string text;
  if (config.derived.barrier_units) text += text_of(tree, BarrierText(tree, axi));
  if (config.derived.combine_units) text += text_of(tree, CombineText(tree, graph.header));
  return text;
}

}  // namespace weft
