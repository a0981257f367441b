// Passes over a recording with another fault in each lane; lane 0 has none.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/base/random.hpp"
#include "tests/grade/faults.hpp"
#include "tests/grade/stimulus.hpp"
#include "tests/grade/unknown.hpp"

namespace weft::grade {

/// Flip-flops and memories of all lanes before a record.
struct Snapshot {
  std::size_t record = 0;
  std::vector<std::uint64_t> state;  ///< As GateBlock::state of group 0.
  std::vector<std::uint64_t> memory;
};

/// How far faults spread that no output shows.
struct Spread {
  std::vector<std::vector<std::uint8_t>> differed;  ///< [fault][flop].
  std::vector<Snapshot> snapshots;                  ///< Fault i in lane i + 1.
};

/// What became of inverted flops.
struct Upsets {
  std::uint64_t visible = 0, latent = 0, masked = 0;
  std::uint64_t told = 0;  ///< Visible ones of which an output that reports errors differs.
  std::vector<std::uint32_t> by_flop;  ///< Visible ones of each.
};

class Passes {
 public:
  /// The library must be `forced`.
  Passes(const Recording& recording, std::shared_ptr<const GateLibrary> library);

  std::uint32_t lanes() const { return block_.lanes() - 1; }  ///< Faults in a pass.
  /// Sets found[i] if fault i changes an output bit in the first `records` records; i counts from
  /// the indices in `of`.
  void detect(const std::vector<Fault>& faults, const std::vector<std::uint32_t>& of,
              std::size_t records, std::vector<std::uint8_t>& found);
  /// At most `lanes` faults.
  Spread spread(std::span<const Fault> faults, unsigned snapshots);
  /// Records in which an assertion of the RTL does not hold.
  std::size_t broken_checks();
  /// State of lane 0 before each record out of reset: a bit string for each flop.
  std::vector<std::vector<std::uint64_t>> states(std::size_t& samples);
  /// Inverts each flop of the block `times` times, each time once at a random record.
  Upsets upset(unsigned times, std::uint64_t seed);
  /// Other random values in all lanes in what has no reset.
  std::vector<Unknown> unknown(std::uint64_t seed);
  /// Whether lanes with and without the fault show different outputs in cycles from a snapshot on;
  /// `inputs` has for each of them the input bits of the netlist.
  bool shows(const Fault& fault, const Snapshot& snapshot, std::uint32_t lane,
             const std::vector<std::vector<bool>>& inputs);

  const Watched& watched() const { return watched_; }
  const Recording& recording() const { return stimulus_.recording(); }
  GateBlock& block() { return block_; }
  Stimulus& stimulus() { return stimulus_; }

 private:
  void begin(std::span<const Fault> faults);
  // Adds to `seen` the lanes in which an output differs from lane 0.
  void compare(std::uint64_t* seen) const { compare(watched_.outputs, seen); }
  void compare(const std::vector<std::uint32_t>& outputs, std::uint64_t* seen) const;
  std::vector<std::uint64_t> memory_of();

  GateBlock block_;
  Watched watched_;
  Stimulus stimulus_;
};

}  // namespace weft::grade
