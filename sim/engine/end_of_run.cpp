// What is noted of a run that has ended.
#include "sim/engine/end_of_run.hpp"

#include <fmt/format.h>

#include "sim/engine/checkpoint.hpp"

namespace weft {

std::uint64_t EndOfRun::next(std::uint64_t cycle, bool dropped) const {
  std::uint64_t next = last_move_ + (dropped ? std::min(kAfterDrop, run_.watchdog) : run_.watchdog);
  if (run_.config.max_cycles != 0) next = std::min(next, run_.config.max_cycles);
  if (run_.traffic != nullptr) {
    next = std::min(next, run_.traffic->limit());
    if (cycle < run_.traffic->end()) next = std::min(next, run_.traffic->end());
  }
  return run_.checkpoint != nullptr ? run_.checkpoint->next_due(cycle, next) : next;
}

std::string EndOfRun::queued_note(std::uint64_t packets) {
  return fmt::format(
      "source queues, which have no limit, held {} packets at once, {} MiB or more: the network "
      "takes less than it is offered",
      packets, packets * TrafficEndpoint::kQueuedBytes >> 20);
}

}  // namespace weft
