// The scope of SIGINT, and its handler.
#include "sim/base/interrupt.hpp"

#include <csignal>
#include <cstdlib>

namespace weft {
namespace {

struct sigaction before;  // Action before the present scope.
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler writes it");

extern "C" void ask_for_end(int) {
  interrupt_asked.store(true, std::memory_order_relaxed);
  sigaction(SIGINT, &before, nullptr);
}

}  // namespace

InterruptScope::InterruptScope() {
  if (sigaction(SIGINT, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) return;
  struct sigaction action = {};
  action.sa_handler = ask_for_end;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
}

InterruptScope::~InterruptScope() {
  sigaction(SIGINT, &before, nullptr);
}

void end_by_interrupt() {
  std::signal(SIGINT, SIG_DFL);
  std::raise(SIGINT);
  std::abort();  // Not reached.
}

}  // namespace weft
