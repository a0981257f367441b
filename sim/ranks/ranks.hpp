// Processes that were started together and share one job.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

namespace weft {

/// This process among the others. One thread at a time may call it.
class Ranks {
 public:
  struct Message {
    unsigned from = 0;
    std::uint64_t word = 0;
  };
  virtual ~Ranks() = default;
  /// Of this process, from 0 on.
  virtual unsigned number() const = 0;
  virtual unsigned count() const = 0;
  /// Sends a word to another rank; words between two ranks arrive in order.
  virtual void send(unsigned to, std::uint64_t word) = 0;
  /// A word that has arrived, if there is one.
  virtual std::optional<Message> receive() = 0;
  /// Returns when all ranks have called it so often.
  virtual void wait_for_all() = 0;
};

/// How many processes mpirun or srun has started this one among; 1: it is alone.
unsigned started_ranks();
/// Joins them; null if it is alone. Throws ConfigError where this build has no MPI.
std::unique_ptr<Ranks> join_ranks();

}  // namespace weft
