// Where the command's results go.
#include "sim/cli/output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "sim/base/error.hpp"

namespace weft::cli {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void cannot_write(const fs::path& path, const std::string& why) {
  throw ConfigError(fmt::format("{}: cannot be written: {}", path.string(), why));
}

// A file beside `path` that takes its name when it is whole.
fs::path temporary(const fs::path& path) {
  return path.parent_path() / fmt::format(".{}.{}.tmp", path.filename().string(), getpid());
}

// Behind a symbolic link stands the file that is meant.
fs::path resolved(const fs::path& path) {
  std::error_code error;
  const fs::path target = fs::weakly_canonical(fs::absolute(path), error);
  if (error) cannot_write(path, error.message());
  return target;
}

// Devices and pipes are written in place.
bool in_place(const fs::path& path) {
  return fs::exists(path) && !fs::is_regular_file(path);
}

}  // namespace

void check_writable(const fs::path& path) {
  const fs::path target = resolved(path);
  if (fs::is_directory(target)) cannot_write(path, "it is a folder");
  if (fs::exists(target) && access(target.c_str(), W_OK) != 0) {
    cannot_write(path, std::strerror(errno));
  }
  if (in_place(target)) return;
  const fs::path probe = temporary(target);
  if (!std::ofstream(probe)) cannot_write(path, std::strerror(errno));
  fs::remove(probe);
}

fs::path trace_target(const fs::path& path) {
  if (path.extension() != ".fst") {
    throw ConfigError(
        fmt::format("--trace: value {}: accepted: a file name that ends in .fst", path.string()));
  }
  fs::path target = resolved(path);
  if (in_place(target) && !fs::is_directory(target)) cannot_write(path, "it is no regular file");
  check_writable(target);
  check_writable(fs::path(target).replace_extension(".gtkw"));
  const fs::path filters = fs::path(target).replace_extension(".filters");
  if (fs::exists(filters) && !fs::is_directory(filters)) {
    cannot_write(filters, "it is not a folder");
  }
  return target;
}

fs::path events_target(const fs::path& path) {
  check_writable(path);
  return resolved(path);
}

JsonOutput::JsonOutput(std::string path) : path_(std::move(path)) {
  if (!path_.empty() && path_ != "-") check_writable(path_);
}

void JsonOutput::write(const nlohmann::json& document) const {
  if (path_.empty()) return;
  const std::string text =
      document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  if (path_ == "-") {
    std::fwrite(text.data(), 1, text.size(), stdout);
    finish_stdout();
    return;
  }
  write_text(path_, text);
}

void write_text(const fs::path& path, const std::string& text) {
  const fs::path target = resolved(path);
  const fs::path file = in_place(target) ? target : temporary(target);
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  std::error_code error;
  if (!out) error = std::error_code(errno, std::generic_category());
  if (file != target) {
    if (!error) fs::rename(file, target, error);
    std::error_code ignored;
    if (error) fs::remove(file, ignored);
  }
  if (error) cannot_write(path, error.message());
}

void finish_stdout() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw ConfigError(fmt::format("standard output: cannot be written: {}", std::strerror(errno)));
  }
}

}  // namespace weft::cli
