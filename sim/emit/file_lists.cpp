// Lists of files for simulators, FuseSoC and Bender.
#include "sim/emit/file_lists.hpp"

#include <fmt/format.h>

namespace weft {
namespace {

std::string lines(const std::vector<std::string>& files, const std::string& before) {
  std::string text;
  for (const std::string& file : files) text += before + file + "\n";
  return text;
}

}  // namespace

std::map<std::string, std::string> file_lists(const std::vector<std::string>& files,
                                              const std::vector<std::string>& bench) {
  const std::string yaml = "# Written by `weft emit`.\n";
  const std::string core =
      "CAPI=2:\n" + yaml +
      "name: weft:emitted:weft_top:0\n"
      "description: A network written by Weft\n"
      "filesets:\n"
      "  rtl:\n"
      "    files:\n"
      "      - rtl/include/weft_assert.svh: {is_include_file: true, include_path: rtl/include}\n" +
      lines(files, "      - ") +
      "    file_type: systemVerilogSource\n"
      "  waivers:\n"
      "    files:\n"
      "      - rtl/waivers.vlt: {file_type: vlt}\n"
      "  bench:\n"
      "    files:\n" +
      lines(bench, "      - ") +
      "    file_type: systemVerilogSource\n"
      "targets:\n"
      "  default:\n"
      "    filesets: [rtl]\n"
      "    toplevel: weft_top\n"
      "  lint:\n"
      "    default_tool: verilator\n"
      "    filesets: [rtl, waivers]\n"
      "    toplevel: weft_top\n"
      "    tools:\n"
      "      verilator: {mode: lint-only, verilator_options: [-Wall]}\n"
      "  sim:\n"
      "    default_tool: icarus\n"
      "    filesets: [rtl, bench]\n"
      "    toplevel: weft_tb\n"
      "    tools:\n"
      "      icarus: {iverilog_options: [-g2012]}\n";
  const std::string bender = yaml +
                             "package:\n"
                             "  name: weft_top\n"
                             "sources:\n"
                             "  - include_dirs: [rtl/include]\n"
                             "    files:\n" +
                             lines(files, "      - ") +
                             "  - target: test\n"
                             "    files:\n" +
                             lines(bench, "      - ");
  return {{"weft_top.f", "+incdir+rtl/include\n" + lines(files, "")},
          {"weft_lint.f", "rtl/waivers.vlt\n-F weft_top.f\n"},
          {"weft_top.core", core},
          {"Bender.yml", bender}};
}

}  // namespace weft
