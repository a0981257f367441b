// Ctrl-C: work that takes long ends early and tells what it has.
#pragma once

#include <atomic>

namespace weft {

inline std::atomic<bool> interrupt_asked{false};  ///< By SIGINT, within an InterruptScope.

/// Whether the work in hand is to end early.
inline bool interrupted() {
  return interrupt_asked.load(std::memory_order_relaxed);
}

/// While it exists, the first SIGINT has `interrupted` become true and stay so; from then on, and
/// after its end, SIGINT does what it did before. An ignored SIGINT stays ignored. There is one at
/// a time.
class InterruptScope {
 public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;
};

/// Ends the process by SIGINT, so that a shell that runs it knows.
[[noreturn]] void end_by_interrupt();

}  // namespace weft
