// The parsers alone, for fuzzing: harness elf|trace|json [FILE...], without files standard input.
// Prints how many of the inputs are good. A ConfigError with a message is a right answer to a bad
// one; whatever else happens ends the program. Built with sanitizers, and by AFL++ in its
// persistent mode (scripts/fuzz.sh).
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/config/document.hpp"
#include "sim/processor/rv32_program.hpp"
#include "sim/workload/goal_file.hpp"
#include "sim/workload/goal_order.hpp"

#ifdef __AFL_FUZZ_INIT
__AFL_FUZZ_INIT()
#endif

namespace {

using Input = std::span<const std::uint8_t>;
using Parser = void (*)(Input);

constexpr const char* kName = "the input";

void parse_program(Input input) {
  const weft::Rv32Program program(weft::parse_elf(input, kName), kName);
  weft::Memory memory(1u << 20);
  program.install(memory);
}

void parse_trace(Input input) {
  const weft::DependencyTrace trace =
      weft::parse_goal({reinterpret_cast<const char*>(input.data()), input.size()}, kName);
  const auto messages = weft::match_messages(trace);
  const weft::TraceOrder order(trace, messages);
  order.longest([](const weft::TraceOp& op) { return op.amount % 1000; },
                [](const weft::TraceMessage&) { return std::uint64_t{1}; });
}

void parse_json(Input input) {
  const std::string text(reinterpret_cast<const char*>(input.data()), input.size());
  nlohmann::json document = weft::parse_document(text, kName);
  if (weft::parse_document(document.dump(), kName) != document) std::abort();
  weft::apply_set(document, "a.b=[1]");
}

/// Whether the input is good. Ends the program unless it is, or is refused with a message.
bool is_good(Parser parser, Input input) {
  try {
    parser(input);
    return true;
  } catch (const weft::ConfigError& error) {
    if (std::strlen(error.what()) == 0) std::abort();
  } catch (const weft::CheckError& error) {
    if (std::strlen(error.what()) == 0) std::abort();
  }
  return false;
}

Parser find_parser(const std::string& name) {
  if (name == "elf") return parse_program;
  if (name == "trace") return parse_trace;
  if (name == "json") return parse_json;
  std::fputs("usage: harness elf|trace|json [FILE...]\n", stderr);
  std::exit(2);
}

std::vector<std::uint8_t> read_all(std::istream& stream) {
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

int main(int argc, char** argv) {
  const Parser parser = find_parser(argc > 1 ? argv[1] : "");
#ifdef __AFL_FUZZ_TESTCASE_LEN
  __AFL_INIT();
  const unsigned char* buffer = __AFL_FUZZ_TESTCASE_BUF;
  while (__AFL_LOOP(10000)) {
    // A copy of its own, so that the address sanitizer knows where it ends.
    const std::vector<std::uint8_t> copy(buffer, buffer + __AFL_FUZZ_TESTCASE_LEN);
    is_good(parser, copy);
  }
#else
  int good = 0;
  for (int i = 2; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    good += is_good(parser, read_all(file));
  }
  if (argc == 2) good += is_good(parser, read_all(std::cin));
  std::printf("%d good\n", good);
#endif
}
