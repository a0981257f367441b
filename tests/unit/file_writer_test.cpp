// Files and folders that get their names when they are complete: signals and permissions.
#include "sim/base/file_writer.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;

// A folder for one test.
struct Folder {
  Folder() : path(fs::temp_directory_path() / fmt::format("weft_file_writer_test.{}", getpid())) {
    fs::create_directory(path);
  }
  ~Folder() { fs::remove_all(path); }
  std::ptrdiff_t entries() const { return std::distance(fs::directory_iterator(path), {}); }
  fs::path path;
};

// How a process ends that gets `signal` while it writes a file and a folder.
int ended_by(int signal, const fs::path& folder, bool ignored) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::signal(signal, ignored ? SIG_IGN : SIG_DFL);
    remove_drafts_on_signals();
    { const Draft gone(folder / "gone"); }
    FileWriter file(folder / "file");
    file.write("a part");
    const Draft whole(folder / "folder");
    fs::create_directories(whole.path() / "inner");
    std::ofstream(whole.path() / "inner" / "file") << "text";
    write_file(folder / "done", "text");
    raise(signal);
    _exit(7);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
}

}  // namespace

TEST_CASE("a signal that ends the process removes drafts and nothing else") {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const Folder folder;
    CHECK(ended_by(signal, folder.path, false) == signal);
    CHECK(folder.entries() == 1);
    CHECK(fs::exists(folder.path / "done"));
  }
  // Of a process that went on, which here ends without cleaning up.
  const Folder folder;
  CHECK(ended_by(SIGHUP, folder.path, true) == -7);
  CHECK(folder.entries() == 3);
}

TEST_CASE("more drafts at a time than are known to the handler") {
  const Folder folder;
  std::vector<std::optional<FileWriter>> files(100);
  for (std::size_t i = 0; i < files.size(); ++i) {
    files[i].emplace(folder.path / std::to_string(i));
  }
  for (auto& file : files) file->finish();
  files.clear();
  CHECK(folder.entries() == 100);
}

TEST_CASE("a name may be as long as the file system allows") {
  const Folder folder;
  const std::vector<std::size_t> lengths = {150, 200, 201, 236, 237, 245, 255};
  for (const std::size_t length : lengths) write_file(folder.path / std::string(length, 'x'), "x");
  CHECK(folder.entries() == static_cast<std::ptrdiff_t>(lengths.size()));
  // Names of one beginning have drafts of their own.
  const fs::path one = folder.path / (std::string(254, 'y') + "1");
  const fs::path two = folder.path / (std::string(254, 'y') + "2");
  FileWriter first(one), second(two);
  remove_old_drafts(one);
  CHECK(folder.entries() == static_cast<std::ptrdiff_t>(lengths.size()) + 1);
  second.finish();
  CHECK(fs::exists(two));
  CHECK_THROWS_AS(write_file(folder.path / std::string(256, 'x'), "x"), ConfigError);
}

TEST_CASE("what is replaced keeps its permissions") {
  const Folder folder;
  const fs::path file = folder.path / "file", tree = folder.path / "tree";
  const auto of = [](const fs::path& path) { return fs::status(path).permissions(); };
  write_file(file, "old");
  const fs::perms usual = of(file);
  fs::permissions(file, fs::perms(0640));
  write_file(file, "new");
  CHECK(of(file) == fs::perms(0640));
  CHECK(fs::file_size(file) == 3);
  fs::create_directory(tree);
  fs::permissions(tree, fs::perms(0750));
  Draft draft(tree);
  fs::create_directory(draft.path());
  draft.publish();
  CHECK(of(tree) == fs::perms(0750));
  write_file(folder.path / "other", "text");
  CHECK(of(folder.path / "other") == usual);
}

}  // namespace weft
