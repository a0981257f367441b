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
/// until no flit moves any more, has the network restarted, around links that are dead, and lets
/// the interfaces go on. So no packet and no acknowledgement of before is left when packets are
/// sent again (rtl/nic/README.md, nic).
class Recovery {
 public:
  /// What the network shows.
  struct Trouble {
    std::vector<std::uint32_t> stuck;  ///< Links whose sender repeats in vain.
    bool overdue = false;              ///< An interface waits too long for an acknowledgement.
    std::uint64_t done = 0;            ///< Packets kept in the run, and messages acknowledged.

    /// Of all processes that share the network; a step of all.
    void share(Processes& processes, const Graph& graph);
  };
  enum class Order : std::uint8_t {
    kNone,
    kHold,     ///< The interfaces issue no packet any more.
    kRestart,  ///< They restart in this cycle.
    kRewire,   ///< Routers and links are as after reset in this cycle, with those of `network()`.
    kRelease,  ///< The interfaces issue packets.
  };

  explicit Recovery(const EngineInputs& run);

  /// Cycles without a flit on any link after which none will come, if no interface issues one.
  static std::uint64_t quiet_cycles(const Graph& graph);

  /// Whether packets are acknowledged.
  bool on() const { return run_.config.nic.reliable; }

  /// Whether the interfaces are held back.
  bool busy() const { return phase_ != Phase::kNormal; }

  /// To be called before each cycle. `moved`: a flit was put on a link since the last call;
  /// `look()`: returns the Trouble. Throws NoProgressError if that cannot be overcome.
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
        // What moves for ever, as a packet to no node may, is not waited for.
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

  /// The run ends before `cycle`.
  void end(std::uint64_t cycle) {
    if (phase_ == Phase::kDrains) {
      restarts_.pop_back();
    } else if (busy()) {
      restarts_.back().end = cycle;
    }
  }

  /// The network around the links that were given up.
  const Graph& network() const { return network_ ? network_->graph : run_.graph; }
  const std::vector<Restart>& restarts() const { return restarts_; }
  /// What was found out about the networks after links were given up.
  const std::vector<std::string>& notes() const { return notes_; }

  using Rewired = std::function<void(const Graph& ways)>;
  /// The state: what a checkpoint keeps. `rewired(ways)`: called in loading, if the network of the
  /// checkpoint went by other ways than at first.
  void serialize(SaveArchive& archive, const Rewired& rewired);
  void serialize(LoadArchive& archive, const Rewired& rewired);

 private:
  template <class Archive>
  void archive_state(Archive& archive, const Rewired& rewired);
  enum class Phase : std::uint8_t { kNormal, kDrains, kRestarts, kRewired };
  friend constexpr unsigned values_of(Phase) { return 4; }
  // Cycles between two looks at the network.
  static constexpr std::uint64_t kLookEvery = 16;
  // Cycles of waiting until nothing moves, at most.
  static constexpr std::uint64_t kMostDrain = 20'000;
  // Restarts in a row between which no packet was kept and no message acknowledged.
  static constexpr unsigned kMostInVain = 32;

  bool begins(std::uint64_t cycle, const Trouble& trouble);
  void give_up(std::uint64_t cycle, const Trouble& trouble);
  void rewire();
  // Finds the ways around dead links again, without those of the last restart if `but_last`.
  // Returns whether there are any.
  bool find_ways(bool but_last);

  const EngineInputs& run_;
  std::uint64_t quiet_;
  Phase phase_ = Phase::kNormal;
  std::uint64_t last_move_ = 0, done_ = 0;
  unsigned in_vain_ = 0;
  std::vector<std::uint32_t> stuck_;  // Links, in this restart.
  std::vector<bool> dead_;            // By link.
  std::vector<Restart> restarts_;
  std::vector<std::string> notes_;
  std::optional<CheckedNetwork> network_;
};

}  // namespace weft
