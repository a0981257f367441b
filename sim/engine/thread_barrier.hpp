// Where threads that share the cycles of a run wait for each other.
#pragma once

#include <atomic>
#include <cstdint>

namespace weft {

/// One thread leads. The others arrive and wait until it opens; between the arrival of the
/// last of them and the opening it has all data to itself.
///
/// A cycle can be shorter than it takes to wake a thread, so a waiting thread first polls. If that
/// is in vain, the other threads have no processor to run on: it sleeps, and from then on threads
/// poll fewer times before they sleep. None yields: among other programs that costs a whole time
/// slice.
class ThreadBarrier {
 public:
  explicit ThreadBarrier(std::uint32_t others) : others_(others) {}

  /// Called by the other threads: arrives, and waits until the gate opens.
  void pass() {
    const std::uint32_t turn = turn_.value.load(std::memory_order_relaxed);
    if (arrived_.value.fetch_add(1) + 1 == others_) wake(arrived_);
    wait_while(turn_, turn);
  }
  /// Called by the leader: waits until all others have arrived.
  void await() { await_only(others_); }
  /// Called by the leader: waits until `count` others have arrived, if there are no more of them.
  void await_only(std::uint32_t count) {
    for (std::uint32_t now = arrived_.value.load(std::memory_order_acquire); now != count;
         now = arrived_.value.load(std::memory_order_acquire)) {
      wait_while(arrived_, now);
    }
    arrived_.value.store(0, std::memory_order_relaxed);
  }
  void open() {
    turn_.value.fetch_add(1);
    wake(turn_);
  }

 private:
  static constexpr std::uint32_t kFewestLooks = 32, kMostLooks = 2000;

  struct alignas(64) Count {
    std::atomic<std::uint32_t> value = 0, sleepers = 0;
  };

  void wait_while(Count& count, std::uint32_t value) {
    const std::uint32_t looks = looks_.load(std::memory_order_relaxed);
    for (std::uint32_t i = 0; i < looks; ++i) {
      if (count.value.load(std::memory_order_acquire) != value) {
        if (looks < kMostLooks) looks_.store(2 * looks, std::memory_order_relaxed);
        return;
      }
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
    if (looks > kFewestLooks) looks_.store(looks / 2, std::memory_order_relaxed);
    sleep_while(count, value);
  }
  void wake(Count& count) {
    if (count.sleepers.load() != 0) wake_all(count);
  }
  static void sleep_while(Count& count, std::uint32_t value);
  static void wake_all(Count& count);

  std::uint32_t others_;
  Count arrived_, turn_;
  std::atomic<std::uint32_t> looks_ = kMostLooks;
};

}  // namespace weft
