// Processes that were started together and share one job.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/parcel.hpp"

namespace weft {

/// This process among those that share a job. One thread at a time may call it.
class Processes {
 public:
  struct Message {
    unsigned from = 0;
    std::uint64_t word = 0;
  };
  virtual ~Processes() = default;
  /// Number of this process, from 0 on.
  virtual unsigned number() const = 0;
  virtual unsigned count() const = 0;
  bool alone() const { return count() == 1; }
  /// Whether this is process 0, which reports results and errors of all.
  bool leads() const { return number() == 0; }
  /// Sends a word to another process; words between two processes arrive in order.
  virtual void send(unsigned to, std::uint64_t word) = 0;
  /// A word that has arrived, if there is one.
  virtual std::optional<Message> receive() = 0;
  /// Waits until all processes have called it.
  virtual void wait_for_all() = 0;
  /// One step of all processes together: replaces each of `sums` by its sum over all processes,
  /// sends `to[r]` to process r if it is not empty, and stores what was sent to this process in
  /// `from`, by process. `to` is then empty. Keep both from step to step, with their memory.
  virtual void exchange(std::span<std::uint64_t> sums, std::vector<Parcel>& to,
                        std::vector<Parcel>& from) = 0;
  /// Replaces each of `sums` by its sum over all processes. All processes call it together.
  void add_up(std::span<std::uint64_t> sums) {
    to_.resize(count());
    exchange(sums, to_, from_);
  }
  /// Marks the job as finished in all processes, with success or with one common error. Only
  /// process 0 reports it.
  void conclude() { concluded_ = true; }
  bool concluded() const { return concluded_; }
  /// Bytes of all parcels that this process has sent.
  std::uint64_t bytes_sent() const { return bytes_; }

 protected:
  std::uint64_t bytes_ = 0;

 private:
  bool concluded_ = false;
  std::vector<Parcel> to_, from_;  // Parcels for `add_up`: always empty.
};

/// The processes of a job with only this one.
Processes& single_process();

/// The parcels of all processes, by process. All processes call it together.
std::vector<Parcel> share_parcels(Processes& processes, const Parcel& parcel);
/// The parcels of all processes, by process, in process 0; elsewhere only its own. All processes
/// call it together.
std::vector<Parcel> collect_parcels(Processes& processes, Parcel parcel);

/// Number of processes that mpirun or srun has started together; 1: this one is alone.
unsigned started_processes();
/// Number of this process among those started together, from 0 on.
unsigned started_process();
/// Joins the processes started together; if this one is alone, there is no other. Throws
/// ConfigError if this build has no MPI.
std::unique_ptr<Processes> join_processes();

}  // namespace weft
