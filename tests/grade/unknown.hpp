// Unknown values: lanes that begin with other values in all that has no reset, and get the same
// inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/gates/gate_block.hpp"

namespace weft::grade {

/// Other random values in all lanes in all flops and memories.
void randomise(GateBlock& block, std::uint64_t seed);

/// Bits of memories that stay memories.
std::size_t memory_bits(const Netlist& netlist);

/// A port of which lanes differ though they had the same inputs.
struct Unknown {
  std::string port;
  std::uint32_t bits = 0, lanes = 0;  ///< That ever differ.
  std::size_t first = 0, records = 0;
};
nlohmann::ordered_json to_json(const std::vector<Unknown>& ports);

/// The output ports of group 0 of a block in which lanes differ from lane 0. Not those of
/// assertions.
class UnknownPorts {
 public:
  explicit UnknownPorts(const GateBlock& block);
  /// Looks at the outputs in a record or cycle.
  void look(std::size_t record);
  /// The ports that ever differed.
  std::vector<Unknown> found() const;

 private:
  struct Port {
    const GatePort* port;
    Unknown seen;
    std::vector<std::uint64_t> differed;  // [bit][word of lanes].
  };

  const GateBlock& block_;
  std::vector<Port> ports_;
};

}  // namespace weft::grade
