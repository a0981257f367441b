// Recovery of what a network has lost: the part of a fabric manager that a run needs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/archive.hpp"
#include "sim/engine/check_network.hpp"
#include "sim/engine/engine.hpp"
#include "sim/processes/processes.hpp"

namespace weft {

/// Decides when the interfaces send again what is not acknowledged: holds new packets back, waits
/// until no flit moves, restarts the network around dead links, and releases the interfaces. So no
/// old packet or acknowledgement is left when packets are sent again (rtl/nic/README.md, nic).
class Recovery {
 public:
  /// What the network shows.
  struct Trouble {
    std::vector<std::uint32_t> stuck;  ///< Links whose sender repeats in vain.
    bool overdue = false;              ///< An interface waits too long for an acknowledgement.
    std::uint64_t done = 0;            ///< Packets kept in the run plus messages acknowledged.

    /// Combines the trouble of all processes that share the network; all call it together.
    void share(Processes& processes, const Graph& graph);
  };
  enum class Order : std::uint8_t {
    kNone,
    kHold,     ///< The interfaces issue no more packets.
    kRestart,  ///< The interfaces restart in this cycle.
    kRewire,   ///< Routers and links are in this cycle as after reset, with the tables of
               ///< `network()`.
    kRelease,  ///< The interfaces issue packets again.
  };

  explicit Recovery(const EngineInputs& run);

  /// Cycles without a flit on any link after which none will come, if no interface issues one.
  static std::uint64_t quiet_cycles(const Graph& graph);

  /// Whether packets are acknowledged.
  bool on() const { return run_.config.nic.reliable; }

  /// Whether the interfaces are held back.
  bool busy() const { return phase_ != Phase::kNormal; }

  /// Called before each cycle. `moved`: a flit was put on a link since the last call; `look()`:
  /// returns the Trouble. Throws NoProgressError if the trouble cannot be overcome.
  template <class Look>
  Order next(std::uint64_t cycle, bool moved, Look look) {
    switch (phase_) {
      case Phase::kNormal:
        if (cycle % kLookEvery != 0 || !begins(cycle, look())) return Order::kNone;
        phase_ = Phase::kDrains;
        last_move_ = cycle;
        return Order::kHold;
      case Phase::kDrains:
        if (moved) last_move_ = cycle;
        // Do not wait for what moves for ever, as a packet to a node that does not exist may.
        if (cycle - last_move_ < quiet_ && cycle - restarts_.back().begin < kMostDrain) {
          return Order::kNone;
        }
        give_up(cycle, look());
        phase_ = Phase::kRestarts;
        return Order::kRestart;
      case Phase::kRestarts:
        phase_ = Phase::kRewired;
        return Order::kRewire;
      case Phase::kRewired:
        phase_ = Phase::kNormal;
        restarts_.back().end = cycle;
        return Order::kRelease;
    }
    return Order::kNone;
  }

  /// Ends the run before `cycle`.
  void end(std::uint64_t cycle) {
    if (phase_ == Phase::kDrains) {
      restarts_.pop_back();
    } else if (busy()) {
      restarts_.back().end = cycle;
    }
  }

  /// The network around the links that were given up; the run's own if there are none.
  const Graph& network() const { return network_ ? network_->graph : run_.graph; }
  const std::vector<Restart>& restarts() const { return restarts_; }
  /// Results of the checks of the networks after links were given up.
  const std::vector<std::string>& notes() const { return notes_; }

  using Rewired = std::function<void(const Graph& ways)>;
  /// Checkpoint state. `rewired(ways)` is called when loading if the network of the checkpoint had
  /// other routes than at first.
  void serialize(SaveArchive& archive, const Rewired& rewired);
  void serialize(LoadArchive& archive, const Rewired& rewired);

 private:
  template <class Archive>
  void archive_state(Archive& archive, const Rewired& rewired);
  enum class Phase : std::uint8_t { kNormal, kDrains, kRestarts, kRewired };
  friend constexpr unsigned values_of(Phase) { return 4; }
  // Cycles between two checks of the network for trouble.
  static constexpr std::uint64_t kLookEvery = 16;
  // Most cycles to wait until nothing moves.
  static constexpr std::uint64_t kMostDrain = 20'000;
  // Most restarts in a row between which no packet was kept and no message acknowledged.
  static constexpr unsigned kMostInVain = 32;

  bool begins(std::uint64_t cycle, const Trouble& trouble);
  void give_up(std::uint64_t cycle, const Trouble& trouble);
  void rewire();
  // Computes routes around dead links, without the links of the last restart if `but_last`. Returns
  // whether there are any.
  bool find_ways(bool but_last);

  const EngineInputs& run_;
  std::uint64_t quiet_;
  Phase phase_ = Phase::kNormal;
  std::uint64_t last_move_ = 0, done_ = 0;
  unsigned in_vain_ = 0;
  std::vector<std::uint32_t> stuck_;  // Links given up in this restart.
  std::vector<bool> dead_;            // By link: given up.
  std::vector<Restart> restarts_;
  std::vector<std::string> notes_;
  std::optional<CheckedNetwork> network_;
};

}  // namespace weft
