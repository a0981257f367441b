// What is noted of a run that has ended.
#include "sim/engine/end_of_run.hpp"

#include <fmt/format.h>

namespace weft {

std::string EndOfRun::queued_note(std::uint64_t packets) {
  return fmt::format(
      "source queues, which have no limit, held {} packets at once, {} MiB or more: the network "
      "takes less than it is offered",
      packets, packets * TrafficEndpoint::kQueuedBytes >> 20);
}

}  // namespace weft
