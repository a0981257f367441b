// Reading of files that a user names.
#include "sim/base/file_reader.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "sim/base/error.hpp"
#include "sim/base/host_memory.hpp"

namespace weft {
namespace {

// Why a file of this kind is not read; empty: it is.
std::string wrong_kind(const std::filesystem::path& file, mode_t mode, bool pipe) {
  if (S_ISREG(mode) || (pipe && S_ISFIFO(mode) && is_open_already(file))) return {};
  if (S_ISDIR(mode)) return "it is a folder";
  const char* const what = S_ISFIFO(mode) && pipe && !is_open_already(file) ? "a pipe with a name"
                           : S_ISFIFO(mode)                                 ? "a pipe"
                                                                            : "a device";
  return fmt::format("it is {}: expected: a file{}", what,
                     pipe ? ", or a pipe of the command line" : "");
}

struct OpenFile {
  explicit OpenFile(int opened) : number(opened) {}
  ~OpenFile() {
    if (number >= 0) close(number);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  const int number;
};

}  // namespace

bool is_open_already(const std::filesystem::path& file) {
  const std::filesystem::path path = file.lexically_normal(), folder = path.parent_path();
  return path == "/dev/stdin" || path == "/dev/stdout" || path == "/dev/stderr" ||
         folder == "/dev/fd" || folder == "/proc/self/fd";
}

FileText try_read_file(const std::filesystem::path& file, const Reading& how) {
  const auto failed = [](std::string why) { return FileText{{}, std::move(why)}; };
  struct stat about = {};
  if (stat(file.c_str(), &about) != 0) return failed(std::strerror(errno));
  if (std::string why = wrong_kind(file, about.st_mode, how.pipe); !why.empty()) {
    return failed(std::move(why));
  }
  // The file may have become a named pipe since; without O_NONBLOCK opening one would wait.
  const OpenFile in(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (in.number < 0 || fcntl(in.number, F_SETFL, 0) != 0) return failed(std::strerror(errno));
  const std::uint64_t have = host_memory();
  const auto too_large = [&](std::uint64_t bytes) { return bytes > have / how.memory_per_byte; };
  const auto refuse_size = [&](const char* more, std::uint64_t bytes) {
    return failed(fmt::format("it needs {}{} MiB of memory, and there are {} MiB", more,
                              (bytes >> 20) * how.memory_per_byte, have >> 20));
  };
  const auto size = static_cast<std::uint64_t>(about.st_size);
  if (too_large(size)) return refuse_size("", size);
  FileText read;
  read.text.reserve(size);
  // The size of a pipe is not known in advance.
  for (char part[1 << 16];;) {
    const ssize_t count = ::read(in.number, part, sizeof part);
    if (count == 0) return read;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed(std::strerror(errno));
    read.text.append(part, static_cast<std::size_t>(count));
    if (too_large(read.text.size())) return refuse_size("over ", read.text.size());
  }
}

std::string read_file(const std::filesystem::path& file, const Reading& how) {
  FileText read = try_read_file(file, how);
  if (read.error.empty()) return std::move(read.text);
  throw ConfigError(fmt::format("{}: cannot be read: {}", file.string(), read.error));
}

}  // namespace weft
