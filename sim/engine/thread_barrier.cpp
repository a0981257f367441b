// Sleeping at a gate, by the system call: std::atomic::wait yields before it sleeps.
#include "sim/engine/thread_barrier.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>

namespace weft {

// Either the waker sees a sleeper, or the sleeper the new value: both sides write one and then read
// the other, in one order for all (memory_order_seq_cst).
void ThreadBarrier::sleep_while(Count& count, std::uint32_t value) {
  count.sleepers.fetch_add(1);
  while (count.value.load() == value) {
    syscall(SYS_futex, &count.value, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
  }
  count.sleepers.fetch_sub(1);
}

void ThreadBarrier::wake_all(Count& count) {
  syscall(SYS_futex, &count.value, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace weft
