// A sweep whose points several processes share.
#include "sim/cli/sweep_processes.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>

namespace weft::cli {
namespace {

// Words between processes: a point by its number in the plan, from 1 on, or none. A request has the
// number of the point that was run before.
constexpr std::uint64_t kNone = 0, kLeaves = ~std::uint64_t{0};

std::uint64_t word_of(const SweepPlan& plan, const SweepPoint* point) {
  return point == nullptr ? kNone : static_cast<std::uint64_t>(point - plan.points.data()) + 1;
}
const SweepPoint* point_of(const SweepPlan& plan, std::uint64_t word) {
  return word == kNone ? nullptr : &plan.points.at(word - 1);
}

}  // namespace

bool PointServer::serve() {
  while (const std::optional<Processes::Message> message = processes_.receive()) {
    if (message->word == kLeaves) {
      --present_;
      continue;
    }
    if (const SweepPoint* const done = point_of(plan_, message->word)) crew_.done_elsewhere(*done);
    processes_.send(message->from, word_of(plan_, crew_.give()));
  }
  return present_ != 0;
}

const SweepPoint* PointClient::take(const SweepPoint* done) {
  const std::lock_guard lock(mutex_);
  processes_.send(0, word_of(plan_, done));
  for (;;) {
    // Waiting within MPI would keep a core busy.
    if (const auto answer = processes_.receive()) return point_of(plan_, answer->word);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void PointClient::leave() {
  processes_.send(0, kLeaves);
}

}  // namespace weft::cli
