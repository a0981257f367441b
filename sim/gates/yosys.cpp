// Running Yosys.
#include "sim/gates/yosys.hpp"

#include <string_view>

#include "sim/base/error.hpp"
#include "sim/base/file_reader.hpp"
#include "sim/base/file_writer.hpp"
#include "sim/base/process.hpp"

namespace weft {

std::string yosys_version() {
  std::string version;
  const bool runs = run_process({"sh", "-c", "yosys -V"}, &version) == 0;
  if (!runs) throw ConfigError("gates are made from RTL by Yosys: install package yosys");
  return version;
}

std::optional<std::string> run_yosys(const std::filesystem::path& folder,
                                     const std::string& script) {
  write_file(folder / "script.ys", script);
  std::string log;
  const int status = run_process(
      {"env", "-C", folder.string(), "yosys", "-q", "-l", "yosys.log", "-s", "script.ys"}, &log);
  if (status == 0) return {};
  const std::size_t error = log.find("ERROR:");
  log.erase(0, error != log.npos ? error : log.size() > 2000 ? log.size() - 2000 : 0);
  // What abc complains of is in the whole log alone.
  const std::string whole = read_file(folder / "yosys.log");
  constexpr std::string_view kAbc = "ABC: Error:";
  for (std::size_t at = whole.find(kAbc); at != whole.npos; at = whole.find(kAbc, at + 1)) {
    log = whole.substr(at, whole.find('\n', at) - at) + "\n" + log;
  }
  return log.empty() ? "its exit status is " + std::to_string(status) : log;
}

}  // namespace weft
