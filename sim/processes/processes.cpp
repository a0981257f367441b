// Finds the other processes.
#include "sim/processes/processes.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "sim/base/error.hpp"
#include "sim/base/installation.hpp"

namespace weft {

namespace {

// The number in the first of these variables that exists.
std::optional<unsigned> number_in(std::initializer_list<const char*> names) {
  for (const char* const name : names) {
    const char* const text = std::getenv(name);
    if (text == nullptr) continue;
    unsigned number = 0;
    const std::string_view words(text);
    if (std::from_chars(words.data(), words.data() + words.size(), number).ec == std::errc()) {
      return number;
    }
  }
  return {};
}

class SingleProcess : public Processes {
 public:
  SingleProcess() { conclude(); }
  unsigned number() const override { return 0; }
  unsigned count() const override { return 1; }
  void send(unsigned, std::uint64_t) override {
    throw std::logic_error("a word to another process, and there is none");
  }
  std::optional<Message> receive() override { return {}; }
  void wait_for_all() override {}
  void exchange(std::span<std::uint64_t>, std::vector<Parcel>& to,
                std::vector<Parcel>& from) override {
    to.resize(1);
    from.resize(1);
    std::swap(to[0], from[0]);
    to[0].clear();
  }
};

}  // namespace

Processes& single_process() {
  static SingleProcess process;
  return process;
}

// Number of processes: by Open MPI's mpirun, that of MPICH, or srun of Slurm if it is asked for
// MPI.
unsigned started_processes() {
  if (const auto count = number_in({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})) return *count;
  if (std::getenv("PMIX_RANK") == nullptr) return 1;
  return number_in({"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"}).value_or(1);
}

unsigned started_process() {
  return number_in({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"}).value_or(0);
}

std::vector<Parcel> share_parcels(Processes& processes, const Parcel& parcel) {
  std::vector<Parcel> to(processes.count(), parcel), from;
  to[processes.number()].clear();
  processes.exchange({}, to, from);
  from[processes.number()] = parcel;
  return from;
}

std::vector<Parcel> collect_parcels(Processes& processes, Parcel parcel) {
  std::vector<Parcel> to(processes.count()), from;
  if (processes.number() == 0) {
    processes.exchange({}, to, from);
    from[0] = std::move(parcel);
  } else {
    to[0] = std::move(parcel);
    processes.exchange({}, to, from);
  }
  return from;
}

std::unique_ptr<Processes> join_processes() {
  const unsigned started = started_processes();
  if (started <= 1) return std::make_unique<SingleProcess>();
  const std::filesystem::path library = build_dir() / "libweft_mpi.so";
  // MPI opens further libraries, which look for its names.
  void* const opened = dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (opened == nullptr) {
    throw ConfigError(
        fmt::format("started as one of {} processes, but this build has no MPI: expected: packages "
                    "openmpi-bin and libopenmpi-dev when it was configured ({})",
                    started, dlerror()));
  }
  const auto join = reinterpret_cast<Processes* (*)()>(dlsym(opened, "weft_join_processes"));
  if (join == nullptr) throw ConfigError(fmt::format("{}: {}", library.string(), dlerror()));
  return std::unique_ptr<Processes>(join());
}

}  // namespace weft
