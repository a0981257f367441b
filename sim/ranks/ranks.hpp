// Processes that were started together and share one job.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/parcel.hpp"

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
  bool alone() const { return count() == 1; }
  /// Whether this is the one that tells results and errors of all.
  bool leads() const { return number() == 0; }
  /// Sends a word to another rank; words between two ranks arrive in order.
  virtual void send(unsigned to, std::uint64_t word) = 0;
  /// A word that has arrived, if there is one.
  virtual std::optional<Message> receive() = 0;
  /// Returns when all ranks have called it so often.
  virtual void wait_for_all() = 0;
  /// A step that all ranks make together: replaces each of `sums` by its sum over all ranks, sends
  /// `to[r]` to rank r where it is not empty, and puts what was sent to this one into `from`, by
  /// rank. `to` is empty then. Both are best kept from step to step, with their memory.
  virtual void exchange(std::span<std::uint64_t> sums, std::vector<Parcel>& to,
                        std::vector<Parcel>& from) = 0;
  /// The sums alone.
  void add_up(std::span<std::uint64_t> sums) {
    to_.resize(count());
    exchange(sums, to_, from_);
  }
  /// All ranks have come to the same end of their work, be it by the same error: rank 0 tells
  /// how, and the others end without a word.
  void conclude() { concluded_ = true; }
  bool concluded() const { return concluded_; }
  /// Of all parcels that this rank has sent.
  std::uint64_t bytes_sent() const { return bytes_; }

 protected:
  std::uint64_t bytes_ = 0;

 private:
  bool concluded_ = false;
  std::vector<Parcel> to_, from_;  // Of `add_up`: empty.
};

/// This process alone: there is no other one.
Ranks& single_process();

/// What every rank puts into a parcel, by rank; a step of all ranks.
std::vector<Parcel> share_parcels(Ranks& ranks, const Parcel& parcel);
/// The same, but rank 0 alone gets those of the others.
std::vector<Parcel> collect_parcels(Ranks& ranks, Parcel parcel);

/// How many processes mpirun or srun has started this one among; 1: it is alone.
unsigned started_ranks();
/// Which of them this one is, from 0 on.
unsigned started_rank();
/// Joins them, if it is not alone. Throws ConfigError where this build has no MPI.
std::unique_ptr<Ranks> join_ranks();

}  // namespace weft
