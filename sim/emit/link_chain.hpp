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

/// What can be injected into a link, with its width in the ports of the top, bits: the most that a
/// link has.
std::vector<LinkSignal> fault_signals(const Graph& graph, bool parity);
/// Links into which faults can be injected, in order.
std::vector<std::uint32_t> injected_links(const Graph& graph);

/// What blocks of protected links count: `name` of their port. The top shows it for every link, by
/// kCountW bits.
struct LinkCounter {
  const char *name, *meaning;
  std::string port() const { return std::string("counted_") + name + "_o"; }
};
/// Those that a network has; none without protected links.
std::span<const LinkCounter> link_counters(const Graph& graph);

/// Text of the blocks in links.
class LinkChainText {
 public:
  /// `observe`: the top shows what is on the wires of links with injection;
  /// `reset`: net of the reset of the blocks in links.
  LinkChainText(const Graph& graph, bool parity, bool observe, std::string reset);

  /// Ports of the top, after other ones.
  std::string ports() const;
  /// Instances of the blocks in link `number`, whose ends have nets, nets between these blocks, and
  /// where faults can be injected.
  std::string text(std::uint32_t number) const;
  /// What the top shows of a link that has no blocks.
  std::string without_blocks(std::uint32_t number) const;

 private:
  // A place between two blocks of a link, or an end of it.
  struct Place {
    std::string net;   // Beginning of the names of the nets of what goes forward.
    std::string back;  // Net of what comes back.
    bool inner;        // Between two blocks, where a protected link has a check code.
  };
  Place end(std::uint32_t number, bool receiver) const;
  Place place(const LinkChain& chain, std::uint32_t number, std::size_t p) const;
  std::string injection(const LinkChain& chain, std::uint32_t number) const;

  const Graph& graph_;
  const bool parity_, observe_;
  const std::string reset_;
  const std::vector<std::uint32_t> injected_;
  const std::vector<LinkSignal> signals_;  // Of injection.
};

}  // namespace weft
