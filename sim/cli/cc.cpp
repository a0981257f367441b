// weft cc: builds a user program for the processors of the nodes.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "sim/base/error.hpp"
#include "sim/base/file_reader.hpp"
#include "sim/base/file_writer.hpp"
#include "sim/base/installation.hpp"
#include "sim/base/process.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/output.hpp"
#include "sim/packet/packet.hpp"

namespace weft::cli {
namespace {

struct CompilerArguments {
  std::vector<std::string> files, options;
  std::string program;
  unsigned width = kHdrW;
  bool native = false, checked = false;
};

void compile(const CompilerArguments& arguments) {
  const std::filesystem::path sw = source_dir() / "sw";
  const std::string runtime = (sw / "runtime").string();
  for (const std::string& file : arguments.files) {
    if (!std::filesystem::exists(file)) throw ConfigError(file, "", "", "a C file that exists");
    read_file(file);  // The compiler would wait for a pipe, and read a device for ever.
  }
  check_writable(arguments.program);
  std::vector<std::string> command = {arguments.native ? WEFT_CC : WEFT_RISCV_GCC};
  command.push_back("@" + runtime + (arguments.native ? "/native.options" : "/rv32.options"));
  command.push_back("-I" + source_dir().string());
  command.push_back("-g");  // For gdb (weft run --gdb); the code is the same.
  if (arguments.checked) command.push_back("-DWEFT_CHECKED");
  command.push_back("-I" + (sw / "include").string());
  if (!arguments.native) {
    command.insert(command.end(), {fmt::format("-DWEFT_FLIT_BYTES={}", arguments.width / 8), "-T",
                                   runtime + "/weft.ld", runtime + "/crt0.S", runtime + "/boot.c"});
  }
  command.insert(command.end(), arguments.files.begin(), arguments.files.end());
  // After the files, as libraries must be.
  command.insert(command.end(), arguments.options.begin(), arguments.options.end());
  command.insert(command.end(), {"-o", arguments.program});
  if (const int status = run_process(
          command, nullptr,
          arguments.native ? "a C compiler is needed" : "package gcc-riscv64-unknown-elf has it");
      status != 0) {
    throw ConfigError(fmt::format("{} ended with status {}, and {} is not made", command.front(),
                                  status, arguments.program));
  }
}

}  // namespace

void add_cc(CLI::App& app) {
  auto arguments = std::make_shared<CompilerArguments>();
  CLI::App* command = app.add_subcommand(
      "cc", "Compile a C program for the processors of the nodes (sw/README.md)");
  command->add_option("FILE", arguments->files, "C files")->required();
  command->add_option("-o", arguments->program, "Program to write")
      ->type_name("FILE")
      ->required()
      ->check(expect_name);
  auto* const native = command->add_flag(
      "--native", arguments->native,
      "For processor native, on any width; without, for rv32, one width of flits");
  command->add_option("--width", arguments->width, "link.width_bits of the networks it is for")
      ->check(CLI::IsMember({64, 128, 256, 512}))
      ->capture_default_str()
      ->excludes(native);
  command->add_flag("--checked", arguments->checked,
                    "Check what the program asks of the library (tags, gaps, windows; ranks are "
                    "always checked): a few instructions for each call; without, as many cycles as "
                    "the collectives that Weft brings");
  command
      ->add_option("--option", arguments->options,
                   "An option for the compiler, as in --option=-O3; may be repeated")
      ->allow_extra_args(false);
  command->footer(
      "To run it: weft run CONFIG --program FILE, and where it is made with --native --set "
      "processor=native.");
  command->callback([arguments] { compile(*arguments); });
}

}  // namespace weft::cli
