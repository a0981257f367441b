// Atomic writing of files and folders.
#include "sim/base/file_writer.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <string>
#include <string_view>

#include "sim/base/error.hpp"
#include "sim/base/file_reader.hpp"
#include "sim/base/hash.hpp"

namespace weft {
namespace fs = std::filesystem;
namespace {

// The drafts of this process, for the signal handler, which can access only globals and must not
// allocate. If there are more drafts than entries, the last ones are not registered.
struct DraftEntry {
  enum State : int { kFree, kClaimed, kKnown };
  std::atomic<int> state = kFree;
  pid_t owner = 0;  // A child process that has not yet become another program leaves them alone.
  char path[PATH_MAX] = {};
};
DraftEntry drafts[32];
static_assert(std::atomic<int>::is_always_lock_free);

void know_draft(const fs::path& path) {
  const std::string& name = path.native();
  if (name.size() >= PATH_MAX) return;
  for (DraftEntry& entry : drafts) {
    int free = DraftEntry::kFree;
    if (!entry.state.compare_exchange_strong(free, DraftEntry::kClaimed)) continue;
    std::memcpy(entry.path, name.c_str(), name.size() + 1);
    entry.owner = getpid();
    entry.state = DraftEntry::kKnown;
    return;
  }
}

void forget_draft(const fs::path& path) {
  for (DraftEntry& entry : drafts) {
    if (entry.state == DraftEntry::kKnown && path.native() == entry.path) {
      entry.state = DraftEntry::kFree;
      return;
    }
  }
}

extern "C" void remove_drafts(int signal) {
  for (DraftEntry& entry : drafts) {
    if (entry.state != DraftEntry::kKnown || entry.owner != getpid()) continue;
    if (unlink(entry.path) == 0 || errno != EISDIR) continue;
    // A folder: walking through one allocates, so another program removes it.
    const pid_t child = _Fork();
    if (child == 0) {
      execl("/bin/rm", "rm", "-rf", "--", entry.path, nullptr);
      _exit(127);
    }
    if (child > 0) waitpid(child, nullptr, 0);
  }
  raise(signal);  // SA_RESETHAND has restored the default action.
}

// Begin of a draft's name; the process and an ending follow it. A long name is cut and completed by
// a hash, so that a target may have as long a name as the file system allows.
std::string draft_begin(const fs::path& target) {
  constexpr std::size_t kLongest = 200, kKept = 180;
  std::string name = target.filename().string();
  if (name.size() > kLongest) {
    name = fmt::format("{}.{:016x}", name.substr(0, kKept), fnv1a(name));
  }
  return fmt::format(".{}.", name);
}
constexpr std::string_view kDraftEnd = ".tmp";

}  // namespace

void remove_drafts_on_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action = {};
    if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    action = {};
    action.sa_handler = remove_drafts;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(signal, &action, nullptr);
  }
}

void cannot_write(const fs::path& path, int error) {
  throw ConfigError(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(error)));
}

fs::path resolved(const fs::path& path) {
  std::error_code error;
  if (fs::is_other(path, error)) return path;  // A pipe has no other name.
  const fs::path target = fs::weakly_canonical(fs::absolute(path), error);
  if (error) cannot_write(path, error.value());
  return target.has_filename() ? target : target.parent_path();
}

void check_writable(const fs::path& path) {
  const fs::path target = resolved(path);
  if (fs::is_directory(target)) {
    throw ConfigError(fmt::format("{}: cannot be written: it is a folder", path.string()));
  }
  if (!path.has_filename()) {
    throw ConfigError(
        fmt::format("{}: cannot be written: only a folder's name ends in /", path.string()));
  }
  if (fs::is_fifo(target) && !is_open_already(path)) {  // Opening it waits for a reader.
    throw ConfigError(
        fmt::format("{}: cannot be written: it is a pipe with a name: expected: a "
                    "file, or a pipe of the command line",
                    path.string()));
  }
  if (fs::exists(target) && access(target.c_str(), W_OK) != 0) cannot_write(path, errno);
  const Draft probe(target);
  if (probe.path() != target && !std::ofstream(probe.path())) cannot_write(path, errno);
}

Draft::Draft(const fs::path& target) : target_(resolved(target)), path_(target_) {
  std::error_code error;
  const fs::file_status status = fs::status(target_, error);
  if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status)) return;
  path_.replace_filename(fmt::format("{}{}{}", draft_begin(target_), getpid(), kDraftEnd));
  know_draft(path_);
}

Draft::~Draft() {
  std::error_code ignored;
  if (path_ == target_) return;
  fs::remove_all(path_, ignored);
  forget_draft(path_);
}

void Draft::publish() {
  if (path_ == target_) return;
  std::error_code error;
  const fs::file_status before = fs::status(target_, error);
  if (fs::exists(before)) fs::permissions(path_, before.permissions(), error);
  error.clear();  // The target may not exist yet, and not every file system has permissions.
  // A file replaces a file at once, a folder only an empty one.
  if (!error && fs::is_directory(path_)) fs::remove_all(target_, error);
  if (!error) fs::rename(path_, target_, error);
  if (error) cannot_write(target_, error.value());
  forget_draft(path_);
  path_ = target_;
}

void remove_old_drafts(const fs::path& target) {
  const std::string begin = draft_begin(target);
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(target.parent_path(), error)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(begin) && name.ends_with(kDraftEnd)) fs::remove_all(entry.path(), error);
  }
}

FileWriter::FileWriter(const fs::path& file)
    : file_(file), draft_(file), out_(draft_.path(), std::ios::binary) {
  if (!out_) cannot_write(file_, errno);
}

void FileWriter::write(std::string_view text) {
  out_ << text;
  if (!out_ && error_ == 0) error_ = errno;
}

void FileWriter::finish() {
  out_.close();
  if (!out_) cannot_write(file_, error_ != 0 ? error_ : errno);
  draft_.publish();
}

void write_file(const fs::path& file, std::string_view text) {
  FileWriter writer(file);
  writer.write(text);
  writer.finish();
}

}  // namespace weft
