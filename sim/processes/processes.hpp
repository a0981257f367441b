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
class Processes {
 public:
  struct Message {
    unsigned from = 0;
    std::uint64_t word = 0;
  };
  virtual ~Processes() = default;
  /// Of this process, from 0 on.
  virtual unsigned number() const = 0;
  virtual unsigned count() const = 0;
  bool alone() const { return count() == 1; }
  /// Whether this is the one that tells results and errors of all.
  bool leads() const { return number() == 0; }
  /// Sends a word to another process; words between two processes arrive in order.
  virtual void send(unsigned to, std::uint64_t word) = 0;
  /// A word that has arrived, if there is one.
  virtual std::optional<Message> receive() = 0;
  /// Returns when all processes have called it so often.
  virtual void wait_for_all() = 0;
  /// A step that all processes make together: replaces each of `sums` by its sum over all
  /// processes, sends `to[r]` to process r where it is not empty, and puts what was sent to this
  /// one into `from`, by process. `to` is empty then. Both are best kept from step to step, with
  /// their memory.
  virtual void exchange(std::span<std::uint64_t> sums, std::vector<Parcel>& to,
                        std::vector<Parcel>& from) = 0;
  /// The sums alone.
  void add_up(std::span<std::uint64_t> sums) {
    to_.resize(count());
    exchange(sums, to_, from_);
  }
  /// All processes have come to the same end of their work, be it by the same error: process 0
  /// tells how, and the others end without a word.
  void conclude() { concluded_ = true; }
  bool concluded() const { return concluded_; }
  /// Of all parcels that this process has sent.
  std::uint64_t bytes_sent() const { return bytes_; }

 protected:
  std::uint64_t bytes_ = 0;

 private:
  bool concluded_ = false;
  std::vector<Parcel> to_, from_;  // Of `add_up`: empty.
};

/// This process alone: there is no other one.
Processes& single_process();

/// What every process puts into a parcel, by process; a step of all processes.
std::vector<Parcel> share_parcels(Processes& processes, const Parcel& parcel);
/// The same, but process 0 alone gets those of the others.
std::vector<Parcel> collect_parcels(Processes& processes, Parcel parcel);

/// How many processes mpirun or srun has started this one among; 1: it is alone.
unsigned started_processes();
/// Which of them this one is, from 0 on.
unsigned started_process();
/// Joins them, if it is not alone. Throws ConfigError where this build has no MPI.
std::unique_ptr<Processes> join_processes();

}  // namespace weft
