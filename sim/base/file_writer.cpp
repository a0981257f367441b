// Files and folders that take their names when they are whole.
#include "sim/base/file_writer.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "sim/base/error.hpp"

namespace weft {
namespace fs = std::filesystem;

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
  if (fs::exists(target) && access(target.c_str(), W_OK) != 0) cannot_write(path, errno);
  const Draft probe(target);
  if (probe.path() != target && !std::ofstream(probe.path())) cannot_write(path, errno);
}

Draft::Draft(const fs::path& target) : target_(resolved(target)), path_(target_) {
  std::error_code error;
  const fs::file_status status = fs::status(target_, error);
  if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status)) return;
  path_.replace_filename(fmt::format(".{}.{}.tmp", target_.filename().string(), getpid()));
}

Draft::~Draft() {
  std::error_code ignored;
  if (path_ != target_) fs::remove_all(path_, ignored);
}

void Draft::publish() {
  if (path_ == target_) return;
  std::error_code error;
  // A file replaces a file at once, a folder only an empty one.
  if (fs::is_directory(path_)) fs::remove_all(target_, error);
  if (!error) fs::rename(path_, target_, error);
  if (error) cannot_write(target_, error.value());
  path_ = target_;
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
