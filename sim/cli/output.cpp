// Output of the command's results.
#include "sim/cli/output.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "sim/base/error.hpp"
#include "sim/base/file_writer.hpp"

namespace weft::cli {
namespace fs = std::filesystem;
namespace {

// Identity of a file: the same for all of its names, also of a file that does not exist yet; empty
// for devices and pipes, which may be named twice.
std::string identity(const fs::path& path) {
  struct stat file = {};
  std::error_code ignored;
  if (stat(path.c_str(), &file) != 0)
    return fs::weakly_canonical(fs::absolute(path), ignored).string();
  return S_ISREG(file.st_mode) ? fmt::format("{}:{}", file.st_dev, file.st_ino) : "";
}

[[noreturn]] void refuse(const std::string& option, const fs::path& path, const char* expected) {
  throw ConfigError(fmt::format("{}: value {}: expected: {}", option, path.string(), expected));
}

// The file that a kind's own keys name, if any.
void add_input(const KindValues& parameters, std::vector<fs::path>& inputs) {
  if (parameters.has("file")) inputs.emplace_back(parameters.to_json()["file"].get<std::string>());
}

void add_inputs(const WorkloadConfig& workload, std::vector<fs::path>& inputs) {
  if (!workload.program.empty()) inputs.emplace_back(workload.program);
  if (!workload.trace.file.empty()) inputs.emplace_back(workload.trace.file);
  if (!workload.own.expect.empty()) inputs.emplace_back(workload.own.expect);
  add_input(workload.parameters, inputs);
}

}  // namespace

std::vector<fs::path> inputs_of(const Config& config) {
  std::vector<fs::path> inputs;
  add_input(config.topology.parameters, inputs);
  add_inputs(config.workload, inputs);
  for (const WorkloadConfig& region : config.workload.regions) add_inputs(region, inputs);
  return inputs;
}

Outputs::Outputs(const std::set<fs::path>& inputs) {
  for (const fs::path& input : inputs) {
    std::error_code ignored;
    inputs_.insert(fs::weakly_canonical(fs::absolute(input), ignored));
    read_.insert(identity(input));
  }
}

Outputs::Outputs(const Config& config)
    : Outputs([&] {
        std::set<fs::path> inputs = {config.source.file()};
        for (auto& input : inputs_of(config)) inputs.insert(std::move(input));
        return inputs;
      }()) {}

void Outputs::take(const std::string& option, const fs::path& path) {
  const std::string file = identity(path);
  if (file.empty()) return;
  if (read_.contains(file)) refuse(option, path, "a file that this command does not read");
  if (!written_.insert(file).second) refuse(option, path, "a file that no other option writes");
}

fs::path Outputs::add(const std::string& option, const fs::path& path) {
  check_writable(path);
  take(option, path);
  return resolved(path);
}

fs::path Outputs::add_regular(const std::string& option, const fs::path& path) {
  if (fs::exists(path) && !fs::is_directory(path) && !fs::is_regular_file(path)) {
    throw ConfigError(fmt::format("{}: cannot be written: it is no regular file", path.string()));
  }
  return add(option, path);
}

fs::path Outputs::add_waves(const std::string& option, const fs::path& path) {
  if (path.extension() != ".fst") refuse(option, path, "a file name that ends in .fst");
  const fs::path target = resolved(path);
  std::vector<fs::path> files = {target, fs::path(target).replace_extension(".gtkw")};
  const fs::path filters = fs::path(target).replace_extension(".filters");
  if (fs::exists(filters)) {
    if (!fs::is_directory(filters)) cannot_write(filters, ENOTDIR);
    for (const auto& entry : fs::directory_iterator(filters)) files.push_back(entry.path());
  }
  for (const fs::path& file : files) add_regular(option, file);
  return target;
}

void Outputs::add_folder(const std::string& option, const fs::path& path) const {
  const fs::path target = resolved(path);
  for (const fs::path& input : inputs_) {
    const fs::path inside = input.lexically_relative(target);
    if (!inside.empty() && *inside.begin() != "..") {
      refuse(option, path, "a folder in which this command reads nothing");
    }
  }
}

void Outputs::add_json(const std::string& option, const std::string& target) {
  if (!target.empty() && target != "-") add(option, target);
}

void write_json(const std::string& target, const nlohmann::json& document) {
  if (target.empty()) return;
  const std::string text =
      document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  if (target != "-") return write_file(target, text);
  std::fwrite(text.data(), 1, text.size(), stdout);
  finish_stdout();
}

std::string printable(const std::string& text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    // The second row of control characters, U+0080 to U+009F, takes two bytes of UTF-8.
    const bool second_row = c == 0xc2 && next >= 0x80 && next < 0xa0;
    if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f || second_row) {
      shown += fmt::format("\\x{:02x}", second_row ? next : c);
      i += second_row;
    } else {
      shown += text[i];
    }
  }
  return shown;
}

void finish_stdout() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw ConfigError(fmt::format("standard output: cannot be written: {}", std::strerror(errno)));
  }
}

}  // namespace weft::cli
