// What the registers of an interface show in the bench of their block.
#pragma once

#include <cstdint>

#include "sim/bus/register_block.hpp"
#include "tb/lib/bench.hpp"

namespace weft::tb {

/// What the registers show: a descriptor queue that drains, messages sent and received, barriers
/// and orders that complete.
class RegisterSurroundings {
 public:
  /// `hurried`: counters rise as fast as they may.
  explicit RegisterSurroundings(const RegisterBlock::Config& config, bool hurried = false)
      : c_(config), hurried_(hurried) {
    status_.desc_free = c_.queue_depth;
  }

  const NicStatus& status() const { return status_; }
  std::uint32_t memory_errors() const { return memory_errors_; }

  /// Counts on from what the block has seen instead of what it was shown.
  void follow(const NicStatus& shown, std::uint32_t errors, const RegisterBlock::State& state) {
    const auto move = [](std::uint32_t& count, std::uint32_t from, std::uint32_t to) {
      count += to - from;
    };
    const NicStatus& seen = state.seen;
    move(status_.tx_count, shown.tx_count, seen.tx_count);
    move(status_.rx_parity, shown.rx_parity, seen.rx_parity);
    move(status_.rx_refused, shown.rx_refused, seen.rx_refused);
    if (c_.barrier) move(status_.barriers, shown.barriers, seen.barriers);
    if (c_.combine) move(status_.combines, shown.combines, seen.combines);
    move(memory_errors_, errors, state.errors);
    for (unsigned t = 0; t < kNumRxCounts; ++t) {
      move(status_.rx_count[t], shown.rx_count[t], seen.rx_count[t]);
      move(status_.rx_arrived[t], shown.rx_arrived[t], seen.rx_arrived[t]);
    }
    for (unsigned i = 0; i < c_.link_counts(); ++i) {
      move(status_.rx_link[i], shown.rx_link[i], seen.rx_link[i]);
    }
  }

  /// The next cycle, after one with these outputs.
  void step(const RegisterBlock::Out& out, RandomStream& random) {
    if (out.desc_valid) --status_.desc_free;
    if (status_.desc_free < c_.queue_depth && drain_.next(random)) ++status_.desc_free;
    if (!hurried_ && random.below(32) == 0) {
      leap(random);
      entered_ += out.barrier_enter;
      orders_ += out.combine_post;
      return;
    }
    if (send_.next(random)) status_.tx_count += 1 + count(random, c_.num_ctrl - 1);
    if (receive_.next(random)) receive(random);
    if (hurried_) hurry(random);
    if (random.below(64) == 0) ++status_.rx_parity;
    const unsigned burst = hurried_ ? 0 : 7;
    if (random.below(64) == 0) status_.rx_refused += 1 + count(random, burst);
    if (random.below(128) == 0) memory_errors_ += 1 + count(random, burst);
    if (out.barrier_enter) ++entered_;
    if (entered_ != 0 && random.below(16) == 0) {
      --entered_;
      ++status_.barriers;
    }
    // Without units the inputs are ignored.
    if (!c_.barrier && random.below(16) == 0) ++status_.barriers;
    if (!c_.combine && random.below(16) == 0) ++status_.combines;
    if (out.combine_post) ++orders_;
    if (orders_ != 0 && (hurried_ || random.below(16) == 0)) {
      --orders_;
      ++status_.combines;
    }
  }

 private:
  // One counter rises by 8 at once, the most: of its low bits only the highest changes.
  void leap(RandomStream& random) {
    const auto tag = static_cast<unsigned>(random.below(kNumRxCounts));
    switch (random.below(6)) {
      case 0:
        status_.tx_count += 8;
        break;
      case 1:
        status_.rx_parity += 8;
        break;
      case 2:
        status_.rx_refused += 8;
        break;
      case 3:
        memory_errors_ += 8;
        break;
      case 4:
        status_.barriers += 8;
        break;
      default:
        status_.rx_arrived[tag] += 8;
        if (random.below(2) == 0) break;
        status_.rx_count[tag] += 8;
        status_.rx_link[random.below(c_.num_links) * kNumRxCounts + tag] += 8;
    }
  }
  // Of the most that a counter may rise in a cycle, 8, what the steps above may add is left out.
  void hurry(RandomStream& random) {
    status_.tx_count += 8 - c_.num_ctrl;
    status_.rx_parity += 7;
    status_.rx_refused += 7;
    memory_errors_ += 7;
    status_.barriers += 7;
    const std::uint32_t more = 8 - c_.num_links;
    const auto tag = static_cast<unsigned>(random.below(kNumRxCounts));
    // Mostly one link, so that its counters, too, pass 2^16 after the job's start.
    const auto link = random.below(4) == 0 ? static_cast<unsigned>(random.below(c_.num_links)) : 0;
    status_.rx_count[tag] += more;
    status_.rx_arrived[tag] += more;
    status_.rx_link[link * kNumRxCounts + tag] += more;
  }
  static std::uint32_t count(RandomStream& random, unsigned most) {
    return static_cast<std::uint32_t>(random.below(most + 1));
  }
  void receive(RandomStream& random) {
    for (unsigned l = 0; l < c_.num_links; ++l) {
      if (random.below(4) == 0) continue;
      const auto tag = static_cast<unsigned>(random.below(kNumRxCounts));
      ++status_.rx_count[tag];
      ++status_.rx_link[l * kNumRxCounts + tag];
    }
    // Arrived before they are in memory: at times ahead of the others.
    for (unsigned t = 0; t < kNumRxCounts; ++t) {
      const std::uint32_t ahead = status_.rx_arrived[t] - status_.rx_count[t];
      if (ahead >= 1u << 31) status_.rx_arrived[t] = status_.rx_count[t];
      if (ahead < 4 && random.below(4) == 0) ++status_.rx_arrived[t];
    }
  }

  RegisterBlock::Config c_;
  bool hurried_;
  NicStatus status_;
  std::uint32_t memory_errors_ = 0;
  unsigned entered_ = 0, orders_ = 0;  // Not completed.
  Pressure drain_, send_, receive_;
};

}  // namespace weft::tb
