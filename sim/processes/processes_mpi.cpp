// Processes by MPI: libweft_mpi.so.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <utility>

#include "sim/processes/processes.hpp"

namespace weft {
namespace {

// Errors of MPI end all processes (MPI_ERRORS_ARE_FATAL, the default).
class MpiProcesses : public Processes {
 public:
  MpiProcesses() {
    int provided = 0, number = 0, count = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    number_ = static_cast<unsigned>(number);
    count_ = static_cast<unsigned>(count);
  }
  // A process that ends by an error of its own leaves without synchronising: then mpirun ends the
  // others.
  ~MpiProcesses() override {
    if (std::uncaught_exceptions() == 0 || concluded()) MPI_Finalize();
  }
  unsigned number() const override { return number_; }
  unsigned count() const override { return count_; }

  void send(unsigned to, std::uint64_t word) override {
    // Short messages are buffered by MPI.
    MPI_Send(&word, 1, MPI_UINT64_T, static_cast<int>(to), 0, MPI_COMM_WORLD);
  }
  std::optional<Message> receive() override {
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
    if (there == 0) return {};
    Message message{static_cast<unsigned>(status.MPI_SOURCE)};
    MPI_Recv(&message.word, 1, MPI_UINT64_T, status.MPI_SOURCE, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    return message;
  }
  void wait_for_all() override { MPI_Barrier(MPI_COMM_WORLD); }

  // A process learns from the sums how many pieces of parcels come to it; those of one process come
  // in order. None is more than one step ahead, so two tags distinguish the steps.
  void exchange(std::span<std::uint64_t> sums, std::vector<Parcel>& to,
                std::vector<Parcel>& from) override {
    const int tag = tag_ ^= 3;
    all_.assign(sums.begin(), sums.end());
    requests_.clear();
    for (unsigned r = 0; r < count_; ++r) {
      const std::vector<std::byte>& bytes = to[r].bytes();
      bytes_ += bytes.size();
      std::uint64_t pieces = 0;
      for (std::size_t at = 0; at < bytes.size(); at += kPiece, ++pieces) {
        const std::size_t size = std::min(kPiece, bytes.size() - at);
        MPI_Isend(bytes.data() + at, static_cast<int>(size), MPI_BYTE, static_cast<int>(r), tag,
                  MPI_COMM_WORLD, &requests_.emplace_back());
      }
      all_.push_back(pieces);
    }
    MPI_Allreduce(MPI_IN_PLACE, all_.data(), static_cast<int>(all_.size()), MPI_UINT64_T, MPI_SUM,
                  MPI_COMM_WORLD);
    std::copy_n(all_.begin(), sums.size(), sums.begin());
    from.resize(count_);
    for (Parcel& parcel : from) parcel.clear();
    for (std::uint64_t left = all_[sums.size() + number_]; left != 0; --left) {
      MPI_Status status;
      MPI_Probe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status);
      int size = 0;
      MPI_Get_count(&status, MPI_BYTE, &size);
      std::vector<std::byte>& bytes = from[static_cast<unsigned>(status.MPI_SOURCE)].bytes();
      bytes.resize(bytes.size() + static_cast<std::size_t>(size));
      MPI_Recv(bytes.data() + bytes.size() - size, size, MPI_BYTE, status.MPI_SOURCE, tag,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    for (Parcel& parcel : to) parcel.clear();
  }

 private:
  // Most bytes of one message of MPI, which counts them in an int.
  static constexpr std::size_t kPiece = std::size_t{1} << 20;

  unsigned number_ = 0, count_ = 1;
  int tag_ = 1;                     // 1 or 2: tag of the parcels of a step.
  std::vector<std::uint64_t> all_;  // The sums, and by process the number of pieces to it.
  std::vector<MPI_Request> requests_;
};

}  // namespace
}  // namespace weft

extern "C" weft::Processes* weft_join_processes() {
  return new weft::MpiProcesses;
}
