// Single upsets of flops in a whole network, and unknown values of one.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tests/grade/network_lanes.hpp"
#include "tests/grade/unknown.hpp"

namespace weft::grade {

/// What an upset comes to.
enum class Outcome : std::uint8_t {
  kMasked,    ///< All words and counts as planned, every write in its cycle, no report.
  kShifted,   ///< The same, but writes in other cycles.
  kAlarm,     ///< The same, every write in its cycle, but a counter reports trouble.
  kRepaired,  ///< The same, writes in other cycles, and a counter tells why.
  kTold,      ///< Words or counts are not as planned, and a counter reports a loss.
  kStalled,   ///< A node waits for ever, which a run's watchdog reports; no counter does.
  kCounts,    ///< Silent: all nodes are done, but a count is not as planned.
  kWords,     ///< Silent: all nodes are done, but a word is not as planned.
};
inline constexpr std::size_t kOutcomes = 8;
const char* name_of(Outcome outcome);

/// A flop, inverted before cycle `cycle`.
struct Upset {
  std::uint32_t flop = 0, cycle = 0;
};

class NetworkUpsets {
 public:
  /// Runs the network without upsets. A node waits for ever if it does after `patience` cycles more
  /// than that took. Throws CheckError if anything is not as planned, or reported.
  NetworkUpsets(NetworkLanes& network, std::uint32_t patience);

  std::uint32_t cycles() const { return cycles_; }  ///< Until all nodes are done.
  /// All flops.
  std::uint32_t flops() const { return network_.library().state(); }
  /// One lane for each upset.
  std::vector<Outcome> run(std::span<const Upset> upsets);

 private:
  void run_group(std::span<const Upset> upsets, Outcome* outcomes);
  Outcome outcome(std::uint32_t lane) const;

  NetworkLanes& network_;
  const std::uint32_t patience_;
  std::uint32_t cycles_ = 0;
  std::uint64_t times_ = 0;
};

/// The register of a flop without the numbers of its instance, word and bit:
/// "nic.gen_ctrl.u_send.u_words.mem_q".
std::string register_of(const std::string& flop);

/// Limits of the share of `part` in `whole` with 95 % confidence (Wilson's interval).
std::array<double, 2> interval(std::uint64_t part, std::uint64_t whole);

/// Other random values in all lanes in what has no reset, then a reset and the traffic: the outputs
/// of the network in which lanes differ (`records`: cycles). Throws CheckError if words or counts
/// of a lane are not as planned although no output differs.
std::vector<Unknown> unknown(NetworkLanes& network, std::uint32_t cycles, std::uint64_t seed);

}  // namespace weft::grade
