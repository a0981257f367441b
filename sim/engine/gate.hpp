// Where threads that share the cycles of a run wait for each other.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace weft {

/// One thread leads. The others arrive and wait until it opens the gate; between the arrival of the
/// last of them and the opening it has all data to itself.
///
/// Cycles can be shorter than what it takes to wake a thread, so waiting threads first look again
/// and again; where that takes long, there may be more threads than processors, and they sleep.
class Gate {
 public:
  explicit Gate(std::uint32_t others) : others_(others) {}

  /// Of the other threads.
  void pass() {
    const std::uint32_t turn = turn_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1) + 1 == others_) arrived_.notify_one();
    wait_while(turn_, turn);
  }
  /// Waits until all others have arrived.
  void await() {
    for (std::uint32_t count = arrived_.load(std::memory_order_acquire); count != others_;
         count = arrived_.load(std::memory_order_acquire)) {
      wait_while(arrived_, count);
    }
    arrived_.store(0, std::memory_order_relaxed);
  }
  /// The same, of `count` others, if there are no more of them.
  void await_only(std::uint32_t count) {
    while (arrived_.load(std::memory_order_acquire) != count) std::this_thread::yield();
    arrived_.store(0, std::memory_order_relaxed);
  }
  void open() {
    turn_.fetch_add(1);
    turn_.notify_all();
  }

 private:
  using Count = std::atomic<std::uint32_t>;

  static void wait_while(const Count& count, std::uint32_t value) {
    constexpr unsigned kLooks = 2000, kYields = 20;
    for (unsigned i = 0; i < kLooks; ++i) {
      if (count.load(std::memory_order_acquire) != value) return;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
    for (unsigned i = 0; i < kYields; ++i) {
      if (count.load(std::memory_order_acquire) != value) return;
      std::this_thread::yield();
    }
    count.wait(value, std::memory_order_acquire);
  }

  std::uint32_t others_;
  alignas(64) Count arrived_ = 0;
  alignas(64) Count turn_ = 0;
};

}  // namespace weft
