// A block in successive cycles as clauses, with and without a fault.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "sim/gates/netlist.hpp"
#include "tests/grade/faults.hpp"
#include "tests/grade/sat.hpp"

namespace weft::grade {

/// Where frame 0 begins.
enum class Start : std::uint8_t {
  kAny,    ///< Any state, out of reset.
  kReset,  ///< In reset: registers without one, and memories, have any value.
  kAfter,  ///< The cycle after a reset.
  kGiven   ///< `given_good` and `given_faulty`.
};

/// The good machine and the faulty one get the same inputs. Only what is asked for is encoded.
/// Memories are not: a read shows any word, the same one in both machines. A proof must therefore
/// also show that they do the same with their memories.
class Frames {
 public:
  Frames(const Netlist& netlist, Sat& sat, Start start, std::optional<Fault> fault);

  /// By flop: those that may differ from the start on (`kAny`, `kReset`). All others are equal in
  /// all frames; a proof must show that.
  std::vector<std::uint8_t> may_differ;
  /// By flop: values, or kFree for any value, the same one in both.
  std::vector<std::uint8_t> given_good, given_faulty;
  static constexpr std::uint8_t kFree = 2;
  /// By input bit: a value that it has in all frames, or -1; or empty.
  std::vector<std::int8_t> held;

  Lit good(unsigned frame, NetId net) { return literal(frame, net, false); }
  Lit faulty(unsigned frame, NetId net) { return literal(frame, net, true); }
  /// The literal of a net, if it was asked for.
  std::optional<Lit> known(unsigned frame, NetId net) const;
  /// Value of a flop after a frame.
  Lit next(unsigned frame, std::uint32_t flop, bool faulty);

  Lit differ(Lit a, Lit b) { return gate(0x3c, {a, b, Sat::kFalse}); }
  Lit both(Lit a, Lit b) { return gate(0xc0, {a, b, Sat::kFalse}); }
  Lit either(Lit a, Lit b) { return gate(0xfc, {a, b, Sat::kFalse}); }
  /// A gate with `table` as in Gate.
  Lit gate(std::uint8_t table, std::array<Lit, 3> in);

  /// Literals of which one is true exactly if the machines do something different with a memory in
  /// a frame; constants are left out.
  std::vector<Lit> memory_differences(unsigned frame);

 private:
  static constexpr Lit kUnset = ~Lit{0};
  struct MemoryRead {
    std::uint32_t memory, read;
  };

  Lit literal(unsigned frame, NetId net, bool faulty);
  Lit evaluate(unsigned frame, NetId net, bool faulty);
  Lit flop(unsigned frame, std::uint32_t flop, bool faulty);
  Lit any(unsigned frame, NetId net);

  const Netlist& netlist_;
  Sat& sat_;
  const Start start_;
  const std::optional<Fault> fault_;
  std::vector<std::vector<Lit>> good_, faulty_;   // [frame][net].
  std::unordered_map<std::uint64_t, Lit> words_;  // What a memory shows, by frame and net.
  std::map<std::array<std::uint32_t, 4>, Lit> gates_;
  std::map<NetId, MemoryRead> loaded_;  // Flops by the reads that load them.
};

}  // namespace weft::grade
