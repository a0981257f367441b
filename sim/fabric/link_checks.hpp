// The check codes of protected links: whether they accept the words on the wires.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "sim/fabric/link_blocks.hpp"

namespace weft {

/// The checks of both words of one protected link.
class LinkChecks {
 public:
  /// `parity`: flits carry parity.
  LinkChecks(const Graph& graph, std::uint32_t link, bool parity);

  /// Whether the receiver accepts the forward word as right.
  bool accept(const LinkWord& forward) const;
  /// Whether the sender accepts the back word as right.
  bool accept(const std::vector<std::uint64_t>& back);

 private:
  std::variant<LinkForm, GuardForm> form_;
  BackForm back_;
  std::vector<std::uint64_t> body_;  // A back word without its check code.
};

}  // namespace weft
