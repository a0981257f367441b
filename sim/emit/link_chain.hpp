// The blocks in a link of an emitted network, the nets between them, and points where faults are
// injected.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/emit/link_ports.hpp"
#include "sim/fabric/link_blocks.hpp"

namespace weft {

/// Signals into which faults can be injected. Their width in the ports of the top, in bits, is the
/// largest of all links.
std::vector<LinkSignal> fault_signals(const Graph& graph, bool parity);
/// Links into which faults can be injected, in order.
std::vector<std::uint32_t> injected_links(const Graph& graph);

/// A counter of the blocks of protected links: `name` of its port. The top shows it for every link,
/// with kCountW bits.
struct LinkCounter {
  const char *name, *meaning;
  std::string port() const { return std::string("counted_") + name + "_o"; }
};
/// The counters of a network; none without protected links.
std::span<const LinkCounter> link_counters(const Graph& graph);

/// Text of the blocks in links.
class LinkChainText {
 public:
  /// `observe`: the top shows the wires of links with injection; `reset`: net of the reset of the
  /// blocks in links.
  LinkChainText(const Graph& graph, bool parity, bool observe, std::string reset);

  /// Ports of the top, which follow others.
  std::string ports() const;
  /// Instances of the blocks in link `number`, whose ends have nets; nets between these blocks; and
  /// points of injection.
  std::string text(std::uint32_t number) const;
  /// What the top shows for a link without blocks.
  std::string without_blocks(std::uint32_t number) const;

 private:
  // A place between two blocks of a link, or an end of it.
  struct Place {
    std::string net;   // Begin of the names of the forward nets.
    std::string back;  // Name of the net back.
    bool inner;        // Between two blocks, where a protected link has a check code.
  };
  Place end(std::uint32_t number, bool receiver) const;
  Place place(const LinkChain& chain, std::uint32_t number, std::size_t p) const;
  std::string injection(const LinkChain& chain, std::uint32_t number) const;

  const Graph& graph_;
  const bool parity_, observe_;
  const std::string reset_;
  const std::vector<std::uint32_t> injected_;
  const std::vector<LinkSignal> signals_;  // Signals of injection.
};

}  // namespace weft
