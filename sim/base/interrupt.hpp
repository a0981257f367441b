// Ctrl-C: long work ends early and reports what it has.
#pragma once

#include <atomic>

namespace weft {

inline std::atomic<bool> interrupt_asked{false};  ///< Set by SIGINT within an InterruptScope.

/// Whether the present work is to end early.
inline bool interrupted() {
  return interrupt_asked.load(std::memory_order_relaxed);
}

/// While it exists, the first SIGINT makes `interrupted` true for good; after that, and after the
/// end of the scope, SIGINT has its former effect. An ignored SIGINT stays ignored. There is one
/// scope at a time.
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
