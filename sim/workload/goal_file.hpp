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
  std::uint32_t line = 0;                     ///< Line of the file, counted from 1.
  std::uint32_t peer = 0;                     ///< Send: receiver; receive: sender.
  std::uint64_t amount = 0;                   ///< For calc: units of time; for others: bytes.
  std::uint64_t tag = 0;                      ///< For a send or receive.
  std::string_view label;                     ///< Empty if there is none. Refers to the text of the
                                              ///< trace.
  std::vector<std::uint32_t> requires_end;    ///< Operations of the rank that must have ended
                                              ///< before.
  std::vector<std::uint32_t> requires_start;  ///< Operations of the rank that must have started
                                              ///< before.
};

/// A trace as in its file.
struct DependencyTrace {
  std::string file;                         ///< Name of the file, for messages.
  std::shared_ptr<const std::string> text;  ///< Text to which labels refer.
  std::uint32_t count_line = 0;             ///< Line of num_ranks, counted from 1.
  std::vector<std::vector<TraceOp>> ranks;  ///< Operations by rank, in the order of the file.
  bool several_cpus = false;                ///< Some operation names a cpu other than 0.
};

/// Reads a trace from a text; `file` is for messages. Throws ConfigError with file and line for
/// what is not GOAL, for an impossible rank, label or size, and for an operation of an unknown
/// kind.
DependencyTrace parse_goal(std::string text, std::string file);

/// Reads a trace from a file. Throws ConfigError if it cannot be read, and as parse_goal.
DependencyTrace read_goal(const std::string& file);

/// Throws the error of a line: "FILE:LINE: value VALUE: expected: EXPECTED".
[[noreturn]] void refuse_line(const DependencyTrace& trace, std::uint32_t line,
                              const std::string& value, const std::string& expected);

/// An operation as messages name it: its label, or its kind and line.
std::string name_of(const TraceOp& op);

}  // namespace weft
