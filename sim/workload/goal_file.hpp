// Dependency traces in the text form of LogGOPSim's Group Operation Assembly Language (GOAL).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// One operation of a rank.
struct TraceOp {
  enum class Kind : std::uint8_t { kCalc, kSend, kRecv };

  Kind kind = Kind::kCalc;
  std::uint32_t line = 0;                     ///< Of the file, from 1.
  std::uint32_t peer = 0;                     ///< Send: receiver; receive: sender.
  std::uint64_t amount = 0;                   ///< Calc: units of time; others: bytes.
  std::uint64_t tag = 0;                      ///< Of a send or receive.
  std::string_view label;                     ///< Empty without one. Refers to the trace.
  std::vector<std::uint32_t> requires_end;    ///< Operations of the rank that must have ended,
  std::vector<std::uint32_t> requires_start;  ///< or started.
};

/// A trace as its file has it.
struct DependencyTrace {
  std::string file;                         ///< For messages.
  std::shared_ptr<const std::string> text;  ///< Labels refer to it.
  std::uint32_t count_line = 0;             ///< That of num_ranks, from 1.
  std::vector<std::vector<TraceOp>> ranks;  ///< By rank, in the order of the file.
  bool several_cpus = false;                ///< An operation names another cpu than 0.
};

/// Reads a trace from a text. `file` is for messages. Throws ConfigError with file and line for
/// what is no GOAL, for a rank, label or size that cannot be, and for an operation of an unknown
/// kind.
DependencyTrace parse_goal(std::string text, std::string file);

/// The same from a file. Throws ConfigError where it cannot be read.
DependencyTrace read_goal(const std::string& file);

/// Error of a line: "FILE:LINE: value VALUE: expected: EXPECTED".
[[noreturn]] void refuse_line(const DependencyTrace& trace, std::uint32_t line,
                              const std::string& value, const std::string& expected);

/// An operation as messages name it: its label, or its kind and line.
std::string name_of(const TraceOp& op);

}  // namespace weft
