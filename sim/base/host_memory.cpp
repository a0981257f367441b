// Memory of the computer that simulates.
#include "sim/base/host_memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <new>
#include <stdexcept>
#include <system_error>

namespace weft {

std::uint64_t host_memory() {
  auto bytes = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
               static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  rlimit limit = {};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    bytes = std::min<std::uint64_t>(bytes, limit.rlim_cur);
  }
  // The file has "max" if there is no limit.
  if (std::uint64_t of_group = 0; std::ifstream("/sys/fs/cgroup/memory.max") >> of_group) {
    bytes = std::min(bytes, of_group);
  }
  return bytes;
}

std::optional<std::string> shortage(const std::exception& error) {
  const auto* const system = dynamic_cast<const std::system_error*>(&error);
  const bool threads =
      system != nullptr && system->code() == std::errc::resource_unavailable_try_again;
  // A container throws std::length_error if it is asked for more than any computer can address.
  if (!threads && dynamic_cast<const std::bad_alloc*>(&error) == nullptr &&
      dynamic_cast<const std::length_error*>(&error) == nullptr) {
    return {};
  }
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  const std::string in_use =
      fmt::format("{} MiB were in use, and more was refused; this process may use {} MiB",
                  usage.ru_maxrss >> 10, host_memory() >> 20);
  if (threads)
    return fmt::format("a thread cannot be started: {}: expected: fewer threads", in_use);
  return fmt::format(
      "not enough memory: {}: expected: fewer nodes, smaller messages, buffers or files, or a "
      "larger limit",
      in_use);
}

}  // namespace weft
