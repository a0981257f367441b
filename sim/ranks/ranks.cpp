// Finds the other ranks.
#include "sim/ranks/ranks.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "sim/base/error.hpp"
#include "sim/base/installation.hpp"

namespace weft {

unsigned started_ranks() {
  // Open MPI's mpirun, that of MPICH, and srun of Slurm where it is asked for an MPI.
  for (const char* const name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* const text = std::getenv(name);
    if (text == nullptr) continue;
    unsigned count = 0;
    const std::string_view words(text);
    if (std::from_chars(words.data(), words.data() + words.size(), count).ec == std::errc()) {
      return count;
    }
  }
  return 1;
}

std::vector<Parcel> share_parcels(Ranks& ranks, const Parcel& parcel) {
  std::vector<Parcel> to(ranks.count(), parcel), from;
  to[ranks.number()].clear();
  ranks.exchange({}, to, from);
  from[ranks.number()] = parcel;
  return from;
}

std::vector<Parcel> collect_parcels(Ranks& ranks, Parcel parcel) {
  std::vector<Parcel> to(ranks.count()), from;
  const bool leads = ranks.number() == 0;
  if (!leads) to[0] = std::move(parcel);
  ranks.exchange({}, to, from);
  if (leads) from[0] = std::move(parcel);
  return from;
}

std::unique_ptr<Ranks> join_ranks() {
  const unsigned started = started_ranks();
  if (started <= 1) return nullptr;
  const std::filesystem::path library = build_dir() / "libweft_mpi.so";
  // MPI opens further libraries, which look for its names.
  void* const opened = dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (opened == nullptr) {
    throw ConfigError(
        fmt::format("started as one of {} processes, but this build has no MPI: expected: packages "
                    "openmpi-bin and libopenmpi-dev when it was configured ({})",
                    started, dlerror()));
  }
  const auto join = reinterpret_cast<Ranks* (*)()>(dlsym(opened, "weft_join_ranks"));
  if (join == nullptr) throw ConfigError(fmt::format("{}: {}", library.string(), dlerror()));
  return std::unique_ptr<Ranks>(join());
}

}  // namespace weft
