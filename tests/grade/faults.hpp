// Stuck-at faults of a netlist.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/gates/netlist.hpp"

namespace weft::grade {

/// A net of a gate or flop that always has one value.
struct Fault {
  NetId net = 0;
  bool value = false;
};

/// What is looked at: the block's own outputs, and the assertions of its RTL.
struct Watched {
  explicit Watched(const Netlist& netlist);

  std::vector<std::uint32_t> outputs;  ///< Bits of outputs without those of assertions.
  std::vector<std::uint32_t> reports;  ///< Those of them that report errors.
  struct Check {
    NetId holds = 0, when = 0;
  };
  std::vector<Check> checks;                ///< In each cycle `holds` is 1 if `when` is.
  std::vector<std::uint32_t> check_output;  ///< First of the two output bits of each check.
};

/// All faults of the nets of gates and flops that the block has without its assertions.
class FaultList {
 public:
  FaultList(const Netlist& netlist, const Watched& watched);

  std::uint32_t nets() const { return nets_; }  ///< With two faults each.
  /// One of each class of faults that no output can tell apart: the output of a gate is stuck where
  /// its only input that matters is.
  const std::vector<Fault>& classes() const { return classes_; }
  /// How many faults a class has.
  const std::vector<std::uint32_t>& sizes() const { return sizes_; }
  /// The block's flops.
  const std::vector<std::uint32_t>& flops() const { return flops_; }
  /// Faults of nets from which no path leads to an output: redundant.
  std::uint32_t unread() const { return unread_; }

 private:
  std::uint32_t nets_ = 0, unread_ = 0;
  std::vector<Fault> classes_;
  std::vector<std::uint32_t> sizes_, flops_;
};

/// Names for nets: that of the RTL, or the number of the gate and what it leads to.
class NetNames {
 public:
  explicit NetNames(const Netlist& netlist);
  std::string operator()(NetId net) const;

 private:
  std::string own(NetId net) const;

  const Netlist& netlist_;
  std::vector<NetId> reader_;  // Of each net one that reads it; 0 for none.
  std::vector<std::string> output_;
};

}  // namespace weft::grade
