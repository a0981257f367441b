// Ranks by MPI: libweft_mpi.so.
#include <mpi.h>

#include <exception>

#include "sim/ranks/ranks.hpp"

namespace weft {
namespace {

// Errors of MPI end all ranks (MPI_ERRORS_ARE_FATAL, the default).
class MpiRanks : public Ranks {
 public:
  MpiRanks() {
    int provided = 0, number = 0, count = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    number_ = static_cast<unsigned>(number);
    count_ = static_cast<unsigned>(count);
  }
  // A rank that ends by an error leaves without a word: then mpirun ends the others.
  ~MpiRanks() override {
    if (std::uncaught_exceptions() == 0) MPI_Finalize();
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

 private:
  unsigned number_ = 0, count_ = 1;
};

}  // namespace
}  // namespace weft

extern "C" weft::Ranks* weft_join_ranks() {
  return new weft::MpiRanks;
}
