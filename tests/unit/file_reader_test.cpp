// Reading of files: what is read, and what is refused before it can block or fill the memory.
#include "sim/base/file_reader.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include "sim/base/error.hpp"
#include "sim/base/host_memory.hpp"

namespace {

using namespace weft;
namespace fs = std::filesystem;

struct Folder {
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  const fs::path path = fs::temp_directory_path() / fmt::format("weft_reader_{}", getpid());
};

TEST_CASE("a file is read with all its bytes") {
  const Folder folder;
  std::string text(200'000, 'x');
  text[5] = '\0';
  std::ofstream(folder.path / "text", std::ios::binary) << text;
  fs::create_symlink("text", folder.path / "link");
  std::ofstream(folder.path / "empty");
  CHECK(read_file(folder.path / "text") == text);
  CHECK(read_file(folder.path / "link") == text);
  CHECK(read_file(folder.path / "empty").empty());
  CHECK(!read_file("/proc/self/status").empty());  // A file whose size is not known before.
}

TEST_CASE("what is no file is refused without waiting for it") {
  const Folder folder;
  REQUIRE(mkfifo((folder.path / "pipe").c_str(), 0600) == 0);
  CHECK(try_read_file(folder.path / "pipe").error == "it is a pipe: expected: a file");
  CHECK(try_read_file(folder.path / "pipe", {.pipe = true}).error ==
        "it is a pipe with a name: expected: a file, or a pipe of the command line");
  CHECK(try_read_file("/dev/zero").error == "it is a device: expected: a file");
  CHECK(try_read_file(folder.path).error == "it is a folder");
  CHECK(try_read_file(folder.path / "none").error == "No such file or directory");
  CHECK_THROWS_WITH_AS(read_file("/dev/zero"),
                       "/dev/zero: cannot be read: it is a device: expected: a file", ConfigError);
}

TEST_CASE("a pipe of the command line is read, where that is enough") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  REQUIRE(write(ends[1], "text", 4) == 4);
  close(ends[1]);
  const fs::path path = fmt::format("/dev/fd/{}", ends[0]);
  CHECK(try_read_file(path).error == "it is a pipe: expected: a file");
  CHECK(read_file(path, {.pipe = true}) == "text");
  close(ends[0]);
}

TEST_CASE("a file that needs more memory than there is is not begun") {
  const Folder folder;
  const fs::path file = folder.path / "sparse";
  std::ofstream(file) << 'x';
  fs::resize_file(file, 64u << 20);
  const std::uint64_t mib = host_memory() >> 20;
  const auto each = static_cast<unsigned>(mib / 64 + 1);
  CHECK(try_read_file(file, {.memory_per_byte = each}).error ==
        fmt::format("it needs {} MiB of memory, and there are {} MiB", std::uint64_t{each} * 64,
                    mib));
  CHECK(try_read_file(file).text.size() == 64u << 20);
}

TEST_CASE("the memory that there is follows the limit of the process") {
  rlimit before = {};
  REQUIRE(getrlimit(RLIMIT_AS, &before) == 0);
  const rlimit less = {.rlim_cur = 900u << 20, .rlim_max = before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_AS, &less) == 0);
  const std::uint64_t have = host_memory();
  REQUIRE(setrlimit(RLIMIT_AS, &before) == 0);
  CHECK(have == 900u << 20);
}

TEST_CASE("what tells that the machine has too little is told from other errors") {
  const auto text = [](const std::exception& error) { return shortage(error).value_or(""); };
  CHECK(text(std::bad_alloc()).find("not enough memory: ") == 0);
  CHECK(text(std::length_error("vector")).find("not enough memory: ") == 0);
  CHECK(text(std::bad_alloc()).find(" MiB were in use") != std::string::npos);
  const auto again = std::make_error_code(std::errc::resource_unavailable_try_again);
  CHECK(text(std::system_error(again)).find("a thread cannot be started: ") == 0);
  CHECK(text(std::system_error(std::make_error_code(std::errc::io_error))).empty());
  CHECK(text(std::runtime_error("other")).empty());
  CHECK(text(ConfigError("other")).empty());
}

}  // namespace
