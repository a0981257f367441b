// The blocks in a link of an emitted network, the nets between them, and points where faults are
// injected.
#include "sim/emit/link_chain.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/link/credit_fifo.hpp"
#include "sim/link/credit_gate.hpp"
#include "sim/link/credit_rx.hpp"
#include "sim/link/credit_tx.hpp"
#include "sim/link/guard_rx.hpp"
#include "sim/link/guard_tx.hpp"
#include "sim/link/link_rx.hpp"
#include "sim/link/link_stage.hpp"
#include "sim/link/link_tx.hpp"

namespace weft {
namespace {

bool goes_back(const std::string& signal) {
  return signal == "credit" || signal == "full" || signal == "back";
}

// The signal of a port: "data" for "tx_data_o".
std::string signal_of(const std::string& port) {
  return port.substr(3, port.size() - 5);
}

// Net that is read behind a point of injection.
std::string hit(const std::string& net) {
  return net + "_hit";
}

}  // namespace

std::vector<std::uint32_t> injected_links(const Graph& graph) {
  std::vector<std::uint32_t> links;
  for (std::uint32_t l = 0; l < graph.links.size(); ++l) {
    if (graph.links[l].injected && graph.links[l].src_block != kOpen) links.push_back(l);
  }
  return links;
}

std::span<const LinkCounter> link_counters(const Graph& graph) {
  static constexpr LinkCounter kCounters[] = {
      {"errors", "words that arrived with a wrong check code"},
      {"retries", "times that the sender has gone back"},
      {"lost", "packets that were lost or discarded"},
      {"stuck", "1 if the link is dead: what its sender repeats is not acknowledged"}};
  if (graph.protection == Protection::kNone) return {};
  return kCounters;
}

std::vector<LinkSignal> fault_signals(const Graph& graph, bool parity) {
  LinkWires most;
  for (const std::uint32_t l : injected_links(graph)) {
    const LinkWires wires = link_wires(graph, l, parity);
    most.data = std::max(most.data, wires.data);
    most.vc = std::max(most.vc, wires.vc);
    most.stamp = std::max(most.stamp, wires.stamp);
    most.check = std::max(most.check, wires.check);
    most.back = std::max(most.back, wires.back);
  }
  std::vector<LinkSignal> signals = {{"valid", 1, false},          {"last", 1, false},
                                     {"data", most.data, false},   {"vc", most.vc, false},
                                     {"stamp", most.stamp, false}, {"check", most.check, false},
                                     {"back", most.back, true}};
  std::erase_if(signals, [](const LinkSignal& signal) { return signal.width == 0; });
  return signals;
}

LinkChainText::LinkChainText(const Graph& graph, bool parity, bool observe, std::string reset)
    : graph_(graph),
      parity_(parity),
      observe_(observe),
      reset_(std::move(reset)),
      injected_(injected_links(graph)),
      signals_(fault_signals(graph, parity)) {}

std::string LinkChainText::ports() const {
  std::string text;
  for (const LinkSignal& signal : signals_) {
    if (injected_.empty()) break;
    text += fmt::format(
        ",\n  /// Inverted bits on the wires of links, that of the first point of injection "
        "lowest: "
        "{0}.\n  input  logic [{1}*{2}-1:0] fault_{0}_i",
        signal.name, injected_.size(), signal.width);
    if (!observe_) continue;
    text +=
        fmt::format(",\n  /// What drives these wires.\n  output logic [{1}*{2}-1:0] wire_{0}_o",
                    signal.name, injected_.size(), signal.width);
  }
  for (const LinkCounter& counter : link_counters(graph_)) {
    text += fmt::format(
        ",\n  /// Of every link, link_0 lowest: {}.\n"
        "  output logic [{}*{}-1:0] {}",
        counter.meaning, graph_.links.size(), kCountW, counter.port());
  }
  return text;
}

LinkChainText::Place LinkChainText::end(std::uint32_t number, bool receiver) const {
  const std::string net = link_net(graph_, number, receiver);
  return {net, fmt::format("{}_{}", net, graph_.has_routers() ? "credit" : "full"), false};
}

LinkChainText::Place LinkChainText::place(const LinkChain& chain, std::uint32_t number,
                                          std::size_t p) const {
  if (p == 0 || p == chain.blocks.size()) return end(number, p != 0);
  const std::string net = fmt::format("link_{}_{}", number, p);
  return {net, net + "_back", true};
}

std::string LinkChainText::text(std::uint32_t number) const {
  const LinkChain chain = link_chain(graph_, number, parity_);
  const bool injected = graph_.links[number].injected;
  std::string declared, instances;
  std::vector<std::pair<std::string, std::string>> counted;  // By counter: its net.
  for (std::size_t b = 0; b < chain.blocks.size(); ++b) {
    std::visit(
        [&]<class Form>(const Form& form) {
          using BlockT = typename Form::Block;
          Connections nets = {{"clk_i", "clk_i"}, {"rst_ni", reset_}};
          for (const PortShape& port : port_shapes<BlockT>(form.config)) {
            const bool rx = port.name.starts_with("rx_"), tx = port.name.starts_with("tx_");
            if (!rx && !tx) {
              const std::string counter = port.name.substr(0, port.name.size() - 2);
              const std::string net = fmt::format("link_{}_{}_{}", number, form.name, counter);
              declared += fmt::format("  logic [{}-1:0] {};\n", port.width, net);
              nets[port.name] = net;
              counted.emplace_back(counter, net);
              continue;
            }
            const std::size_t p = rx ? b : b + 1;
            const Place at = place(chain, number, p);
            const std::string signal = signal_of(port.name);
            if (signal == "check" && !at.inner) continue;
            const bool back = goes_back(signal);
            std::string net = back ? at.back : fmt::format("{}_{}", at.net, signal);
            // A protected link into an interface uses the lowest line of an end with lines for all
            // VCs.
            if (signal == "credit" && !at.inner && graph_.num_vc > port.width) net += "[0]";
            // Each place is declared once, by the block after it.
            if (rx && at.inner) declared += fmt::format("  logic [{}-1:0] {};\n", port.width, net);
            const bool reads = injected && port.input && p == (back ? chain.back_wire : chain.wire);
            nets[port.name] = reads ? hit(net) : net;
          }
          instances += instance<BlockT>(form.name, fmt::format("link_{}_{}", number, form.name),
                                        form.config, nets);
        },
        chain.blocks[b]);
  }
  std::string text = declared;
  if (injected) text += injection(chain, number);
  text += instances;
  for (const LinkCounter& counter : link_counters(graph_)) {
    std::string sum;
    for (const auto& [name, net] : counted) {
      if (name == counter.name)
        sum += fmt::format("{}{}'({})", sum.empty() ? "" : " + ", kCountW, net);
    }
    text += fmt::format("  assign {0}[{1}*{2} +: {2}] = {3};\n", counter.port(), number, kCountW,
                        sum.empty() ? "'0" : sum);
  }
  return text;
}

std::string LinkChainText::without_blocks(std::uint32_t number) const {
  std::string text;
  for (const LinkCounter& counter : link_counters(graph_)) {
    text += fmt::format("  assign {0}[{1}*{2} +: {2}] = '0;\n", counter.port(), number, kCountW);
  }
  return text;
}

// The point of injection of a link: the values read are the driven ones, inverted as the ports of
// the top say.
std::string LinkChainText::injection(const LinkChain& chain, std::uint32_t number) const {
  const auto point = static_cast<std::size_t>(
      std::lower_bound(injected_.begin(), injected_.end(), number) - injected_.begin());
  const LinkWires wires = link_wires(graph_, number, parity_);
  std::string text = fmt::format("  // Point {} of injection.\n", point);
  for (const LinkSignal& signal : signals_) {
    const std::size_t p = signal.back ? chain.back_wire : chain.wire;
    // A link without blocks is driven at one end and read at the other.
    const bool empty = chain.blocks.empty();
    const Place at = empty ? end(number, signal.back) : place(chain, number, p);
    const unsigned width = signal.name == "data"    ? wires.data
                           : signal.name == "vc"    ? wires.vc
                           : signal.name == "stamp" ? wires.stamp
                           : signal.name == "check" ? wires.check
                           : signal.back            ? chain.lines[p]
                                                    : 1;
    const unsigned used = std::min(width, signal.width);
    if (used < signal.width) {  // Another link has more bits.
      const std::string rest = fmt::format("unused_{}_{}", signal.name, point);
      text +=
          fmt::format("  logic [{0}-1:0] {1};\n  assign {1} = fault_{2}_i[{3}*{4}+{5} +: {0}];\n",
                      signal.width - used, rest, signal.name, point, signal.width, used);
    }
    if (width == 0) continue;
    const std::string from = signal.back ? at.back : fmt::format("{}_{}", at.net, signal.name);
    std::string to = hit(from);
    if (empty) {
      const Place other = end(number, !signal.back);
      to = signal.back ? other.back : fmt::format("{}_{}", other.net, signal.name);
    } else {
      text += fmt::format("  logic [{}-1:0] {};\n", width, to);
    }
    text += fmt::format("  assign {0} = {1} ^ {2}'(fault_{3}_i[{4}*{5} +: {6}]);\n", to, from,
                        width, signal.name, point, signal.width, used);
    if (!observe_) continue;
    text += fmt::format("  assign wire_{0}_o[{1}*{2} +: {2}] = {2}'({3});\n", signal.name, point,
                        signal.width, from);
  }
  return text;
}

}  // namespace weft
